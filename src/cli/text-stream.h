/* SPDX-License-Identifier: MIT */
/* A file of any number of texts, read one after the other, with little of it in memory. */
#pragma once

#include "texts.h"

#include "attn/sha256.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _CliTextStream CliTextStream;

/* Opens a .txt (one text a line, an empty line is an empty text) or .jsonl file, as --batch has it.
 * Returns: (transfer full): for cli_text_stream_close(), or NULL with @error: CLI_USAGE (another
 * ending), IO (also what is no regular file: it is read twice). */
CliTextStream *cli_text_stream_open (const char *path, GError **error);

void cli_text_stream_close (CliTextStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTextStream, cli_text_stream_close)

/* Reads the next text. Returns: false with @error: IO, FORMAT, TOO_LARGE (a line over 64 MiB); at
 * the end true with @text NULL. */
bool cli_text_stream_next (CliTextStream *stream, CliText **text, GError **error);

/* Leaves out the next @n texts. Returns: false with @error, also where there are not so many. */
bool cli_text_stream_skip (CliTextStream *stream, size_t n, GError **error);

/* Reads the whole file once: how many texts, at least one, all of them well-formed, and the
 * SHA-256 of its bytes. Returns: false with @error. */
bool cli_text_stream_survey (const char *path,
                             size_t *n_texts,
                             char hash[ATTN_SHA256_HEX_SIZE],
                             GError **error);
