/* SPDX-License-Identifier: MIT */
/* What a config means where it leaves values out. */
#pragma once

#include "attn/config.h"

#include <stddef.h>

/* The values behind 0 for "nothing special". */
size_t attn_config_get_d_embed (const AttnConfig *config);
size_t attn_config_get_n_layer_weights (const AttnConfig *config);

/* Returns: rows of the distances' table on either side of 0. */
size_t attn_relative_get_span (const AttnRelative *relative);

/* Returns: the weights' set that layer @layer uses. */
size_t attn_config_get_weight_layer (const AttnConfig *config, size_t layer);
