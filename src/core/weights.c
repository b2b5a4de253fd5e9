/* SPDX-License-Identifier: MIT */
/* Where each weight of a model stands in memory: one block, a place for every role. */
#include "weights.h"

#include "config-private.h"

bool
attn_layout_has (const AttnLayout *layout, AttnRole role, size_t layer)
{
  return attn_role_is_present (layout->arch, layout->config, layout->head != ATTN_HEAD_NONE,
                               layout->head == ATTN_HEAD_OWN, role, layer);
}

size_t
attn_layout_get_n_times (const AttnLayout *layout, AttnRole role)
{
  return attn_role_is_layered (role) ? attn_config_get_n_layer_weights (layout->config) : 1;
}

/* Where a cutter's arrays go, and whose they are. */
typedef struct {
  AttnCutter *cutter;
  const AttnLayout *layout;
  size_t layer;
} Cut;

static float *
cut_array (const Cut *cut, AttnRole role)
{
  size_t shape[2];
  if (!attn_layout_has (cut->layout, role, cut->layer))
    return NULL;
  attn_layout_get_shape (cut->layout, role, shape);
  return attn_cutter_take_matrix (cut->cutter, shape[0], shape[1]);
}

static void
cut_norm (const Cut *cut, AttnNormWeights *norm, AttnRole gain, AttnRole bias)
{
  norm->gain = cut_array (cut, gain);
  norm->bias = cut_array (cut, bias);
}

/* A matrix in panels; its sizes are known, whether there is one or not. */
static void
cut_linear (const Cut *cut, AttnLinear *linear, AttnRole role, AttnRole bias)
{
  size_t shape[2];
  attn_layout_get_shape (cut->layout, role, shape);
  linear->n_out = shape[0];
  linear->n_in = shape[1];
  if (!attn_layout_has (cut->layout, role, cut->layer))
    return;
  linear->panels =
      attn_cutter_take (cut->cutter, attn_linear_packed_size (linear->n_in, linear->n_out));
  linear->bias = cut_array (cut, bias);
}

/* Files have one matrix or three, memory has one. */
static void
cut_qkv (const Cut *cut, AttnLinear *linear)
{
  size_t D = cut->layout->config->d_model;
  linear->n_in = D;
  linear->n_out = 3 * D;
  linear->panels = attn_cutter_take (cut->cutter, attn_linear_packed_size (D, 3 * D));
  if (attn_layout_has (cut->layout, ATTN_ROLE_QKV_BIAS, cut->layer) ||
      attn_layout_has (cut->layout, ATTN_ROLE_QUERY_BIAS, cut->layer))
    linear->bias = attn_cutter_take (cut->cutter, 3 * D);
}

static void
cut_layer (const Cut *cut, AttnLayerWeights *layer)
{
  cut_norm (cut, &layer->attn_norm, ATTN_ROLE_ATTN_NORM_GAIN, ATTN_ROLE_ATTN_NORM_BIAS);
  cut_qkv (cut, &layer->qkv);
  cut_linear (cut, &layer->distance_key, ATTN_ROLE_DISTANCE_KEY, ATTN_ROLE_DISTANCE_KEY_BIAS);
  cut_linear (cut, &layer->distance_query, ATTN_ROLE_DISTANCE_QUERY, ATTN_ROLE_DISTANCE_QUERY_BIAS);
  cut_linear (cut, &layer->out, ATTN_ROLE_OUT, ATTN_ROLE_OUT_BIAS);
  cut_linear (cut, &layer->up, ATTN_ROLE_UP, ATTN_ROLE_UP_BIAS);
  cut_linear (cut, &layer->down, ATTN_ROLE_DOWN, ATTN_ROLE_DOWN_BIAS);
  cut_norm (cut, &layer->ffn_norm, ATTN_ROLE_FFN_NORM_GAIN, ATTN_ROLE_FFN_NORM_BIAS);
}

