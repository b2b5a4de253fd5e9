/* SPDX-License-Identifier: MIT */
/* Reading regular files: sizes checked first, short reads noticed, errors that name the path. */
#pragma once

#include "attn/error.h"
#include "attn/file.h"  /* attn_file_load() */
#include "attn/quote.h" /* attn_file_dup_shown() */

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * attn_file_find:
 * @path:  of a file that may be missing
 * @found: (out): whether something has this name
 *
 * Missing is only what has no entry in its folder. A link to nothing, or a folder that cannot be
 * searched, is a fault of the model folder: to go on without the file would silently give other
 * results.
 *
 * Returns: false with @error: IO.
 */
bool attn_file_find (const char *path, bool *found, GError **error);

/**
 * attn_file_open:
 * @path:    of a regular file, or of a symbolic link to one
 * @n_bytes: (out): its size
 *
 * Opens @path for reading. Folders, pipes and devices are refused without waiting for them.
 *
 * Returns: a descriptor for close(), closed on exec, or -1 with @error: IO.
 */
int attn_file_open (const char *path, guint64 *n_bytes, GError **error);

/**
 * attn_file_read_at:
 * @out: [n] bytes, written
 *
 * Reads exactly @n bytes from @offset on; interrupted and short reads are continued.
 *
 * Returns: false with @error: IO, also where the file ends too early; the message begins with
 *   @what, which names the file and what is being read.
 * Threads: reentrant for one descriptor.
 */
bool
attn_file_read_at (int fd, guint64 offset, void *out, size_t n, const char *what, GError **error);

/**
 * attn_file_refuse:
 * @format: what was found and what was wanted, without a final stop
 *
 * Sets @error to the sentence "PATH: …", the form of every complaint about a file's content.
 *
 * Returns: false.
 */
bool attn_file_refuse (const char *path, AttnError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* How to tell that a file is still the one it was. */
typedef struct {
  guint64 device, inode, n_bytes;
  gint64 modified_ns;
} AttnFileState;

/* Returns: false with @error IO. @path is for the message. */
bool attn_file_get_state (int fd, const char *path, AttnFileState *state, GError **error);

bool attn_file_has_same_state (const AttnFileState *a, const AttnFileState *b);

/* Returns: (nullable): what the first @n bytes of a file show it to be, where people expected
 * weights: a phrase such as "a web page"; static. NULL when that cannot be told. */
const char *attn_file_name_content (const char *begin, size_t n);
