/* SPDX-License-Identifier: MIT */
/* Sentences and numbers the window says in several places. */
#pragma once

#include "hs-types.h"

#include <stddef.h>

/* AttnDrawTranslate into the window's language; data is not used. */
const char *hs_translate (const char *english, void *data);

/* Returns: (transfer full): a count with its digits in threes, "5,413,440". */
char *hs_format_count (size_t count);

/* Returns: (transfer full): the token's text; one that stands there more than once is told apart by
 * its position, from 0 as in files: "the · 7". */
char *hs_format_token (AttnMaps *maps, AttnSide side, size_t index);

/**
 * hs_format_cell:
 * @map:  (nullable): the head's map; NULL gives NULL
 * @cell: query, key or both
 *
 * Returns: (transfer full) (nullable): "query “it” → key “too”: 0.1154", or what fits a row or a
 *   column; NULL when the cell is on neither.
 */
char *hs_format_cell (const AttnMap *map, const HsCell *cell);
