/* SPDX-License-Identifier: MIT */
/* Zooming on the picture: by keys, by dragging, by clicking, and what a new text does to it. */
#include "formula-maps.h"
#include "hs-picture-zoom.h"
#include "hs-picture.h"
#include "hs-view-actions.h"
#include "hs-zoom.h"

#include <gtk/gtk.h>

#define N_TOKENS 20
#define WIDTH 640
#define HEIGHT 520

typedef struct {
  HsSession *session;
  HsPicture *picture;
  GActionGroup *actions;
} Fixture;

static AttnDrawPanels *
make_panels (HsSession *session, size_t n_tokens)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) maps = formula_maps_new (n_tokens, n_tokens);
  AttnDrawPanels *panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return panels;
}

static void
show (HsSession *session, AttnDrawKind kind)
{
  hs_session_set_kind (session, kind);
  g_autoptr (AttnDrawPanels) panels = make_panels (session, N_TOKENS);
  hs_session_show (session, panels, hs_session_peek_asked (session));
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  int minimum;

  fixture->session = hs_session_new ();
  fixture->picture = HS_PICTURE (g_object_ref_sink (hs_picture_new (fixture->session)));
  fixture->actions = hs_view_actions_new (fixture->session);
  show (fixture->session, ATTN_DRAW_HEATMAP);
  gtk_widget_measure (GTK_WIDGET (fixture->picture), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL,
                      NULL, NULL);
  gtk_widget_size_allocate (GTK_WIDGET (fixture->picture), &(GtkAllocation){0, 0, WIDTH, HEIGHT},
                            -1);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref (fixture->actions);
  g_assert_finalize_object (fixture->picture);
  g_assert_finalize_object (fixture->session);
}

static void
act (Fixture *fixture, const char *action)
{
  g_action_group_activate_action (fixture->actions, action, NULL);
}

static AttnDrawCrop
get_crop (Fixture *fixture)
{
  return attn_draw_layout_get_crop (hs_picture_peek_layout (fixture->picture));
}

static void
assert_crop (Fixture *fixture, size_t query, size_t n_queries, size_t key, size_t n_keys)
{
  AttnDrawCrop crop = get_crop (fixture);
  g_assert_cmpuint (crop.first_query, ==, query);
  g_assert_cmpuint (crop.n_queries, ==, n_queries);
  g_assert_cmpuint (crop.first_key, ==, key);
  g_assert_cmpuint (crop.n_keys, ==, n_keys);
}

static GtkEventController *
find_controller (Fixture *fixture, GType type)
{
  g_autoptr (GListModel) controllers =
      gtk_widget_observe_controllers (GTK_WIDGET (fixture->picture));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (G_OBJECT_TYPE (controller) == type)
      return controller;
  }
  g_assert_not_reached ();
}

static void
get_middle (Fixture *fixture, size_t query, size_t key, double *x, double *y)
{
  AttnDrawRect rect =
      attn_draw_layout_place (hs_picture_peek_layout (fixture->picture), 0, query, key);
  graphene_point_t origin = hs_picture_get_origin (fixture->picture);
  *x = rect.x + rect.width / 2 - (double)origin.x;
  *y = rect.y + rect.height / 2 - (double)origin.y;
}

static void
emit_click (Fixture *fixture, const char *signal, size_t query, size_t key)
{
  double x, y;
  get_middle (fixture, query, key, &x, &y);
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_GESTURE_CLICK), signal, 1, x, y);
}

/* Steps in go down to one cell, around the middle; steps out lead back to all, reset at once. */
static void
test_actions (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint n_steps = 0;

  assert_crop (fixture, 0, 20, 0, 20);
  act (fixture, "zoom-out");
  assert_crop (fixture, 0, 20, 0, 20);
  act (fixture, "zoom-in");
  assert_crop (fixture, 2, 16, 2, 16);
  g_assert_cmpfloat (hs_zoom_get_factor (fixture->session), ==, 1.25);
  for (; get_crop (fixture).n_keys > 1; n_steps++)
    act (fixture, "zoom-in");
  g_assert_cmpuint (n_steps, <, 20);
  for (; n_steps < 40; n_steps++)
    act (fixture, "zoom-out");
  assert_crop (fixture, 0, 20, 0, 20);
  g_assert_cmpuint (hs_session_peek_crop (fixture->session)->n_keys, ==, 0);
  act (fixture, "zoom-in");
  act (fixture, "zoom-in");
  act (fixture, "zoom-reset");
  assert_crop (fixture, 0, 20, 0, 20);
}

