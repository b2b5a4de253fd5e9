/* SPDX-License-Identifier: MIT */
/* What is hidden with the focus in it, and then its window, leaves nothing behind. */
#include "hs-focus.h"
#include "ui-test.h"

typedef struct {
  GtkWidget *window, *panel, *button, *other;
} Fixture;

static bool
is_zero (gpointer counter)
{
  return *(guint *)counter == 0;
}

static bool
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

/* A window of two panels, a button in each; the first one has the focus. */
static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  fixture->window = gtk_window_new ();
  fixture->panel = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  fixture->button = gtk_button_new_with_label ("a");
  fixture->other = gtk_button_new_with_label ("b");
  gtk_box_append (GTK_BOX (fixture->panel), fixture->button);
  gtk_box_append (GTK_BOX (box), fixture->panel);
  gtk_box_append (GTK_BOX (box), fixture->other);
  gtk_window_set_child (GTK_WINDOW (fixture->window), box);
  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_wait (is_active, fixture->window);
  gtk_widget_grab_focus (fixture->button);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == fixture->button);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  if (fixture->window != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture->window));
}

static bool
other_has_it (gpointer data)
{
  Fixture *fixture = data;

  return gtk_window_get_focus (GTK_WINDOW (fixture->window)) == fixture->other;
}

/* The window finds another place for it. */
static void
test_moves_on (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_widget_set_visible (fixture->panel, FALSE);
  g_assert_null (gtk_window_get_focus (GTK_WINDOW (fixture->window)));
  ui_test_wait (other_has_it, fixture);
  gtk_widget_set_visible (fixture->panel, TRUE);
  gtk_widget_set_visible (fixture->panel, FALSE); /* without the focus, it takes none */
  g_assert_true (other_has_it (fixture));
}

/* No frame is drawn between. */
static void
test_leaves_nothing (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint n_alive = 0;

  ui_test_watch_end (fixture->panel, &n_alive);
  ui_test_watch_end (fixture->button, &n_alive);
  ui_test_watch_end (fixture->window, &n_alive);
  gtk_widget_set_visible (fixture->button, FALSE);
  gtk_widget_set_visible (fixture->panel, FALSE);
  gtk_widget_set_visible (gtk_widget_get_parent (fixture->panel), FALSE);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  fixture->window = NULL;
  ui_test_wait (is_zero, &n_alive);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_focus_watch ();
  g_test_add ("/focus/moves-on", Fixture, NULL, set_up, test_moves_on, tear_down);
  g_test_add ("/focus/leaves-nothing", Fixture, NULL, set_up, test_leaves_nothing, tear_down);
  return g_test_run ();
}
