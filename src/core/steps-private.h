/* SPDX-License-Identifier: MIT */
/* What computing a step and explaining one of its cells share. */
#pragma once

#include "trace-private.h"
#include "weights.h"

#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Returns: the weights that layer @layer of the trace's model uses. */
const AttnLayerWeights *attn_steps_peek_weights (const AttnTrace *trace, size_t layer);

/* The step that the queries, keys and values are made of. */
AttnStep attn_steps_get_projected (const AttnTrace *trace);

/* Returns: a matrix with room, for attn_matrix_free(), or NULL with @error: TOO_LARGE. */
AttnMatrix *attn_matrix_new (size_t n_rows, size_t n_columns, GError **error);