/* What is pointed at stays where it is. */
static void
test_around_hovered (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double x, y, now_x, now_y;

  hs_session_set_hovered (fixture->session, &(HsCell){0, 10, 9, 0});
  get_middle (fixture, 10, 9, &x, &y);
  for (int step = 0; step < 6; step++) {
    act (fixture, "zoom-in");
    get_middle (fixture, 10, 9, &now_x, &now_y);
    AttnDrawRect cell =
        attn_draw_layout_place (hs_picture_peek_layout (fixture->picture), 0, 10, 9);
    /* half a cell of rounding, and half of what labels may take from the map */
    g_assert_cmpfloat (ABS (now_x - x), <=, cell.width / 2 + 40);
    g_assert_cmpfloat (ABS (now_y - y), <=, cell.height / 2 + 40);
  }
}

/* The moved cell is brought into what is drawn. */
static void
test_arrows_pan (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  hs_session_set_crop (fixture->session, &(AttnDrawCrop){4, 5, 4, 5});
  hs_session_set_hovered (fixture->session, &(HsCell){0, 8, 8, 0});
  hs_zoom_reveal (fixture->session, 9, 3);
  assert_crop (fixture, 5, 5, 3, 5);
  g_assert_true (hs_zoom_pan (fixture->session, 2, -2));
  assert_crop (fixture, 7, 5, 1, 5);
  g_assert_cmpuint (hs_session_peek_hovered (fixture->session)->query, ==, 10);
  g_assert_cmpuint (hs_session_peek_hovered (fixture->session)->key, ==, 6);
  g_assert_true (hs_zoom_pan (fixture->session, 100, -100));
  assert_crop (fixture, 15, 5, 0, 5);
  g_assert_false (hs_zoom_pan (fixture->session, 1, -1));
}

/* A drag moves the map by whole cells, and only where it is zoomed. */
static void
test_drag (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkEventController *drag = find_controller (fixture, GTK_TYPE_GESTURE_DRAG);
  double x, y;

  hs_session_set_crop (fixture->session, &(AttnDrawCrop){8, 5, 8, 5});
  get_middle (fixture, 10, 10, &x, &y);
  AttnDrawRect cell = attn_draw_layout_place (hs_picture_peek_layout (fixture->picture), 0, 10, 10);
  g_signal_emit_by_name (drag, "drag-begin", x, y);
  g_signal_emit_by_name (drag, "drag-update", 3.0, 2.0); /* a hand trembles */
  assert_crop (fixture, 8, 5, 8, 5);
  g_signal_emit_by_name (drag, "drag-update", 2.1 * cell.width, -3.2 * cell.height);
  assert_crop (fixture, 11, 5, 6, 5);
  g_signal_emit_by_name (drag, "drag-update", -100 * cell.width, 100 * cell.height);
  assert_crop (fixture, 0, 5, 15, 5);
  g_signal_emit_by_name (drag, "drag-update", 0.0, 0.0);
  assert_crop (fixture, 8, 5, 8, 5);
  g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
}

/* A click pins at once, but where a press may become a drag only when it is over. */
static void
test_click (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  emit_click (fixture, "pressed", 3, 4);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, 3);
  emit_click (fixture, "released", 3, 4);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, 3);
  hs_session_set_crop (fixture->session, &(AttnDrawCrop){8, 5, 8, 5});
  emit_click (fixture, "pressed", 10, 9);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, 3);
  emit_click (fixture, "released", 10, 9);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, 10);
  g_assert_cmpuint (hs_session_get_pinned_key (fixture->session), ==, 9);
}

static void
point_at (Fixture *fixture, size_t query, size_t key)
{
  double x, y;
  get_middle (fixture, query, key, &x, &y);
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x,
                         y);
}

