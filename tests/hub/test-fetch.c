/* SPDX-License-Identifier: MIT */
/* Fetching a model from a hub that behaves, and what a plan of it tells. */
#include "cache-fixture.h"
#include "fetch-fixture.h"

#include "attn-hub/cache.h"
#include "attn/error.h"

#include <string.h>

static AttnHubPlan *
make_plan (FetchFixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (text, NULL);
  AttnHubPlan *plan = attn_hub_plan_new (fixture->places, name, NULL, &error);
  g_assert_no_error (error);
  return plan;
}

/* The names of a plan's files, with commas. */
static char *
join_paths (const AttnHubPlan *plan)
{
  GString *paths = g_string_new (NULL);
  for (size_t i = 0; i < attn_hub_plan_get_n_files (plan); i++)
    g_string_append_printf (paths, "%s%s", i > 0 ? "," : "",
                            attn_hub_plan_peek_file (plan, i)->path);
  return g_string_free (paths, FALSE);
}

static void
test_plan (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  g_autoptr (AttnHubPlan) plan = make_plan (&fixture, FIXTURE_REPO);
  g_autofree char *paths = join_paths (plan);
  g_autofree char *commit = fake_hub_dup_commit (fixture.hub, FIXTURE_REPO, "main");
  g_assert_cmpstr (paths, ==, "config.json,tokenizer.json,vocab.txt,model.safetensors");
  g_assert_cmpstr (attn_hub_plan_peek_repo (plan), ==, FIXTURE_REPO);
  g_assert_cmpstr (attn_hub_plan_peek_commit (plan), ==, commit);
  g_assert_cmpstr (attn_hub_plan_peek_family (plan), ==, "bert");
  g_assert_cmpuint (attn_hub_plan_get_n_layers (plan), ==, 2);
  g_assert_cmpuint (attn_hub_plan_get_n_heads (plan), ==, 4);
  g_assert_cmpuint (attn_hub_plan_peek_file (plan, 3)->n_bytes, ==, FIXTURE_N_WEIGHTS);
  g_assert_cmpuint (attn_hub_plan_get_n_bytes (plan), >, FIXTURE_N_WEIGHTS);
  g_assert_cmpuint (attn_hub_plan_get_n_present (plan), ==, 0);
  /* nothing large was asked for, and nothing was written */
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 0);
  g_autofree char *folder = cache_path (fixture.cache, "models--acme--tiny");
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

static void
test_fetches (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  assert_fetched (&fixture);
  g_assert_cmpuint (fixture.n_told, >, 0);
  g_assert_cmpuint (fixture.last.done, ==, fixture.last.total);
  g_assert_cmpuint (fixture.last.received, ==, fixture.last.total);
  g_assert_cmpuint (fixture.n_waits, ==, 0);
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_assert_nonnull (strstr (log, "User-Agent: headscope/"));
  g_assert_nonnull (strstr (log, "Accept-Encoding: identity"));
  g_assert_null (strstr (log, "Authorization"));

  /* what is there is not asked for again */
  fake_hub_clear_log (fixture.hub);
  assert_fetched (&fixture);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "* HEAD *"), ==, 0);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 0);
  g_assert_cmpuint (fixture.last.received, ==, 0);
}

/* The reader of the cache finds it. The weights are no real ones, so it is not opened. */
static void
test_is_found (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  assert_fetched (&fixture);
  g_autoptr (AttnHubName) name = attn_hub_name_parse (FIXTURE_REPO, NULL);
  g_autofree char *folder = attn_hub_cache_find (fixture.cache, name, NULL);
  g_assert_nonnull (folder);
  g_autoptr (AttnHubEntry) entry = attn_hub_cache_check_folder (folder);
  g_assert_cmpint (entry->state, ==, ATTN_HUB_USABLE);
}

static void
test_pages (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_set_page_size (fixture.hub, 3);
  assert_fetched (&fixture);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "hub GET /api/models/*/tree/*"), ==, 3);
}

/* An old name keeps its own folder in the cache, as with Python's library. */
static void
test_renamed (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_rename (fixture.hub, "tiny", FIXTURE_REPO);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (&fixture, "tiny", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (folder, "/models--tiny/snapshots/"));
}

static void
test_revisions (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  static const char *const files[][2] = {
      {"config.json", BERT_CONFIG}, {"vocab.txt", "a\n"}, {"model.safetensors", "other weights"}};
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    fake_hub_add_bytes (fixture.hub, FIXTURE_REPO, "refs/pr/1", files[i][0], files[i][1],
                        strlen (files[i][1]));
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (&fixture, FIXTURE_REPO "@refs/pr/1", &error);
  g_assert_no_error (error);
  g_autofree char *ref = cache_path (fixture.cache, "models--acme--tiny/refs/refs/pr/1");
  g_assert_true (g_file_test (ref, G_FILE_TEST_EXISTS));
  g_autofree char *commit = fake_hub_dup_commit (fixture.hub, FIXTURE_REPO, "main");
  g_autofree char *name = g_strconcat (FIXTURE_REPO "@", commit, NULL);
  g_autofree char *by_commit = fetch_model (&fixture, name, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (by_commit, commit));
  g_autofree char *no_ref = cache_path (fixture.cache, "models--acme--tiny/refs/main");
  g_assert_false (g_file_test (no_ref, G_FILE_TEST_EXISTS));
}

