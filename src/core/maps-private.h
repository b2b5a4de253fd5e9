/* SPDX-License-Identifier: MIT */
/* Inside maps, for sources that want theirs back. */
#pragma once

#include "attn/maps.h"

/* Returns: (nullable) (transfer none): the source that @maps were made with, if its function is
 * @compute: then it is of that function's kind. */
void *attn_maps_peek_source (
    const AttnMaps *maps,
    bool (*compute) (void *source, size_t layer, size_t head, float *weights, GError **error));
