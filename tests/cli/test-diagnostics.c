/* SPDX-License-Identifier: MIT */
/* headscope-cli info --diagnostics: what is in it, and what is not. */
#include "cli-run.h"

#include "attn/diagnostics.h"

#include <cairo.h>

#include <string.h>

static void
test_facts (void)
{
  static const char *const wanted[] = {"program", "kernel",      "openblas", "threads",
                                       "glib",    "cairo",       "pango",    "locale",
                                       "model",   "model sizes", "libsoup"};
  json_t *answer = ASK ("info --diagnostics --threads 2");
  json_t *facts = json_object_get (answer, "diagnostics");
  g_auto (Run) run = RUN ("--version");
  g_autofree char *version = g_strconcat ("Headscope", strchr (run.out, ' '), NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_true (json_is_string (json_object_get (facts, wanted[i])));
  g_assert_cmpstr (json_string_value (json_object_get (facts, "cairo")), ==,
                   cairo_version_string ());
  g_assert_cmpstr (json_string_value (json_object_get (facts, "model")), ==,
                   "Built-in model (bert)");
  g_assert_cmpstr (json_string_value (json_object_get (facts, "kernel")), ==,
                   json_string_value (json_object_get (answer, "kernel")));
  g_assert_cmpstr (json_string_value (json_object_get (facts, "program")), ==,
                   g_strchomp (version));
  json_decref (answer);
}

static void
test_parity (void)
{
  size_t n;
  const AttnParity *parity = attn_parity_peek (&n);
  json_t *answer = ASK ("info --diagnostics");
  json_t *rows = json_object_get (answer, "parity");

  g_assert_cmpuint (json_array_size (rows), ==, n);
  for (size_t i = 0; i < n; i++) {
    json_t *row = json_array_get (rows, i);
    assert_keys (row, "family,models,attention,hidden_states,logits");
    g_assert_cmpstr (json_string_value (json_object_get (row, "family")), ==, parity[i].family);
    g_assert_cmpfloat (json_number_value (json_object_get (row, "logits")), ==, parity[i].logits);
  }
  json_decref (answer);
}

/* The model's folder is somebody's own business, and so is where the program stands. */
static void
test_no_paths (void)
{
  g_auto (Run) run = RUN ("info --diagnostics");

  g_assert_cmpint (run.status, ==, 0);
  g_assert_null (strstr (run.out, g_get_home_dir ()));
  g_assert_null (strstr (run.out, g_getenv ("HEADSCOPE_DATA_DIR")));
  g_assert_null (strstr (run.out, g_get_user_name ()));
}

static void
test_not_asked (void)
{
  json_t *answer = ASK ("info");

  g_assert_null (json_object_get (answer, "diagnostics"));
  g_assert_null (json_object_get (answer, "parity"));
  json_decref (answer);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/diagnostics/facts", test_facts);
  g_test_add_func ("/diagnostics/parity", test_parity);
  g_test_add_func ("/diagnostics/no-paths", test_no_paths);
  g_test_add_func ("/diagnostics/not-asked", test_not_asked);
  return cli_test_run ();
}
