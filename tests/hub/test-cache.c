/* SPDX-License-Identifier: MIT */
/* Reading a cache of models: what is listed, what is usable, what a name finds. */
#include "cache-fixture.h"

#include "attn-hub/cache.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define A "models--owner--a"

static AttnHubList *
list (const char *cache)
{
  g_autoptr (GError) error = NULL;
  AttnHubList *found = attn_hub_cache_list (cache, NULL, NULL, &error);
  g_assert_no_error (error);
  return found;
}

static void
test_nothing (void)
{
  char *cache = cache_new ();
  g_autoptr (AttnHubList) empty = list (cache);
  g_autoptr (AttnHubList) missing = list ("/nowhere/at/all");
  g_assert_cmpuint (empty->n_entries, ==, 0);
  g_assert_cmpuint (missing->n_entries, ==, 0);

  g_autoptr (GError) error = NULL;
  g_autofree char *file = cache_path (cache, "file");
  cache_write (cache, "file", "");
  g_assert_null (attn_hub_cache_list (file, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  cache_remove (cache);
}

static void
test_usable (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  cache_add (cache, A, COMMIT_A, "1_Pooling/config.json", "{}");
  cache_refer (cache, A, "main", COMMIT_A);
  cache_refer (cache, A, "refs/pr/1", COMMIT_A);
  cache_refer (cache, A, "dev", COMMIT_A "\n");
  cache_write (cache, "CACHEDIR.TAG", "");
  cache_write (cache, ".locks/" A "/x.lock", "");
  cache_write (cache, "datasets--a--b/refs/main", COMMIT_A);
  g_autoptr (AttnHubList) found = list (cache);
  g_assert_cmpuint (found->n_entries, ==, 1);
  const AttnHubEntry *entry = found->entries[0];
  g_assert_cmpstr (entry->repo, ==, "owner/a");
  g_assert_cmpstr (entry->commit, ==, COMMIT_A);
  g_assert_cmpstr (entry->refs[0], ==, "main");
  g_assert_cmpstr (entry->refs[1], ==, "dev");
  g_assert_cmpstr (entry->refs[2], ==, "refs/pr/1");
  g_assert_null (entry->refs[3]);
  g_assert_cmpstr (entry->family, ==, "bert");
  g_assert_cmpuint (entry->n_layers, ==, 2);
  g_assert_cmpuint (entry->n_heads, ==, 4);
  g_assert_cmpint (entry->state, ==, ATTN_HUB_USABLE);
  g_assert_null (entry->reason);
  g_assert_true (entry->counts_all);
  g_assert_cmpuint (entry->n_bytes, ==, strlen (BERT_CONFIG) + 7 + 33 + 2);
  g_assert_cmpuint (found->n_bytes, ==, entry->n_bytes);
  g_autofree char *folder = cache_path (cache, A "/snapshots/" COMMIT_A);
  g_assert_cmpstr (entry->folder, ==, folder);
  cache_remove (cache);
}

/* Two revisions share a blob: each has its size, the whole counts it once; and so does a blob that
 * no snapshot has. */
static void
test_sizes (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  cache_add_model (cache, A, COMMIT_B, BERT_CONFIG, "weights!");
  cache_refer (cache, A, "main", COMMIT_B);
  cache_write (cache, A "/blobs/left-over.incomplete", "12345");
  g_autoptr (AttnHubList) found = list (cache);
  g_assert_cmpuint (found->n_entries, ==, 2);
  size_t shared = strlen (BERT_CONFIG) + 33;
  g_assert_cmpstr (found->entries[0]->commit, ==, COMMIT_B);
  g_assert_cmpuint (found->entries[0]->n_bytes, ==, shared + 8);
  g_assert_cmpuint (found->entries[1]->n_bytes, ==, shared + 7);
  g_assert_null (found->entries[1]->refs[0]);
  g_assert_cmpuint (found->n_bytes, ==, shared + 15 + 5);
  cache_remove (cache);
}

static void
test_order (void)
{
  static const char *const names[] = {"models--b--x", "models--A--x", "models--gpt2",
                                      "models--a--y"};
  static const char *const wanted[] = {"A/x", "a/y", "b/x", "gpt2"};
  char *cache = cache_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    cache_add_model (cache, names[i], COMMIT_A, BERT_CONFIG, "w");
  g_autoptr (AttnHubList) found = list (cache);
  g_assert_cmpuint (found->n_entries, ==, 4);
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpstr (found->entries[i]->repo, ==, wanted[i]);
  cache_remove (cache);
}

/* A snapshot of the files and links named; "name>target" is a link, "name=content" a file. */
static const struct {
  const char *files[8];
  AttnHubState state;
  const char *reason;
} snapshots[] = {
    {{"config.json=" BERT_CONFIG, "pytorch_model.bin=x", "tokenizer.json={}"},
     ATTN_HUB_USABLE,
     NULL},
    {{"config.json=" BERT_CONFIG, "model.safetensors=x", "vocab.json={}", "merges.txt="},
     ATTN_HUB_USABLE,
     NULL},
    {{"config.json=" BERT_CONFIG, "model.safetensors=x", "spiece.model=x"}, ATTN_HUB_USABLE, NULL},
    {{"config.json=" BERT_CONFIG, "model.safetensors=x", "vocab.json={}"},
     ATTN_HUB_PARTIAL,
     "a file is missing: tokenizer.json"},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x"},
     ATTN_HUB_PARTIAL,
     "a file is missing: model.safetensors"},
    {{"model.safetensors=x"}, ATTN_HUB_PARTIAL, "files are missing: config.json, tokenizer.json"},
    {{"README.md=x"},
     ATTN_HUB_PARTIAL,
     "files are missing: config.json, model.safetensors, tokenizer.json"},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x", "model.safetensors>../../blobs/none"},
     ATTN_HUB_PARTIAL,
     "a file is missing: model.safetensors"},
    {{"config.json>config.json", "vocab.txt>nothing", "model.safetensors=x"},
     ATTN_HUB_PARTIAL,
     "files are missing: config.json, tokenizer.json"},
    {{"config.json={\"model_type\":\"llama\"}", "vocab.txt=x", "model.safetensors=x"},
     ATTN_HUB_UNUSABLE,
     "models of the family llama cannot be run"},
    {{"config.json={\"model_type\":\"llama\"}"},
     ATTN_HUB_UNUSABLE,
     "models of the family llama cannot be run"},
    {{"config.json={", "vocab.txt=x", "model.safetensors=x"}, ATTN_HUB_UNUSABLE, "config.json: "},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x", "tf_model.h5=x"},
     ATTN_HUB_UNUSABLE,
     "found weights in tf_model.h5"},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x", "1.safetensors=x",
      "model.safetensors.index.json={\"weight_map\":{\"a\":\"1.safetensors\"}}"},
     ATTN_HUB_USABLE,
     NULL},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x", "1.safetensors=x",
      "model.safetensors.index.json={\"weight_map\":{\"a\":\"1.safetensors\",\"b\":\"2\","
      "\"c\":\"3\",\"d\":\"4\",\"e\":\"5\",\"f\":\"6\"}}"},
     ATTN_HUB_PARTIAL,
     "files are missing: 2, 3, 4, 5 and 1 more"},
    {{"config.json=" BERT_CONFIG, "vocab.txt=x",
      "model.safetensors.index.json={\"weight_map\":{\"a\":\"../1\"}}"},
     ATTN_HUB_UNUSABLE,
     "model.safetensors.index.json: "},
    {{"modules.json>nothing", "config.json=" BERT_CONFIG, "vocab.txt=x", "model.safetensors=x"},
     ATTN_HUB_PARTIAL,
     "a file is missing: modules.json"},
    {{"modules.json=[{\"type\":\"x.Transformer\",\"path\":\"inner\"}]",
      "inner/config.json=" BERT_CONFIG, "inner/vocab.txt=x"},
     ATTN_HUB_PARTIAL,
     "a file is missing: inner/model.safetensors"},
    {{"modules.json=[{\"type\":\"x.Transformer\",\"path\":\"..\"}]"},
     ATTN_HUB_UNUSABLE,
     "modules.json: path of the transformer"},
};

