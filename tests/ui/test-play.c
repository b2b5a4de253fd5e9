/* SPDX-License-Identifier: MIT */
/* A toggle that plays: step by step until the last, stopped, begun anew, freed while it is down. */
#include "hs-play.h"
#include "ui-test.h"

#define N_STEPS 3

typedef struct {
  GtkToggleButton *toggle;
  HsPlay *play;
  guint n_begun, n_steps;
  gboolean is_ready;
} Fixture;

static gboolean
begin (gpointer data)
{
  Fixture *fixture = data;
  fixture->n_begun++;
  fixture->n_steps = 0;
  return fixture->is_ready;
}

static gboolean
next (gpointer data)
{
  Fixture *fixture = data;
  if (fixture->n_steps == N_STEPS)
    return FALSE;
  fixture->n_steps++;
  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const HsPlayClass klass = {begin, next};
  (void)data;
  fixture->toggle = GTK_TOGGLE_BUTTON (g_object_ref_sink (gtk_toggle_button_new ()));
  fixture->is_ready = TRUE;
  fixture->play = hs_play_new (fixture->toggle, 1, &klass, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_clear_pointer (&fixture->play, hs_play_free);
  g_assert_finalize_object (fixture->toggle);
}

static bool
is_up (gpointer data)
{
  return !gtk_toggle_button_get_active (((Fixture *)data)->toggle);
}

/* Long enough for many steps of 1 ms. */
static void
pass_time (void)
{
  const gint64 end = g_get_monotonic_time () + 50 * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
test_to_the_end (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (guint round = 1; round <= 2; round++) {
    gtk_toggle_button_set_active (fixture->toggle, TRUE);
    ui_test_wait (is_up, fixture);
    g_assert_cmpuint (fixture->n_begun, ==, round);
    g_assert_cmpuint (fixture->n_steps, ==, N_STEPS);
  }
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_toggle_button_set_active (fixture->toggle, TRUE);
  hs_play_stop (fixture->play);
  g_assert_true (is_up (fixture));
  pass_time ();
  g_assert_cmpuint (fixture->n_steps, ==, 0);
}

static void
test_not_now (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->is_ready = FALSE;
  gtk_toggle_button_set_active (fixture->toggle, TRUE);
  pass_time ();
  g_assert_cmpuint (fixture->n_begun, ==, 1);
  g_assert_cmpuint (fixture->n_steps, ==, 0);
}

static void
test_free (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_toggle_button_set_active (fixture->toggle, TRUE);
  g_clear_pointer (&fixture->play, hs_play_free);
  pass_time ();
  gtk_toggle_button_set_active (fixture->toggle, FALSE);
  gtk_toggle_button_set_active (fixture->toggle, TRUE);
  g_assert_cmpuint (fixture->n_begun, ==, 1);
  g_assert_cmpuint (fixture->n_steps, ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/play/to-the-end", Fixture, NULL, set_up, test_to_the_end, tear_down);
  g_test_add ("/play/stop", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add ("/play/not-now", Fixture, NULL, set_up, test_not_now, tear_down);
  g_test_add ("/play/free", Fixture, NULL, set_up, test_free, tear_down);
  return g_test_run ();
}
