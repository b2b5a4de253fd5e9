/* SPDX-License-Identifier: MIT */
/* The parts of reading a PyTorch file: its two containers, and the tensors that either holds. */
#pragma once

#include "pickle.h"
#include "tensor-table.h"
#include "torch-storages.h"

#include <glib.h>

#include <stdbool.h>

/* The two containers; @table is to be cleared in any case. */
bool attn_torch_read_zip (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);
bool attn_torch_read_stream (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);

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