static void
make_snapshot (const char *cache, const char *const *files)
{
  for (; *files != NULL; files++) {
    size_t length = strcspn (*files, "=>");
    g_autofree char *name = g_strndup (*files, length);
    g_autofree char *path = g_strconcat (A "/snapshots/" COMMIT_A "/", name, NULL);
    if ((*files)[length] == '>')
      cache_link (cache, path, *files + length + 1);
    else
      cache_write (cache, path, *files + length + 1);
  }
}

static void
test_states (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (snapshots); i++) {
    char *cache = cache_new ();
    make_snapshot (cache, snapshots[i].files);
    g_autoptr (AttnHubList) found = list (cache);
    g_assert_cmpuint (found->n_entries, ==, 1);
    const AttnHubEntry *entry = found->entries[0];
    g_test_message ("%zu: %s", i, entry->reason != NULL ? entry->reason : "usable");
    g_assert_cmpint (entry->state, ==, snapshots[i].state);
    if (snapshots[i].reason == NULL)
      g_assert_null (entry->reason);
    else
      g_assert_true (g_str_has_prefix (entry->reason, snapshots[i].reason));
    if (entry->state == ATTN_HUB_PARTIAL)
      g_assert_cmpstr (entry->reason, ==, snapshots[i].reason);
    g_autoptr (AttnHubEntry) alone = attn_hub_cache_check_folder (entry->folder);
    g_assert_cmpint (alone->state, ==, entry->state);
    g_assert_cmpstr (alone->reason, ==, entry->reason);
    g_assert_cmpuint (alone->n_bytes, ==, entry->n_bytes);
    cache_remove (cache);
  }
}

