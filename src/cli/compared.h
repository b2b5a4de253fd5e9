/* SPDX-License-Identifier: MIT */
/* The two sides of a comparison, A and B, as options ask for them. */
#pragma once

#include "options.h"
#include "subject.h"
#include "texts.h"

#include "attn/attn.h"

#include <glib.h>

#include <stdbool.h>

typedef struct {
  CliSubject subjects[2];
  GPtrArray *texts;         /* CliText of A and, unless it has the same, of B */
  AttnMaps *maps[2];        /* of all layers and heads; the same where model and text are */
  size_t layer[2], head[2]; /* from 0: the chosen ones */
} CliCompared;

/* Whether one text on one model is asked for, so that only heads can differ. */
bool cli_compared_is_of_heads (const CliOptions *options);

/**
 * cli_compared_init:
 *
 * Reads the texts, loads the models and runs them. Where B is not told apart in text, model, layer
 * or head it is as A.
 *
 * Returns: false with @error, CLI_USAGE where nothing tells B from A.
 */
bool cli_compared_init (CliCompared *compared, const CliOptions *options, GError **error);

void cli_compared_clear (CliCompared *compared);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliCompared, cli_compared_clear)

const CliText *cli_compared_peek_text (const CliCompared *compared, bool of_b);
