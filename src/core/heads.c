/* SPDX-License-Identifier: MIT */
/* Why several heads: how far they differ, and what one wide head in their place would see. */
#include "attn/heads.h"

#include "model-private.h"
#include "steps-private.h"

#include "attn/error.h"

#include <math.h>

#define SMOOTHING 0.001 /* as in the source: no logarithm of 0 */

static double
compute_row (const float *a, const float *b, size_t n)
{
  const double floor = SMOOTHING / (double)n;
  double sum = 0;
  for (size_t key = 0; key < n; key++) {
    const double p = (1 - SMOOTHING) * (double)a[key] + floor;
    const double q = (1 - SMOOTHING) * (double)b[key] + floor;
    const double m = (p + q) / 2;
    sum += p * log (p / m) + q * log (q / m);
  }
  return sum / 2;
}

double
attn_heads_compute_distance (const float *a, const float *b, size_t n_queries, size_t n_keys)
{
  double sum = 0;
  for (size_t query = 0; query < n_queries; query++)
    sum += compute_row (a + query * n_keys, b + query * n_keys, n_keys);
  return sum;
}

typedef struct {
  const float *weights; /* [n_heads, n_queries, n_keys] */
  size_t n_heads, n_queries, n_keys;
  double *distances;
} Distances;

/* One head with all after it. */
static void
compare_piece (size_t head, size_t worker G_GNUC_UNUSED, void *data)
{
  const Distances *job = data;
  const size_t size = job->n_queries * job->n_keys;
  job->distances[head * job->n_heads + head] = 0;
  for (size_t other = head + 1; other < job->n_heads; other++) {
    const double distance =
        attn_heads_compute_distance (job->weights + head * size, job->weights + other * size,
                                     job->n_queries, job->n_keys) /
        (double)job->n_queries;
    job->distances[head * job->n_heads + other] = distance;
    job->distances[other * job->n_heads + head] = distance;
  }
}

static bool
check_wanted (const AttnPool *pool, GError **error)
{
  if (!attn_pool_is_stopped (pool))
    return true;
  g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "stopped");
  return false;
}

/* @pool: (nullable): asked between the heads. Returns: (transfer full): [h, n_queries, n_keys] the
 * maps of a layer, or NULL with @error. */
static float *
compute_maps (const AttnMaps *maps, size_t layer, const AttnPool *pool, GError **error)
{
  const size_t n_heads = attn_maps_get_n_heads (maps);
  size_t size = 0, n = 0;
  g_autofree float *weights = NULL;
  if (g_size_checked_mul (&size, attn_maps_get_n (maps, ATTN_SIDE_QUERY),
                          attn_maps_get_n (maps, ATTN_SIDE_KEY)) &&
      g_size_checked_mul (&n, size, n_heads))
    weights = g_try_new (float, n);
  if (weights == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for the maps of %zu heads",
                 n_heads);
    return NULL;
  }
  for (size_t head = 0; head < n_heads; head++)
    if (!check_wanted (pool, error) ||
        !attn_maps_compute (maps, layer, head, weights + head * size, error))
      return NULL;
  return g_steal_pointer (&weights);
}

/* Returns: false with @error when the pool was stopped meanwhile. */
static bool
compare_heads (Distances *job, AttnPool *pool, GError **error)
{
  attn_pool_run (pool, job->n_heads, compare_piece, job);
  return check_wanted (pool, error);
}

bool
attn_heads_compute_distances (
    AttnMaps *maps, size_t layer, AttnPool *pool, double *distances, GError **error)
{
  g_return_val_if_fail (layer < attn_maps_get_n_layers (maps), false);
  g_autofree float *weights = compute_maps (maps, layer, pool, error);
  if (weights == NULL)
    return false;
  Distances job = {weights, attn_maps_get_n_heads (maps), attn_maps_get_n (maps, ATTN_SIDE_QUERY),
                   attn_maps_get_n (maps, ATTN_SIDE_KEY), distances};
  return compare_heads (&job, pool, error);
}

/* Q and K over all columns, with the family's divisor for their width. */
static AttnScoreCall
get_wide_call (const AttnTrace *trace, size_t layer)
{
  const AttnConfig *config = trace->model->config;
  AttnScoreCall call = attn_trace_get_score_call (trace, layer, 0);
  call.scale *= (float)sqrt ((double)config->d_k / (double)config->d_model);
  call.d_k = config->d_model;
  call.bias = NULL;
  call.terms = (AttnDistanceTerms){0};
  return call;
}

