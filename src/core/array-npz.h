/* SPDX-License-Identifier: MIT */
/* NumPy's archive of arrays: the NPY files of a zip archive, stored or deflated. */
#pragma once

#include "array-entry.h"
#include "zip-input.h"

#include <glib.h>

#include <stdbool.h>

/* Adds what @archive, the file at @path, has of NPY files to @entries, of AttnArrayEntry *, owned;
 * other files are passed over. Returns: false with @error: IO, FORMAT (none, or one name twice),
 * SHAPE, UNSUPPORTED, TOO_LARGE. */
bool attn_array_npz_list (zip_t *archive, const char *path, GPtrArray *entries, GError **error);
