/* SPDX-License-Identifier: MIT */
/* Writes the layout of huggingface_hub's cache. */
#include "model-cache.h"

#include "test-util.h"

#include <glib/gstdio.h>

#define COMMIT "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

char *
model_cache_new (void)
{
  g_autoptr (GError) error = NULL;
  char *home = g_dir_make_tmp ("headscope-models-XXXXXX", &error);

  g_assert_no_error (error);
  return home;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir =
      g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    remove_tree (child);
  }
  g_assert_cmpint (g_remove (path), ==, 0);
}

void
model_cache_free (char *home)
{
  remove_tree (home);
  g_free (home);
}

AttnHubPlaces *
model_cache_places (const char *home, const char *endpoint, gboolean offline)
{
  g_autofree char *hf_home = g_strconcat ("HF_HOME=", home, NULL);
  g_autofree char *hf_endpoint =
      g_strconcat ("HF_ENDPOINT=", endpoint != NULL ? endpoint : "http://127.0.0.1:9", NULL);
  const char *environment[] = {hf_home, hf_endpoint, offline ? "HF_HUB_OFFLINE=1" : NULL, NULL};

  return attn_hub_places_new (environment);
}

static char *
make_snapshot (const char *home, const char *folder)
{
  char *snapshot = g_build_filename (home, "hub", folder, "snapshots", COMMIT, NULL);
  g_autofree char *refs = g_build_filename (home, "hub", folder, "refs", NULL);
  g_autofree char *main_ref = g_build_filename (refs, "main", NULL);

  g_assert_cmpint (g_mkdir_with_parents (snapshot, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (refs, 0755), ==, 0);
  g_assert_true (g_file_set_contents (main_ref, COMMIT, -1, NULL));
  return snapshot;
}

char *
model_cache_add (const char *home, const char *folder, const char *golden)
{
  static const char *const names[] = {"config.json", "model.safetensors", "vocab.txt",
                                      "tokenizer_config.json"};
  g_autofree char *from = test_data_path (golden);
  char *snapshot = make_snapshot (home, folder);

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *source = g_build_filename (from, names[i], NULL);
    g_autofree char *target = g_build_filename (snapshot, names[i], NULL);
    gsize n_bytes;
    g_autofree char *bytes = test_read_file (source, &n_bytes);

    g_assert_true (g_file_set_contents (target, bytes, (gssize)n_bytes, NULL));
  }
  return snapshot;
}

void
model_cache_add_config (const char *home, const char *folder, const char *config)
{
  g_autofree char *snapshot = make_snapshot (home, folder);
  g_autofree char *path = g_build_filename (snapshot, "config.json", NULL);

  g_assert_true (g_file_set_contents (path, config, -1, NULL));
}
