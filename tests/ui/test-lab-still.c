/* SPDX-License-Identifier: MIT */
/* What is over a page of the lab stays where it is: while the page is scrolled, while steps change,
 * in a window that is low as in a usual one. */
#include "hs-application.h"
#include "hs-lab-pipeline.h"
#include "hs-lab.h"
#include "hs-nested-scroll.h"
#include "hs-work.h"
#include "lab-window.h"

static graphene_point_t
find_place (LabWindow *fixture, GtkWidget *widget)
{
  graphene_point_t place;

  gtk_test_widget_wait_for_draw (fixture->window);
  g_assert_true (
      gtk_widget_compute_point (widget, fixture->window, &GRAPHENE_POINT_INIT_ZERO, &place));
  return place;
}

static void
assert_there (LabWindow *fixture, GtkWidget *widget, graphene_point_t place)
{
  const graphene_point_t now = find_place (fixture, widget);

  g_assert_cmpfloat_with_epsilon (now.x, place.x, 0.5); /* whole px */
  g_assert_cmpfloat_with_epsilon (now.y, place.y, 0.5);
}

static void
settle_motion (LabWindow *fixture)
{
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  for (int i = 0; i < 30; i++) /* frames: what is revealed moves for 220 ms */
    gtk_test_widget_wait_for_draw (fixture->window);
}

/* In a window so low that the page is scrolled as well as in a usual one. */
static void
test_next_stays (gconstpointer data)
{
  const int *size = data;
  LabWindow fixture;

  lab_window_open (&fixture);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), size[0], size[1]);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_PIPELINE);
  settle_motion (&fixture);
  GtkWidget *next =
      GTK_WIDGET (gtk_widget_get_template_child (page, HS_TYPE_LAB_PIPELINE, "next_button"));
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (next, GTK_TYPE_SCROLLED_WINDOW)));
  const graphene_point_t place = find_place (&fixture, next);
  bool has_scrolled = false;
  while (gtk_widget_get_sensitive (next)) {
    g_signal_emit_by_name (next, "clicked");
    settle_motion (&fixture);
    assert_there (&fixture, next, place);
    has_scrolled |= gtk_adjustment_get_value (adjustment) > 0;
  }
  g_assert_cmpint (hs_lab_pipeline_get_step (page), >, ATTN_STEP_OUTPUT);
  g_assert_true (has_scrolled);
  lab_window_close (&fixture);
}

/* The tabs stay while a page is scrolled, and the next page begins at its top. */
static void
test_tabs_stay (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_RESEARCH);
  settle_motion (&fixture);
  GtkWidget *tabs = ui_test_find (fixture.window, HS_TYPE_LAB_SWITCH);
  GtkWidget *scrolled = gtk_widget_get_ancestor (page, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  const graphene_point_t place = find_place (&fixture, tabs);
  gtk_adjustment_set_value (adjustment, 250);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 250);
  assert_there (&fixture, tabs, place);
  lab_window_open_page (&fixture, ATTN_DRAW_LAB_HEADS);
  settle_motion (&fixture);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  assert_there (&fixture, tabs, place);
  lab_window_close (&fixture);
}

/* In a low window the wheel brings all of the page's part into sight, then moves within it. */
static void
test_wheel (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gtk_window_set_default_size (GTK_WINDOW (fixture.window), 700, 450);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_RESEARCH);
  settle_motion (&fixture);
  GtkWidget *inner = gtk_widget_get_ancestor (page, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *outer =
      gtk_widget_get_ancestor (gtk_widget_get_parent (inner), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (outer));
  const double end =
      gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  g_assert_cmpfloat (end, >, 0);
  while (hs_nested_scroll_move (inner, 1, GDK_SCROLL_UNIT_WHEEL)) {
  }
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), end, 0.5);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner)), 9);
  g_assert_false (hs_nested_scroll_move (inner, -1, GDK_SCROLL_UNIT_WHEEL)); /* its own turn */
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner)), 0);
  g_assert_true (hs_nested_scroll_move (inner, -1, GDK_SCROLL_UNIT_WHEEL));
  lab_window_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const int usual[] = {1180, 800}, low[] = {700, 600};

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_test_add_data_func ("/lab-still/next/usual", usual, test_next_stays);
  g_test_add_data_func ("/lab-still/next/low", low, test_next_stays);
  g_test_add_func ("/lab-still/tabs", test_tabs_stay);
  g_test_add_func ("/lab-still/wheel", test_wheel);
  return g_test_run ();
}
