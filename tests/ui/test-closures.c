/* SPDX-License-Identifier: MIT */
/* The pure functions that templates bind with. */
#include "hs-closures.h"
#include "ui-test.h"

static void
assert_takes (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_face (void)
{
  char anything[] = "panels"; /* only looked at for being there */
  AttnDrawPanels *panels = (AttnDrawPanels *)(gpointer)anything;

  assert_takes (hs_closure_face (NULL, HS_STATE_EMPTY, NULL), "empty");
  assert_takes (hs_closure_face (NULL, HS_STATE_BUSY, NULL), "busy");
  assert_takes (hs_closure_face (NULL, HS_STATE_BUSY, panels), "ready");
  assert_takes (hs_closure_face (NULL, HS_STATE_READY, panels), "ready");
  assert_takes (hs_closure_face (NULL, HS_STATE_FAILED, panels), "failed");
}

static void
test_truncated (void)
{
  assert_takes (hs_closure_truncated (NULL, 0, 512), "");
  assert_takes (hs_closure_truncated (NULL, 12, 512),
                "The text is too long: 12 of 524 tokens left out.");
}

static void
test_source_title (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autofree char *title = hs_closure_source_title (NULL, model, NULL);

  g_assert_nonnull (strstr (title, "<b>Built-in model</b>"));
  g_assert_nonnull (strstr (title, "4 layers × 8 heads"));
  assert_takes (hs_closure_source_title (NULL, NULL, NULL), "<b>Headscope</b>");
}

/* Two models of one name are told apart by their places. */
static void
test_source_tip (void)
{
  g_autoptr (AttnModel) shipped = ui_test_load_demo ();
  g_autofree char *title = hs_closure_source_title (NULL, shipped, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder =
      g_test_build_filename (G_TEST_DIST, "data", "golden", "models", "bert-mlm", NULL);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);

  assert_takes (hs_closure_source_tip (NULL, shipped, NULL), title);
  assert_takes (hs_closure_source_tip (NULL, NULL, NULL), "<b>Headscope</b>");
  g_assert_no_error (error);
  g_autofree char *tip = hs_closure_source_tip (NULL, model, NULL);
  g_autofree char *ending = g_strconcat ("\n", whole, NULL);
  g_assert_true (g_str_has_prefix (tip, "<b>bert-mlm</b>"));
  g_assert_true (g_str_has_suffix (tip, ending));
}

static void
test_small_ones (void)
{
  g_assert_false (hs_closure_positive (NULL, 0));
  g_assert_true (hs_closure_positive (NULL, 1));
  g_assert_false (hs_closure_has_text (NULL, NULL));
  g_assert_false (hs_closure_has_text (NULL, ""));
  g_assert_true (hs_closure_has_text (NULL, "x"));
  g_assert_cmpfloat (hs_closure_fraction (NULL, -1), ==, 0);
  g_assert_cmpfloat (hs_closure_fraction (NULL, 0.5), ==, 0.5);
  assert_takes (hs_closure_busy (NULL, 0, NULL), "Loading the model…");
  assert_takes (hs_closure_busy (NULL, 4, NULL), "Running the model…");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/closures/face", test_face);
  g_test_add_func ("/closures/truncated", test_truncated);
  g_test_add_func ("/closures/source-title", test_source_title);
  g_test_add_func ("/closures/source-tip", test_source_tip);
  g_test_add_func ("/closures/small-ones", test_small_ones);
  return g_test_run ();
}
