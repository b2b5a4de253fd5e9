/* SPDX-License-Identifier: MIT */
/* Removing models from the cache, and verifying them.
 *
 * For: models that Hugging Face's layout keeps, whoever downloaded them. Not for: folders outside
 * of the cache. Both take a name without a revision for all revisions of the model. */
#pragma once

#include "attn-hub/name.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What is removed, or would be. */
typedef struct {
  char *repo;         /* "owner/name"; owned */
  size_t n_revisions; /* snapshots */
  size_t n_files;     /* blobs, and files that are none */
  guint64 n_bytes;    /* that are free then */
  bool whole;         /* nothing of the model is left */
} AttnHubRemoval;

/* Frees what it owns; the numbers stay. */
void attn_hub_removal_clear (AttnHubRemoval *removal);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnHubRemoval, attn_hub_removal_clear)

/**
 * attn_hub_plan_removal:
 * @removal: (out): for attn_hub_removal_clear()
 *
 * What attn_hub_remove() would do, without doing it.
 *
 * Returns: false with @error: IO (it is not there; a program is just downloading it; the model's
 *   folder is itself a link, and what it leads to is not ours to remove; this person may not remove
 *   something of it).
 * Test: tests/hub/test-remove.c
 */
bool attn_hub_plan_removal (const char *cache,
                            const AttnHubName *name,
                            AttnHubRemoval *removal,
                            GError **error);

/**
 * attn_hub_remove:
 * @removal: (out): what was removed, on error in part; for attn_hub_removal_clear()
 *
 * Removes a revision with the references to it and the blobs that no other revision of the model
 * has; with its last revision, the model. Links are removed, never followed: nothing outside of the
 * model's folder and of its locks is touched, but for blobs in the store that newer Python
 * libraries share between models, where no model has a link to them any more. Whoever stops it half
 * way can do it again.
 *
 * Returns: false with @error: IO as above.
 * Test: tests/hub/test-remove.c, also on random trees
 */
bool attn_hub_remove (const char *cache,
                      const AttnHubName *name,
                      AttnHubRemoval *removal,
                      GError **error);

/* What mends a problem. */
typedef enum {
  ATTN_HUB_ANEW,    /* removing the model and fetching it again */
  ATTN_HUB_FETCH,   /* fetching it: what is missing is downloaded */
  ATTN_HUB_AS_TOLD, /* what the reason says: a download would not help */
} AttnHubRemedy;

/* A file that is not what it should be, or a revision or model without files. Strings are owned. */
typedef struct {
  char *repo;   /* "owner/name" */
  char *commit; /* (nullable): where the whole model is meant */
  char *path;   /* in the model: "model.safetensors"; (nullable): where the revision is meant */
  char *reason; /* a sentence without a final stop */
  AttnHubRemedy remedy;
} AttnHubProblem;

typedef struct {
  size_t n_files;     /* looked at; a blob of several names counts once */
  size_t n_unchecked; /* of them: files that have no hash to check */
  guint64 n_bytes;
  AttnHubProblem **problems; /* [n_problems], by model, revision and file */
  size_t n_problems;
} AttnHubVerdict;

/**
 * attn_hub_verify:
 * @name:     (nullable): the model; NULL for all
 * @progress: (nullable)
 *
 * Reads every blob of the revisions and compares it with the hash that it is called by. Problems
 * are also entries that are no files (folders behind links, pipes, sockets), links that lead to
 * nothing or to what is none of the model's blobs, and revisions and models of which files are
 * missing.
 *
 * Returns: (transfer full): for attn_hub_verdict_free(), or NULL with @error: IO (not there, or not
 *   readable), CANCELLED.
 * Test: tests/hub/test-verify.c
 */
AttnHubVerdict *attn_hub_verify (const char *cache,
                                 const AttnHubName *name,
                                 AttnProgressFunc progress,
                                 void *data,
                                 GError **error);

void attn_hub_verdict_free (AttnHubVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubVerdict, attn_hub_verdict_free)

G_END_DECLS
