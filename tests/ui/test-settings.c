/* SPDX-License-Identifier: MIT */
/* What is chosen for all windows: taken over, written a moment later, and doing without a schema.
 */
#include "hs-settings.h"
#include "ui-test.h"

static void
reset (GSettings *settings)
{
  g_settings_reset (settings, "color-map");
  g_settings_reset (settings, "color-scheme");
  hs_settings_flush (settings);
}

static void
test_new_window (void)
{
  g_autoptr (GSettings) settings = hs_settings_open ();
  HsSession *session = hs_session_new ();

  g_assert_nonnull (settings);
  hs_settings_apply (settings, session);
  g_assert_cmpint (hs_session_get_color_map (session), ==, ATTN_DRAW_COLOR_MAP_YLGNBU);
  g_settings_set_string (settings, "color-map", "magma");
  hs_settings_apply (settings, session);
  g_assert_cmpint (hs_session_get_color_map (session), ==, ATTN_DRAW_COLOR_MAP_MAGMA);
  /* what one window changes is its own matter */
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_GREY);
  g_assert_cmpint (g_settings_get_enum (settings, "color-map"), ==, ATTN_DRAW_COLOR_MAP_MAGMA);
  reset (settings);
  g_assert_finalize_object (session);
}

/* Every colour map the schema lists is the one of that name. */
static void
test_same_names (void)
{
  g_autoptr (GSettings) settings = hs_settings_open ();
  GEnumClass *maps = g_type_class_ref (HS_TYPE_COLOR_MAP);

  for (guint i = 0; i < maps->n_values; i++) {
    g_settings_set_string (settings, "color-map", maps->values[i].value_nick);
    g_assert_cmpint (g_settings_get_enum (settings, "color-map"), ==, maps->values[i].value);
  }
  g_type_class_unref (maps);
  reset (settings);
}

static bool
is_written (gpointer settings)
{
  return !g_settings_get_has_unapplied (settings);
}

static void
test_written_later (void)
{
  g_autoptr (GSettings) settings = hs_settings_open ();
  g_autoptr (GSettings) other = hs_settings_open ();

  g_settings_set_string (settings, "color-scheme", "dark");
  g_assert_true (g_settings_get_has_unapplied (settings));
  g_assert_cmpint (g_settings_get_enum (other, "color-scheme"), ==, 0);
  ui_test_wait (is_written, settings);
  g_assert_cmpint (g_settings_get_enum (other, "color-scheme"), ==, 2);
  g_settings_set_string (settings, "color-scheme", "light");
  hs_settings_flush (settings);
  g_assert_cmpint (g_settings_get_enum (other, "color-scheme"), ==, 1);
  reset (settings);
}

/* A window may be made smaller than any we would remember; GLib would write a critical warning. */
static void
test_range (void)
{
  g_autoptr (GSettings) settings = hs_settings_open ();
  GtkWidget *window = gtk_window_new ();
  int width = 0;

  hs_settings_bind_int (settings, "window-width", window, "default-width",
                        hs_settings_get_bind_flags (false));
  g_object_get (window, "default-width", &width, NULL);
  g_assert_cmpint (width, ==, g_settings_get_int (settings, "window-width"));
  gtk_window_set_default_size (GTK_WINDOW (window), 150, 100);
  g_assert_cmpint (g_settings_get_int (settings, "window-width"), ==, 200);
  gtk_window_set_default_size (GTK_WINDOW (window), 40000, 100);
  g_assert_cmpint (g_settings_get_int (settings, "window-width"), ==, 30000);
  gtk_window_set_default_size (GTK_WINDOW (window), 640, 100);
  g_assert_cmpint (g_settings_get_int (settings, "window-width"), ==, 640);
  gtk_window_destroy (GTK_WINDOW (window));
  g_settings_reset (settings, "window-width");
  hs_settings_flush (settings);
}

static void
test_no_settings (void)
{
  HsSession *session = hs_session_new ();

  hs_settings_apply (NULL, session);
  hs_settings_flush (NULL);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/new-window", test_new_window);
  g_test_add_func ("/settings/same-names", test_same_names);
  g_test_add_func ("/settings/written-later", test_written_later);
  g_test_add_func ("/settings/range", test_range);
  g_test_add_func ("/settings/none", test_no_settings);
  return g_test_run ();
}
