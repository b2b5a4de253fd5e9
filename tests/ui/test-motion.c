/* SPDX-License-Identifier: MIT */
/* Where the desktop asks for no animations nothing moves by itself: after whatever one does the
 * window is drawn a few times and stands still. */
#include "hs-application.h"
#include "hs-window.h"
#include "ui-test.h"

#define TEXT "The animal didn't cross the street because it was too tired."
#define STILL_US (G_USEC_PER_SEC / 4)
#define LIMIT_US (20 * G_USEC_PER_SEC)
#define MOST_FRAMES \
  8 /* textures come in a few; an animation of a quarter second takes fifteen \
     */

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  guint n_frames;
} Fixture;

static void
painted_cb (Fixture *fixture)
{
  fixture->n_frames++;
}

/* Returns: how many frames there were until none came for a while. */
static guint
count_frames (Fixture *fixture)
{
  const gint64 limit = g_get_monotonic_time () + LIMIT_US;
  guint seen = fixture->n_frames = 0;
  gint64 last = g_get_monotonic_time ();

  while (g_get_monotonic_time () - last < STILL_US) {
    g_assert_cmpint (g_get_monotonic_time (), <, limit);
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
    if (fixture->n_frames != seen)
      last = g_get_monotonic_time ();
    seen = fixture->n_frames;
  }
  return seen;
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1180, 900);
  gtk_window_present (GTK_WINDOW (fixture->window));
  g_signal_connect_swapped (gtk_widget_get_frame_clock (fixture->window), "after-paint",
                            G_CALLBACK (painted_cb), fixture);
  count_frames (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (fixture->window), fixture);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_desk_close (&fixture->desk);
}

static void
do_action (Fixture *fixture, const char *name, const char *target)
{
  GVariant *value = target != NULL ? g_variant_new_string (target) : NULL;

  g_assert_true (gtk_widget_activate_action_variant (fixture->window, name, value));
  guint n = count_frames (fixture);
  g_test_message ("%s %s: %u frames", name, target != NULL ? target : "", n);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, MOST_FRAMES);
}

static void
test_still (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const kinds[] = {"heads", "layers", "lines", "text", "compare", "heatmap"};

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    do_action (fixture, "view.kind", kinds[i]);
  do_action (fixture, "win.find", NULL);
  do_action (fixture, "view.zoom-in", NULL);
  do_action (fixture, "view.zoom-reset", NULL);
  do_action (fixture, "view.next-head", NULL);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
  g_test_add ("/motion/still", Fixture, NULL, set_up, test_still, tear_down);
  return g_test_run ();
}
