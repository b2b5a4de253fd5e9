/* SPDX-License-Identifier: MIT */
/* The middle of the window in a layout that others ask for, too: nothing is left without a place.
 */
#include "formula-maps.h"
#include "hs-application.h"
#include "hs-face.h"
#include "ui-test.h"

#define N_TOKENS 12
#define WIDTH 500
#define HEIGHT 400
#define LARGE 6 /* times: a sheet larger than the window */
#define N_FRAMES 3

/* A column like the window's page: something above, and a box with the face. */
typedef struct {
  HsSession *session;
  GtkWidget *window, *above, *face;
} Fixture;

static void
show (Fixture *fixture, AttnDrawKind kind)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (GError) error = NULL;

  hs_session_set_kind (fixture->session, kind);
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (
      hs_session_peek_asked (fixture->session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (fixture->session, panels, hs_session_peek_asked (fixture->session));
}

static gboolean
count_cb (GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  guint *n = data;

  *n += 1;
  return G_SOURCE_CONTINUE;
}

/* A tick callback asks for frame after frame; each lays out and draws what has changed. */
static void
wait_frames (Fixture *fixture)
{
  guint n = 0;
  const guint id = gtk_widget_add_tick_callback (fixture->window, count_cb, &n, NULL);

  while (n <= N_FRAMES)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_remove_tick_callback (fixture->window, id);
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *below = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  fixture->session = hs_session_new ();
  fixture->window = gtk_window_new ();
  fixture->above = gtk_label_new ("1");
  fixture->face = hs_face_new (fixture->session);
  gtk_widget_set_vexpand (fixture->face, TRUE);
  gtk_box_append (GTK_BOX (below), fixture->face);
  gtk_box_append (GTK_BOX (page), fixture->above);
  gtk_box_append (GTK_BOX (page), below);
  gtk_window_set_child (GTK_WINDOW (fixture->window), page);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), WIDTH, HEIGHT);
  show (fixture, ATTN_DRAW_HEATMAP);
  hs_session_set_state (fixture->session, HS_STATE_READY, NULL, NULL);
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_frames (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->session);
}

/* @kind arrives while the face is empty; then it is shown, and what is above changes as well. GTK
 * warns, which ends the test, when a box is drawn whose place was asked for anew in the middle of a
 * layout: it is not seen any more. */
static void
come_back (Fixture *fixture, AttnDrawKind kind)
{
  hs_session_set_state (fixture->session, HS_STATE_EMPTY, NULL, NULL);
  wait_frames (fixture);
  show (fixture, kind);
  wait_frames (fixture);
  hs_session_set_state (fixture->session, HS_STATE_READY, NULL, NULL);
  gtk_label_set_label (GTK_LABEL (fixture->above), kind == ATTN_DRAW_LAYERS ? "2" : "3");
  wait_frames (fixture);
}

static void
test_comes_back (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  hs_session_set_magnification (fixture->session, LARGE);
  come_back (fixture, ATTN_DRAW_LAYERS);
  come_back (fixture, ATTN_DRAW_HEATMAP);
  come_back (fixture, ATTN_DRAW_LAYERS);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
  g_test_add ("/face/comes-back", Fixture, NULL, set_up, test_comes_back, tear_down);
  return g_test_run ();
}
