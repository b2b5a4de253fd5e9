/* SPDX-License-Identifier: MIT */
/* headscope-cli models, remove, verify, and --model with a name. */
#include "cache-fixture.h"
#include "cli-run.h"

#include "attn-hub/store.h"

#include <glib/gstdio.h>

#include <string.h>

#define DEMO "models--some--demo"
#define CUT "models--owner--cut"

/* A cache with the shipped model under another name, and one that lacks its weights. */
static char *
make_cache (void)
{
  static const char *const files[] = {"config.json", "model.safetensors", "tokenizer.json",
                                      "tokenizer_config.json"};
  char *cache = cache_new ();
  g_autofree char *demo = attn_hub_find_model ("demo", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *target = g_build_filename (demo, files[i], NULL);
    g_autofree char *link = g_strconcat (DEMO "/snapshots/" COMMIT_A "/", files[i], NULL);
    cache_link (cache, link, target);
  }
  cache_refer (cache, DEMO, "main", COMMIT_A);
  cache_add (cache, CUT, COMMIT_A, "config.json", BERT_CONFIG);
  cache_add (cache, CUT, COMMIT_B, "config.json", BERT_CONFIG);
  cache_add (cache, CUT, COMMIT_B, "README.md", "only here");
  cache_refer (cache, CUT, "main", COMMIT_A);
  cache_refer (cache, CUT, "next", COMMIT_B);
  g_setenv ("HF_HUB_CACHE", cache, TRUE);
  return cache;
}

static const char *
text_of (json_t *object, const char *key)
{
  return json_string_value (json_object_get (object, key));
}

static void
test_models (void)
{
  char *cache = make_cache ();
  json_t *answer = ASK ("models");
  assert_keys (answer, "cache,bytes,models");
  g_assert_cmpstr (text_of (answer, "cache"), ==, cache);
  json_t *models = json_object_get (answer, "models");
  g_assert_cmpuint (json_array_size (models), ==, 4);
  json_t *shipped = json_array_get (models, 0), *cut = json_array_get (models, 1);
  json_t *cached = json_array_get (models, 3);
  assert_keys (shipped, "name,model,commit,refs,family,layers,heads,bytes,state,reason,folder");
  g_assert_cmpstr (text_of (shipped, "name"), ==, "Built-in model");
  g_assert_cmpstr (text_of (shipped, "model"), ==, "demo"); /* is what is typed */
  json_t *info = ASK ("info --model demo");
  g_assert_cmpstr (text_of (info, "name"), ==, "Built-in model");
  json_decref (info);
  g_assert_cmpstr (text_of (shipped, "state"), ==, "usable");
  g_assert_cmpstr (text_of (cut, "name"), ==, "owner/cut");
  g_assert_cmpstr (text_of (cut, "model"), ==, "owner/cut");
  g_assert_cmpstr (text_of (cut, "commit"), ==, COMMIT_A);
  g_assert_cmpstr (text_of (cut, "state"), ==, "partial");
  g_assert_cmpstr (text_of (cut, "reason"), ==,
                   "files are missing: model.safetensors, tokenizer.json");
  g_assert_cmpstr (text_of (cached, "name"), ==, "some/demo");
  g_assert_cmpstr (text_of (cached, "state"), ==, "usable");
  g_assert_cmpint (get_int (cached, "layers"), ==, 4);
  g_assert_cmpint (get_int (cached, "heads"), ==, 8);
  g_assert_true (json_is_null (json_object_get (cached, "reason")));
  json_decref (answer);
  cache_remove (cache);
}

static void
test_by_name (void)
{
  char *cache = make_cache ();
  static const char *const names[] = {"some/demo", "some/demo@main"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    json_t *answer = ASK ("info --model @", names[i]);
    g_assert_cmpstr (text_of (answer, "name"), ==, "some/demo");
    json_decref (answer);
  }
  g_auto (Run) cut = RUN ("info --model owner/cut");
  g_assert_cmpint (cut.status, ==, 1);
  g_assert_nonnull (strstr (cut.err, "headscope-cli fetch owner/cut"));
  g_auto (Run) none = RUN ("info --model owner/none");
  g_assert_cmpint (none.status, ==, 1);
  g_assert_nonnull (strstr (none.err, "headscope-cli fetch owner/none"));
  cache_remove (cache);
}

