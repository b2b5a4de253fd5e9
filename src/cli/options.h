/* SPDX-License-Identifier: MIT */
/* The options of all commands in one table: reading them, and telling about them. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* The domain of "you asked for it wrongly"; there is one code. */
#define CLI_USAGE (cli_usage_quark ())

GQuark cli_usage_quark (void);

/* Sets a CLI_USAGE error. Returns: false. */
bool cli_usage (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The same as "OPTION VALUE: …", or that the value is empty. @format: what is wanted. */
bool
cli_usage_value (GError **error, const char *option, const char *value, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

typedef enum {
  CLI_INFO = 1 << 0,
  CLI_TOKENIZE = 1 << 1,
  CLI_ATTENTION = 1 << 2,
  CLI_PREDICT = 1 << 3,
  CLI_RENDER = 1 << 4,
  CLI_BENCH = 1 << 5,
  CLI_COMPARE = 1 << 6,
  CLI_MODELS = 1 << 7,
  CLI_REMOVE = 1 << 8,
  CLI_VERIFY = 1 << 9,
  CLI_FETCH = 1 << 10,
  CLI_LAB = 1 << 11,
  CLI_HEADS = 1 << 12,
  CLI_ABLATE = 1 << 13,
  CLI_IMPORTANCE = 1 << 14,
  CLI_PRUNE_CURVE = 1 << 16,
  CLI_LENS = 1 << 20,
  CLI_ATLAS = 1 << 17,
} CliCommandBit;

/* The commands whose first argument is a model's name on the Hub. */
#define CLI_NAMED (CLI_REMOVE | CLI_VERIFY | CLI_FETCH)

#define CLI_MAX_GIVEN 256 /* options at once: each is given once at most */

/* Strings stand in argv; NULL, 0 and G_MAXSIZE (where 0 has a meaning) say "not given". */
typedef struct {
  const char *given[CLI_MAX_GIVEN]; /* [n_given] the names of what was given, in this order */
  size_t n_given;
  const char *name; /* the argument of CLI_NAMED */
  const char *model, *text, *file, *pair, *batch, *output, *format;
  const char *model_b, *text_b, *pair_b;
  const char *attention, *array, *tokens, *token_list, *key_list;
  const char *attention_b, *array_b, *tokens_b, *token_list_b, *key_list_b;
  const char *with, *view, *font, *palette, *colormap, *range, *lang, *session, *shape, *lengths,
      *kernel;
  const char *color_scale, *crop, *page;
  const char *combine, *heads, *unit, *part, *hide, *words_file;
  const char *mask_positions, *kind, *off, *labels, *patch_text, *order, *lens, *logits, *guess;
  const char *texts, *shard, *only_class;
  char **files; /* [n_files] what was named without an option, for --merge */
  size_t n_files;
  size_t checkpoint; /* seconds; G_MAXSIZE for the usual */
  const char *step, *cell, *figure, *code, *finding, *train, *time, *measured;
  size_t d_model, n_heads, n_layers, n_tokens, n_seeds, n_steps, n_points, n_draws, seed;
  size_t max_tokens, threads, top, top_keys, repeat, n_columns;
  size_t only_layer;                         /* from 1; 0 for all */
  size_t layer, head, layer_b, head_b, mark; /* from 1 */
  bool all_layers, all_heads;
  bool combine_layers, renormalise;
  size_t pin_query, pin_key, contributions; /* from 0; G_MAXSIZE for none */
  double threshold, scale, dpi, width_px, height_px, width_mm, width_in, font_size, map_px;
  bool landscape, no_values, tensors, hash, diagnostics, profile, help;
  bool fits_layer[2],
      fits_head[2];    /* A's and B's are a session's: the last where there are fewer */
  bool fits_arrays[2]; /* A's and B's attention file is a session's, which is named in messages */
  bool forgives_tokens, forgives_tokens_b; /* tokens are a session's: numbers where they are gone */
  bool trajectories, mixing, sinks;
  bool yes, dry_run, all, suggest, several, each, importance;
  bool with_ablation, with_importance, no_distances, merge, difference;
} CliOptions;

/**
 * cli_options_parse:
 * @command: whose options are allowed
 * @args:    [n_args] what follows the command's name
 *
 * Options may be written "--name VALUE" or "--name=VALUE", in any order; a later one replaces an
 * earlier one.
 *
 * Returns: false with a CLI_USAGE @error.
 */
bool cli_options_parse (
    CliOptions *options, CliCommandBit command, char **args, int n_args, GError **error);

/* Appends a line for each option of @command. */
void cli_options_append_help (GString *text, CliCommandBit command);
