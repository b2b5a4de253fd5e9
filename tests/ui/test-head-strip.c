/* SPDX-License-Identifier: MIT */
/* The strip of heads beside a heat map: when it is there, and that it leads to the others. */
#include "formula-maps.h"
#include "hs-application.h"
#include "hs-stage.h"
#include "hs-status-line.h"
#include "ui-test.h"

#define N_TOKENS 6
#define WIDE 1000
#define HIGH 500

typedef struct {
  HsSession *session;
  GtkWidget *stage;
} Fixture;

static AttnDrawPanels *
make_panels (HsSession *session, AttnMaps *maps, AttnDrawKind kind)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_copy (hs_session_peek_asked (session));
  g_autoptr (GError) error = NULL;
  view->kind = kind;
  AttnDrawPanels *panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return panels;
}

static void
show (HsSession *session, AttnDrawKind kind)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (AttnDrawPanels) panels = make_panels (session, maps, kind);
  g_autoptr (AttnDrawPanels) heads = make_panels (session, maps, ATTN_DRAW_HEADS);
  hs_session_set_kind (session, kind);
  hs_session_show (session, panels, hs_session_peek_asked (session));
  hs_session_set_heads (session, kind == ATTN_DRAW_HEATMAP ? heads : NULL);
}

static void
allocate (GtkWidget *widget, int width, int height)
{
  int minimum;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (widget, &(GtkAllocation){0, 0, width, height}, -1);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->session = hs_session_new ();
  fixture->stage = g_object_ref_sink (hs_stage_new ());
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *picture = hs_picture_new (fixture->session);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), picture);
  g_object_set (fixture->stage, "main", scrolled, NULL);
  hs_stage_set_picture (HS_STAGE (fixture->stage), HS_PICTURE (picture));
  hs_session_set_layer (fixture->session, 1);
  hs_session_set_head (fixture->session, 2);
  show (fixture->session, ATTN_DRAW_HEATMAP);
  allocate (fixture->stage, WIDE, HIGH);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_finalize_object (fixture->stage);
  g_assert_finalize_object (fixture->session);
}

static HsHeadStrip *
get_strip (Fixture *fixture)
{
  return hs_stage_peek_strip (HS_STAGE (fixture->stage));
}

static bool
is_there (Fixture *fixture)
{
  return gtk_widget_get_child_visible (GTK_WIDGET (get_strip (fixture))) &&
         hs_head_strip_peek_layout (get_strip (fixture)) != NULL;
}

static void
emit (Fixture *fixture, GType type, const char *signal, int n_press, size_t head)
{
  GtkWidget *strip = GTK_WIDGET (get_strip (fixture));
  const AttnDrawLayout *layout = hs_head_strip_peek_layout (get_strip (fixture));
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, head);
  int top = (gtk_widget_get_height (strip) - (int)attn_draw_layout_get_height (layout)) / 2;
  double x = rect.x + rect.width / 2, y = rect.y + rect.height / 2 + top;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (strip);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (!G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
      continue;
    if (n_press > 0)
      g_signal_emit_by_name (controller, signal, n_press, x, y);
    else
      g_signal_emit_by_name (controller, signal, x, y);
  }
}

/* Beside a heat map where there is room, and nowhere else; the picture gets the rest. */
static void
test_room (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkWidget *main = gtk_widget_get_first_child (fixture->stage);
  g_assert_true (is_there (fixture));
  g_assert_true (hs_session_get_wants_heads (fixture->session));
  int strip = gtk_widget_get_width (GTK_WIDGET (get_strip (fixture)));
  g_assert_cmpint (strip, >, 60);
  main = GTK_IS_SCROLLED_WINDOW (main) ? main : gtk_widget_get_next_sibling (main);
  g_assert_cmpint (gtk_widget_get_width (main) + strip, ==, WIDE);
  allocate (fixture->stage, HIGH, HIGH);
  g_assert_false (is_there (fixture));
  g_assert_false (hs_session_get_wants_heads (fixture->session));
  g_assert_cmpint (gtk_widget_get_width (main), ==, HIGH);
  allocate (fixture->stage, WIDE, HIGH);
  g_assert_true (is_there (fixture));
  show (fixture->session, ATTN_DRAW_HEADS);
  allocate (fixture->stage, WIDE + 1, HIGH);
  g_assert_false (is_there (fixture));
  hs_session_show (fixture->session, NULL, NULL);
  allocate (fixture->stage, WIDE, HIGH);
  g_assert_false (is_there (fixture));
}

