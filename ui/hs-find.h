/* SPDX-License-Identifier: MIT */
/* Finding tokens by what was typed or by what they are called: a pure function. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Rows and columns that belong together: one token, or the pieces of a longer text. One side may
 * have none. */
typedef struct {
  size_t query, n_queries;
  size_t key, n_keys;
} HsMatch;

/**
 * hs_find_matches:
 * @maps:   as they are shown
 * @needle: what is looked for, upper and lower case alike; nothing but blanks finds nothing
 *
 * Finds @needle in the texts that were run, across pieces, and where it is not in a text in the
 * tokens' names: "[CLS]", "##ing".
 *
 * Returns: (transfer full): HsMatch in the order of the text, for g_array_unref().
 * Test: tests/ui/test-find.c
 */
GArray *hs_find_matches (AttnMaps *maps, const char *needle);

G_END_DECLS
