/* SPDX-License-Identifier: MIT */
/* Tokens that --mask-positions hides. */
#pragma once

#include "options.h"

#include "attn/tokenizer.h"

#include <glib.h>

#include <stdbool.h>

/* Returns: (transfer full) (nullable): the positions that options name, of size_t; NULL for none,
 * with @error set where the option is no list of numbers. */
GArray *cli_masked_read (const CliOptions *options, GError **error);