/* The heat map is as large as it would be without the strip. */
static void
test_picture_keeps_its_size (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkWidget *alone = g_object_ref_sink (hs_picture_new (fixture->session));
  allocate (alone, WIDE, HIGH);
  AttnDrawRect wanted =
      attn_draw_layout_get_panel_rect (hs_picture_peek_layout (HS_PICTURE (alone)), 0);
  GtkWidget *slot = gtk_widget_get_first_child (fixture->stage);
  slot = GTK_IS_SCROLLED_WINDOW (slot) ? slot : gtk_widget_get_next_sibling (slot);
  GtkWidget *picture = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (slot));
  AttnDrawRect rect =
      attn_draw_layout_get_panel_rect (hs_picture_peek_layout (HS_PICTURE (picture)), 0);
  g_assert_cmpfloat (rect.width, >=, 0.9 * wanted.width); /* notes may take a line more */
  g_assert_finalize_object (alone);
}

static void
test_choosing (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  emit (fixture, GTK_TYPE_GESTURE_CLICK, "pressed", 1, 3);
  g_assert_cmpuint (hs_session_get_head (session), ==, 3);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 1);
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_HEATMAP);
}

static void
test_hovering (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  GtkWidget *line = g_object_ref_sink (hs_status_line_new (session));
  emit (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", 0, 0);
  const HsCell *hovered = hs_session_peek_hovered (session);
  g_assert_cmpuint (hovered->layer, ==, 1);
  g_assert_cmpuint (hovered->head, ==, 0);
  g_assert_cmpuint (hovered->query, ==, HS_NONE);
  g_autofree char *said = ui_test_dup_labels (line);
  g_assert_nonnull (strstr (said, "head 1 · click"));
  g_assert_finalize_object (line);
}

/* Screen readers hear what is chosen; the arrow keys do so (the class has them bound). */
static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkAccessible *accessible = GTK_ACCESSIBLE (get_strip (fixture));
  g_assert_true (gtk_widget_get_focusable (GTK_WIDGET (accessible)));
  gtk_test_accessible_assert_role (accessible, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Heads of layer 2");
  gtk_test_accessible_assert_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "Chosen: head 3");
}

/* It draws, and the chosen head's frame is in the accent's colour. */
static void
test_pixels (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkWidget *strip = GTK_WIDGET (get_strip (fixture));
  const AttnDrawLayout *layout = hs_head_strip_peek_layout (get_strip (fixture));
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 2);
  int top = (gtk_widget_get_height (strip) - (int)attn_draw_layout_get_height (layout)) / 2;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (strip)->snapshot (strip, snapshot);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDE, HIGH);
  cairo_t *cr = cairo_create (surface);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const unsigned char *pixel = cairo_image_surface_get_data (surface) +
                               ((int)rect.y + top - 1) * cairo_image_surface_get_stride (surface) +
                               4 * ((int)rect.x + 5);
  AttnDrawColor accent = attn_draw_layout_get_accent (layout);
  g_assert_cmpint (ABS (pixel[2] - (int)(255 * accent.red + 0.5)), <=, 1);
  g_assert_cmpint (ABS (pixel[1] - (int)(255 * accent.green + 0.5)), <=, 1);
  cairo_surface_destroy (surface);
}

/* ---- what feeds it ---- */

static bool
has_heads (gpointer session)
{
  return hs_session_peek_heads (session) != NULL;
}

static bool
has_second_layer (gpointer session)
{
  AttnDrawPanels *heads = hs_session_peek_heads (session);
  return heads != NULL && attn_draw_panels_get_layer (heads, 0) == 1;
}

/* Only when wanted, of the layer that is shown, and nothing where there is nothing to choose. */
static void
test_feeder (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, "The animal did not cross.");
  HsSession *session = desk.session;
  g_assert_null (hs_session_peek_heads (session));
  hs_session_set_wants_heads (session, true);
  ui_test_wait (has_heads, session);
  AttnDrawPanels *heads = hs_session_peek_heads (session);
  g_assert_cmpuint (attn_draw_panels_get_n (heads), ==, hs_session_get_n_heads (session));
  g_assert_cmpuint (attn_draw_panels_get_layer (heads, 0), ==, 0);
  hs_session_set_head (session, 4); /* the same layer */
  ui_test_drain (desk.engine);
  g_assert_true (hs_session_peek_heads (session) == heads);
  hs_session_set_layer (session, 1);
  ui_test_wait (has_second_layer, session);
  hs_session_set_kind (session, ATTN_DRAW_HEADS);
  g_assert_null (hs_session_peek_heads (session));
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  ui_test_wait (has_heads, session);
  AttnArrangement mean = {.combine = ATTN_COMBINE_MEAN};
  hs_session_set_arrangement (session, &mean);
  ui_test_drain (desk.engine);
  g_assert_null (hs_session_peek_heads (session));
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/head-strip/room", test_room);
  ADD ("/head-strip/picture-keeps-its-size", test_picture_keeps_its_size);
  ADD ("/head-strip/choosing", test_choosing);
  ADD ("/head-strip/hovering", test_hovering);
  ADD ("/head-strip/accessible", test_accessible);
  ADD ("/head-strip/pixels", test_pixels);
  g_test_add_func ("/head-strip/feeder", test_feeder);
  return g_test_run ();
}