/* The layout, in the order a forward pass reads it. */
static void
cut_weights (AttnCutter *cutter, AttnWeights *weights)
{
  const AttnLayout *layout = &weights->layout;
  Cut cut = {cutter, layout, 0};
  weights->words = cut_array (&cut, ATTN_ROLE_WORDS);
  weights->positions = cut_array (&cut, ATTN_ROLE_POSITIONS);
  weights->types = cut_array (&cut, ATTN_ROLE_TYPES);
  cut_norm (&cut, &weights->embed_norm, ATTN_ROLE_EMBED_NORM_GAIN, ATTN_ROLE_EMBED_NORM_BIAS);
  cut_linear (&cut, &weights->projection, ATTN_ROLE_PROJECTION, ATTN_ROLE_PROJECTION_BIAS);
  weights->distances = cut_array (&cut, ATTN_ROLE_DISTANCES);
  cut_norm (&cut, &weights->distance_norm, ATTN_ROLE_DISTANCE_NORM_GAIN,
            ATTN_ROLE_DISTANCE_NORM_BIAS);
  cut_linear (&cut, &weights->convolution, ATTN_ROLE_CONVOLUTION, ATTN_ROLE_CONVOLUTION_BIAS);
  cut_norm (&cut, &weights->convolution_norm, ATTN_ROLE_CONVOLUTION_NORM_GAIN,
            ATTN_ROLE_CONVOLUTION_NORM_BIAS);
  for (; cut.layer < attn_config_get_n_layer_weights (layout->config); cut.layer++)
    cut_layer (&cut, &weights->layers[cut.layer]);
  cut.layer = 0;
  cut_norm (&cut, &weights->final_norm, ATTN_ROLE_FINAL_NORM_GAIN, ATTN_ROLE_FINAL_NORM_BIAS);
  cut_linear (&cut, &weights->head_dense, ATTN_ROLE_HEAD_DENSE, ATTN_ROLE_HEAD_DENSE_BIAS);
  cut_norm (&cut, &weights->head_norm, ATTN_ROLE_HEAD_NORM_GAIN, ATTN_ROLE_HEAD_NORM_BIAS);
  if (layout->head != ATTN_HEAD_NONE)
    weights->decoder =
        layout->head == ATTN_HEAD_OWN ? cut_array (&cut, ATTN_ROLE_DECODER) : weights->words;
  weights->decoder_bias = cut_array (&cut, ATTN_ROLE_DECODER_BIAS);
}

/* The widths one matrix has, checked where attn_linear_packed_size() multiplies them. */
static bool
sizes_fit (const AttnConfig *config)
{
  size_t limit = ((size_t)1 << 24) + 1; /* far over any model; products of two stay below 2^63 */
  return config->d_model < limit && config->d_ff < limit && config->n_layers < limit &&
         config->d_embed < limit;
}

bool
attn_weights_init (AttnWeights *weights, const AttnLayout *layout, GError **error)
{
  *weights = (AttnWeights){.layout = *layout};
  AttnCutter cutter = {.overflow = !sizes_fit (layout->config)};
  if (!cutter.overflow) {
    weights->layers = g_new0 (AttnLayerWeights, attn_config_get_n_layer_weights (layout->config));
    cut_weights (&cutter, weights);
  }
  if (!attn_block_init (&weights->block, &cutter, "the model's weights", true, error)) {
    attn_weights_clear (weights);
    return false;
  }
  cutter = (AttnCutter){.base = weights->block.data};
  cut_weights (&cutter, weights);
  return true;
}

void
attn_weights_clear (AttnWeights *weights)
{
  g_free (weights->layers);
  attn_block_clear (&weights->block);
  *weights = (AttnWeights){0};
}

static AttnPlace
at (float *plain)
{
  return (AttnPlace){.plain = plain};
}

static AttnPlace
rows_of (AttnLinear *linear, size_t first_out)
{
  return (AttnPlace){.linear = linear, .first_out = first_out};
}

