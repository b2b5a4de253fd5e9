/* SPDX-License-Identifier: MIT */
/* One line for each fact, whatever is in it, and the table that README shows, too. */
#include "test-util.h"

#include "attn/diagnostics.h"

#include <jansson.h>
#include <locale.h>

#include <string.h>

static void
test_lines (void)
{
  g_autoptr (AttnDiagnostics) facts = attn_diagnostics_new ("Program 1.2", 3, NULL, NULL);
  attn_diagnostics_add (facts, "odd", "two\nlines \xff %d%%", 5);
  g_autofree char *text = attn_diagnostics_dup_text (facts);

  g_assert_true (g_str_has_prefix (text, "program: Program 1.2\n"));
  g_assert_nonnull (strstr (text, "\nthreads: 3\n"));
  g_assert_nonnull (strstr (text, "\nodd: two lines \357\277\275 5%\n"));
  g_assert_nonnull (strstr (text, "\nopenblas: "));
  g_assert_null (strstr (text, "\nmodel"));
}

static void
test_json (void)
{
  g_autoptr (AttnDiagnostics) facts = attn_diagnostics_new ("A \"b\"", 1, NULL, NULL);
  g_autoptr (GString) json = g_string_new ("{");
  attn_diagnostics_append_json (facts, json);
  g_string_append_c (json, '}');
  json_t *tree = json_loads (json->str, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (tree);
  g_assert_cmpstr (
      json_string_value (json_object_get (json_object_get (tree, "diagnostics"), "program")), ==,
      "A \"b\"");
  json_decref (tree);
}

/* A decimal comma would make two columns of one. */
static void
test_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL) {
    g_test_skip ("there is no locale with a decimal comma");
    return;
  }
  g_autoptr (AttnDiagnostics) facts = attn_diagnostics_new ("Program", 1, NULL, NULL);
  g_autofree char *text = attn_diagnostics_dup_text (facts);
  setlocale (LC_ALL, before);
  g_assert_nonnull (strstr (text, "2.6e-06"));
}

/* README shows the table that the programs tell. */
static void
test_readme (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path =
      g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "..", "README.md", NULL);
  g_autofree char *readme = NULL;
  size_t n;
  const AttnParity *parity = attn_parity_peek (&n);

  g_file_get_contents (path, &readme, NULL, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < n; i++) {
    g_autofree char *row = g_strdup_printf (
        "| `%s` | %zu | %.1e | %.1e | %.1e |\n", parity[i].family, parity[i].n_models,
        parity[i].attention, parity[i].hidden_states, parity[i].logits);
    if (strstr (readme, row) == NULL)
      g_test_fail_printf ("README has no line %s", row);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagnostics/lines", test_lines);
  g_test_add_func ("/diagnostics/json", test_json);
  g_test_add_func ("/diagnostics/locale", test_locale);
  g_test_add_func ("/diagnostics/readme", test_readme);
  return g_test_run ();
}
