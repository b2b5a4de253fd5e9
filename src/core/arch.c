/* SPDX-License-Identifier: MIT */
/* The list of families, and what their tables mean. */
#include "arch.h"

#include <glib.h>

static const AttnArch *const families[] = {
    &attn_arch_bert,    &attn_arch_roberta,    &attn_arch_distilbert,
    &attn_arch_albert,  &attn_arch_electra,    &attn_arch_mpnet,
    &attn_arch_deberta, &attn_arch_modernbert, &attn_arch_gpt2,
};

const AttnArch *
attn_arch_find (const char *model_type)
{
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_strv_contains (families[i]->model_types, model_type))
      return families[i];
  return NULL;
}

char *
attn_arch_dup_name (const AttnConfig *config, const char *pattern, size_t layer)
{
  const size_t n_inner = MAX (config->n_inner, 1);
  g_auto (GStrv) parts = g_strsplit (pattern, "#", -1);
  if (g_strv_length (parts) == 1)
    return g_strdup (pattern);
  if (g_strv_length (parts) == 2)
    return g_strdup_printf ("%s%zu%s", parts[0], layer, parts[1]);
  return g_strdup_printf ("%s%zu%s%zu%s", parts[0], layer / n_inner, parts[1], layer % n_inner,
                          parts[2]);
}

bool
attn_role_is_layered (AttnRole role)
{
  return role >= ATTN_ROLE_QUERY && role <= ATTN_ROLE_FFN_NORM_BIAS;
}

bool
attn_role_is_norm (AttnRole role)
{
  switch (role) {
  case ATTN_ROLE_EMBED_NORM_GAIN:
  case ATTN_ROLE_EMBED_NORM_BIAS:
  case ATTN_ROLE_DISTANCE_NORM_GAIN:
  case ATTN_ROLE_DISTANCE_NORM_BIAS:
  case ATTN_ROLE_CONVOLUTION_NORM_GAIN:
  case ATTN_ROLE_CONVOLUTION_NORM_BIAS:
  case ATTN_ROLE_ATTN_NORM_GAIN:
  case ATTN_ROLE_ATTN_NORM_BIAS:
  case ATTN_ROLE_FFN_NORM_GAIN:
  case ATTN_ROLE_FFN_NORM_BIAS:
  case ATTN_ROLE_FINAL_NORM_GAIN:
  case ATTN_ROLE_FINAL_NORM_BIAS:
  case ATTN_ROLE_HEAD_NORM_GAIN:
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return true;
  default:
    return false;
  }
}

bool
attn_role_is_layer_matrix (AttnRole role)
{
  switch (role) {
  case ATTN_ROLE_QUERY:
  case ATTN_ROLE_KEY:
  case ATTN_ROLE_VALUE:
  case ATTN_ROLE_QKV:
  case ATTN_ROLE_OUT:
  case ATTN_ROLE_UP:
  case ATTN_ROLE_DOWN:
    return true;
  default:
    return false;
  }
}

/* Whether config.json says that the model does without. */
static bool
is_left_out (const AttnConfig *config, AttnRole role)
{
  switch (role) {
  case ATTN_ROLE_POSITIONS:
    return config->no_positions;
  case ATTN_ROLE_TYPES:
    return config->n_types == 0;
  case ATTN_ROLE_QUERY_BIAS:
  case ATTN_ROLE_KEY_BIAS:
  case ATTN_ROLE_VALUE_BIAS:
  case ATTN_ROLE_QKV_BIAS:
  case ATTN_ROLE_OUT_BIAS:
    return config->no_attention_bias;
  case ATTN_ROLE_UP_BIAS:
  case ATTN_ROLE_DOWN_BIAS:
    return config->no_ffn_bias;
  case ATTN_ROLE_EMBED_NORM_BIAS:
  case ATTN_ROLE_ATTN_NORM_BIAS:
  case ATTN_ROLE_FFN_NORM_BIAS:
  case ATTN_ROLE_FINAL_NORM_BIAS:
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return config->no_norm_bias;
  case ATTN_ROLE_HEAD_DENSE_BIAS:
    return config->no_head_bias;
  case ATTN_ROLE_DECODER_BIAS:
    return config->no_decoder_bias;
  default:
    return false;
  }
}

bool
attn_role_is_present (const AttnArch *arch,
                      const AttnConfig *config,
                      bool has_head,
                      bool own_decoder,
                      AttnRole role,
                      size_t layer)
{
  const AttnRelative *relative = &config->relative;
  if (is_left_out (config, role))
    return false;
  switch (arch->roles[role].need) {
  case ATTN_NEED_NEVER:
    return false;
  case ATTN_NEED_ALWAYS:
    return true;
  case ATTN_NEED_LATER:
    return layer > 0;
  case ATTN_NEED_PROJECTION:
    return config->d_embed != 0 && config->d_embed != config->d_model;
  case ATTN_NEED_RELATIVE:
    return relative->on;
  case ATTN_NEED_RELATIVE_NORM:
    return relative->on && relative->normed;
  case ATTN_NEED_DISTANCE_KEY:
    return relative->on && !relative->shared && relative->content_to_position;
  case ATTN_NEED_DISTANCE_QUERY:
    return relative->on && !relative->shared && relative->position_to_content;
  case ATTN_NEED_CONVOLUTION:
    return config->conv_width > 0;
  case ATTN_NEED_HEAD:
    return has_head;
  case ATTN_NEED_TIED:
    return has_head && own_decoder;
  }
  g_assert_not_reached ();
}
