/* SPDX-License-Identifier: MIT */
/* Attention maps made by a formula, for tests that need maps and no model. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

#define FORMULA_LAYERS 3
#define FORMULA_HEADS 4

/* Rows of positive weights that sum to 1, different for every map. */
float formula_weight (size_t layer, size_t head, size_t query, size_t key, size_t n_keys);

/* Returns: maps of FORMULA_LAYERS × FORMULA_HEADS for attn_maps_unref(), without a trace; labels of
 * queries and keys are equal where the counts are. Labels hold Latin, Chinese, Arabic, a comma and
 * quotation marks. */
AttnMaps *formula_maps_new (size_t n_queries, size_t n_keys);

/* Writes all of them to a file of NumPy. */
void formula_maps_write (const char *path, size_t n_queries, size_t n_keys);

G_END_DECLS
