/* SPDX-License-Identifier: MIT */
/* The options that arrange maps: which heads are combined, what rows and columns stand for. */
#pragma once

#include "options.h"

#include "attn/arrange.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * cli_arrangement_read:
 * @arrangement: what is not given stays as it is
 * @takes_heads: whether --heads has a meaning without --combine
 *
 * Returns: false with a CLI_USAGE @error.
 */
bool cli_arrangement_read (const CliOptions *options,
                           AttnArrangement *arrangement,
                           bool takes_heads,
                           GError **error);

/* Loads --words-file; @words stays as it is where it is not given. False with @error as
 * attn_word_list_load(), or CLI_USAGE where words are not asked for. */
bool cli_words_read (const CliOptions *options,
                     const AttnArrangement *arrangement,
                     AttnWordList **words,
                     GError **error);

/* Checks the chosen heads. Returns: false with CLI_USAGE. */
bool cli_arrangement_check (const AttnArrangement *arrangement, size_t n_heads, GError **error);
