/* SPDX-License-Identifier: MIT */
/* Reading a whole regular file of limited size, and opening what is read once from its begin.
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

/**
 * attn_file_open_stream:
 *
 * Opens what is read once, from its begin to its end: a regular file, or a pipe that a shell made
 * for a command in the file's place. Pipes with a name, which may never get a writer, folders and
 * devices are refused without waiting for them.
 *
 * Returns: a descriptor for close(), closed on exec, or -1 with @error: IO.
 * Test: tests/core/test-file.c
 */
int attn_file_open_stream (const char *path, GError **error);

G_END_DECLS