static void
test_remove (void)
{
  char *cache = make_cache ();
  g_auto (Run) asked = RUN ("remove owner/cut");
  g_assert_cmpint (asked.status, ==, 2);
  g_assert_nonnull (strstr (asked.err, "--yes"));
  json_t *plan = ASK ("remove owner/cut@next --dry-run");
  assert_keys (plan, "name,revisions,files,bytes,whole,removed");
  g_assert_false (json_boolean_value (json_object_get (plan, "removed")));
  g_assert_cmpint (get_int (plan, "bytes"), ==, 9);
  json_t *done = ASK ("remove --yes owner/cut@next");
  g_assert_true (json_boolean_value (json_object_get (done, "removed")));
  g_assert_false (json_boolean_value (json_object_get (done, "whole")));
  g_assert_cmpint (get_int (done, "bytes"), ==, 9);
  json_t *rest = ASK ("remove cut --yes");
  g_assert_cmpstr (text_of (rest, "name"), ==, "owner/cut");
  g_assert_true (json_boolean_value (json_object_get (rest, "whole")));
  g_auto (Run) again = RUN ("remove owner/cut --yes");
  g_assert_cmpint (again.status, ==, 1);
  json_decref (plan);
  json_decref (done);
  json_decref (rest);
  cache_remove (cache);
}

/* A problem of the answer in @run, which ends with status 1: whose, which file, and what it says.
 */
static void
assert_problem (const Run *run, size_t index, const char *name, const char *file, const char *words)
{
  json_t *answer = json_loads (run->out, 0, NULL);
  json_t *problem = json_array_get (json_object_get (answer, "problems"), index);
  g_assert_cmpint (run->status, ==, 1);
  assert_keys (problem, "name,commit,file,reason");
  g_assert_cmpstr (text_of (problem, "name"), ==, name);
  g_assert_cmpstr (json_string_value (json_object_get (problem, "file")), ==, file);
  if (strstr (text_of (problem, "reason"), words) == NULL)
    g_error ("no \"%s\" in: %s", words, text_of (problem, "reason"));
  json_decref (answer);
}

static void
test_verify (void)
{
  char *cache = make_cache ();
  cache_add_model (cache, "models--owner--good", COMMIT_A, BERT_CONFIG, "weights");
  json_t *good = ASK ("verify owner/good");
  assert_keys (good, "files,unchecked,bytes,problems");
  g_assert_cmpint (get_int (good, "files"), ==, 3);
  g_assert_cmpint (get_int (good, "unchecked"), ==, 0);
  json_decref (good);
  g_auto (Run) all = RUN ("verify --all");
  assert_problem (&all, 0, "owner/cut", NULL, "files are missing: model.safetensors");
  assert_problem (&all, 2, "some/demo", "config.json", "which is none of this model's files");
  g_assert_nonnull (strstr (all.err, ", and more; fetch the model to download what is missing"));
  g_autofree char *etag = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "only here", -1);
  g_autofree char *blob = g_strconcat (CUT "/blobs/", etag, NULL);
  cache_write (cache, blob, "Only here");
  g_auto (Run) changed = RUN ("verify owner/cut@next");
  assert_problem (&changed, 1, "owner/cut", "README.md", "is not what was downloaded");
  cache_remove (cache);
}

static void
test_usage (void)
{
  static const struct {
    const char *words;
    int status;
    const char *complaint;
  } rows[] = {
      {"models x", 2, "not an option"},
      {"remove", 2, "name is missing"},
      {"remove a b --yes", 2, "one name at a time"},
      {"remove a/b/c --yes", 2, "slashes"},
      {"remove ../x --yes", 2, "begins or ends with"},
      {"verify", 2, "--all"},
      {"verify a --all", 2, "one of the two"},
      {"verify a@", 2, "revision is empty"},
      {"models --model demo", 2, "no option --model"},
  };
  char *cache = make_cache ();
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_auto (Run) run = run_with (rows[i].words, NULL);
    g_test_message ("%s: %s", rows[i].words, run.err);
    g_assert_cmpint (run.status, ==, rows[i].status);
    g_assert_nonnull (strstr (run.err, rows[i].complaint));
    g_assert_cmpstr (run.out, ==, "");
  }
  cache_remove (cache);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/models/list", test_models);
  g_test_add_func ("/models/by-name", test_by_name);
  g_test_add_func ("/models/remove", test_remove);
  g_test_add_func ("/models/verify", test_verify);
  g_test_add_func ("/models/usage", test_usage);
  return cli_test_run ();
}
