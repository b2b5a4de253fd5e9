/* SPDX-License-Identifier: MIT */
/* Fetching from a fake hub into an empty cache. */
#include "fetch-fixture.h"

#include "cache-fixture.h"

#include "attn/error.h"

#include <string.h>

static const char config[] = BERT_CONFIG;
static const char tokenizer[] = "{\"version\":\"1.0\",\"model\":{\"type\":\"WordPiece\"}}";
static const char vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n";

guint8 *
fixture_dup_weights (void)
{
  guint8 *bytes = g_malloc (FIXTURE_N_WEIGHTS);
  guint32 state = 1;
  for (gsize i = 0; i < FIXTURE_N_WEIGHTS; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = (guint8)(state >> 24);
  }
  return bytes;
}

static void
add (FakeHub *hub, const char *path, const char *text)
{
  fake_hub_add_bytes (hub, FIXTURE_REPO, "main", path, text, strlen (text));
}

void
fetch_fixture_set_up (FetchFixture *fixture, bool tls, const char *const *more)
{
  g_autofree guint8 *weights = fixture_dup_weights ();
  *fixture = (FetchFixture){.hub = fake_hub_new (tls), .cache = cache_new ()};
  fixture->stop = g_cancellable_new ();
  add (fixture->hub, "README.md", "A tiny model.\n");
  add (fixture->hub, "config.json", config);
  add (fixture->hub, "tokenizer.json", tokenizer);
  add (fixture->hub, "vocab.txt", vocab);
  add (fixture->hub, "onnx/model.onnx", "not wanted");
  add (fixture->hub, "pytorch_model.bin", "not wanted");
  add (fixture->hub, "tf_model.h5", "not wanted");
  fake_hub_add_bytes (fixture->hub, FIXTURE_REPO, "main", "model.safetensors", weights,
                      FIXTURE_N_WEIGHTS);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; more != NULL && more[i] != NULL; i++) /* the first of a name counts */
    g_ptr_array_add (lines, g_strdup (more[i]));
  g_ptr_array_add (lines, g_strconcat ("HF_ENDPOINT=", fake_hub_peek_url (fixture->hub), NULL));
  g_ptr_array_add (lines, g_strconcat ("HF_HUB_CACHE=", fixture->cache, NULL));
  g_ptr_array_add (lines, g_strconcat ("HF_HOME=", fixture->cache, NULL));
  g_ptr_array_add (lines, g_strdup ("HEADSCOPE_RETRY_MS=1"));
  g_ptr_array_add (lines, NULL);
  fixture->places = attn_hub_places_new ((const char *const *)lines->pdata);
}

void
fetch_fixture_clear (FetchFixture *fixture)
{
  fake_hub_free (fixture->hub);
  attn_hub_places_free (fixture->places);
  cache_remove (fixture->cache);
  g_object_unref (fixture->stop);
}

static void
note_progress (const AttnHubProgress *progress, void *data)
{
  FetchFixture *fixture = data;
  g_assert_nonnull (progress->file);
  g_assert_cmpuint (progress->done, <=, progress->total);
  fixture->last = *progress;
  fixture->n_told++;
  fixture->n_waits += progress->waiting_for != NULL;
}

char *
fetch_model (FetchFixture *fixture, const char *text, GError **error)
{
  g_autoptr (AttnHubName) name = attn_hub_name_parse (text, error);
  g_assert_nonnull (name);
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (fixture->places, name, fixture->stop, error);
  return plan == NULL ? NULL : attn_hub_fetch (plan, note_progress, fixture, fixture->stop, error);
}

static void
assert_file (const char *folder, const char *name, const void *wanted, gsize n_wanted)
{
  gsize n = 0;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_file_get_contents (path, &bytes, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (bytes, n, wanted, n_wanted);
}

void
assert_folder (FetchFixture *fixture, const char *folder)
{
  g_autofree guint8 *weights = fixture_dup_weights ();
  assert_file (folder, "config.json", config, strlen (config));
  assert_file (folder, "tokenizer.json", tokenizer, strlen (tokenizer));
  assert_file (folder, "vocab.txt", vocab, strlen (vocab));
  assert_file (folder, "model.safetensors", weights, FIXTURE_N_WEIGHTS);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 4); /* and nothing that is not wanted */
  g_autofree char *ref =
      g_build_filename (fixture->cache, "models--acme--tiny", "refs", "main", NULL);
  g_autofree char *commit = fake_hub_dup_commit (fixture->hub, FIXTURE_REPO, "main");
  assert_file ("/", ref + 1, commit, strlen (commit));
  g_assert_true (g_str_has_suffix (folder, commit));
}

void
assert_fetched (FetchFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (fixture, FIXTURE_REPO, &error);
  g_assert_no_error (error);
  assert_folder (fixture, folder);
}

void
assert_refused (FetchFixture *fixture, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (fixture, FIXTURE_REPO, &error);
  g_assert_null (folder);
  g_assert_error (error, ATTN_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("found \"%s\", wanted words: %s", error->message, words);
  g_assert_false (g_str_has_suffix (error->message, "."));
  /* nobody finds a model that is not whole */
  g_autofree char *ref =
      g_build_filename (fixture->cache, "models--acme--tiny", "refs", "main", NULL);
  g_assert_false (g_file_test (ref, G_FILE_TEST_EXISTS));
}

char *
fixture_dup_part (FetchFixture *fixture)
{
  g_autofree char *blob =
      fake_hub_dup_blob (fixture->hub, FIXTURE_REPO, "main", "model.safetensors");
  g_autofree char *name = g_strconcat (blob, ".headscope.part", NULL);
  return g_build_filename (fixture->cache, "models--acme--tiny", "blobs", name, NULL);
}
