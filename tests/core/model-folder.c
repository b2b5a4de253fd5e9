/* SPDX-License-Identifier: MIT */
/* Model folders made and broken by tests, and the list of hostile ones. */
#include "model-folder.h"

#include "test-util.h"

#include <glib/gstdio.h>
#include <jansson.h>

#include <string.h>

char *
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headscope-model-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
test_folder_remove (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

char *
test_folder_write (const char *folder, const char *name, const void *bytes, size_t n)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);
  g_file_set_contents_full (path, bytes, (gssize)n, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
  return path;
}

void
test_folder_write_weights (const char *folder, const char *header, const void *data, size_t n_data)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint64 length = GUINT64_TO_LE ((guint64)strlen (header));
  g_byte_array_append (file, (const guint8 *)&length, sizeof length);
  g_byte_array_append (file, (const guint8 *)header, (guint)strlen (header));
  g_byte_array_append (file, data, (guint)n_data);
  g_free (test_folder_write (folder, "model.safetensors", file->data, file->len));
}

AttnSource *
test_source_open (const char *folder)
{
  g_autoptr (GError) error = NULL;
  AttnSource *source = attn_source_open (folder, &error);
  g_assert_no_error (error);
  return source;
}

float *
test_source_read (const AttnSource *source, const AttnTensorInfo *tensor)
{
  g_autoptr (GError) error = NULL;
  float *values = g_new (float, tensor->n_elements + 1);
  g_assert_true (attn_source_read_f32 (source, tensor, 0, tensor->n_elements, values, &error));
  g_assert_no_error (error);
  return values;
}

char *
test_hostile_path (const char *folder)
{
  g_autofree char *name = g_build_filename ("hostile", folder, NULL);
  return test_data_path (name);
}

static json_t *
load_list (void)
{
  g_autofree char *path = test_hostile_path ("hostile.json");
  json_error_t fault;
  json_t *root = json_load_file (path, JSON_ALLOW_NUL, &fault);
  g_assert_nonnull (root);
  return root;
}

static const TestHostileCase *
find_case (const TestHostileCase *cases, size_t n, const char *folder)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (cases[i].folder, folder) == 0)
      return &cases[i];
  return NULL;
}

void
test_hostile_check_list (const char *prefix, const TestHostileCase *cases, size_t n)
{
  json_t *root = load_list ();
  size_t index = 0, n_listed = 0;
  json_t *listed = NULL;
  json_array_foreach (json_object_get (root, "cases"), index, listed)
  {
    const char *folder = json_string_value (json_object_get (listed, "folder"));
    const char *expect = json_string_value (json_object_get (listed, "expect"));
    if (!g_str_has_prefix (folder, prefix))
      continue;
    n_listed++;
    const TestHostileCase *found = find_case (cases, n, folder);
    if (found == NULL)
      g_error ("no test for the hostile folder %s", folder);
    if (strcmp (expect, "error") == 0)
      g_assert_cmpint (found->outcome, !=, TEST_LOADS);
    else if (strcmp (expect, "error or loads") != 0)
      g_assert_cmpint (found->outcome, ==, TEST_LOADS);
  }
  g_assert_cmpuint (n_listed, ==, n);
  json_decref (root);
}

void
test_sentence_check (const char *sentence, const char *const *names)
{
  if (!g_utf8_validate (sentence, -1, NULL) || g_str_has_suffix (sentence, ".") ||
      strpbrk (sentence, "\n\r\t\x1b") != NULL)
    g_error ("\"%s\" is no sentence fit for people", sentence);
  g_autofree char *folded = g_utf8_casefold (sentence, -1);
  for (size_t i = 0; names[i] != NULL; i++) {
    g_autofree char *name = g_utf8_casefold (names[i], -1);
    if (strstr (folded, name) == NULL)
      g_error ("\"%s\" does not name \"%s\"", sentence, names[i]);
  }
}

void
test_hostile_check_error (const char *folder, const GError *error, AttnError code)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  json_t *root = load_list ();
  size_t index = 0, name_index = 0;
  json_t *listed = NULL, *name = NULL;
  json_array_foreach (json_object_get (root, "cases"), index, listed)
  {
    if (strcmp (json_string_value (json_object_get (listed, "folder")), folder) != 0)
      continue;
    json_array_foreach (json_object_get (listed, "message_names"), name_index, name)
    {
      g_ptr_array_add (names, (char *)(guintptr)json_string_value (name));
    }
  }
  g_ptr_array_add (names, NULL);
  g_assert_error (error, ATTN_ERROR, (int)code);
  test_sentence_check (error->message, (const char *const *)names->pdata);
  json_decref (root);
}
