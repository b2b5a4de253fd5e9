/* SPDX-License-Identifier: MIT */
/* Weights as PyTorch saves them: raw numbers, and a pickle that says what they are. */
#pragma once

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
