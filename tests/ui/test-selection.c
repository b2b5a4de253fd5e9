/* SPDX-License-Identifier: MIT */
/* One selection: what is pinned or pointed at in one view is marked in every other. */
#include "hs-picture.h"
#include "ui-test.h"

#include <gtk/gtk.h>

#include <string.h>

#define TEXT "The old man slept on the grass."
#define TEXT_B "The very old man slept on the grass."
#define WIDTH 900
#define HEIGHT 760
#define QUERY 3
#define KEY 2

static const AttnDrawKind kinds[] = {ATTN_DRAW_HEATMAP, ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS,
                                     ATTN_DRAW_LINES,   ATTN_DRAW_TEXT,  ATTN_DRAW_COMPARE};

typedef struct {
  UiTestDesk desk;
  HsSession *session;
  HsPicture *picture;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  int least;

  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->session = fixture->desk.session;
  fixture->picture = HS_PICTURE (g_object_ref_sink (hs_picture_new (fixture->session)));
  gtk_widget_measure (GTK_WIDGET (fixture->picture), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                      NULL, NULL);
  gtk_widget_size_allocate (GTK_WIDGET (fixture->picture), &(GtkAllocation){0, 0, WIDTH, HEIGHT},
                            -1);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_finalize_object (fixture->picture);
  ui_test_desk_close (&fixture->desk);
}

static bool
is_shown (gpointer data)
{
  const AttnDrawKind kind = hs_session_get_kind (data);

  return hs_session_peek_panels (data) != NULL && hs_session_peek_view (data)->kind == kind &&
         hs_session_get_state (data) == HS_STATE_READY;
}

static void
show (Fixture *fixture, AttnDrawKind kind)
{
  hs_session_set_kind (fixture->session, kind);
  ui_test_wait (is_shown, fixture->session);
  ui_test_drain (fixture->desk.engine);
}

/* Every pixel of the picture as it is now; g_free(). */
static guchar *
dup_pixels (Fixture *fixture)
{
  GtkWidget *widget = GTK_WIDGET (fixture->picture);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GskRenderNode) node = NULL;

  for (int frame = 0; frame < 40 && (frame == 0 || !hs_picture_is_complete (fixture->picture));
       frame++) { /* textures come little by little */
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    g_clear_pointer (&node, gsk_render_node_unref);
    GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
    node = gtk_snapshot_free_to_node (snapshot);
  }
  g_assert_true (hs_picture_is_complete (fixture->picture));
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  guchar *pixels = g_memdup2 (cairo_image_surface_get_data (surface),
                              (gsize)HEIGHT * (gsize)cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  return pixels;
}

static bool
changes (const guchar *before, Fixture *fixture)
{
  g_autofree guchar *now = dup_pixels (fixture);

  return memcmp (before, now, (gsize)4 * WIDTH * HEIGHT) != 0;
}

static void
test_pin (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (size_t from = 0; from < G_N_ELEMENTS (kinds); from++) {
    show (fixture, kinds[from]);
    hs_session_set_pinned (fixture->session, QUERY, KEY);
    for (size_t to = 0; to < G_N_ELEMENTS (kinds); to++) {
      show (fixture, kinds[to]);
      g_test_message ("from view %d to %d", (int)kinds[from], (int)kinds[to]);
      g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, QUERY);
      g_assert_cmpuint (hs_session_get_pinned_key (fixture->session), ==, KEY);
      g_assert_cmpuint (hs_session_peek_view (fixture->session)->pin_query, ==, QUERY);
    }
    hs_session_set_pinned (fixture->session, HS_NONE, HS_NONE);
  }
}

/* Each view draws the pin, the query and the key that are pointed at, and is itself again. */
static void
test_marks (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const HsCell cells[] = {{HS_NONE, QUERY, HS_NONE, HS_NONE},
                                 {HS_NONE, HS_NONE, KEY, HS_NONE}};

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    show (fixture, kinds[i]);
    g_autofree guchar *plain = dup_pixels (fixture);
    g_test_message ("view %d", (int)kinds[i]);
    for (size_t cell = 0; cell < G_N_ELEMENTS (cells); cell++) {
      hs_session_set_hovered (fixture->session, &cells[cell]);
      g_assert_true (changes (plain, fixture));
      hs_session_set_hovered (fixture->session, NULL);
      g_assert_false (changes (plain, fixture));
    }
    hs_session_set_pinned (fixture->session, QUERY, HS_NONE);
    g_assert_true (changes (plain, fixture));
    hs_session_set_pinned (fixture->session, HS_NONE, KEY);
    g_assert_true (changes (plain, fixture));
    hs_session_set_pinned (fixture->session, HS_NONE, HS_NONE);
    g_assert_false (changes (plain, fixture));
  }
}

/* Where several heads are seen the one that is pointed at is marked, and the chosen one is. */
static void
test_heads (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const AttnDrawKind several[] = {ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS, ATTN_DRAW_LINES};

  for (size_t i = 0; i < G_N_ELEMENTS (several); i++) {
    show (fixture, several[i]);
    g_test_message ("view %d", (int)several[i]);
    hs_session_set_head (fixture->session, 0);
    ui_test_drain (fixture->desk.engine);
    g_autofree guchar *plain = dup_pixels (fixture);
    hs_session_set_hovered (fixture->session, &(HsCell){2, HS_NONE, HS_NONE, 0});
    g_assert_true (changes (plain, fixture));
    hs_session_set_hovered (fixture->session, NULL);
    hs_session_set_head (fixture->session, 2);
    ui_test_drain (fixture->desk.engine);
    g_assert_true (changes (plain, fixture));
  }
}

/* What only B has is let go of where there is no B; A's tokens stay, also with another B. */
static void
test_alone (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->session;

  hs_session_set_pinned (session, QUERY, KEY);
  show (fixture, ATTN_DRAW_COMPARE);
  hs_side_set_text (hs_session_peek_side_b (session), TEXT_B);
  ui_test_wait_state (session, HS_STATE_BUSY);
  ui_test_wait_state (session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, QUERY);
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  const guint n_a = (guint)attn_maps_get_n (attn_draw_panels_peek_maps (panels), ATTN_SIDE_QUERY);
  g_assert_cmpuint (attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY), >, n_a);
  hs_session_set_pinned (session, n_a, KEY);
  show (fixture, ATTN_DRAW_LINES);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, KEY);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/selection/pin", test_pin);
  ADD ("/selection/marks", test_marks);
  ADD ("/selection/heads", test_heads);
  ADD ("/selection/alone", test_alone);
  return g_test_run ();
}
