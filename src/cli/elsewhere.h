/* SPDX-License-Identifier: MIT */
/* Attention of another program instead of a model, as options ask for it. */
#pragma once

#include "options.h"

#include "attn/attn.h"

#include <glib.h>

#include <stdbool.h>

/* Checks that options for arrays, and those for models, do not meet. Returns: false with
 * CLI_USAGE. */
bool cli_arrays_check (const CliOptions *options, GError **error);

/* For commands that cannot do without a model: refuses --attention. @why: what the model is for. */
bool cli_arrays_refuse (const CliOptions *options, const char *why, GError **error);

/**
 * cli_arrays_load:
 * @of_b:   by the options for B
 * @others: (nullable): A's labels, for a B without its own
 * @labels: (out) (transfer full): what its rows and columns are called
 *
 * Reads the file and its tokens, prints its warnings, and notes where tokens are missing, or words
 * are asked for and they tell none.
 *
 * Returns: (transfer full): or NULL with @error.
 */
AttnArrays *cli_arrays_load (
    const CliOptions *options, bool of_b, AttnLabels *others, AttnLabels **labels, GError **error);
