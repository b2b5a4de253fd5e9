/* SPDX-License-Identifier: MIT */
/* A model's life, what it tells about itself, and random models for timing. */
#include "attn/model.h"

#include "model-private.h"

#include "attn/error.h"

#include <string.h>

AttnModel *
attn_model_new_empty (AttnConfig *config, GError **error)
{
  const AttnArch *arch = attn_arch_find (config->family);
  if (arch == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "config.json: model_type \"%s\" has no forward pass in this version",
                 config->family);
    attn_config_free (config);
    return NULL;
  }
  AttnModel *model = g_new0 (AttnModel, 1);
  g_atomic_ref_count_init (&model->ref_count);
  g_mutex_init (&model->hash_lock);
  model->config = config;
  model->arch = arch;
  model->warnings = g_ptr_array_new_with_free_func (g_free);
  if (attn_kernel_peek_warning () != NULL)
    g_ptr_array_add (model->warnings, g_strdup (attn_kernel_peek_warning ()));
  return model;
}

AttnModel *
attn_model_ref (AttnModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);
  g_atomic_ref_count_inc (&model->ref_count);
  return model;
}

void
attn_model_unref (AttnModel *model)
{
  if (model == NULL || !g_atomic_ref_count_dec (&model->ref_count))
    return;
  g_free (model->name);
  g_free (model->folder);
  attn_config_free (model->config);
  g_clear_pointer (&model->tokenizer, attn_tokenizer_unref);
  attn_weights_clear (&model->weights);
  attn_distances_clear (&model->distances);
  g_strfreev (model->files);
  g_free (model->dtype_name);
  g_ptr_array_unref (model->warnings);
  g_clear_pointer (&model->stamps, g_array_unref);
  g_mutex_clear (&model->hash_lock);
  g_free (model->sha256);
  g_free (model);
}

const char *
attn_model_peek_folder (const AttnModel *model)
{
  return model->folder;
}

const char *
attn_model_peek_name (const AttnModel *model)
{
  return model->name;
}

const AttnConfig *
attn_model_peek_config (const AttnModel *model)
{
  return model->config;
}

AttnTokenizer *
attn_model_peek_tokenizer (const AttnModel *model)
{
  return model->tokenizer;
}

size_t
attn_model_get_max_tokens (const AttnModel *model)
{
  size_t n_positions = model->config->n_positions;
  if (model->tokenizer == NULL)
    return n_positions;
  return MIN (n_positions, attn_tokenizer_get_max_tokens (model->tokenizer));
}

bool
attn_model_has_lm_head (const AttnModel *model)
{
  return model->weights.decoder != NULL;
}

size_t
attn_model_count_parameters (const AttnModel *model)
{
  const AttnLayout *layout = &model->weights.layout;
  size_t n = 0;
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    size_t shape[2];
    attn_layout_get_shape (layout, role, shape);
    for (size_t layer = 0; layer < attn_layout_get_n_times (layout, role); layer++)
      n += attn_layout_has (layout, role, layer) ? shape[0] * shape[1] : 0;
  }
  return n;
}

void
attn_model_get_parameter_counts (const AttnModel *model, AttnParameterCounts *counts)
{
  size_t D = model->config->d_model;
  *counts = (AttnParameterCounts){
      .total = model->n_parameters,
      .attention_block = 4 * D * D + (model->config->no_attention_bias ? 0 : 4 * D),
      .attention_block_no_bias = 4 * D * D,
      .head = 4 * D * model->config->d_k,
  };
}

const char *const *
attn_model_peek_files (const AttnModel *model)
{
  return (const char *const *)model->files;
}

const char *
attn_model_peek_dtype_name (const AttnModel *model)
{
  return model->dtype_name;
}

guint64
attn_model_get_n_bytes (const AttnModel *model)
{
  return model->n_bytes;
}

static size_t
count_tokenizer_warnings (const AttnModel *model)
{
  return model->tokenizer != NULL ? attn_tokenizer_get_n_warnings (model->tokenizer) : 0;
}

size_t
attn_model_get_n_warnings (const AttnModel *model)
{
  return model->warnings->len + count_tokenizer_warnings (model);
}

const char *
attn_model_peek_warning (const AttnModel *model, size_t index)
{
  g_return_val_if_fail (index < attn_model_get_n_warnings (model), NULL);
  if (index < model->warnings->len)
    return g_ptr_array_index (model->warnings, index);
  return attn_tokenizer_peek_warning (model->tokenizer, index - model->warnings->len);
}

/* Uniform in ±0.05, like the spread of trained weights. */
static float
draw_weight (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return ((float)(*state >> 40) / (float)(1 << 24) - 0.5F) * 0.1F;
}

static void
fill_at_random (AttnPlace place, const size_t shape[2], float *row, guint64 *state)
{
  for (size_t r = 0; r < shape[0]; r++) {
    float *out = place.plain != NULL ? place.plain + r * shape[1] : row;
    for (size_t i = 0; i < shape[1]; i++)
      out[i] = draw_weight (state);
    if (place.linear != NULL)
      attn_linear_pack_rows (place.linear, row, place.first_out + r, 1);
  }
}

static void
fill_role_at_random (AttnModel *model, AttnRole role, float *row, guint64 *state)
{
  const AttnLayout *layout = &model->weights.layout;
  size_t shape[2];
  attn_layout_get_shape (layout, role, shape);
  for (size_t layer = 0; layer < attn_layout_get_n_times (layout, role); layer++)
    if (attn_layout_has (layout, role, layer))
      fill_at_random (attn_weights_find_place (&model->weights, role, layer), shape, row, state);
}

/* The LM head comes along where it costs no memory of its own. */
static AttnHeadKind
choose_random_head (const AttnArch *arch)
{
  bool free = arch->roles[ATTN_ROLE_DECODER].need == ATTN_NEED_TIED &&
              arch->roles[ATTN_ROLE_HEAD_DENSE].need == ATTN_NEED_NEVER;
  return free ? ATTN_HEAD_TIED : ATTN_HEAD_NONE;
}

AttnModel *
attn_model_new_random (const AttnConfig *config, GError **error)
{
  g_autoptr (AttnModel) model = attn_model_new_empty (attn_config_copy (config), error);
  if (model == NULL)
    return NULL;
  AttnLayout layout = {model->arch, model->config, choose_random_head (model->arch)};
  if (!attn_weights_init (&model->weights, &layout, error))
    return NULL;
  g_autofree float *row = g_new (
      float, MAX (MAX (config->d_model, config->d_ff), MAX (MAX (config->d_embed, config->n_heads),
                                                            config->d_model * config->conv_width)));
  guint64 state = 88172645463325252U;
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++)
    fill_role_at_random (model, role, row, &state);
  if (!attn_distances_init (&model->distances, &model->weights, NULL, error))
    return NULL;
  model->name = g_strdup ("random");
  model->n_parameters = attn_model_count_parameters (model);
  model->files = g_new0 (char *, 1);
  model->dtype_name = g_strdup ("F32");
  model->n_bytes = (guint64)model->n_parameters * sizeof (float);
  return g_steal_pointer (&model);
}