static AttnPlace
find_in_layer (AttnLayerWeights *layer, AttnRole role, size_t D)
{
  switch (role) {
  case ATTN_ROLE_QUERY:
  case ATTN_ROLE_QKV:
    return rows_of (&layer->qkv, 0);
  case ATTN_ROLE_QUERY_BIAS:
  case ATTN_ROLE_QKV_BIAS:
    return at (layer->qkv.bias);
  case ATTN_ROLE_KEY:
    return rows_of (&layer->qkv, D);
  case ATTN_ROLE_KEY_BIAS:
    return at (layer->qkv.bias + D);
  case ATTN_ROLE_VALUE:
    return rows_of (&layer->qkv, 2 * D);
  case ATTN_ROLE_VALUE_BIAS:
    return at (layer->qkv.bias + 2 * D);
  case ATTN_ROLE_DISTANCE_KEY:
    return rows_of (&layer->distance_key, 0);
  case ATTN_ROLE_DISTANCE_KEY_BIAS:
    return at (layer->distance_key.bias);
  case ATTN_ROLE_DISTANCE_QUERY:
    return rows_of (&layer->distance_query, 0);
  case ATTN_ROLE_DISTANCE_QUERY_BIAS:
    return at (layer->distance_query.bias);
  case ATTN_ROLE_OUT:
    return rows_of (&layer->out, 0);
  case ATTN_ROLE_OUT_BIAS:
    return at (layer->out.bias);
  case ATTN_ROLE_ATTN_NORM_GAIN:
    return at (layer->attn_norm.gain);
  case ATTN_ROLE_ATTN_NORM_BIAS:
    return at (layer->attn_norm.bias);
  case ATTN_ROLE_UP:
    return rows_of (&layer->up, 0);
  case ATTN_ROLE_UP_BIAS:
    return at (layer->up.bias);
  case ATTN_ROLE_DOWN:
    return rows_of (&layer->down, 0);
  case ATTN_ROLE_DOWN_BIAS:
    return at (layer->down.bias);
  case ATTN_ROLE_FFN_NORM_GAIN:
    return at (layer->ffn_norm.gain);
  case ATTN_ROLE_FFN_NORM_BIAS:
    return at (layer->ffn_norm.bias);
  default:
    g_assert_not_reached ();
  }
}

AttnPlace
attn_weights_find_place (AttnWeights *weights, AttnRole role, size_t layer)
{
  if (!attn_layout_has (&weights->layout, role, layer))
    return at (NULL);
  switch (role) {
  case ATTN_ROLE_WORDS:
    return at (weights->words);
  case ATTN_ROLE_POSITIONS:
    return at (weights->positions);
  case ATTN_ROLE_TYPES:
    return at (weights->types);
  case ATTN_ROLE_EMBED_NORM_GAIN:
    return at (weights->embed_norm.gain);
  case ATTN_ROLE_EMBED_NORM_BIAS:
    return at (weights->embed_norm.bias);
  case ATTN_ROLE_PROJECTION:
    return rows_of (&weights->projection, 0);
  case ATTN_ROLE_PROJECTION_BIAS:
    return at (weights->projection.bias);
  case ATTN_ROLE_DISTANCES:
    return at (weights->distances);
  case ATTN_ROLE_DISTANCE_NORM_GAIN:
    return at (weights->distance_norm.gain);
  case ATTN_ROLE_DISTANCE_NORM_BIAS:
    return at (weights->distance_norm.bias);
  case ATTN_ROLE_CONVOLUTION:
    return rows_of (&weights->convolution, 0);
  case ATTN_ROLE_CONVOLUTION_BIAS:
    return at (weights->convolution.bias);
  case ATTN_ROLE_CONVOLUTION_NORM_GAIN:
    return at (weights->convolution_norm.gain);
  case ATTN_ROLE_CONVOLUTION_NORM_BIAS:
    return at (weights->convolution_norm.bias);
  case ATTN_ROLE_FINAL_NORM_GAIN:
    return at (weights->final_norm.gain);
  case ATTN_ROLE_FINAL_NORM_BIAS:
    return at (weights->final_norm.bias);
  case ATTN_ROLE_HEAD_DENSE:
    return rows_of (&weights->head_dense, 0);
  case ATTN_ROLE_HEAD_DENSE_BIAS:
    return at (weights->head_dense.bias);
  case ATTN_ROLE_HEAD_NORM_GAIN:
    return at (weights->head_norm.gain);
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return at (weights->head_norm.bias);
  case ATTN_ROLE_DECODER:
    return at (weights->decoder);
  case ATTN_ROLE_DECODER_BIAS:
    return at (weights->decoder_bias);
  default:
    g_assert (layer < attn_config_get_n_layer_weights (weights->layout.config));
    return find_in_layer (&weights->layers[layer], role, weights->layout.config->d_model);
  }
}