/* What no program of good will writes is listed with a reason, or passed over. */
static void
test_odd (void)
{
  char *cache = cache_new ();
  cache_write (cache, "models--a--b--c/snapshots/" COMMIT_A "/config.json", BERT_CONFIG);
  cache_write (cache, "models--/x", "");
  cache_write (cache, "models--\n\xff--x/x", "");
  cache_write (cache, "models--file", "");
  cache_link (cache, "models--loop", "models--loop");
  cache_write (cache, "models--empty--x/blobs/x", "123");
  cache_link (cache, "models--linked--x/snapshots/" COMMIT_A, "/etc");
  cache_link (cache, "models--linked--y/snapshots", "/etc");
  cache_write (cache, "models--files--x/snapshots/file", "");
  cache_write (cache, "models--files--x/refs/main", COMMIT_A);
  cache_write (cache, "models--files--x/refs/evil", "../../../x");
  g_autoptr (AttnHubList) found = list (cache);
  for (size_t i = 0; i < found->n_entries; i++) {
    const AttnHubEntry *entry = found->entries[i];
    g_test_message ("%s: %s", entry->repo, entry->reason);
    g_assert_cmpint (entry->state, !=, ATTN_HUB_USABLE);
    g_assert_nonnull (entry->reason);
    g_assert_true (g_utf8_validate (entry->repo, -1, NULL));
    g_assert_true (entry->n_bytes < 1000);
  }
  g_assert_cmpuint (found->n_entries, ==, 8);
  cache_remove (cache);
}

/* What a stopped download has brought is counted for the model, which lacks it. */
static void
test_unfinished (void)
{
  char *cache = cache_new ();
  cache_add (cache, A, COMMIT_A, "config.json", BERT_CONFIG);
  cache_refer (cache, A, "main", COMMIT_A);
  cache_write (cache, A "/blobs/x.headscope.part", "half of the weights");
  g_autoptr (AttnHubList) found = list (cache);
  g_assert_cmpuint (found->n_entries, ==, 1);
  g_assert_cmpint (found->entries[0]->state, ==, ATTN_HUB_PARTIAL);
  g_assert_cmpuint (found->entries[0]->n_bytes, ==, strlen (BERT_CONFIG "half of the weights"));
  g_assert_cmpuint (found->n_bytes, ==, found->entries[0]->n_bytes);
  cache_remove (cache);
}

static bool
stop_cb (G_GNUC_UNUSED double fraction, G_GNUC_UNUSED void *data)
{
  return false;
}