/* |a - b| / |b| */
static double
compare_outputs (const AttnMatrix *a, const AttnMatrix *b)
{
  double difference = 0, size = 0;
  for (size_t i = 0; i < a->n_rows * a->n_columns; i++) {
    const double x = (double)a->values[i], y = (double)b->values[i];
    difference += (x - y) * (x - y);
    size += y * y;
  }
  return size == 0 ? 0 : sqrt (difference / size); /* NaN is passed on */
}

static bool
project (const AttnTrace *trace, size_t layer, AttnOneHead *one, GError **error)
{
  const size_t T = trace->n_tokens, D = trace->model->config->d_model;
  g_autoptr (AttnMatrix) mixed = attn_matrix_new (T, D, error);
  one->output = mixed != NULL ? attn_matrix_new (T, D, error) : NULL;
  if (one->output == NULL)
    return false;
  size_t stride;
  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, layer, &stride);
  attn_ops_mix_values (one->map->values, v, stride, T, D, mixed->values, D);
  const AttnLinearCall call = {
      .x = mixed->values, .ldx = D, .y = one->output->values, .ldy = D, .n_rows = T};
  attn_linear_run (&attn_steps_peek_weights (trace, layer)->out, &call, NULL);
  return true;
}

AttnOneHead *
attn_heads_merge (const AttnTrace *trace, size_t layer, GError **error)
{
  g_return_val_if_fail (layer < trace->model->config->n_layers, NULL);
  g_autoptr (AttnOneHead) one = g_new0 (AttnOneHead, 1);
  one->map = attn_matrix_new (trace->n_tokens, trace->n_tokens, error);
  if (one->map == NULL)
    return NULL;
  const AttnScoreCall call = get_wide_call (trace, layer);
  attn_ops_map (&call, one->map->values);
  if (!project (trace, layer, one, error))
    return NULL;
  g_autoptr (AttnMatrix) many = attn_step_compute (trace, ATTN_STEP_OUTPUT, layer, 0, error);
  if (many == NULL)
    return NULL;
  one->lost = compare_outputs (one->output, many);
  return g_steal_pointer (&one);
}

void
attn_one_head_free (AttnOneHead *one)
{
  if (one == NULL)
    return;
  attn_matrix_free (one->map);
  attn_matrix_free (one->output);
  g_free (one);
}

static void
find_pairs (AttnLayerHeads *heads)
{
  double least = INFINITY, most = -INFINITY;
  for (size_t a = 0; a < heads->n_heads; a++)
    for (size_t b = a + 1; b < heads->n_heads; b++) {
      const double distance = heads->distances[a * heads->n_heads + b];
      heads->n_unknown += isnan (distance) ? 1 : 0;
      if (distance < least) {
        least = distance;
        heads->alike[0] = a;
        heads->alike[1] = b;
      }
      if (distance > most) {
        most = distance;
        heads->unlike[0] = a;
        heads->unlike[1] = b;
      }
    }
}

AttnLayerHeads *
attn_layer_heads_new (AttnTrace *trace, size_t layer, AttnPool *pool, GError **error)
{
  g_autoptr (AttnLayerHeads) heads = g_new0 (AttnLayerHeads, 1);
  g_atomic_ref_count_init (&heads->ref_count);
  heads->maps = attn_maps_new_from_trace (trace);
  heads->layer = layer;
  heads->n_heads = attn_maps_get_n_heads (heads->maps);
  heads->n_tokens = attn_maps_get_n (heads->maps, ATTN_SIDE_QUERY);
  heads->weights = compute_maps (heads->maps, layer, pool, error);
  if (heads->weights == NULL)
    return NULL;
  heads->one = attn_heads_merge (trace, layer, error);
  if (heads->one == NULL)
    return NULL;
  heads->distances = g_new (double, heads->n_heads * heads->n_heads);
  Distances job = {heads->weights, heads->n_heads, heads->n_tokens, heads->n_tokens,
                   heads->distances};
  if (!compare_heads (&job, pool, error))
    return NULL;
  find_pairs (heads);
  return g_steal_pointer (&heads);
}

AttnLayerHeads *
attn_layer_heads_ref (AttnLayerHeads *heads)
{
  g_atomic_ref_count_inc (&heads->ref_count);
  return heads;
}

void
attn_layer_heads_unref (AttnLayerHeads *heads)
{
  if (heads == NULL || !g_atomic_ref_count_dec (&heads->ref_count))
    return;
  g_clear_pointer (&heads->maps, attn_maps_unref);
  attn_one_head_free (heads->one);
  g_free (heads->weights);
  g_free (heads->distances);
  g_free (heads);
}
