/* SPDX-License-Identifier: MIT */
/* Inside a model, for the files that fill one and those that run one. */
#pragma once

#include "arch.h"
#include "distances.h"
#include "file.h"
#include "weights.h"

#include "attn/model.h"
#include "attn/source.h"

#include <glib.h>

struct _AttnModel {
  gatomicrefcount ref_count;
  char *name;
  char *folder; /* absolute, as the file system spells it; NULL for random weights */
  AttnConfig *config;
  const AttnArch *arch;
  AttnTokenizer *tokenizer; /* NULL for none */
  AttnWeights weights;
  AttnDistances distances; /* DeBERTa only */
  size_t n_parameters;
  char **files; /* NULL-terminated */
  char *dtype_name;
  guint64 n_bytes;
  GPtrArray *warnings; /* of char *, owned */
  GArray *stamps;      /* (nullable): of AttnFileStamp, for each of the files */
  GMutex hash_lock;
  char *sha256; /* atomic; written once, under the lock */
};

/* A weight file as it was loaded. */
typedef struct {
  char *path;
  AttnFileState state;
} AttnFileStamp;

/* Notes which files @source has read from. Returns: false with @error IO, also where one has
 * changed since it was opened: then what was read is neither the old nor the new. */
bool attn_model_note_files (AttnModel *model, const AttnSource *source, GError **error);

/**
 * attn_model_new_empty:
 * @config: consumed
 *
 * Returns: a model without weights, or NULL with @error: UNSUPPORTED (the family).
 */
AttnModel *attn_model_new_empty (AttnConfig *config, GError **error);

/**
 * attn_model_load_weights:
 *
 * attn_model_load() without the tokenizer: all a run on ids needs.
 */
AttnModel *attn_model_load_weights (const char *folder,
                                    AttnPool *pool,
                                    AttnProgressFunc progress,
                                    void *progress_data,
                                    GError **error);

/* Returns: how many weights all roles have together in @model. */
size_t attn_model_count_parameters (const AttnModel *model);
