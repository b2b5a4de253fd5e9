/* SPDX-License-Identifier: MIT */
/* Inside arrays, for the files that load them and those that look through them. */
#pragma once

#include "array-file.h"

#include "attn/arrays.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* One layer's numbers, little-endian, wherever they stand in memory. */
typedef struct {
  const guint8 *bytes;
  AttnDtype dtype;
  size_t head_stride, query_stride, key_stride; /* in elements */
} AttnArrayLayer;

struct _AttnArrays {
  gatomicrefcount ref_count;
  char *path, *name, *array, *dtype, *shape;
  AttnArraysFormat format;
  size_t n_layers, n_heads, n_queries, n_keys;
  AttnArrayLayer *layers; /* [n_layers] */
  GPtrArray *blocks;      /* of what the layers point into, owned */
  guint64 n_bytes;
  guint64 n_too_large; /* weights that the file has finite, and f32 only as infinite */
  GPtrArray *warnings; /* of char *, owned */
  GPtrArray *choices, *choice_shapes; /* of char *, owned, of the same number */
  size_t chosen;                      /* of them */
  AttnLabels *labels;                 /* nullable */
  AttnFileState state;
  GMutex hash_lock;
  char *sha256; /* atomic; NULL until somebody asked */
};

/* Which of an array's dimensions is what; -1 for one that it has not. */
typedef struct {
  int layer, head, query, key;
  size_t n_layers, n_heads, n_queries, n_keys;
} AttnArrayFit;

/* Returns: whether the shape is one of those that arrays.h lists. */
bool attn_array_fit (const AttnArrayEntry *entry, AttnArrayFit *fit);

/**
 * attn_arrays_choose:
 * @name,@takes_first: (nullable): as AttnArraysOptions has them
 *
 * Returns: (transfer container): the entries to read, one or a layer each in their order; or NULL
 *   with @error: SHAPE, UNSUPPORTED.
 */
GPtrArray *
attn_arrays_choose (const AttnArrayFile *file, const char *name, bool takes_first, GError **error);

/* Returns: (transfer container): all entries that have numbers and one of the shapes. */
GPtrArray *attn_arrays_find_usable (const AttnArrayFile *file);

/* The weights of one head, [n_queries, n_keys] f32. */
void attn_arrays_get_map (const AttnArrays *arrays, size_t layer, size_t head, float *weights);

/* Looks through all values and adds what is to be said of them. */
bool attn_arrays_check_values (AttnArrays *arrays, AttnArrayProgress *progress, GError **error);
