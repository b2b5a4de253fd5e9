/* SPDX-License-Identifier: MIT */
/* Where each weight of a model stands in memory: one block, a place for every role. */
#include "weights.h"

static void
cut_norm (AttnCutter *cutter, AttnNormWeights *norm, size_t width)
{
  norm->gain = attn_cutter_take (cutter, width);
  norm->bias = attn_cutter_take (cutter, width);
}

static void
cut_linear (AttnCutter *cutter, AttnLinear *linear, size_t n_in, size_t n_out)
{
  linear->n_in = n_in;
  linear->n_out = n_out;
  linear->panels = attn_cutter_take (cutter, attn_linear_packed_size (n_in, n_out));
  linear->bias = attn_cutter_take (cutter, n_out);
}

static void
cut_layer (AttnCutter *cutter, AttnLayerWeights *layer, const AttnConfig *config)
{
  size_t D = config->d_model, F = config->d_ff;
  cut_linear (cutter, &layer->qkv, D, 3 * D);
  cut_linear (cutter, &layer->out, D, D);
  cut_norm (cutter, &layer->attn_norm, D);
  cut_linear (cutter, &layer->up, D, F);
  cut_linear (cutter, &layer->down, F, D);
  cut_norm (cutter, &layer->ffn_norm, D);
}

/* The layout, in the order a forward pass reads it. */
static void
cut_weights (AttnCutter *cutter, AttnWeights *weights, const AttnConfig *config, AttnHeadKind head)
{
  size_t D = config->d_model;
  weights->words = attn_cutter_take_matrix (cutter, config->vocab_size, D);
  weights->positions = attn_cutter_take_matrix (cutter, config->n_positions, D);
  if (config->n_types > 0)
    weights->types = attn_cutter_take_matrix (cutter, config->n_types, D);
  cut_norm (cutter, &weights->embed_norm, D);
  for (size_t l = 0; l < config->n_layers; l++)
    cut_layer (cutter, &weights->layers[l], config);
  if (head == ATTN_HEAD_NONE)
    return;
  cut_linear (cutter, &weights->head_dense, D, D);
  cut_norm (cutter, &weights->head_norm, D);
  weights->decoder = head == ATTN_HEAD_OWN ? attn_cutter_take_matrix (cutter, config->vocab_size, D)
                                           : weights->words;
  weights->decoder_bias = attn_cutter_take (cutter, config->vocab_size);
}

/* The widths one matrix has, checked where attn_linear_packed_size() multiplies them. */
static bool
sizes_fit (const AttnConfig *config)
{
  size_t limit = (size_t)1 << 24; /* far over any model; products of two stay far below 2^63 */
  return config->d_model < limit && config->d_ff < limit && config->n_layers < limit;
}

bool
attn_weights_init (AttnWeights *weights,
                   const AttnConfig *config,
                   AttnHeadKind head,
                   GError **error)
{
  *weights = (AttnWeights){0};
  AttnCutter cutter = {.overflow = !sizes_fit (config)};
  if (!cutter.overflow) {
    weights->layers = g_new0 (AttnLayerWeights, config->n_layers);
    cut_weights (&cutter, weights, config, head);
  }
  if (!attn_block_init (&weights->block, &cutter, "the model's weights", true, error)) {
    attn_weights_clear (weights);
    return false;
  }
  cutter = (AttnCutter){.base = weights->block.data};
  cut_weights (&cutter, weights, config, head);
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
    return rows_of (&layer->qkv, 0);
  case ATTN_ROLE_QUERY_BIAS:
    return at (layer->qkv.bias);
  case ATTN_ROLE_KEY:
    return rows_of (&layer->qkv, D);
  case ATTN_ROLE_KEY_BIAS:
    return at (layer->qkv.bias + D);
  case ATTN_ROLE_VALUE:
    return rows_of (&layer->qkv, 2 * D);
  case ATTN_ROLE_VALUE_BIAS:
    return at (layer->qkv.bias + 2 * D);
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
attn_weights_find_place (AttnWeights *weights,
                         const AttnConfig *config,
                         AttnRole role,
                         size_t layer)
{
  bool has_head = weights->decoder != NULL;
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
  case ATTN_ROLE_HEAD_DENSE:
    return has_head ? rows_of (&weights->head_dense, 0) : at (NULL);
  case ATTN_ROLE_HEAD_DENSE_BIAS:
    return at (weights->head_dense.bias);
  case ATTN_ROLE_HEAD_NORM_GAIN:
    return at (weights->head_norm.gain);
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return at (weights->head_norm.bias);
  case ATTN_ROLE_DECODER:
    return at (weights->decoder != weights->words ? weights->decoder : NULL);
  case ATTN_ROLE_DECODER_BIAS:
    return at (weights->decoder_bias);
  default:
    g_assert (attn_role_is_layered (role) && layer < config->n_layers);
    return find_in_layer (&weights->layers[layer], role, config->d_model);
  }
}

size_t
attn_role_get_shape (AttnRole role, const AttnConfig *config, size_t shape[2])
{
  size_t D = config->d_model, F = config->d_ff;
  switch (role) {
  case ATTN_ROLE_WORDS:
  case ATTN_ROLE_DECODER:
    shape[0] = config->vocab_size, shape[1] = D;
    return 2;
  case ATTN_ROLE_POSITIONS:
    shape[0] = config->n_positions, shape[1] = D;
    return 2;
  case ATTN_ROLE_TYPES:
    shape[0] = config->n_types, shape[1] = D;
    return 2;
  case ATTN_ROLE_QUERY:
  case ATTN_ROLE_KEY:
  case ATTN_ROLE_VALUE:
  case ATTN_ROLE_OUT:
  case ATTN_ROLE_HEAD_DENSE:
    shape[0] = D, shape[1] = D;
    return 2;
  case ATTN_ROLE_UP:
    shape[0] = F, shape[1] = D;
    return 2;
  case ATTN_ROLE_DOWN:
    shape[0] = D, shape[1] = F;
    return 2;
  case ATTN_ROLE_UP_BIAS:
    shape[0] = F, shape[1] = 1;
    return 1;
  case ATTN_ROLE_DECODER_BIAS:
    shape[0] = config->vocab_size, shape[1] = 1;
    return 1;
  default:
    shape[0] = D, shape[1] = 1;
    return 1;
  }
}
