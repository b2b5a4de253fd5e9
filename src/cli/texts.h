/* SPDX-License-Identifier: MIT */
/* The texts a command works on: typed, from a file, or many of them. */
#pragma once

#include "options.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *text, *pair; /* owned, NUL-terminated; pair NULL for none */
  size_t text_length, pair_length;
  char *place; /* "texts.jsonl, line 3" for messages; NULL for a text that was typed; owned */
} CliText;

/* Returns: (transfer full): a text that was typed, for an array of cli_texts_read(); @pair NULL for
 * none. */
CliText *cli_text_new (const char *text, const char *pair);

void cli_text_free (CliText *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliText, cli_text_free)

/* Returns: (transfer full): the text of one line of a batch file, for cli_text_free(); NULL with
 * @error: FORMAT. @place is copied. */
CliText *
cli_text_parse_line (const char *line, size_t length, bool json, const char *place, GError **error);

/* Returns: whether a line is white all over; of a .jsonl file such a line is no text. */
bool cli_text_is_blank (const char *line, size_t length);

/* Returns: (transfer full): all of a file, or of standard input for "-"; NULL with @error: IO,
 * TOO_LARGE. */
GString *cli_read_whole (const char *path, size_t max_bytes, GError **error);

/**
 * cli_texts_read:
 *
 * Reads --text, --file or --batch, whichever was given.
 *
 * Returns: (transfer container): the CliTexts in order, freed with the array; one unless --batch.
 *   NULL with @error: CLI_USAGE (none or several given), IO, FORMAT, TOO_LARGE.
 */
GPtrArray *cli_texts_read (const CliOptions *options, GError **error);
