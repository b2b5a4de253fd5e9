/* SPDX-License-Identifier: MIT */
/* What positions and distances between tokens stand for. */
#include "distances.h"

#include "config-more.h"
#include "config-private.h"
#include "kernels.h"
#include "ops.h"

#include <math.h>
#include <string.h>

#define MPNET_FARTHEST 128.0 /* distance from which on all share the last bucket */

size_t
attn_distance_get_mpnet_bucket (ptrdiff_t distance)
{
  const size_t n_side = ATTN_MPNET_BUCKETS / 2, n_exact = n_side / 2;
  const size_t side = distance > 0 ? n_side : 0;
  const size_t size = distance > 0 ? (size_t)distance : (size_t)-distance;
  if (size < n_exact)
    return side + size;
  /* single precision, for the reference's borders */
  const float range = (float)log (MPNET_FARTHEST / (double)n_exact);
  const float scaled = logf ((float)size / (float)n_exact) / range * (float)(n_side - n_exact);
  return side + MIN (n_exact + (size_t)scaled, n_side - 1);
}

ptrdiff_t
attn_distance_get_deberta_bucket (const AttnRelative *relative, ptrdiff_t distance)
{
  const ptrdiff_t size = distance < 0 ? -distance : distance;
  const ptrdiff_t half = (ptrdiff_t)(relative->n_buckets / 2);
  if (relative->n_buckets == 0 || size <= half)
    return distance;
  /* single precision, for the reference's borders */
  const float range = logf ((float)((double)(relative->max_distance - 1) / (double)half));
  const float scaled = logf ((float)size / (float)half) / range * (float)(half - 1);
  const ptrdiff_t bucket = (ptrdiff_t)ceilf (scaled) + half;
  return distance < 0 ? -bucket : bucket;
}

void
attn_distance_fill_bias (const AttnWeights *weights, size_t head, size_t n_tokens, float *bias)
{
  const size_t n_heads = weights->layout.config->n_heads;
  for (size_t i = 0; i < 2 * n_tokens - 1; i++) {
    const ptrdiff_t distance = (ptrdiff_t)i - (ptrdiff_t)(n_tokens - 1);
    bias[i] = weights->distances[attn_distance_get_mpnet_bucket (distance) * n_heads + head];
  }
}

void
attn_distance_fill_rows (const AttnRelative *relative, size_t n_tokens, int32_t *rows)
{
  const ptrdiff_t span = (ptrdiff_t)attn_relative_get_span (relative);
  for (size_t i = 0; i < 2 * n_tokens - 1; i++) {
    const ptrdiff_t distance = (ptrdiff_t)i - (ptrdiff_t)(n_tokens - 1);
    const ptrdiff_t row = attn_distance_get_deberta_bucket (relative, distance) + span;
    rows[i] = (int32_t)CLAMP (row, 0, 2 * span - 1);
  }
  for (ptrdiff_t i = 1; i <= ATTN_DISTANCE_MARGIN; i++) {
    rows[-i] = rows[0];
    rows[2 * (ptrdiff_t)n_tokens - 2 + i] = rows[2 * n_tokens - 2];
  }
}

void
attn_rotation_fill (float *angles, size_t n_tokens, size_t d_k, double theta)
{
  const size_t half = d_k / 2;
  for (size_t j = 0; j < half; j++) {
    const float exponent = (float)(2 * j) / (float)d_k;
    const float frequency = 1 / (float)pow (theta, (double)exponent);
    for (size_t t = 0; t < n_tokens; t++) {
      const float angle = (float)t * frequency;
      angles[t * d_k + j] = cosf (angle);
      angles[t * d_k + half + j] = sinf (angle);
    }
  }
}

void
attn_rotation_apply (float *x, const float *angles, size_t d_k)
{
  const size_t half = d_k / 2;
  for (size_t j = 0; j < half; j++) {
    const float a = x[j], b = x[half + j], cosine = angles[j], sine = angles[half + j];
    x[j] = a * cosine - b * sine;
    x[half + j] = b * cosine + a * sine;
  }
}

/* Making the projections: all rows of the distances through a layer's matrices. */
typedef struct {
  const AttnWeights *weights;
  AttnPool *pool;
  size_t n_rows;  /* 2 span */
  float *rows;    /* [n_rows, D] the distances, normed */
  float *product; /* [n_rows, 2 D] */
  AttnBlock block;
} Projector;

static void
cut_projector (AttnCutter *cutter, Projector *projector, size_t D)
{
  projector->rows = attn_cutter_take_matrix (cutter, projector->n_rows, D);
  projector->product = attn_cutter_take_matrix (cutter, projector->n_rows, 2 * D);
}

