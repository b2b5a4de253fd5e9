/* SPDX-License-Identifier: MIT */
/* Tensors whose elements do not stand row by row: transposed, cut out of larger ones, repeated. */
#pragma once

#include "convert.h"
#include "tensor-table.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * attn_gather:
 * @tensor: with strides; a dtype that can be read as f32
 * @first:  index of the first element, row-major
 * @n:      elements to read; @first + @n ≤ the tensor's
 * @out:    [n] f32, written
 * @noted:  of F64: which numbers are infinite only as f32; added to
 * @what:   file and tensor, for messages
 *
 * Reads runs along the dimension whose elements stand closest together, so that a transposed matrix
 * is read column by column.
 *
 * Returns: false with @error: IO.
 */
bool attn_gather (const AttnStoredTensor *tensor,
                  size_t first,
                  size_t n,
                  float *out,
                  AttnInfinities *noted,
                  const char *what,
                  GError **error);
