/* SPDX-License-Identifier: MIT */
/* The parts of headscope-cli lab. */
#pragma once

#include "cli.h"

#include "attn/lab.h"

#include <glib.h>

#include <stdbool.h>

#define CLI_LAB_TOKENS 128 /* of a text, where --tokens does not say */

/* A step of a run as JSON, or the arithmetic of one of its cells. */
bool cli_lab_step (const CliOptions *options, GError **error);

/* Training curves as JSON. */
bool cli_lab_train (const CliOptions *options, GError **error);
