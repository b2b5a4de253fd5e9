/* SPDX-License-Identifier: MIT */
/* The widget of figures: made for its width, picked with the mouse's places and with keys. */
#include "hs-figure.h"
#include "ui-test.h"

typedef struct {
  GtkWidget *figure;
  guint n_made;
  double width;
  guint id, row, column;
  int move;
} Fixture;

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  Fixture *fixture = data;
  const AttnDrawFigureStyle style = {.palette = ATTN_DRAW_PALETTE_SCREEN};
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&style);
  const AttnDrawColor color = attn_draw_tone_get (&style, ATTN_DRAW_TONE_MORE);
  attn_draw_figure_add_rule (builder, (AttnDrawRect){10, 10, 50, 20}, color, 7, 2, 3);
  fixture->n_made++;
  fixture->width = width;
  return attn_draw_figure_builder_end (builder, width, 20000 / width);
}

static gboolean
moved_cb (Fixture *fixture, int move)
{
  fixture->move = move;
  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->move = -1;
  fixture->figure = g_object_ref_sink (hs_figure_new ("A chart"));
  hs_figure_set_maker (HS_FIGURE (fixture->figure), make_cb, fixture);
  g_signal_connect_swapped (fixture->figure, "moved", G_CALLBACK (moved_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_finalize_object (fixture->figure);
}

/* As high as the figure of its width is; made once for each. */
static void
test_size (Fixture *fixture, gconstpointer data)
{
  int height = 0;
  (void)data;
  gtk_widget_measure (fixture->figure, GTK_ORIENTATION_VERTICAL, 400, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, ==, 50);
  gtk_widget_size_allocate (fixture->figure, &(GtkAllocation){0, 0, 400, 50}, -1);
  g_assert_nonnull (hs_figure_peek (HS_FIGURE (fixture->figure)));
  g_assert_cmpuint (fixture->n_made, ==, 1);
  hs_figure_renew (HS_FIGURE (fixture->figure));
  gtk_widget_measure (fixture->figure, GTK_ORIENTATION_VERTICAL, 200, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, ==, 100);
  g_assert_cmpuint (fixture->n_made, ==, 2);
}

static void
test_properties (Fixture *fixture, gconstpointer data)
{
  guint n_changes = 0;
  (void)data;
  ui_test_count (fixture->figure, "value", &n_changes);
  g_object_set (fixture->figure, "value", "0.5", NULL);
  g_object_set (fixture->figure, "value", "0.5", NULL);
  g_assert_cmpuint (n_changes, ==, 1);
  g_autofree char *label = NULL;
  g_object_get (fixture->figure, "label", &label, NULL);
  g_assert_cmpstr (label, ==, "A chart");
  g_assert_true (gtk_widget_get_focusable (fixture->figure));
}

static void
test_keys (Fixture *fixture, gconstpointer data)
{
  gboolean handled = FALSE;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "moved", HS_MOVE_RIGHT, &handled);
  g_assert_true (handled);
  g_assert_cmpint (fixture->move, ==, HS_MOVE_RIGHT);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/figure/size", Fixture, NULL, set_up, test_size, tear_down);
  g_test_add ("/figure/properties", Fixture, NULL, set_up, test_properties, tear_down);
  g_test_add ("/figure/keys", Fixture, NULL, set_up, test_keys, tear_down);
  return g_test_run ();
}
