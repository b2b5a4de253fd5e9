/* SPDX-License-Identifier: MIT */
/* Reading a whole regular file of limited size.
 * For: small files of any owner, in the core and the layers above it. Not for: weights, which are
 * read in pieces (source.h). */
#pragma once

#include "attn/error.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_file_load:
 * @max_bytes: a larger file is refused before anything is allocated
 * @n_bytes:   (out): the file's size
 *
 * Reads a whole file. Folders, pipes and devices are refused without waiting for them.
 *
 * Returns: (transfer full): its bytes and one NUL behind them, for g_free(); or NULL with @error:
 *   IO, TOO_LARGE.
 */
char *attn_file_load (const char *path, size_t max_bytes, size_t *n_bytes, GError **error);

G_END_DECLS
