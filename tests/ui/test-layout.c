/* SPDX-License-Identifier: MIT */
/* Where the window's own containers put their children: folded and side by side, in lines. */
#include "hs-fold.h"
#include "hs-wrap-layout.h"

static GtkWidget *
make_box (int width, int height)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_size_request (box, width, height);
  return box;
}

static int
get_height_for (GtkWidget *widget, int width)
{
  int minimum, natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, <=, natural);
  return minimum;
}

static void
allocate (GtkWidget *widget, int width, int height)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, width);
  g_assert_cmpint (get_height_for (widget, width), <=, height);
  gtk_widget_size_allocate (widget, &(GtkAllocation){0, 0, width, height}, -1);
}

static void
assert_stands (GtkWidget *child, GtkWidget *in, int x, int y, int width, int height)
{
  graphene_rect_t rect;

  g_assert_true (gtk_widget_compute_bounds (child, in, &rect));
  g_assert_cmpfloat (rect.origin.x, ==, x);
  g_assert_cmpfloat (rect.origin.y, ==, y);
  g_assert_cmpfloat (rect.size.width, ==, width);
  g_assert_cmpfloat (rect.size.height, ==, height);
}

static GtkWidget *
make_fold (GtkWidget **main, GtkWidget **side)
{
  *main = make_box (100, 80);
  *side = make_box (60, 40);
  return g_object_ref_sink (g_object_new (HS_TYPE_FOLD, "main", *main, "side", *side, "threshold",
                                          300, "folded-aspect", 0.5, NULL));
}

static void
test_fold (void)
{
  GtkWidget *main, *side, *fold = make_fold (&main, &side);

  g_assert_cmpint (get_height_for (fold, 400), ==, 80);
  allocate (fold, 400, 200);
  assert_stands (main, fold, 0, 0, 400 - 60 - 12, 200);
  assert_stands (side, fold, 400 - 60, 0, 60, 200);

  g_assert_cmpint (get_height_for (fold, 280), ==, 140 + 12 + 40); /* half as high as wide */
  allocate (fold, 280, 300);
  assert_stands (main, fold, 0, 0, 280, 300 - 12 - 40);
  assert_stands (side, fold, 0, 300 - 40, 280, 40);

  g_object_set (fold, "threshold", 100, "share", 5.0, NULL);
  allocate (fold, 299, 300); /* less than five times the side child's 60 */
  assert_stands (side, fold, 0, 300 - 40, 299, 40);
  g_object_set (fold, "share", 4.0, NULL);
  allocate (fold, 299, 200);
  assert_stands (side, fold, 299 - 60, 0, 60, 200);
  g_assert_finalize_object (fold);
}

/* Two boxes in lines: beside each other where the fold is wide enough, else over each other. */
static void
test_fold_natural (void)
{
  GtkWidget *fold = g_object_ref_sink (hs_fold_new ()), *main = make_box (100, 30);
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkLayoutManager *lines = hs_wrap_layout_new ();

  g_object_set (lines, "spacing", 10, NULL);
  gtk_widget_set_layout_manager (side, lines);
  for (int i = 0; i < 2; i++)
    gtk_box_append (GTK_BOX (side), make_box (50, 30));
  g_object_set (fold, "main", main, "side", side, "threshold", 200, "natural-share", 3.0, NULL);
  g_assert_cmpint (get_height_for (fold, 330), ==, 30);
  allocate (fold, 330, 30);
  assert_stands (main, fold, 0, 0, 330 - 110 - 12, 30);
  assert_stands (side, fold, 330 - 110, 0, 110, 30);
  g_assert_cmpint (get_height_for (fold, 329), ==, 70);
  allocate (fold, 329, 70);
  assert_stands (side, fold, 329 - 50, 0, 50, 70);
  g_assert_finalize_object (fold);
}

static void
test_fold_right_to_left (void)
{
  GtkWidget *main, *side, *fold = make_fold (&main, &side);

  gtk_widget_set_direction (fold, GTK_TEXT_DIR_RTL);
  allocate (fold, 400, 200);
  assert_stands (side, fold, 0, 0, 60, 200);
  assert_stands (main, fold, 60 + 12, 0, 400 - 60 - 12, 200);
  g_assert_finalize_object (fold);
}

static void
test_fold_alone (void)
{
  GtkWidget *main, *side, *fold = make_fold (&main, &side);

  gtk_widget_set_visible (side, FALSE);
  g_assert_cmpint (get_height_for (fold, 200), ==, 80);
  allocate (fold, 200, 100);
  assert_stands (main, fold, 0, 0, 200, 100);
  g_assert_finalize_object (fold);
}

static void
test_wrap (void)
{
  GtkWidget *box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  GtkWidget *children[3];
  GtkLayoutManager *layout = hs_wrap_layout_new ();

  g_object_set (layout, "spacing", 10, "last-at-end", TRUE, NULL);
  gtk_widget_set_layout_manager (box, layout);
  for (size_t i = 0; i < G_N_ELEMENTS (children); i++) {
    children[i] = make_box (50, 20);
    gtk_box_append (GTK_BOX (box), children[i]);
  }
  g_assert_cmpint (get_height_for (box, 170), ==, 20); /* just fits */
  g_assert_cmpint (get_height_for (box, 169), ==, 50);
  g_assert_cmpint (get_height_for (box, 50), ==, 80);
  allocate (box, 300, 20);
  assert_stands (children[1], box, 60, 0, 50, 20);
  assert_stands (children[2], box, 250, 0, 50, 20);
  allocate (box, 120, 50);
  assert_stands (children[1], box, 60, 0, 50, 20);
  assert_stands (children[2], box, 70, 30, 50, 20);
  g_assert_finalize_object (box);
}

/* Three that like different widths: as many as fit, all equally wide, in full lines. */
static void
test_wrap_even (void)
{
  GtkWidget *boxes[] = {make_box (90, 10), make_box (60, 30), make_box (30, 20)};
  GtkWidget *box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));

  gtk_widget_set_layout_manager (
      box, g_object_new (HS_TYPE_WRAP_LAYOUT, "spacing", 10, "even", TRUE, NULL));
  for (size_t i = 0; i < G_N_ELEMENTS (boxes); i++)
    gtk_box_append (GTK_BOX (box), boxes[i]);
  g_assert_cmpint (get_height_for (box, 210), ==, 30 + 10 + 20);
  allocate (box, 210, 60);
  assert_stands (boxes[0], box, 0, 0, 100, 30);
  assert_stands (boxes[1], box, 110, 0, 100, 30);
  assert_stands (boxes[2], box, 0, 40, 100, 20);
  allocate (box, 620, 30);
  assert_stands (boxes[2], box, 420, 0, 200, 30);
  allocate (box, 95, 80);
  assert_stands (boxes[1], box, 0, 20, 95, 30);
  g_object_unref (box);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  g_test_add_func ("/layout/fold", test_fold);
  g_test_add_func ("/layout/fold-right-to-left", test_fold_right_to_left);
  g_test_add_func ("/layout/fold-alone", test_fold_alone);
  g_test_add_func ("/layout/fold-natural", test_fold_natural);
  g_test_add_func ("/layout/wrap", test_wrap);
  g_test_add_func ("/layout/wrap-even", test_wrap_even);
  return g_test_run ();
}
