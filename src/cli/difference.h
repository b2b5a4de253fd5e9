/* SPDX-License-Identifier: MIT */
/* A − B of two heads as a file of numbers. */
#pragma once

#include "options.h"

#include <glib.h>

#include <stdbool.h>

/* Writes what `compare --difference` asks for: the numbers that a picture of the comparison draws.
 * Returns: false with @error. */
bool cli_difference_write (const CliOptions *options, GError **error);

/* Checks that no option is given that --difference alone has a use for. False with CLI_USAGE. */
bool cli_difference_refuse (const CliOptions *options, GError **error);
