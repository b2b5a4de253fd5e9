/* SPDX-License-Identifier: MIT */
/* A cache of models in a folder of the test's own. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define COMMIT_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define COMMIT_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

#define BERT_CONFIG \
  "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":4," \
  "\"intermediate_size\":16,\"vocab_size\":30}"

/* Returns: (transfer full): an empty folder. */
char *cache_new (void);

/* Removes it with all that is in it, and frees the path. */
void cache_remove (char *cache);

/* Returns: (transfer full): a path below the cache. */
char *cache_path (const char *cache, const char *path);

/* Writes a file and the folders it is in. */
void cache_write (const char *cache, const char *path, const char *content);

/* Makes a link and the folders it is in. */
void cache_link (const char *cache, const char *path, const char *target);

/* A file of a snapshot as the Python library writes it: a blob called after its SHA-256, and a
 * relative link to it. @folder: "models--a--b". */
void cache_add (const char *cache,
                const char *folder,
                const char *commit,
                const char *path,
                const char *content);

/* What a reference points to. */
void cache_refer (const char *cache, const char *folder, const char *ref, const char *commit);

/* config.json, weights and tokenizer by cache_add(); the weights are @weights. */
void cache_add_model (const char *cache,
                      const char *folder,
                      const char *commit,
                      const char *config,
                      const char *weights);

G_END_DECLS
