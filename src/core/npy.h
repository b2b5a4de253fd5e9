/* SPDX-License-Identifier: MIT */
/* What stands before the numbers of a NumPy array file. */
#pragma once

#include "array-entry.h"
#include "byte-stream.h"

#include <glib.h>

#include <stdbool.h>

#define ATTN_NPY_MAGIC "\x93NUMPY"
#define ATTN_NPY_MAGIC_BYTES 6

/**
 * attn_npy_read_header:
 * @stream: at the file's begin; left at the first number
 * @entry:  (out): name and place are not touched
 *
 * Reads versions 1 to 3. The header is the text of a Python dictionary with exactly three keys;
 * it is parsed as such and nothing in it is evaluated. Numbers must fill the rest of the stream.
 *
 * Returns: false with @error: IO, FORMAT, SHAPE (a size that overflows), UNSUPPORTED (a newer
 *   version).
 * Source: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
bool attn_npy_read_header (AttnByteStream *stream, AttnArrayEntry *entry, GError **error);
