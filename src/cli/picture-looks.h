/* SPDX-License-Identifier: MIT */
/* How a picture is to look, and what kind of file it is to be. */
#pragma once

#include "options.h"

#include "attn-draw/picture.h"

#include <glib.h>

#include <stdbool.h>

/* Sets of @view what options say: palette, colours, fonts and the like. Returns: false with a
 * CLI_USAGE @error. */
bool cli_picture_looks_read (const CliOptions *options, AttnDrawView *view, GError **error);

/* The same of the format, by --format or the ending of -o, which @option is called by; @keeps: one
 * that neither tells may stay as it is. */
bool cli_picture_format_read (const CliOptions *options,
                              const char *option,
                              bool keeps,
                              AttnDrawFormat *format,
                              GError **error);
