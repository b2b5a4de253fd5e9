/* SPDX-License-Identifier: MIT */
/* An open popover that goes with its page or its window keeps no keys to itself. */
#include "hs-popovers.h"
#include "ui-test.h"

typedef struct {
  GtkWidget *window, *stack, *first, *second;
  GtkWidget *anchor; /* on the first page; has the popover */
} Fixture;

static bool
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

static void
set_up (Fixture *fixture, GtkWidget *anchor)
{
  fixture->anchor = anchor;
  fixture->window = gtk_window_new ();
  fixture->stack = gtk_stack_new ();
  fixture->first = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  fixture->second = gtk_button_new_with_label ("b");
  gtk_box_append (GTK_BOX (fixture->first), anchor);
  gtk_stack_add_child (GTK_STACK (fixture->stack), fixture->first);
  gtk_stack_add_child (GTK_STACK (fixture->stack), fixture->second);
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->stack);
  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_wait (is_active, fixture->window);
}

static bool
is_seen (gpointer popover)
{
  return gtk_widget_get_mapped (popover);
}

static bool
is_closed (gpointer popover)
{
  return !gtk_widget_get_visible (popover);
}

/* The page is turned with the popover open, and back: then it is not there again. */
static void
turn (Fixture *fixture, GtkWidget *popover)
{
  ui_test_wait (is_seen, popover);
  gtk_stack_set_visible_child (GTK_STACK (fixture->stack), fixture->second);
  ui_test_wait (is_closed, popover);
  gtk_stack_set_visible_child (GTK_STACK (fixture->stack), fixture->first);
  ui_test_drain (NULL);
  g_assert_false (gtk_widget_get_visible (popover));
  g_assert_false (gtk_widget_get_mapped (popover));
}

static void
test_menu_button (void)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  Fixture fixture;

  gtk_popover_set_child (GTK_POPOVER (popover), gtk_entry_new ());
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  set_up (&fixture, button);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  turn (&fixture, popover);
  g_assert_false (gtk_widget_get_state_flags (gtk_widget_get_first_child (button)) &
                  GTK_STATE_FLAG_CHECKED);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button)); /* and it opens as before */
  ui_test_wait (is_seen, popover);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

/* A popover that is GTK's own. */
static void
test_drop_down (void)
{
  GtkWidget *list = gtk_drop_down_new_from_strings ((const char *const[]){"a", "b", NULL});
  GtkWidget *popover;
  Fixture fixture;

  set_up (&fixture, list);
  popover = ui_test_find (list, GTK_TYPE_POPOVER);
  g_assert_nonnull (popover);
  gtk_popover_popup (GTK_POPOVER (popover));
  turn (&fixture, popover);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static bool
is_zero (gpointer counter)
{
  return *(guint *)counter == 0;
}

/* GTK keeps a popover that has the keys, even when nothing of its window is left. */
static void
test_window_gone (void)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  guint n_alive = 0;
  Fixture fixture;

  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  set_up (&fixture, button);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_test_wait (is_seen, popover);
  ui_test_watch_end (popover, &n_alive);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  ui_test_wait (is_zero, &n_alive);
}

/* The button is put elsewhere while its popover is open, as a bar that folds does. */
static void
test_moved (void)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *other = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Fixture fixture;

  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  set_up (&fixture, button);
  gtk_stack_add_child (GTK_STACK (fixture.stack), other);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_test_wait (is_seen, popover);
  g_object_ref (button);
  gtk_box_remove (GTK_BOX (fixture.first), button);
  gtk_box_append (GTK_BOX (other), button);
  g_object_unref (button);
  ui_test_wait (is_closed, popover);
  gtk_stack_set_visible_child (GTK_STACK (fixture.stack), other);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button)); /* and it opens as before */
  ui_test_wait (is_seen, popover);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

/* Nothing else closes one. */
static void
test_kept (void)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  Fixture fixture;

  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  set_up (&fixture, button);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_test_wait (is_seen, popover);
  ui_test_drain (NULL);
  g_assert_true (gtk_widget_get_visible (popover));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  ui_test_wait (is_closed, popover);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_popovers_watch ();
  g_test_add_func ("/popovers/of-a-menu-button", test_menu_button);
  g_test_add_func ("/popovers/of-a-drop-down", test_drop_down);
  g_test_add_func ("/popovers/of-a-window-that-goes", test_window_gone);
  g_test_add_func ("/popovers/of-a-button-that-moves", test_moved);
  g_test_add_func ("/popovers/on-a-page-that-stays", test_kept);
  return g_test_run ();
}
