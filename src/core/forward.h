/* SPDX-License-Identifier: MIT */
/* The forward pass itself: from ids to everything a trace keeps. */
#pragma once

#include "trace-private.h"

#include "attn/run.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * attn_forward:
 * @traces:   [n_texts] from one attn_traces_new(); everything in them is written
 * @starts:   [n_texts] runs whose hidden states enter options->start_layer; all NULL: from the
 * start
 * @type_ids: [n_texts] of [n_tokens], each NULL for all 0; in range, as the traces' ids are
 *
 * Runs all texts at once: their rows are stacked in the linear layers, attention is each text's
 * own.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED.
 */
bool attn_forward (AttnTrace *const *traces,
                   const AttnTrace *const *starts,
                   const int32_t *const *type_ids,
                   size_t n_texts,
                   const AttnRunOptions *options,
                   GError **error);
