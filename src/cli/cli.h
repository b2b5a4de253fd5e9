/* SPDX-License-Identifier: MIT */
/* What the commands of headscope-cli share: options, messages, output. */
#pragma once

#include "options.h"

#include "attn/output.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* One command. Answers false with an error: CLI_USAGE ends the program with 2, all others with 1.
 */
typedef bool (*CliRun) (const CliOptions *options, GError **error);

bool cli_info (const CliOptions *options, GError **error);
bool cli_tokenize (const CliOptions *options, GError **error);
bool cli_attention (const CliOptions *options, GError **error);
bool cli_predict (const CliOptions *options, GError **error);
bool cli_render (const CliOptions *options, GError **error);
bool cli_compare (const CliOptions *options, GError **error);
bool cli_ablate (const CliOptions *options, GError **error);
bool cli_importance (const CliOptions *options, GError **error);
bool cli_prune_curve (const CliOptions *options, GError **error);
bool cli_atlas (const CliOptions *options, GError **error);
bool cli_heads (const CliOptions *options, GError **error);
bool cli_lens (const CliOptions *options, GError **error);
bool cli_lab (const CliOptions *options, GError **error);
bool cli_bench (const CliOptions *options, GError **error);
bool cli_fetch (const CliOptions *options, GError **error);
bool cli_models (const CliOptions *options, GError **error);
bool cli_remove (const CliOptions *options, GError **error);
bool cli_verify (const CliOptions *options, GError **error);

/* A sentence on stderr, after the program's name. */
void cli_warn (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* What is to be said of a session, a sentence each. */
void cli_warn_of_session (const CliOptions *options, const GPtrArray *warnings);

/* Where the answer goes: -o, or standard output without it or with "-". NULL with @error. */
AttnOutput *cli_open_output (const CliOptions *options, GError **error);

/* The same for bytes that would spoil a terminal: then a CLI_USAGE error. */
AttnOutput *cli_open_binary_output (const CliOptions *options, const char *what, GError **error);

bool cli_write (AttnOutput *output, const GString *text, GError **error);

/* Writes a whole answer to where it goes. */
bool cli_answer (const CliOptions *options, const GString *text, GError **error);

/* Appends "[1,2,3]" and the like. */
void cli_append_number (GString *json, double value);
void cli_append_string (GString *json, const char *text);

/* Appends ,"KEY":"VALUE", or null for NULL. */
void cli_append_nullable (GString *json, const char *key, const char *value);
