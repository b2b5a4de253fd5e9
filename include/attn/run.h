/* SPDX-License-Identifier: MIT */
/* Forward passes: of one text, or of several at once. */
#pragma once

#include "attn/gates.h"
#include "attn/model.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/tokens.h"
#include "attn/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/* What a run is busy with. Norms, biases, activations and residual sums that a matrix product makes
 * on the way belong to the product. */
typedef enum {
  ATTN_STAGE_EMBEDDINGS, /* rows of the tables, summed and normalised */
  ATTN_STAGE_QKV,        /* queries, keys and values from the layer's input */
  ATTN_STAGE_ATTENTION,  /* scores, softmax and mixed values, all heads */
  ATTN_STAGE_OUTPUT,     /* the heads' common projection and the residual */
  ATTN_STAGE_NORM,       /* layer norm */
  ATTN_STAGE_UP,         /* first half of the feed-forward part, and its activation */
  ATTN_STAGE_DOWN,       /* second half and the residual */
  ATTN_STAGE_END,        /* the last layer is done */
} AttnStage;

/**
 * AttnStageFunc:
 *
 * Told on the caller's thread when a run enters @stage; the time until the next call is that
 * stage's.
 */
typedef void (*AttnStageFunc) (AttnStage stage, void *data);

typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked between layers */
  void *progress_data;
  AttnStageFunc stage; /* nullable; for measuring where the time goes */
  void *stage_data;
  size_t start_layer; /* below the layers; > 0 only with AttnRunInput.start_from */
} AttnRunOptions;

/**
 * attn_model_run:
 * @tokens:  from the model's tokenizer; referenced by the trace
 * @options: (nullable): none means alone, without progress
 *
 * Runs all layers on one text. The same tokens give the same bits on any number of threads.
 *
 * Returns: a new trace for attn_trace_unref(), or NULL with @error: TOO_LARGE (more than
 *   attn_model_get_max_tokens(), or no memory), SHAPE (no token at all, or an id or type the model
 *   has no row for), CANCELLED.
 * Threads: reentrant; the model is only read.
 * Source: Devlin et al. 2019; Vaswani et al. 2017, section 3.
 * Test: tests/core/test-families.c, golden data.
 */
AttnTrace *attn_model_run (AttnModel *model,
                           AttnTokens *tokens,
                           const AttnRunOptions *options,
                           GError **error);

/**
 * attn_model_run_ids:
 * @ids:      [n_tokens] token ids
 * @type_ids: (nullable): [n_tokens] token types; NULL for all 0
 *
 * The same for bare ids, for timing and for reference data; such a trace has no tokens. What is
 * returned, and what is refused, is as above.
 */
AttnTrace *attn_model_run_ids (AttnModel *model,
                               const int32_t *ids,
                               const int32_t *type_ids,
                               size_t n_tokens,
                               const AttnRunOptions *options,
                               GError **error);

/* One text of a batch: tokens, or else bare ids. */
typedef struct {
  AttnTokens *tokens;      /* nullable; referenced by the trace */
  const int32_t *ids;      /* without tokens: [n_tokens] */
  const int32_t *type_ids; /* nullable: [n_tokens]; NULL for all 0 */
  size_t n_tokens;
  const AttnHeadGates *gates; /* nullable: of the model's layers and heads; copied */
  AttnTrace *patterns_from;   /* nullable: a run of the same model on as many tokens, whose maps are
                                 used instead of the text's own; referenced */
  AttnTrace *patch_from;      /* likewise: whose heads' outputs ATTN_GATE_PATCH takes */
  AttnTrace *start_from;      /* nullable, for all inputs or none: a run of the same model and text:
                                 what it had before options.start_layer is copied, not run */
} AttnRunInput;

/**
 * attn_model_run_batch:
 * @inputs: [n_inputs] texts of any lengths; none is padded
 * @traces: [n_inputs] written, each for attn_trace_unref(); untouched on error
 *
 * Runs several texts at once: all rows go through a linear layer together, which reads its weights
 * once, while attention stays within each text. Each trace has the bits it would have alone, if
 * the kernels promise that (attn_kernel_peek_name(): OpenBLAS's do not). Traces of one batch share
 * memory, which ends with the last of them.
 *
 * Returns: false with @error as attn_model_run(), for the first text at fault; SHAPE also where
 *   gates or another run do not fit.
 * Threads: reentrant; the model is only read.
 * Test: tests/core/test-batch.c
 */
bool attn_model_run_batch (AttnModel *model,
                           const AttnRunInput *inputs,
                           size_t n_inputs,
                           const AttnRunOptions *options,
                           AttnTrace **traces,
                           GError **error);

G_END_DECLS
