/* SPDX-License-Identifier: MIT */
/* Weights as PyTorch saves them: raw numbers, and a pickle that says what they are. */
#pragma once

#include "pickle.h"
#include "tensor-table.h"

#include <glib.h>

#include <stdbool.h>

/**
 * attn_torch_read:
 * @fd:      open for reading
 * @n_bytes: the file's size
 * @path:    for messages
 * @table:   (out): for attn_tensor_table_clear(); untouched on error
 *
 * Reads the list of tensors of a pytorch_model.bin, either a zip archive of stored entries or the
 * older stream of pickles, and checks that every element of every tensor is in the file.
 *
 * Returns: false with @error: IO, FORMAT, SHAPE, TOO_LARGE, UNSUPPORTED.
 * Memory:  at most 64 MiB of pickle and 128 MiB of values while it runs.
 * Test:    tests/core/test-torch.c
 */
bool
attn_torch_read (int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);

/* The two containers; @table is to be cleared in any case. */
bool attn_torch_read_zip (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);
bool attn_torch_read_stream (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);

/* How a container's storages are found by their key. */
typedef struct {
  AttnStorage **sorted; /* [n] by name */
  size_t n;
  const char *prefix; /* of every storage's name, before the key */
} AttnTorchStorages;

/* Sorts @storages by name. Returns: false with @error: FORMAT (a name occurs twice). */
bool attn_torch_storages_sort (AttnTorchStorages *storages, const char *path, GError **error);

/* Returns: (nullable): the storage of this name. */
AttnStorage *attn_torch_storages_find (const AttnTorchStorages *storages, const char *name);

/**
 * attn_torch_list_tensors:
 * @root: a dictionary of tensors, or one that holds such a dictionary as state_dict or model
 *
 * Adds every tensor under @root to @table, whose arena takes what must live as long as it.
 *
 * Returns: false with @error: FORMAT, SHAPE (elements outside the storage), TOO_LARGE,
 *   UNSUPPORTED (too many dimensions).
 */
bool attn_torch_list_tensors (const AttnPickleValue *root,
                              const AttnTorchStorages *storages,
                              const char *path,
                              AttnTensorTable *table,
                              GError **error);

#define ATTN_TORCH_MAX_PICKLE_BYTES ((size_t)64 << 20)
#define ATTN_TORCH_MAX_VALUE_BYTES ((size_t)128 << 20)
