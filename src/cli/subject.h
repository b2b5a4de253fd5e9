/* SPDX-License-Identifier: MIT */
/* What maps are of, as options ask for it: a model ready to run on texts, or arrays of another
 * program. */
#pragma once

#include "options.h"
#include "texts.h"

#include "attn/attn.h"

#include <glib.h>

typedef struct {
  AttnPool *pool;
  AttnModel *model;   /* NULL for arrays, */
  AttnArrays *arrays; /* and these NULL for a model */
  AttnLabels *labels;
  char *name; /* of the model or the arrays' file, for messages */
  size_t max_tokens;
  GArray *masked;    /* nullable: of size_t: tokens that are masked */
  bool borrows_pool; /* another subject owns it */
} CliSubject;

/* As many threads as asked for; notes when that was not to be had. For attn_pool_free(). */
AttnPool *cli_make_pool (const CliOptions *options);

/* Loads the model or the arrays and prints warnings. Returns: false with @error. */
bool cli_subject_init (CliSubject *subject, const CliOptions *options, GError **error);

/* The other side of a comparison: the model of --model-b, the arrays of --attention-b, or the same
 * without them, and the same pool; @first must live longer. */
bool cli_subject_init_second (CliSubject *subject,
                              const CliSubject *first,
                              const CliOptions *options,
                              GError **error);

void cli_subject_clear (CliSubject *subject);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSubject, cli_subject_clear)

/* Makes tokens, and tells how many were left out. @max_tokens as in AttnTokenizerInput. */
AttnTokens *
cli_encode (AttnTokenizer *tokenizer, const CliText *text, size_t max_tokens, GError **error);

/* cli_encode() within the model's limit. */
AttnTokens *cli_subject_encode (const CliSubject *subject, const CliText *text, GError **error);

/* Encodes and runs, for commands that need a model. */
AttnTrace *cli_subject_run (const CliSubject *subject, const CliText *text, GError **error);

/* The maps of a run on @text, or of the arrays, which need none. */
AttnMaps *cli_subject_new_maps (const CliSubject *subject, const CliText *text, GError **error);

size_t cli_subject_get_n_layers (const CliSubject *subject);
size_t cli_subject_get_n_heads (const CliSubject *subject);

/* The SHA-256 of the weights or of the arrays' file, computed on a thread of its own while
 * something else is done. */
typedef struct _CliHash CliHash;

CliHash *cli_hash_start (const CliSubject *subject);
void cli_hash_free (CliHash *hash);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliHash, cli_hash_free)

/* Waits for it, and tells where it cannot be known. Returns: (nullable) (transfer none): valid as
 * long as the subject. */
const char *cli_hash_wait (CliHash *hash);

/* Checks a layer and a head, both from 1; 0 is not checked. Returns: false with CLI_USAGE. */
bool cli_subject_check (const CliSubject *subject, size_t layer, size_t head, GError **error);
