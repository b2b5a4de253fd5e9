/* SPDX-License-Identifier: MIT */
/* The forms of the command lens that tell of hidden states. */
#pragma once

#include "options.h"

#include <glib.h>

#include <stdbool.h>

/* Returns: whether one of --logits, --contributions, --trajectories, --sinks and --mixing is asked
 * for. */
bool cli_hidden_is_asked (const CliOptions *options);

/* Answers it. Returns: false with @error. */
bool cli_hidden (const CliOptions *options, GError **error);
