/* SPDX-License-Identifier: MIT */
/* The SHA-256 of weight files: what sha256sum prints, computed once, stopped, and refused for files
 * that are not the loaded ones any more. */
#include "model-folder.h"
#include "model-private.h"
#include "test-util.h"

#include <glib/gstdio.h>

#include <string.h>

static char *
hash_of (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, size);
}

/* A copy that may be spoilt. */
static char *
copy_model (const char *name)
{
  g_autofree char *from = test_data_path (name);
  char *folder = test_folder_new ();
  g_autoptr (GDir) files = g_dir_open (from, 0, NULL);
  g_assert_nonnull (files);
  for (const char *file = g_dir_read_name (files); file != NULL; file = g_dir_read_name (files)) {
    g_autofree char *path = g_build_filename (from, file, NULL);
    gsize size = 0;
    g_autofree char *content = test_read_file (path, &size);
    g_free (test_folder_write (folder, file, content, size));
  }
  return folder;
}

static AttnModel *
load (const char *folder)
{
  GError *error = NULL;
  AttnModel *model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static bool
go_on (double fraction, void *data)
{
  double *last = data;
  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
  return true;
}

static void
test_one_file (void)
{
  char *folder = copy_model ("golden/models/bert");
  g_autoptr (AttnModel) model = load (folder);
  g_autofree char *wanted = hash_of (folder, "model.safetensors");
  GError *error = NULL;
  double last = -1;
  g_assert_null (attn_model_peek_sha256 (model));
  const char *hash = attn_model_compute_sha256 (model, go_on, &last, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (hash, ==, wanted);
  g_assert_cmpfloat (last, ==, 1);
  test_folder_remove (folder); /* not read again */
  g_assert_true (attn_model_compute_sha256 (model, NULL, NULL, NULL) == hash);
  g_assert_true (attn_model_peek_sha256 (model) == hash);
}

/* As `sha256sum FILE… | sha256sum` prints it. */
static void
test_several_files (void)
{
  char *folder = copy_model ("golden/models/bert-sharded");
  g_autoptr (AttnModel) model = load (folder);
  const char *const *files = attn_model_peek_files (model);
  g_assert_cmpuint (g_strv_length ((char **)(gsize)files), >, 1);
  g_autoptr (GString) list = g_string_new (NULL);
  for (size_t i = 0; files[i] != NULL; i++) {
    g_autofree char *one = hash_of (folder, files[i]);
    g_string_append_printf (list, "%s  %s\n", one, files[i]);
  }
  g_autofree char *wanted = g_compute_checksum_for_string (G_CHECKSUM_SHA256, list->str, -1);
  g_assert_cmpstr (attn_model_compute_sha256 (model, NULL, NULL, NULL), ==, wanted);
  test_folder_remove (folder);
}

static bool
stop (G_GNUC_UNUSED double fraction, G_GNUC_UNUSED void *data)
{
  return false;
}

static void
assert_refused (AttnModel *model, const char *words)
{
  GError *error = NULL;
  g_assert_null (attn_model_compute_sha256 (model, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "model.safetensors: "));
  g_assert_nonnull (strstr (error->message, words));
  g_clear_error (&error);
  g_assert_null (attn_model_peek_sha256 (model));
}

static void
test_refused (void)
{
  char *folder = copy_model ("golden/models/bert");
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *aside = g_build_filename (folder, "aside", NULL);
  g_autoptr (AttnModel) model = load (folder);
  GError *error = NULL;
  g_assert_null (attn_model_compute_sha256 (model, stop, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  /* the same bytes in a new file */
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  g_assert_cmpint (g_rename (path, aside), ==, 0);
  assert_refused (model, "No such file");
  g_free (test_folder_write (folder, "model.safetensors", content, size));
  assert_refused (model, "has changed since the model was loaded");
  g_assert_cmpint (g_rename (aside, path), ==, 0);
  g_assert_nonnull (attn_model_compute_sha256 (model, NULL, NULL, NULL));
  test_folder_remove (folder);
}

static void
test_random (void)
{
  char *folder = copy_model ("golden/models/bert");
  g_autoptr (AttnModel) loaded = load (folder);
  g_autoptr (AttnModel) model = attn_model_new_random (attn_model_peek_config (loaded), NULL);
  GError *error = NULL;
  g_assert_null (attn_model_compute_sha256 (model, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  test_folder_remove (folder);
}

static void *
compute_in_thread (void *model)
{
  return (void *)(gsize)attn_model_compute_sha256 (model, NULL, NULL, NULL);
}

static void
test_threads (void)
{
  char *folder = copy_model ("golden/models/bert");
  g_autoptr (AttnModel) model = load (folder);
  g_autofree char *wanted = hash_of (folder, "model.safetensors");
  GThread *threads[4];
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("hash", compute_in_thread, model);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpstr (g_thread_join (threads[i]), ==, wanted);
  test_folder_remove (folder);
}

/* Overwrites the weights in place while they are read. */
static bool
overwrite_cb (double fraction, void *data)
{
  const char *path = data;
  if (fraction < 0.4 || fraction > 0.6)
    return true;
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  FILE *file = g_fopen (path, "r+");
  g_assert_nonnull (file);
  g_assert_cmpint (fseek (file, (long)size / 2, SEEK_SET), ==, 0);
  g_assert_cmpuint (fwrite (content + size / 2, 1, size - size / 2, file), ==, size - size / 2);
  g_assert_cmpint (fclose (file), ==, 0);
  return true;
}

/* Neither the old weights nor the new ones, if it were let through. */
static void
test_changed_while_read (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = copy_model ("golden/models/bert");
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_usleep (20000); /* a clock's tick after it was written */
  g_assert_null (attn_model_load_weights (folder, NULL, overwrite_cb, path, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (
      strstr (error->message, "model.safetensors: the file has changed while it was"));
  test_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-hash/one-file", test_one_file);
  g_test_add_func ("/model-hash/several-files", test_several_files);
  g_test_add_func ("/model-hash/refused", test_refused);
  g_test_add_func ("/model-hash/random", test_random);
  g_test_add_func ("/model-hash/threads", test_threads);
  g_test_add_func ("/model-hash/changed-while-read", test_changed_while_read);
  return g_test_run ();
}
