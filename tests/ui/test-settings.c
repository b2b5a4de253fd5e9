/* SPDX-License-Identifier: MIT */
/* What is remembered: written and read back, read only, and doing without a schema. */
#include "hs-settings.h"
#include "ui-test.h"

static void
change (HsSession *session)
{
  hs_side_set_text (hs_session_peek_side (session), "remembered 貓");
  hs_side_set_pair (hs_session_peek_side (session), "and this");
  hs_session_set_layer (session, 3);
  hs_session_set_head (session, 5);
  hs_session_set_kind (session, ATTN_DRAW_HEADS);
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_MAGMA);
  hs_session_set_range (session, ATTN_DRAW_RANGE_FIXED);
  hs_session_set_range_max (session, 0.125);
  hs_session_set_scale (session, ATTN_DRAW_SCALE_LOG);
  hs_session_set_shows_values (session, false);
  hs_session_set_crop (session, &(AttnDrawCrop){1, 2, 1, 2});
}

static void
reset (GSettings *settings)
{
  static const char *const keys[] = {"text",      "pair",  "layer",     "head",  "kind",
                                     "color-map", "range", "range-max", "scale", "shows-values"};

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (settings, keys[i]);
  hs_settings_flush (settings);
}

/* A session as the next start of the program would have it. */
static HsSession *
start_again (GSettings **settings)
{
  HsSession *session = hs_session_new ();

  *settings = hs_settings_open ();
  g_assert_nonnull (*settings);
  hs_settings_bind_session (*settings, session, false);
  return session;
}

static void
test_round_trip (void)
{
  GSettings *settings, *again;
  HsSession *session = start_again (&settings);
  HsSide *side = hs_session_peek_side (session);

  g_assert_cmpstr (hs_side_peek_text (side), !=, ""); /* the first start has something to show */
  g_assert_null (hs_side_peek_pair (side));
  change (session);
  hs_settings_flush (settings);
  g_assert_finalize_object (session);

  session = start_again (&again);
  side = hs_session_peek_side (session);
  g_assert_cmpstr (hs_side_peek_text (side), ==, "remembered 貓");
  g_assert_cmpstr (hs_side_peek_pair (side), ==, "and this");
  g_assert_cmpuint (hs_session_get_layer (session), ==, 3);
  g_assert_cmpuint (hs_session_get_head (session), ==, 5);
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_HEADS);
  g_assert_cmpint (hs_session_get_color_map (session), ==, ATTN_DRAW_COLOR_MAP_MAGMA);
  g_assert_cmpint (hs_session_get_range (session), ==, ATTN_DRAW_RANGE_FIXED);
  g_assert_cmpfloat (hs_session_get_range_max (session), ==, 0.125);
  g_assert_cmpint (hs_session_get_scale (session), ==, ATTN_DRAW_SCALE_LOG);
  g_assert_false (hs_session_get_shows_values (session));
  g_assert_cmpuint (hs_session_peek_crop (session)->n_queries, ==, 0); /* where one was is not */
  hs_side_set_pair (side, NULL);
  hs_settings_flush (again);
  g_assert_finalize_object (session);

  session = start_again (&again);
  g_assert_null (hs_side_peek_pair (hs_session_peek_side (session)));
  reset (again);
  g_object_unref (session);
}

/* Another window writes its own text to the same settings: what is typed here stays. */
static void
test_other_window (void)
{
  GSettings *settings, *other_settings;
  HsSession *session = start_again (&settings);
  HsSession *other = start_again (&other_settings);

  hs_side_set_text (hs_session_peek_side (session), "half typed");
  hs_side_set_text (hs_session_peek_side (other), "elsewhere");
  hs_session_set_layer (other, 2);
  hs_settings_flush (other_settings);
  g_assert_cmpstr (hs_side_peek_text (hs_session_peek_side (session)), ==, "half typed");
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  hs_settings_flush (settings);
  g_assert_cmpstr (hs_side_peek_text (hs_session_peek_side (other)), ==, "elsewhere");
  reset (settings);
  g_object_unref (other);
  g_object_unref (session);
}

/* Typing does not write at every key: a moment after the last one it does. */
static bool
is_written (gpointer settings)
{
  return !g_settings_get_has_unapplied (settings);
}

static void
test_written_later (void)
{
  GSettings *settings;
  HsSession *session = start_again (&settings);

  hs_side_set_text (hs_session_peek_side (session), "t");
  hs_side_set_text (hs_session_peek_side (session), "ty");
  g_assert_true (g_settings_get_has_unapplied (settings));
  ui_test_wait (is_written, settings);
  reset (settings);
  g_object_unref (session);
}

/* Of a very long text whole characters up to 16 KiB are kept. */
static void
test_long_text (void)
{
  GSettings *settings;
  HsSession *session = start_again (&settings);
  g_autoptr (GString) text = g_string_new ("a");
  g_autofree char *kept = NULL;

  for (int i = 0; i < 6000; i++)
    g_string_append (text, "貓");
  hs_side_set_text (hs_session_peek_side (session), text->str);
  kept = g_settings_get_string (settings, "text");
  g_assert_cmpuint (strlen (kept), ==, 1 + 3 * ((16384 - 1) / 3));
  g_assert_true (g_str_has_prefix (text->str, kept));
  g_assert_cmpstr (hs_side_peek_text (hs_session_peek_side (session)), ==, text->str);
  reset (settings);
  g_object_unref (session);
}

static void
test_read_only (void)
{
  g_autoptr (GSettings) settings = hs_settings_open ();
  HsSession *session = hs_session_new ();

  g_assert_nonnull (settings);
  hs_settings_bind_session (settings, session, true);
  change (session);
  g_assert_false (g_settings_get_has_unapplied (settings));
  g_assert_finalize_object (session);
}

static void
test_no_settings (void)
{
  HsSession *session = hs_session_new ();

  hs_settings_bind_session (NULL, session, false);
  hs_settings_flush (NULL);
  change (session);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/round-trip", test_round_trip);
  g_test_add_func ("/settings/other-window", test_other_window);
  g_test_add_func ("/settings/written-later", test_written_later);
  g_test_add_func ("/settings/long-text", test_long_text);
  g_test_add_func ("/settings/read-only", test_read_only);
  g_test_add_func ("/settings/none", test_no_settings);
  return g_test_run ();
}
