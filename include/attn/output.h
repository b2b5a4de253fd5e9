/* SPDX-License-Identifier: MIT */
/* Writing a file so that nobody ever finds half of it.
 *
 * Order of calls: open, write any number of times, commit, free. Freeing without commit leaves the
 * old file as it was. A program that is to hear of a file too large (RLIMIT_FSIZE) must ignore
 * SIGXFSZ. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnOutput AttnOutput;

/**
 * attn_output_open:
 * @path: a regular file, existing (its mode is kept) or not; links are followed. A file without a
 *   name is written, which takes the place on commit and vanishes with a program that is killed;
 *   where the file system knows no such files, one with a name of its own beside the old. Anything
 *   else that exists (a device, a pipe) is written directly.
 *
 * Returns: a new output for attn_output_free(), or NULL with @error: IO.
 * Test: tests/core/test-output.c
 */
AttnOutput *attn_output_open (const char *path, GError **error);

/**
 * attn_output_open_fd:
 * @fd:   an open descriptor, not closed
 * @name: for messages: "standard output"
 */
AttnOutput *attn_output_open_fd (int fd, const char *name);

/* Frees; what was not committed is thrown away. */
void attn_output_free (AttnOutput *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnOutput, attn_output_free)

/* Appends bytes; small pieces are gathered. Returns: false with @error: IO. */
bool attn_output_write (AttnOutput *output, const void *bytes, size_t n_bytes, GError **error);

/* Writes what is gathered, for a reader that waits for it. Returns: false with @error: IO. */
bool attn_output_flush (AttnOutput *output, GError **error);

/* Writes what is gathered and puts the file in its place. Returns: false with @error: IO. */
bool attn_output_commit (AttnOutput *output, GError **error);

G_END_DECLS
