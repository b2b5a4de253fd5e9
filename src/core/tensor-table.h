/* SPDX-License-Identifier: MIT */
/* Every tensor of one weight file: what it is, and where its bytes are. */
#pragma once

#include "arena.h"

#include "attn/source.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* A stretch of a file that tensors lie in, with a checksum where the container keeps one. */
typedef struct {
  const char *name; /* in the container; owned by the table's arena */
  guint64 offset;   /* of its first byte in the file */
  guint64 n_bytes;
  bool has_crc;
  guint32 crc;    /* CRC-32 of all its bytes */
  gint is_intact; /* atomic: the bytes were found to agree with crc */
} AttnStorage;

typedef struct AttnWeightFile AttnWeightFile;

typedef struct {
  AttnTensorInfo info;        /* first, so that a pointer to it is one to the whole */
  guint64 offset;             /* of its first element in the file */
  const size_t *strides;      /* [n_dims] in elements; NULL for rows one behind the other */
  AttnStorage *storage;       /* NULL where the format has none */
  const AttnWeightFile *file; /* set by the source it belongs to */
} AttnStoredTensor;

/* What the head of one file says; zeros are an empty table. */
typedef struct {
  AttnStoredTensor *tensors; /* [n_tensors of capacity], owned; in the file's order */
  size_t n_tensors;
  size_t capacity;
  GHashTable *texts; /* (nullable) owned: metadata called "queries", "keys" or "tokens", also behind
                        a point, as in "0.tokens"; from names to texts, both in @text */
  char *text;        /* owned: names may live here, */
  AttnArena arena;   /* or here, as strides and storages do */
} AttnTensorTable;

void attn_tensor_table_clear (AttnTensorTable *table);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnTensorTable, attn_tensor_table_clear)

/**
 * attn_tensor_table_append:
 * @path: for messages
 *
 * Grows @table with what was found, never by a number a file declares.
 *
 * Returns: (transfer none): a tensor of zeros at the end, valid until the next call; or NULL with
 *   @error: TOO_LARGE.
 */
AttnStoredTensor *
attn_tensor_table_append (AttnTensorTable *table, const char *path, GError **error);

/**
 * attn_tensor_table_sort:
 *
 * Returns: (transfer container): pointers to all tensors by name, or NULL with @error: FORMAT (a
 *   name occurs twice), TOO_LARGE.
 */
AttnStoredTensor **
attn_tensor_table_sort (const AttnTensorTable *table, const char *path, GError **error);

/* Returns: (nullable): the tensor of this name among @n @sorted ones. */
AttnStoredTensor *attn_stored_tensor_find (AttnStoredTensor **sorted, size_t n, const char *name);

/* For qsort() of an array of pointers to AttnStoredTensor. */
int attn_stored_tensor_compare_names (const void *a, const void *b);
