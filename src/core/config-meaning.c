/* SPDX-License-Identifier: MIT */
/* What a config means where it leaves values out. */
#include "config-private.h"

#include <glib.h>

size_t
attn_config_get_d_embed (const AttnConfig *config)
{
  return config->d_embed != 0 ? config->d_embed : config->d_model;
}

size_t
attn_config_get_n_layer_weights (const AttnConfig *config)
{
  return config->n_layer_weights != 0 ? config->n_layer_weights : config->n_layers;
}

size_t
attn_relative_get_span (const AttnRelative *relative)
{
  return relative->n_buckets != 0 ? relative->n_buckets : relative->max_distance;
}

/* The reference divides in double precision, so that groups need not divide the layers. */
size_t
attn_config_get_weight_layer (const AttnConfig *config, size_t layer)
{
  if (config->n_layer_weights == 0)
    return layer;
  size_t n_inner = MAX (config->n_inner, 1);
  size_t n_steps = config->n_layers / n_inner, n_groups = config->n_layer_weights / n_inner;
  double steps_per_group = (double)n_steps / (double)n_groups;
  size_t group = (size_t)((double)(layer / n_inner) / steps_per_group);
  return MIN (group, n_groups - 1) * n_inner + layer % n_inner;
}
