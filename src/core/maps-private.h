/* SPDX-License-Identifier: MIT */
/* Inside maps, for what is made of them. */
#pragma once

#include "attn/maps.h"

/* Returns: (nullable) (transfer none): the source that @maps were made with, if its function is
 * @compute: then it is of that function's kind. */
void *attn_maps_peek_source (
    const AttnMaps *maps,
    bool (*compute) (void *source, size_t layer, size_t head, float *weights, GError **error));

/* Returns: whether @step, which says what needs them, has tokens of both sides; SHAPE else.
 * @of_text: it needs where they lie in a text, which names do not tell */
bool attn_maps_check_tokens (const AttnMaps *maps, bool of_text, const char *step, GError **error);

/* Returns: [n_queries, n_keys] f32 for one map of @maps, as attn_map_try_new_weights() does. */
float *attn_maps_try_new_weights (const AttnMaps *maps, GError **error);