static bool
init_projector (Projector *projector, GError **error)
{
  const AttnWeights *weights = projector->weights;
  const AttnConfig *config = weights->layout.config;
  const size_t D = config->d_model, n = projector->n_rows;
  AttnCutter cutter = {0};
  cut_projector (&cutter, projector, D);
  if (!attn_block_init (&projector->block, &cutter, "the distances' projections", false, error))
    return false;
  cutter = (AttnCutter){.base = projector->block.data};
  cut_projector (&cutter, projector, D);
  if (weights->distance_norm.gain != NULL)
    attn_ops_layer_norm (projector->rows, weights->distances, weights->distance_norm.gain,
                         weights->distance_norm.bias, n, D, config->layer_norm_eps);
  else
    memcpy (projector->rows, weights->distances, n * D * sizeof (float));
  return true;
}

static void
multiply (const Projector *projector, const AttnLinear *linear)
{
  AttnLinearCall call = {
      .x = projector->rows,
      .ldx = linear->n_in,
      .y = projector->product,
      .ldy = linear->n_out,
      .n_rows = projector->n_rows,
  };
  attn_linear_run (linear, &call, projector->pool);
}

/* Packs columns first_column … of a product, head by head. */
static void
pack_heads (const Projector *projector, size_t ld, size_t first_column, size_t size, float *to)
{
  const AttnKernels *kernels = attn_kernels_get ();
  const AttnConfig *config = projector->weights->layout.config;
  for (size_t head = 0; head < config->n_heads; head++, to += size) {
    const float *from = projector->product + first_column + head * config->d_k;
    for (size_t row = 0; row < projector->n_rows; row += kernels->panel)
      kernels->transpose (to + row * config->d_k, from + row * ld, ld,
                          MIN (kernels->panel, projector->n_rows - row), config->d_k);
  }
}

/* Through the matrices of queries and keys, or those of the distances' own. */
static void
project_layer (const Projector *projector, size_t l, AttnDistances *distances)
{
  const AttnConfig *config = projector->weights->layout.config;
  const AttnLayerWeights *layer = &projector->weights->layers[l];
  const size_t D = config->d_model, size = distances->head_size;
  const size_t offset = l * config->n_heads * size;
  AttnLinear shared = layer->qkv;
  shared.n_out = 2 * D; /* values come last and are not wanted */
  if (config->relative.shared)
    multiply (projector, &shared);
  if (distances->keys != NULL) {
    if (!config->relative.shared)
      multiply (projector, &layer->distance_key);
    pack_heads (projector, config->relative.shared ? 2 * D : D, config->relative.shared ? D : 0,
                size, distances->keys + offset);
  }
  if (distances->queries != NULL) {
    if (!config->relative.shared)
      multiply (projector, &layer->distance_query);
    pack_heads (projector, config->relative.shared ? 2 * D : D, 0, size,
                distances->queries + offset);
  }
}

static void
cut_distances (AttnCutter *cutter, AttnDistances *distances, const AttnConfig *config)
{
  const size_t n_heads = attn_config_get_n_layer_weights (config) * config->n_heads;
  if (config->relative.content_to_position)
    distances->keys = attn_cutter_take_matrix (cutter, n_heads, distances->head_size);
  if (config->relative.position_to_content)
    distances->queries = attn_cutter_take_matrix (cutter, n_heads, distances->head_size);
}

bool
attn_distances_init (AttnDistances *distances,
                     const AttnWeights *weights,
                     AttnPool *pool,
                     GError **error)
{
  const AttnConfig *config = weights->layout.config;
  *distances = (AttnDistances){0};
  if (weights->layout.arch->score != ATTN_SCORE_DISENTANGLED || !config->relative.on)
    return true;
  Projector projector = {.weights = weights, .pool = pool};
  projector.n_rows = 2 * attn_relative_get_span (&config->relative);
  distances->head_size = attn_linear_packed_size (config->d_k, projector.n_rows);
  AttnCutter cutter = {0};
  cut_distances (&cutter, distances, config);
  if (!attn_block_init (&distances->block, &cutter, "the distances' projections", true, error))
    return false;
  cutter = (AttnCutter){.base = distances->block.data};
  cut_distances (&cutter, distances, config);
  if (!init_projector (&projector, error)) {
    attn_distances_clear (distances);
    return false;
  }
  for (size_t l = 0; l < attn_config_get_n_layer_weights (config); l++)
    project_layer (&projector, l, distances);
  attn_block_clear (&projector.block);
  return true;
}

void
attn_distances_clear (AttnDistances *distances)
{
  attn_block_clear (&distances->block);
  *distances = (AttnDistances){0};
}