/* With Control the wheel zooms around the pointer's cell, up to it alone and back to all. */
static void
test_wheel_zooms (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const HsWheel in = {.down = -1, .state = GDK_CONTROL_MASK};
  const HsWheel out = {.down = 1, .state = GDK_CONTROL_MASK};

  point_at (fixture, 15, 4);
  g_assert_true (hs_picture_zoom_turn (fixture->picture, &in));
  g_assert_cmpuint (get_crop (fixture).n_keys, ==, 16);
  for (int i = 0; i < 30; i++)
    hs_picture_zoom_turn (fixture->picture, &in);
  assert_crop (fixture, 15, 1, 4, 1);
  for (int i = 0; i < 30; i++)
    g_assert_true (hs_picture_zoom_turn (fixture->picture, &out));
  assert_crop (fixture, 0, 20, 0, 20);
}

/* A touchpad's strokes add up to a notch; halves of it leave the map as it is. */
static void
test_touchpad_zooms (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const HsWheel stroke = {.down = -1, .is_in_px = true, .state = GDK_CONTROL_MASK};
  int n = 0;

  point_at (fixture, 10, 10);
  for (; n < 100 && get_crop (fixture).n_keys == N_TOKENS; n++)
    hs_picture_zoom_turn (fixture->picture, &stroke);
  g_assert_cmpint (n, >, 2);
  g_assert_cmpint (n, <, 40);
  g_assert_cmpuint (get_crop (fixture).n_keys, <, N_TOKENS);
}

/* Without Control it moves over a zoomed map, across with Shift, until its end; else it is the
 * page's. */
static void
test_wheel_moves (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const HsWheel down = {.down = 1}, up = {.down = -1},
                across = {.down = 1, .state = GDK_SHIFT_MASK};

  g_assert_false (hs_picture_zoom_turn (fixture->picture, &down));
  hs_session_set_crop (fixture->session, &(AttnDrawCrop){8, 5, 8, 5});
  g_assert_true (hs_picture_zoom_turn (fixture->picture, &down));
  assert_crop (fixture, 9, 5, 8, 5);
  g_assert_true (hs_picture_zoom_turn (fixture->picture, &across));
  assert_crop (fixture, 9, 5, 9, 5);
  for (int i = 0; i < 9; i++)
    g_assert_true (hs_picture_zoom_turn (fixture->picture, &up));
  assert_crop (fixture, 0, 5, 9, 5);
  g_assert_false (hs_picture_zoom_turn (fixture->picture, &up));
  double cell = attn_draw_layout_place (hs_picture_peek_layout (fixture->picture), 0, 0, 9).height;
  const HsWheel stroke = {.down = cell * 0.51, .is_in_px = true}; /* two are surely a cell */
  g_assert_true (hs_picture_zoom_turn (fixture->picture, &stroke));
  assert_crop (fixture, 0, 5, 9, 5);
  g_assert_true (hs_picture_zoom_turn (fixture->picture, &stroke));
  assert_crop (fixture, 1, 5, 9, 5);
}

static void
pinch (Fixture *fixture, const char *signal, double scale)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_GESTURE_ZOOM);
  if (scale > 0)
    g_signal_emit_by_name (controller, signal, scale);
  else
    g_signal_emit_by_name (controller, signal, NULL);
}

/* Two fingers apart show half of the map, back together all of it. */
static void
test_pinch (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  pinch (fixture, "begin", 0);
  pinch (fixture, "scale-changed", 1.01);
  assert_crop (fixture, 0, 20, 0, 20);
  pinch (fixture, "scale-changed", 2);
  g_assert_cmpuint (get_crop (fixture).n_queries, ==, 10);
  g_assert_cmpuint (get_crop (fixture).n_keys, ==, 10);
  pinch (fixture, "scale-changed", 1);
  assert_crop (fixture, 0, 20, 0, 20);
  pinch (fixture, "begin", 0);
  pinch (fixture, "scale-changed", 0.3);
  assert_crop (fixture, 0, 20, 0, 20);
}

static double
get_map_px (Fixture *fixture)
{
  return attn_draw_layout_get_panel_rect (hs_picture_peek_layout (fixture->picture), 0).width;
}

/* All layers grow with the fingers' distance. */
static void
test_pinch_sheet (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  show (fixture->session, ATTN_DRAW_LAYERS);
  double before = get_map_px (fixture);
  pinch (fixture, "begin", 0);
  pinch (fixture, "scale-changed", 1.5);
  pinch (fixture, "scale-changed", 2);
  g_assert_cmpfloat (hs_session_get_magnification (fixture->session), ==, 2);
  g_assert_cmpfloat (get_map_px (fixture), >, 1.6 * before);
  pinch (fixture, "scale-changed", 1);
  g_assert_cmpfloat (get_map_px (fixture), ==, before);
}