static size_t
set_shape (size_t shape[2], size_t n_rows, size_t width)
{
  shape[0] = n_rows;
  shape[1] = width;
  return 2;
}

static size_t
set_length (size_t shape[2], size_t length)
{
  set_shape (shape, length, 1);
  return 1;
}

static size_t
get_distances_shape (const AttnConfig *config, AttnScoreRule score, size_t shape[2])
{
  if (score == ATTN_SCORE_BUCKETS)
    return set_shape (shape, config->n_buckets, config->n_heads);
  return set_shape (shape, 2 * attn_relative_get_span (&config->relative), config->d_model);
}

size_t
attn_layout_get_shape (const AttnLayout *layout, AttnRole role, size_t shape[2])
{
  const AttnConfig *config = layout->config;
  size_t D = config->d_model, E = attn_config_get_d_embed (config), F = config->d_ff;
  size_t F_up = layout->arch->gated ? 2 * F : F;
  switch (role) {
  case ATTN_ROLE_WORDS:
  case ATTN_ROLE_DECODER:
    return set_shape (shape, config->vocab_size, E);
  case ATTN_ROLE_POSITIONS:
    return set_shape (shape, config->n_positions + config->n_skipped_positions, E);
  case ATTN_ROLE_TYPES:
    return set_shape (shape, config->n_types, E);
  case ATTN_ROLE_PROJECTION:
    return set_shape (shape, D, E);
  case ATTN_ROLE_DISTANCES:
    return get_distances_shape (config, layout->arch->score, shape);
  case ATTN_ROLE_QUERY:
  case ATTN_ROLE_KEY:
  case ATTN_ROLE_VALUE:
  case ATTN_ROLE_DISTANCE_KEY:
  case ATTN_ROLE_DISTANCE_QUERY:
  case ATTN_ROLE_OUT:
    return set_shape (shape, D, D);
  case ATTN_ROLE_CONVOLUTION:
    return set_shape (shape, D, D * config->conv_width);
  case ATTN_ROLE_QKV:
    return set_shape (shape, 3 * D, D);
  case ATTN_ROLE_UP:
    return set_shape (shape, F_up, D);
  case ATTN_ROLE_DOWN:
    return set_shape (shape, D, F);
  case ATTN_ROLE_HEAD_DENSE:
    return set_shape (shape, E, D);
  case ATTN_ROLE_QKV_BIAS:
    return set_length (shape, 3 * D);
  case ATTN_ROLE_UP_BIAS:
    return set_length (shape, F_up);
  case ATTN_ROLE_DECODER_BIAS:
    return set_length (shape, config->vocab_size);
  case ATTN_ROLE_EMBED_NORM_GAIN:
  case ATTN_ROLE_EMBED_NORM_BIAS:
    return set_length (shape, layout->arch->projected_first ? D : E);
  case ATTN_ROLE_HEAD_DENSE_BIAS:
  case ATTN_ROLE_HEAD_NORM_GAIN:
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return set_length (shape, E);
  default:
    return set_length (shape, D);
  }
}

size_t
attn_layout_get_stored_shape (const AttnLayout *layout, AttnRole role, size_t shape[3])
{
  size_t n_dims = attn_layout_get_shape (layout, role, shape);
  if (role == ATTN_ROLE_CONVOLUTION) {
    shape[1] = layout->config->d_model;
    shape[2] = layout->config->conv_width;
    return 3;
  }
  if (layout->arch->inputs_first && attn_role_is_layer_matrix (role)) {
    size_t n_out = shape[0];
    shape[0] = shape[1];
    shape[1] = n_out;
  }
  return n_dims;
}
