/* SPDX-License-Identifier: MIT */
/* A fake hub with a small model, an empty cache, and fetching from the one into the other. */
#pragma once

#include "fake-hub.h"

#include "attn-hub/fetch.h"

#include <glib.h>

G_BEGIN_DECLS

#define FIXTURE_REPO "acme/tiny"
#define FIXTURE_N_WEIGHTS ((gsize)300000) /* bytes of its model.safetensors */

typedef struct {
  FakeHub *hub;
  char *cache;
  AttnHubPlaces *places;
  GCancellable *stop;
  AttnHubProgress last; /* the progress told last; its strings are not valid */
  guint n_told, n_waits;
} FetchFixture;

/* A hub with FIXTURE_REPO: config.json, tokenizer.json, vocab.txt, model.safetensors and files that
 * are not wanted. Waits are short. @more: (nullable) "NAME=VALUE" lines of the environment. */
void fetch_fixture_set_up (FetchFixture *fixture, bool tls, const char *const *more);

void fetch_fixture_clear (FetchFixture *fixture);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FetchFixture, fetch_fixture_clear)

/* Plans and fetches. Returns: (transfer full): the folder, or NULL with @error. */
char *fetch_model (FetchFixture *fixture, const char *name, GError **error);

/* Fetches, and all files are what the hub has. */
void assert_fetched (FetchFixture *fixture);

/* Fails with this code, and the sentence holds these words; it is a sentence of ours. */
void assert_refused (FetchFixture *fixture, int code, const char *words);

/* All of a snapshot's wanted files are the hub's. */
void assert_folder (FetchFixture *fixture, const char *folder);

/* Returns: (transfer full): the weights the hub has, [FIXTURE_N_WEIGHTS]. */
guint8 *fixture_dup_weights (void);

/* Returns: (transfer full): the path of the unfinished weights in the cache. */
char *fixture_dup_part (FetchFixture *fixture);

G_END_DECLS
