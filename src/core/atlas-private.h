/* SPDX-License-Identifier: MIT */
/* Inside an atlas: pairs of heads, and lists of the largest. */
#pragma once

#include "attn/atlas.h"

/* Returns: how many pairs @n heads have. */
static inline size_t
attn_atlas_count_pairs (size_t n)
{
  return n * (n - 1) / 2;
}

/* Returns: the number of the pair @a < @b of @n heads, in reading order. */
static inline size_t
attn_atlas_find_pair (size_t a, size_t b, size_t n)
{
  return a * n - a * (a + 1) / 2 + b - a - 1;
}

/* Adds a place to a list of the @max largest, which keeps references of its strings. */
void attn_atlas_insert_place (AttnAtlasPlace *places,
                              size_t *n,
                              size_t max,
                              const AttnAtlasPlace *place);

void attn_atlas_place_clear (AttnAtlasPlace *place);