static void
add_model (FakeHub *hub, const char *repo, const char *const (*files)[2])
{
  for (; (*files)[0] != NULL; files++)
    fake_hub_add_bytes (hub, repo, "main", (*files)[0], (*files)[1], strlen ((*files)[1]));
}

/* What is chosen of each kind of model. */
static void
test_choices (void)
{
  static const char shards[] = "{\"weight_map\":{\"a\":\"model-00001-of-00002.safetensors\","
                               "\"b\":\"model-00002-of-00002.safetensors\","
                               "\"c\":\"model-00001-of-00002.safetensors\"}}";
  static const char modules[] =
      "[{\"path\":\"0_Transformer\",\"type\":\"sentence_transformers.models.Transformer\"},"
      "{\"path\":\"1_Pooling\",\"type\":\"sentence_transformers.models.Pooling\"},"
      "{\"path\":\"2_Normalize\",\"type\":\"sentence_transformers.models.Normalize\"}]";
  static const struct {
    const char *repo, *wanted;
    const char *files[12][2];
  } models[] = {
      {"acme/only-bin",
       "config.json,vocab.txt,pytorch_model.bin",
       {{"config.json", BERT_CONFIG}, {"vocab.txt", "a"}, {"pytorch_model.bin", "w"}}},
      {"acme/shards",
       "config.json,tokenizer_config.json,vocab.txt,model.safetensors.index.json,"
       "model-00001-of-00002.safetensors,model-00002-of-00002.safetensors",
       {{"config.json", BERT_CONFIG},
        {"vocab.txt", "a"},
        {"tokenizer_config.json", "{}"},
        {"model.safetensors.index.json", shards},
        {"model-00001-of-00002.safetensors", "1"},
        {"model-00002-of-00002.safetensors", "2"},
        {"pytorch_model.bin", "w"}}},
      {"acme/sentences",
       "modules.json,1_Pooling/config.json,0_Transformer/sentence_bert_config.json,"
       "0_Transformer/config.json,0_Transformer/vocab.txt,0_Transformer/model.safetensors",
       {{"modules.json", modules},
        {"0_Transformer/config.json", BERT_CONFIG},
        {"0_Transformer/sentence_bert_config.json", "{}"},
        {"0_Transformer/vocab.txt", "a"},
        {"0_Transformer/model.safetensors", "w"},
        {"1_Pooling/config.json", "{}"},
        {"config.json", "{}"},
        {"openvino/model.bin", "w"}}},
      {"acme/other-name",
       "config.json,vocab.json,merges.txt,weights.safetensors",
       {{"config.json", BERT_CONFIG},
        {"vocab.json", "{}"},
        {"merges.txt", "a"},
        {"adapter_model.safetensors", "a"},
        {"weights.safetensors", "w"}}},
  };
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (models); i++) {
    add_model (fixture.hub, models[i].repo, models[i].files);
    g_autoptr (AttnHubPlan) plan = make_plan (&fixture, models[i].repo);
    g_autofree char *paths = join_paths (plan);
    g_assert_cmpstr (paths, ==, models[i].wanted);
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = fetch_model (&fixture, models[i].repo, &error);
    g_assert_no_error (error);
  }
}

