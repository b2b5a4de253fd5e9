/* SPDX-License-Identifier: MIT */
/* The header of one safetensors file: every tensor's name, dtype, shape and place. */
#pragma once

#include "tensor-table.h"

#include <glib.h>

#include <stdbool.h>

/**
 * attn_safetensors_read:
 * @fd:      open for reading
 * @n_bytes: the file's size
 * @path:    for messages
 * @table:   (out): for attn_tensor_table_clear(); untouched on error
 *
 * Reads the header and checks it against the file: that it is JSON of the right types, that names
 * occur once, that every shape fills exactly its bytes, and that the tensors cover the data without
 * hole or overlap up to the last byte.
 *
 * Returns: false with @error: IO, FORMAT, SHAPE, TOO_LARGE, UNSUPPORTED.
 * Memory:  the header's size, then a table in proportion to the tensors found, not to a number
 * read.
 */
bool attn_safetensors_read (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error);
