/* SPDX-License-Identifier: MIT */
/* The model's name that some commands begin with. */
#pragma once

#include "options.h"

#include "attn-hub/name.h"

/* @command: what lists names: "models". Returns: (transfer full): the name; NULL with a CLI_USAGE
 * @error where it is missing or none. */
AttnHubName *cli_parse_name (const CliOptions *options, const char *command, GError **error);