/* What cannot be used is refused before anything large is fetched. */
static void
test_unusable (void)
{
  static const struct {
    const char *repo, *words;
    const char *files[6][2];
    AttnError code;
  } models[] = {
      {"acme/alien",
       "acme/alien/config.json: model_type",
       {{"config.json", "{\"model_type\":\"alien\"}"},
        {"model.safetensors", "w"},
        {"vocab.txt", "a"}},
       ATTN_ERROR_UNSUPPORTED},
      {"acme/no-config",
       "has no config.json",
       {{"model.safetensors", "w"}},
       ATTN_ERROR_UNSUPPORTED},
      {"acme/no-tokenizer",
       "has no tokenizer",
       {{"config.json", BERT_CONFIG}, {"model.safetensors", "w"}, {"vocab.json", "{}"}},
       ATTN_ERROR_UNSUPPORTED},
      {"acme/tf",
       "found: tf_model.h5",
       {{"config.json", BERT_CONFIG}, {"tf_model.h5", "w"}, {"vocab.txt", "a"}},
       ATTN_ERROR_UNSUPPORTED},
      {"acme/lost-shard",
       "weight_map: found the string \"gone.safetensors\"",
       {{"config.json", BERT_CONFIG},
        {"vocab.txt", "a"},
        {"model.safetensors.index.json", "{\"weight_map\":{\"a\":\"gone.safetensors\"}}"}},
       ATTN_ERROR_FORMAT},
      {"acme/way-out",
       "weight_map: found the string \"../../x.safetensors\"",
       {{"config.json", BERT_CONFIG},
        {"vocab.txt", "a"},
        {"../../x.safetensors", "x"},
        {"model.safetensors.index.json", "{\"weight_map\":{\"a\":\"../../x.safetensors\"}}"}},
       ATTN_ERROR_FORMAT},
      {"acme/broken-config",
       "acme/broken-config/config.json",
       {{"config.json", "{"}, {"vocab.txt", "a"}, {"model.safetensors", "w"}},
       ATTN_ERROR_FORMAT},
  };
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autoptr (GError) error = NULL;
    add_model (fixture.hub, models[i].repo, models[i].files);
    g_assert_null (fetch_model (&fixture, models[i].repo, &error));
    g_test_message ("%s", error->message);
    g_assert_error (error, ATTN_ERROR, (int)models[i].code);
    g_assert_nonnull (strstr (error->message, models[i].words));
  }
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 0);
}

/* Names that are no names of files anywhere, or of files elsewhere: they are never asked for. */
static void
test_odd_names (void)
{
  static const char *const odd[] = {"..\\..\\evil.txt", "a/../../evil.txt", "/etc/evil.txt",
                                    "C:evil.txt",       "with space?.txt",  "100%#[x].txt",
                                    "模型.txt",         "a//b.txt"};
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (odd); i++)
    fake_hub_add_bytes (fixture.hub, FIXTURE_REPO, "main", odd[i], "x", 1);
  assert_fetched (&fixture);

  /* odd but harmless ones of a wanted kind are fetched: the folder is the module's */
  static const char *const files[][2] = {
      {"modules.json", "[{\"path\":\"模型 100%?#[1]\",\"type\":\"a.Transformer\"}]"},
      {"模型 100%?#[1]/config.json", BERT_CONFIG},
      {"模型 100%?#[1]/vocab.txt", "a"},
      {"模型 100%?#[1]/model.safetensors", "w"},
      {NULL}};
  add_model (fixture.hub, "acme/odd", files);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (&fixture, "acme/odd", &error);
  g_assert_no_error (error);
  g_autofree char *weights = g_build_filename (folder, "模型 100%?#[1]", "model.safetensors", NULL);
  g_assert_true (g_file_test (weights, G_FILE_TEST_EXISTS));
}

/* The blob of another program is used as it is. */
static void
test_shared_blob (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  assert_fetched (&fixture);
  fake_hub_add_bytes (fixture.hub, FIXTURE_REPO, "main", "vocab.txt", "[PAD]\n", 6);
  fake_hub_clear_log (fixture.hub);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (&fixture, FIXTURE_REPO, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 0); /* the weights are the same */
  g_assert_cmpuint (fake_hub_count (fixture.hub, "hub HEAD *vocab.txt"), ==, 1);
}

static void
test_offline (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, (const char *const[]){"HF_HUB_OFFLINE=1", NULL});
  assert_refused (&fixture, ATTN_ERROR_IO, "HF_HUB_OFFLINE");
  g_assert_cmpuint (fake_hub_count (fixture.hub, "*"), ==, 0);
}

static void
test_suggestions (void)
{
  size_t n = 0;
  const AttnHubSuggestion *suggestions = attn_hub_suggestions_peek (&n);
  g_assert_cmpuint (n, >, 5);
  for (size_t i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnHubName) name = attn_hub_name_parse (suggestions[i].name, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (name->repo, ==, suggestions[i].name);
    g_assert_cmpuint (suggestions[i].n_layers, >, 0);
    g_assert_cmpuint (suggestions[i].n_heads, >, 0);
    g_assert_cmpuint (suggestions[i].megabytes, >, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fetch/plan", test_plan);
  g_test_add_func ("/fetch/fetches", test_fetches);
  g_test_add_func ("/fetch/is-found", test_is_found);
  g_test_add_func ("/fetch/pages", test_pages);
  g_test_add_func ("/fetch/renamed", test_renamed);
  g_test_add_func ("/fetch/revisions", test_revisions);
  g_test_add_func ("/fetch/choices", test_choices);
  g_test_add_func ("/fetch/unusable", test_unusable);
  g_test_add_func ("/fetch/odd-names", test_odd_names);
  g_test_add_func ("/fetch/shared-blob", test_shared_blob);
  g_test_add_func ("/fetch/offline", test_offline);
  g_test_add_func ("/fetch/suggestions", test_suggestions);
  return g_test_run ();
}
