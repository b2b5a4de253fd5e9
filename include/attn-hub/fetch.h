/* SPDX-License-Identifier: MIT */
/* Fetching a model from the Hub by name: first what that would be, then the files themselves.
 *
 * For: a person who asked for it; nothing here is called without that. Not for: models that are
 * there already (cache.h). Both steps wait for the network on the caller's thread; a GCancellable
 * stops them from another one. Order: attn_hub_plan_new(), show it, attn_hub_fetch().
 *
 * Source: the protocol of huggingface_hub and the layout of its cache. */
#pragma once

#include "attn-hub/name.h"
#include "attn-hub/places.h"

#include <gio/gio.h>
#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnHubPlan AttnHubPlan;

/* One file of a plan. Strings are owned by the plan. */
typedef struct {
  char *path;        /* in the model: "1_Pooling/config.json" */
  char *etag;        /* its SHA-1 as git has it, or its SHA-256: 40 or 64 hexadecimal digits */
  guint64 n_bytes;   /* its size */
  guint64 n_present; /* of these, in the cache already: all of them or what is left of a download */
} AttnHubPlanFile;

/**
 * attn_hub_plan_new:
 * @places: where from and where to; borrowed while the plan lives
 * @name:   the model
 * @stop:   (nullable): stops it
 *
 * Asks the Hub for the model's commit, its list of files and its config.json: a family that this
 * program cannot run is refused before anything large is fetched, in the words of
 * attn_config_load(). Chosen are config, tokenizer and weights: safetensors, or .bin where there
 * are none, whole or in parts; of sentence-transformers also modules.json and the modules' configs.
 *
 * Returns: (transfer full): for attn_hub_plan_free(), or NULL with @error: IO (not reachable,
 *   offline, no such model, gated; what to try is told), UNSUPPORTED, FORMAT, SHAPE, TOO_LARGE,
 *   CANCELLED.
 * Test: tests/hub/test-fetch.c
 */
AttnHubPlan *attn_hub_plan_new (const AttnHubPlaces *places,
                                const AttnHubName *name,
                                GCancellable *stop,
                                GError **error);

void attn_hub_plan_free (AttnHubPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubPlan, attn_hub_plan_free)

/* Returns: (transfer none): "owner/name"; the commit; the family. Valid while the plan lives. */
const char *attn_hub_plan_peek_repo (const AttnHubPlan *plan);
const char *attn_hub_plan_peek_commit (const AttnHubPlan *plan);
const char *attn_hub_plan_peek_family (const AttnHubPlan *plan);

/* Returns: layers and heads that the config tells. */
size_t attn_hub_plan_get_n_layers (const AttnHubPlan *plan);
size_t attn_hub_plan_get_n_heads (const AttnHubPlan *plan);

size_t attn_hub_plan_get_n_files (const AttnHubPlan *plan);

/* Returns: (transfer none): file number @index; small ones come first, weights last. */
const AttnHubPlanFile *attn_hub_plan_peek_file (const AttnHubPlan *plan, size_t index);

/* Returns: bytes of all files, and of what is in the cache already. */
guint64 attn_hub_plan_get_n_bytes (const AttnHubPlan *plan);
guint64 attn_hub_plan_get_n_present (const AttnHubPlan *plan);

/* How far it is. Strings are valid during the call. */
typedef struct {
  const char *file;        /* that is being fetched */
  guint64 done, total;     /* bytes of the whole plan, present ones among both */
  guint64 received;        /* bytes that came over the network so far */
  double bytes_per_second; /* over the last seconds; 0: not known yet */
  double seconds_left;     /* by that speed; negative: not known */
  const char *waiting_for; /* (nullable): what for, while nothing arrives: English, and a text of
                              the translations */
} AttnHubProgress;

/* Called on the thread that fetches, up to ten times a second. */
typedef void (*AttnHubProgressFunc) (const AttnHubProgress *progress, void *data);

/**
 * attn_hub_fetch:
 * @progress: (nullable)
 * @stop:     (nullable): stops it: what has arrived is kept and the next fetch goes on from there
 *
 * Fetches what is missing, one file after the other, in pieces of constant size. Every file's hash
 * is checked before it gets its name; a wrong one is fetched once more. Connections that break are
 * resumed. The reference ("main") is written last, so that whoever follows it finds all files.
 *
 * Returns: (transfer full): the model's folder in the cache, or NULL with @error: IO (network, disk
 *   full), FORMAT (the server's bytes are not what it promised), CANCELLED.
 * Test: tests/hub/test-fetch.c
 */
char *attn_hub_fetch (AttnHubPlan *plan,
                      AttnHubProgressFunc progress,
                      void *data,
                      GCancellable *stop,
                      GError **error);

/* A model that many people use, to be suggested. */
typedef struct {
  const char *name;   /* on the Hub */
  const char *family; /* model_type */
  unsigned n_layers, n_heads;
  unsigned megabytes; /* of what would be fetched, roughly: a plan tells the truth */
} AttnHubSuggestion;

/* Returns: (transfer none): a constant table, [n]. */
const AttnHubSuggestion *attn_hub_suggestions_peek (size_t *n);

/*
 * The suggestion that @repo, a name without its owner, is short for; NULL where there is none or
 * @repo has an owner. Test: tests/hub/test-cache.c.
 */
const AttnHubSuggestion *attn_hub_suggestion_find (const char *repo);

G_END_DECLS