/* What is larger than the window is moved by its own; a press there chooses a head when it is over,
 * and was no drag. */
static void
test_drag_sheet (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkEventController *drag = find_controller (fixture, GTK_TYPE_GESTURE_DRAG);
  GtkEventController *click = find_controller (fixture, GTK_TYPE_GESTURE_CLICK);
  GtkAdjustment *across = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  GtkAdjustment *down = gtk_adjustment_new (0, 0, 0, 0, 0, 0);

  g_object_set (fixture->picture, "hadjustment", across, "vadjustment", down, NULL);
  show (fixture->session, ATTN_DRAW_LAYERS);
  hs_picture_peek_layout (fixture->picture);
  g_assert_false (hs_picture_zoom_may_drag (fixture->picture));
  hs_session_set_magnification (fixture->session, 4);
  g_assert_true (hs_picture_zoom_may_drag (fixture->picture));
  gtk_adjustment_set_value (across, 100);
  gtk_adjustment_set_value (down, 120);
  g_signal_emit_by_name (drag, "drag-begin", 300.0, 300.0);
  g_signal_emit_by_name (drag, "drag-update", 2.0, 2.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 120);
  g_signal_emit_by_name (drag, "drag-update", -40.0, 50.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (across), ==, 140);
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 70);
  g_signal_emit_by_name (drag, "drag-update", 0.0, 1000.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 0);
  g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
  gtk_adjustment_set_value (across, 0);
  AttnDrawRect map = attn_draw_layout_get_panel_rect (hs_picture_peek_layout (fixture->picture), 1);
  g_signal_emit_by_name (click, "pressed", 1, map.x + 9, map.y + 9);
  g_assert_cmpuint (hs_session_get_head (fixture->session), ==, 0);
  g_signal_emit_by_name (click, "released", 1, map.x + 9, map.y + 9);
  g_assert_cmpuint (hs_session_get_head (fixture->session), ==, 1);
}

/* The same numbers of tokens keep the part, others show all again; the pixels are looked up anew.
 */
static void
test_new_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const size_t sizes[] = {N_TOKENS, N_TOKENS + 1};

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    hs_session_set_crop (fixture->session, &(AttnDrawCrop){8, 5, 8, 5});
    g_autoptr (AttnDrawPanels) panels = make_panels (fixture->session, sizes[i]);
    g_autoptr (HsAnswer) answer = hs_answer_new ();
    answer->maps = attn_maps_ref (attn_draw_panels_peek_maps (panels));
    answer->panels = attn_draw_panels_ref (panels);
    answer->view = attn_draw_view_copy (hs_session_peek_asked (fixture->session));
    hs_session_publish (fixture->session, answer);
    g_assert_cmpuint (get_crop (fixture).n_keys, ==, i == 0 ? 5 : N_TOKENS + 1);
  }
}

/* A grid is zoomed as one; the scale's name is in the note as soon as it is chosen. */
static void
test_grid_and_words (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  show (fixture->session, ATTN_DRAW_HEADS);
  act (fixture, "zoom-in");
  assert_crop (fixture, 2, 16, 2, 16);
  g_assert_null (strstr (hs_session_peek_view (fixture->session)->strings.range, "logarithmic"));
  hs_session_set_scale (fixture->session, ATTN_DRAW_SCALE_LOG);
  g_assert_nonnull (strstr (hs_session_peek_view (fixture->session)->strings.range, "logarithmic"));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/zoom/actions", test_actions);
  ADD ("/zoom/around-hovered", test_around_hovered);
  ADD ("/zoom/arrows-pan", test_arrows_pan);
  ADD ("/zoom/drag", test_drag);
  ADD ("/zoom/click", test_click);
  ADD ("/zoom/wheel-zooms", test_wheel_zooms);
  ADD ("/zoom/touchpad-zooms", test_touchpad_zooms);
  ADD ("/zoom/wheel-moves", test_wheel_moves);
  ADD ("/zoom/pinch", test_pinch);
  ADD ("/zoom/pinch-sheet", test_pinch_sheet);
  ADD ("/zoom/drag-sheet", test_drag_sheet);
  ADD ("/zoom/new-text", test_new_text);
  ADD ("/zoom/grid-and-words", test_grid_and_words);
  return g_test_run ();
}
