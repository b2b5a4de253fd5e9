/* SPDX-License-Identifier: MIT */
/* Where in a folder of sentence-transformers the transformer is. */
#include "model-folder.h"

#include "attn/folder.h"

#include <glib/gstdio.h>

#include <string.h>

#define MODULE(path, type) "{\"idx\":0,\"name\":\"0\",\"path\":" path ",\"type\":\"" type "\"}"
#define TRANSFORMER "sentence_transformers.models.Transformer"

static const struct {
  const char *modules;
  const char *path; /* NULL: refused */
} rows[] = {
    {"[]", ""},
    {"[" MODULE ("\"\"", TRANSFORMER) "]", ""},
    {"[" MODULE ("null", TRANSFORMER) "]", ""},
    {"[{\"type\":\"" TRANSFORMER "\"}]", ""},
    {"[" MODULE ("\"0_Transformer\"", TRANSFORMER) "]", "0_Transformer"},
    {"[" MODULE ("\"1_Pooling\"",
                 "sentence_transformers.models.Pooling") "," MODULE ("\"inner\"", TRANSFORMER) "]",
     "inner"},
    {"[" MODULE ("\"../x\"", "sentence_transformers.models.Pooling") "]", ""},
    {"[" MODULE ("\"..\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\".\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a/b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a\\\\b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"/etc\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a\\u0000b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("7", TRANSFORMER) "]", NULL},
    {"[7]", NULL},
    {"{}", NULL},
    {"[", NULL},
    {"", NULL},
};

static void
test_rows (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    char *folder = test_folder_new ();
    const char *text = rows[i].modules;
    g_free (test_folder_write (folder, "modules.json", text, strlen (text)));
    g_autofree char *found = attn_folder_find_transformer (folder, &error);
    g_test_message ("modules.json: %s", text);
    if (rows[i].path == NULL) {
      g_assert_null (found);
      g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
      test_sentence_check (error->message, (const char *[]){"modules.json: ", NULL});
    } else {
      g_autofree char *wanted =
          *rows[i].path == '\0' ? g_strdup (folder) : g_build_filename (folder, rows[i].path, NULL);
      g_assert_no_error (error);
      g_assert_cmpstr (found, ==, wanted);
    }
    test_folder_remove (folder);
  }
}

static void
test_without (void)
{
  g_autofree char *found = attn_folder_find_transformer ("/nowhere/at/all", NULL);
  g_assert_cmpstr (found, ==, "/nowhere/at/all");
}

static void
test_large (void)
{
  char *folder = test_folder_new ();
  g_autofree char *blanks = g_strnfill (70000, ' ');
  g_free (test_folder_write (folder, "modules.json", blanks, 70000));
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_folder_find_transformer (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder/rows", test_rows);
  g_test_add_func ("/folder/without", test_without);
  g_test_add_func ("/folder/large", test_large);
  return g_test_run ();
}