static void
test_stop (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  g_assert_null (attn_hub_cache_list (cache, stop_cb, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  cache_remove (cache);
}

/* @wanted: end of the folder's path, or what the sentence says after "!". */
static void
assert_found (const char *cache, const char *text, const char *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (text, NULL);
  g_autofree char *folder = attn_hub_cache_find (cache, name, &error);
  g_test_message ("%s: %s", text, folder != NULL ? folder : error->message);
  if (*wanted != '!') {
    g_assert_no_error (error);
    g_assert_true (g_str_has_suffix (folder, wanted));
    return;
  }
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, wanted + 1));
}

static void
test_find (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "w");
  cache_add_model (cache, A, COMMIT_B, BERT_CONFIG, "x");
  cache_refer (cache, A, "main", COMMIT_A);
  cache_refer (cache, A, "refs/pr/1", COMMIT_B);
  cache_refer (cache, A, "gone", "cccccccccccccccccccccccccccccccccccccccc");
  cache_add_model (cache, "models--gpt2", COMMIT_A, BERT_CONFIG, "w");
  cache_add_model (cache, "models--openai--gpt2", COMMIT_B, BERT_CONFIG, "w");
  cache_add_model (cache, "models--x--twice", COMMIT_A, BERT_CONFIG, "w");
  cache_add_model (cache, "models--y--twice", COMMIT_A, BERT_CONFIG, "w");
  cache_add_model (cache, "models--z--two", COMMIT_A, BERT_CONFIG, "w");
  cache_add_model (cache, "models--z--two", COMMIT_B, BERT_CONFIG, "w");
  assert_found (cache, "owner/a", A "/snapshots/" COMMIT_A);
  assert_found (cache, "a", A "/snapshots/" COMMIT_A);
  assert_found (cache, "owner/a@main", A "/snapshots/" COMMIT_A);
  assert_found (cache, "owner/a@refs/pr/1", A "/snapshots/" COMMIT_B);
  assert_found (cache, "a@" COMMIT_B, A "/snapshots/" COMMIT_B);
  assert_found (cache, "gpt2", "models--gpt2/snapshots/" COMMIT_A);
  assert_found (cache, "openai/gpt2", "models--openai--gpt2/snapshots/" COMMIT_B);
  assert_found (cache, "owner/a@gone", "!\"headscope-cli fetch owner/a@gone\" downloads it");
  assert_found (cache, "a@none", "!fetch owner/a@none");
  assert_found (cache, "gpt2@none", "!has no revision none");
  assert_found (cache, "twice", "!x/twice and y/twice among them");
  assert_found (cache, "z/two", "!revision main");
  assert_found (cache, "owner/A", "!\"headscope-cli fetch owner/A\" downloads it");
  assert_found (cache, "none", "!is not among the models in");
  assert_found (cache, "all-MiniLM-L6-v2",
                "!\"headscope-cli fetch sentence-transformers/all-MiniLM-L6-v2\" downloads it");
  cache_remove (cache);
}

static void
test_read_only (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "w");
  cache_refer (cache, A, "main", COMMIT_A);
  g_autofree char *folder = cache_path (cache, A);
  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  g_assert_cmpint (g_chmod (cache, 0555), ==, 0);
  g_autoptr (AttnHubList) found = list (cache);
  g_assert_cmpuint (found->n_entries, ==, 1);
  g_assert_cmpint (found->entries[0]->state, ==, ATTN_HUB_USABLE);
  assert_found (cache, "owner/a", A "/snapshots/" COMMIT_A);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  g_assert_cmpint (g_chmod (cache, 0755), ==, 0);
  cache_remove (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache/nothing", test_nothing);
  g_test_add_func ("/cache/usable", test_usable);
  g_test_add_func ("/cache/sizes", test_sizes);
  g_test_add_func ("/cache/order", test_order);
  g_test_add_func ("/cache/states", test_states);
  g_test_add_func ("/cache/odd", test_odd);
  g_test_add_func ("/cache/unfinished", test_unfinished);
  g_test_add_func ("/cache/stop", test_stop);
  g_test_add_func ("/cache/find", test_find);
  g_test_add_func ("/cache/read-only", test_read_only);
  return g_test_run ();
}
