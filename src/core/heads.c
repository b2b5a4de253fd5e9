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
  AttnMap **maps; /* [n_heads] */
  size_t n_heads;
  double *distances;
} Distances;

/* One head with all after it. */
static void
compare_piece (size_t head, size_t worker G_GNUC_UNUSED, void *data)
{
  const Distances *job = data;
  const AttnMap *own = job->maps[head];
  job->distances[head * job->n_heads + head] = 0;
  for (size_t other = head + 1; other < job->n_heads; other++) {
    const double distance = attn_heads_compute_distance (own->weights, job->maps[other]->weights,
                                                         own->n_queries, own->n_keys) /
                            (double)own->n_queries;
    job->distances[head * job->n_heads + other] = distance;
    job->distances[other * job->n_heads + head] = distance;
  }
}

bool
attn_heads_compute_distances (
    AttnMaps *maps, size_t layer, AttnPool *pool, double *distances, GError **error)
{
  const size_t n_heads = attn_maps_get_n_heads (maps);
  g_return_val_if_fail (layer < attn_maps_get_n_layers (maps), false);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify)attn_map_free);
  for (size_t head = 0; head < n_heads; head++) {
    AttnMap *map = attn_maps_dup_map (maps, layer, head, error);
    if (map == NULL)
      return false;
    g_ptr_array_add (all, map);
  }
  Distances job = {(AttnMap **)all->pdata, n_heads, distances};
  attn_pool_run (pool, n_heads, compare_piece, &job);
  return true;
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
  return size > 0 ? sqrt (difference / size) : 0;
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
