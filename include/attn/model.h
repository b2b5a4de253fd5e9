/* SPDX-License-Identifier: MIT */
/* A pretrained transformer: its config, weights and tokenizer.
 *
 * Immutable after loading and reference-counted, so that many threads may run it at once (run.h).
 * Memory is the weights once, as f32, in one aligned block. */
#pragma once

#include "attn/config.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/tokenizer.h"

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct _AttnModel AttnModel;

/* What people see instead of the folder's name of the model that comes with the program; translated
 * where a person reads it, as it stands here in what files say of themselves. */
#define ATTN_MODEL_BUILT_IN "Built-in model"

typedef struct {
  size_t total;                   /* every weight a forward pass and the LM head use */
  size_t attention_block;         /* Wq, Wk, Wv, Wo and their biases, one layer */
  size_t attention_block_no_bias; /* 4 d_model² */
  size_t head;                    /* one head's share of the block, no biases: 4 d_model d_k */
} AttnParameterCounts;

/**
 * attn_model_load:
 * @folder:   a model folder in Hugging Face layout, or a weight file beside its config.json
 * @pool:     (nullable): helps converting
 * @progress: (nullable): told of the bytes that are read, every few megabytes
 *
 * Returns: a new model for attn_model_unref(), or NULL with @error: IO, FORMAT, SHAPE, UNSUPPORTED,
 *   TOO_LARGE, CANCELLED. Nothing is left behind on failure.
 * Test: tests/core/test-families.c, golden data.
 */
AttnModel *attn_model_load (const char *folder,
                            AttnPool *pool,
                            AttnProgressFunc progress,
                            void *progress_data,
                            GError **error);

/**
 * attn_model_new_random:
 * @config: family and sizes; copied
 *
 * Makes a model of random weights without a tokenizer, to time a forward pass; with an LM head only
 * where that has no weights of its own.
 *
 * Returns: a new model for attn_model_unref(), or NULL with @error: TOO_LARGE, UNSUPPORTED.
 */
AttnModel *attn_model_new_random (const AttnConfig *config, GError **error);

AttnModel *attn_model_ref (AttnModel *model);
void attn_model_unref (AttnModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnModel, attn_model_unref)

/* Returns: (transfer none): what attn_folder_dup_name() calls its folder, for titles. */
const char *attn_model_peek_name (const AttnModel *model);

/* Returns: (nullable) (transfer none): the absolute path it was loaded from, a file's where that is
 * not what opening its folder would read; NULL for random. */
const char *attn_model_peek_folder (const AttnModel *model);

/* Returns: (transfer none): the sizes it was made with. */
const AttnConfig *attn_model_peek_config (const AttnModel *model);

/* Returns: (nullable) (transfer none): NULL for random weights. */
AttnTokenizer *attn_model_peek_tokenizer (const AttnModel *model);

/* Returns: the most tokens one run may have: the smaller of positions and the tokenizer's limit. */
size_t attn_model_get_max_tokens (const AttnModel *model);

/* Returns: whether logits can be computed (predict.h). */
bool attn_model_has_lm_head (const AttnModel *model);

/* Numbers in the weights as the model uses them; @counts is written. */
void attn_model_get_parameter_counts (const AttnModel *model, AttnParameterCounts *counts);

/* The weight files' names, NULL-terminated; the dtype most weights are stored in; bytes in all. */
const char *const *attn_model_peek_files (const AttnModel *model);
const char *attn_model_peek_dtype_name (const AttnModel *model);
guint64 attn_model_get_n_bytes (const AttnModel *model);

/**
 * attn_model_compute_sha256:
 * @progress: (nullable): told every few megabytes
 *
 * Reads the weight files once more for their SHA-256, the first time; about a second for a gigabyte
 * where the processor has instructions for it. Of one file it is what sha256sum prints of it; of
 * several, what sha256sum prints of its own list of them, in the order of
 * attn_model_peek_files().
 *
 * Returns: (transfer none): 64 lower-case hexadecimal digits, valid as long as @model, or NULL with
 *   @error: IO (also where a file is not the one that was loaded any more), CANCELLED, UNSUPPORTED
 *   (random weights have no files).
 * Threads: any; a second caller waits for the first.
 * Test: tests/core/test-model-hash.c
 */
const char *attn_model_compute_sha256 (AttnModel *model,
                                       AttnProgressFunc progress,
                                       void *progress_data,
                                       GError **error);

/* Returns: (nullable) (transfer none): the same if it has been computed already. */
const char *attn_model_peek_sha256 (AttnModel *model);

/* Sentences found while loading that are no errors (NaN in tensor X …), the tokenizer's too. */
size_t attn_model_get_n_warnings (const AttnModel *model);
const char *attn_model_peek_warning (const AttnModel *model, size_t index);

/* Returns: (transfer none): what multiplies matrices in this process, for instance
 * "own avx2 6x16" or "openblas Sandybridge panels"; static. With our own kernels a token has the
 * same bits in every batch. */
const char *attn_kernel_peek_name (void);

/* Returns: (nullable) (transfer none): a sentence where better kernels multiplied wrongly when they
 * were tried (at the first use of any) and others took their place; static. Every model has it
 * among its warnings. */
const char *attn_kernel_peek_warning (void);

/**
 * attn_kernel_choose:
 * @name: "avx512", "avx2", or "openblas" or "plain" (slow), which every CPU can run
 *
 * Uses other kernels than the best ones of this CPU, for tests and benchmarks. It holds for the
 * process, so it must come before anything is loaded or computed.
 *
 * Returns: false with @error UNSUPPORTED: this CPU has none of that name, or they multiply wrongly
 *   on it, or others are in use.
 */
bool attn_kernel_choose (const char *name, GError **error);

G_END_DECLS
