/* SPDX-License-Identifier: MIT */
/* Where data is looked for, and what a model's name stands for. */
#include "cache-fixture.h"
#include "test-util.h"

#include "attn-hub/store.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

/* hs_data_dir() answers once and for good, so each setting is its own process. */
static void
run_child (const char *data_dir, const char *test)
{
  if (data_dir != NULL)
    g_setenv ("HEADSCOPE_DATA_DIR", data_dir, TRUE);
  else
    g_unsetenv ("HEADSCOPE_DATA_DIR");
  g_test_trap_subprocess (test, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_from_environment (void)
{
  run_child ("/somewhere//else", "/store/subprocess/environment");
}

static void
child_environment (void)
{
  g_assert_cmpstr (hs_data_dir (), ==, "/somewhere/else");
  g_assert_true (hs_data_dir () == hs_data_dir ());
  GError *error = NULL;
  g_assert_null (attn_hub_find_model (NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "/somewhere/else/demo-model"));
  g_clear_error (&error);
}

static void
test_from_build_tree (void)
{
  run_child (NULL, "/store/subprocess/build-tree");
  run_child ("", "/store/subprocess/build-tree");
}

static void
child_build_tree (void)
{
  g_assert_true (g_path_is_absolute (hs_data_dir ()));
  g_assert_true (g_str_has_suffix (hs_data_dir (), "/resources"));
  g_autofree char *demo = attn_hub_find_model ("demo", NULL);
  g_assert_nonnull (demo);
  g_autofree char *config = g_build_filename (demo, "config.json", NULL);
  g_assert_true (g_file_test (config, G_FILE_TEST_EXISTS));
  g_assert_true (attn_hub_is_shipped (demo));
  g_assert_false (attn_hub_is_shipped (config));
  g_assert_false (attn_hub_is_shipped (NULL));
  g_autoptr (AttnModel) model = attn_model_load (demo, NULL, NULL, NULL, NULL);
  g_assert_cmpstr (attn_hub_peek_model_name (model), ==, ATTN_MODEL_BUILT_IN);
  g_autofree char *tiny = test_data_path ("golden/models/bert-mlm");
  g_autoptr (AttnModel) other = attn_model_load (tiny, NULL, NULL, NULL, NULL);
  g_assert_cmpstr (attn_hub_peek_model_name (other), ==, "bert-mlm");
  g_assert_true (g_str_has_suffix (hs_locale_dir (), "/resources/po"));
  g_assert_true (g_str_has_suffix (hs_schema_dir (), "/resources"));
}

static void
test_folders (void)
{
  g_autofree char *data = test_data_path ("demo-model");
  g_autofree char *found = attn_hub_find_model (data, NULL);
  g_assert_cmpstr (found, ==, data);
  GError *error = NULL;
  g_assert_null (attn_hub_find_model ("/no/such/folder", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "/no/such/folder"));
  g_clear_error (&error);
  g_autofree char *file = test_data_path ("demo-model/reference.json");
  g_assert_null (attn_hub_find_model (file, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "is a file"));
  g_clear_error (&error);
  g_assert_null (attn_hub_find_model ("", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "name is empty"));
  g_clear_error (&error);
}

/* Models of the cache are found by name, after folders. */
static void
test_cached (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  cache_add_model (cache, "models--owner--a", COMMIT_A, BERT_CONFIG, "w");
  cache_refer (cache, "models--owner--a", "main", COMMIT_A);
  cache_add (cache, "models--owner--b", COMMIT_A, "config.json", BERT_CONFIG);
  cache_refer (cache, "models--owner--b", "main", COMMIT_A);
  g_setenv ("HF_HUB_CACHE", cache, TRUE);
  g_autofree char *wanted = cache_path (cache, "models--owner--a/snapshots/" COMMIT_A);
  const char *const names[] = {"owner/a", "a", "owner/a@main", "a@" COMMIT_A};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *found = attn_hub_find_model (names[i], NULL);
    g_assert_cmpstr (found, ==, wanted);
  }
  g_assert_null (attn_hub_find_model ("owner/b", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "files are missing: model.safetensors"));
  g_assert_nonnull (strstr (error->message, "fetch owner/b"));
  g_clear_error (&error);
  g_assert_null (attn_hub_find_model ("owner/none", &error));
  g_assert_nonnull (strstr (error->message, "owner/none: no such folder, and it is not among"));
  g_assert_nonnull (strstr (error->message, "headscope-cli fetch owner/none"));
  g_clear_error (&error);
  g_assert_null (attn_hub_find_model ("a/b/c", &error));
  g_assert_nonnull (strstr (error->message, "no such folder"));
  g_clear_error (&error);
  /* a folder of a cache tells whose it was */
  g_assert_null (attn_hub_find_model ("/x/hub/models--tiny--bert/snapshots/" COMMIT_A, &error));
  g_assert_nonnull (strstr (error->message, "\"headscope-cli fetch tiny/bert\" downloads it"));
  g_clear_error (&error);
  g_assert_null (attn_hub_find_model ("/no/such/place", &error));
  g_assert_nonnull (strstr (error->message, "check whether it was moved"));
  g_unsetenv ("HF_HUB_CACHE");
  cache_remove (cache);
}

static void
test_link_to_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headscope-store-XXXXXX", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_assert_cmpint (symlink ("nowhere", link), ==, 0);
  g_assert_null (attn_hub_find_model (link, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "link: is a link to a folder that is not there"));
  g_unlink (link);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/from-environment", test_from_environment);
  g_test_add_func ("/store/subprocess/environment", child_environment);
  g_test_add_func ("/store/from-build-tree", test_from_build_tree);
  g_test_add_func ("/store/subprocess/build-tree", child_build_tree);
  g_test_add_func ("/store/folders", test_folders);
  g_test_add_func ("/store/cached", test_cached);
  g_test_add_func ("/store/link-to-nothing", test_link_to_nothing);
  return g_test_run ();
}
