/* SPDX-License-Identifier: MIT */
/* Inside maps, for what is made of them. */
#pragma once

#include "attn/maps.h"

/* Returns: (nullable) (transfer none): the source that @maps were made with, if its function is
 * @compute: then it is of that function's kind. */
void *attn_maps_peek_source (
    const AttnMaps *maps,
    bool (*compute) (void *source, size_t layer, size_t head, float *weights, GError **error));

/* Returns: (nullable): the tokens behind @maps; NULL with SHAPE, @step says what needs them. */
AttnTokens *attn_maps_find_tokens (AttnMaps *maps, const char *step, GError **error);

/* Returns: [n_queries, n_keys] f32 for one map of @maps, as attn_map_try_new_weights() does. */
float *attn_maps_try_new_weights (const AttnMaps *maps, GError **error);
