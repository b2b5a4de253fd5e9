/* SPDX-License-Identifier: MIT */
/* The picture widget: its pixels, and what pointer and keys tell the session. */
#include "formula-maps.h"
#include "hs-picture-content.h"
#include "hs-picture-text.h"
#include "hs-picture.h"
#include "hs-status-line.h"
#include "hs-zoom.h"

#include "attn-draw/paint.h"

#include <gtk/gtk.h>

#define N_TOKENS 6
#define WIDTH 640
#define HEIGHT 520

typedef struct {
  HsSession *session;
  HsPicture *picture;
} Fixture;

static void
show (HsSession *session, AttnDrawKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  hs_session_set_kind (session, kind);
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (session, panels, hs_session_peek_asked (session));
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
  hs_session_set_shows_values (fixture->session, false); /* cells alone */
  fixture->picture = HS_PICTURE (g_object_ref_sink (hs_picture_new (fixture->session)));
  show (fixture->session, ATTN_DRAW_HEATMAP);
  allocate (GTK_WIDGET (fixture->picture), WIDTH, HEIGHT);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_finalize_object (fixture->picture);
  g_assert_finalize_object (fixture->session);
}

/* ---- helpers ---- */

static cairo_surface_t *
draw (HsPicture *picture)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (picture)->snapshot (GTK_WIDGET (picture), snapshot);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel_at (cairo_surface_t *surface, double x, double y)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);
  const unsigned char *row = data + (size_t)y * (size_t)cairo_image_surface_get_stride (surface);
  guint32 value;
  memcpy (&value, row + (size_t)x * sizeof value, sizeof value);
  return value & 0xffffff;
}

static void
get_middle (HsPicture *picture, size_t panel, size_t query, size_t key, double *x, double *y)
{
  AttnDrawRect rect = attn_draw_layout_place (hs_picture_peek_layout (picture), panel, query, key);
  graphene_point_t origin = hs_picture_get_origin (picture);
  *x = rect.x + rect.width / 2 - (double)origin.x;
  *y = rect.y + rect.height / 2 - (double)origin.y;
}

static GtkEventController *
find_controller (HsPicture *picture, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (picture));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
      return controller;
  }
  g_assert_not_reached ();
}

static void
point_at (HsPicture *picture, size_t panel, size_t query, size_t key)
{
  double x, y;
  get_middle (picture, panel, query, key, &x, &y);
  g_signal_emit_by_name (find_controller (picture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x,
                         y);
}

static void
click (HsPicture *picture, int n_press, size_t panel, size_t query, size_t key)
{
  double x, y;
  get_middle (picture, panel, query, key, &x, &y);
  g_signal_emit_by_name (find_controller (picture, GTK_TYPE_GESTURE_CLICK), "pressed", n_press, x,
                         y);
}

static void
assert_hovered (HsSession *session, guint head, guint query, guint key)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  g_assert_cmpuint (hovered->head, ==, head);
  g_assert_cmpuint (hovered->query, ==, query);
  g_assert_cmpuint (hovered->key, ==, key);
}

/* ---- tests ---- */

/* The middle of each cell has exactly the colour the value asks for. */
static void
test_cell_colours (Fixture *fixture, gconstpointer data)
{
  (void)data;
  const AttnMap *map = hs_session_peek_map (fixture->session);
  float max = attn_draw_panels_get_max (hs_session_peek_panels (fixture->session), 0);
  const uint32_t *lut = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU);
  hs_session_set_shows_values (fixture->session, false); /* they stand in the middle */
  cairo_surface_t *surface = draw (fixture->picture);
  for (size_t query = 0; query < N_TOKENS; query++)
    for (size_t key = 0; key < N_TOKENS; key++) {
      double x, y;
      get_middle (fixture->picture, 0, query, key, &x, &y);
      uint32_t wanted = lut[attn_draw_color_index (map->weights[query * N_TOKENS + key], max)];
      g_assert_cmphex (pixel_at (surface, x, y), ==, wanted & 0xffffff);
    }
  cairo_surface_destroy (surface);
}

/* Without hover and pin the widget shows the very pixels of the file's painter in the cells. */
static void
test_same_as_file (Fixture *fixture, gconstpointer data)
{
  (void)data;
  const AttnDrawLayout *layout = hs_picture_peek_layout (fixture->picture);
  cairo_surface_t *screen = draw (fixture->picture);
  cairo_surface_t *file = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (file);
  graphene_point_t origin = hs_picture_get_origin (fixture->picture);
  cairo_translate (cr, -(double)origin.x, -(double)origin.y);
  attn_draw_paint (layout, cr);
  cairo_destroy (cr);
  cairo_surface_flush (file);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  rect.x -= (double)origin.x;
  rect.y -= (double)origin.y;
  for (double y = rect.y; y < rect.y + rect.height; y++)
    for (double x = rect.x; x < rect.x + rect.width; x++)
      g_assert_cmphex (pixel_at (screen, x, y), ==, pixel_at (file, x, y));
  cairo_surface_destroy (screen);
  cairo_surface_destroy (file);
}

static void
test_hover (Fixture *fixture, gconstpointer data)
{
  (void)data;
  point_at (fixture->picture, 0, 2, 4);
  assert_hovered (fixture->session, 0, 2, 4);
  graphene_point_t origin = hs_picture_get_origin (fixture->picture);
  cairo_surface_t *surface = draw (fixture->picture);
  AttnDrawRect row =
      attn_draw_layout_place (hs_picture_peek_layout (fixture->picture), 0, 2, G_MAXSIZE);
  double x = row.x + row.width / 4 - (double)origin.x, y = row.y - 1 - (double)origin.y;
  guint32 hovered = pixel_at (surface, x, y);
  cairo_surface_destroy (surface);
  g_signal_emit_by_name (find_controller (fixture->picture, GTK_TYPE_EVENT_CONTROLLER_MOTION),
                         "leave");
  assert_hovered (fixture->session, HS_NONE, HS_NONE, HS_NONE);
  surface = draw (fixture->picture);
  guint32 plain = pixel_at (surface, x, y);
  g_assert_cmpuint (hovered & 0xff, <, plain & 0xff); /* a dark line above the row, gone again */
  cairo_surface_destroy (surface);
}

static void
test_click_pins (Fixture *fixture, gconstpointer data)
{
  (void)data;
  click (fixture->picture, 1, 0, 1, 3);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, 1);
  g_assert_cmpuint (hs_session_get_pinned_key (fixture->session), ==, 3);
  click (fixture->picture, 1, 0, 1, 3);
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, HS_NONE);
  click (fixture->picture, 1, 0, 2, 2);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->picture), "picture.clear", NULL));
  g_assert_cmpuint (hs_session_get_pinned_query (fixture->session), ==, HS_NONE);
}

static void
test_grid (Fixture *fixture, gconstpointer data)
{
  (void)data;
  show (fixture->session, ATTN_DRAW_HEADS);
  g_assert_cmpuint (attn_draw_panels_get_n (hs_session_peek_panels (fixture->session)), ==,
                    FORMULA_HEADS);
  point_at (fixture->picture, 3, 0, 1);
  assert_hovered (fixture->session, 3, 0, 1);
  click (fixture->picture, 1, 2, 1, 1);
  g_assert_cmpuint (hs_session_get_head (fixture->session), ==, 2);
  g_assert_cmpint (hs_session_get_kind (fixture->session), ==, ATTN_DRAW_HEADS);
  click (fixture->picture, 2, 2, 1, 1);
  g_assert_cmpint (hs_session_get_kind (fixture->session), ==, ATTN_DRAW_HEATMAP);
}

static void
click_at (HsPicture *picture, int n_press, AttnDrawRect rect)
{
  graphene_point_t origin = hs_picture_get_origin (picture);
  g_signal_emit_by_name (find_controller (picture, GTK_TYPE_GESTURE_CLICK), "pressed", n_press,
                         rect.x + rect.width / 2 - (double)origin.x,
                         rect.y + rect.height / 2 - (double)origin.y);
}

static AttnDrawRect
find_title (HsPicture *picture, AttnDrawRole role, size_t index)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == role && item->token == index)
      return item->rect;
  }
  g_assert_not_reached ();
}

static void
assert_chosen (HsSession *session, guint layer, guint head)
{
  g_assert_cmpuint (hs_session_get_layer (session), ==, layer);
  g_assert_cmpuint (hs_session_get_head (session), ==, head);
}

/* Of all layers a click chooses layer and head, on a title the one it names. */
static void
test_layers (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  show (session, ATTN_DRAW_LAYERS);
  g_assert_cmpuint (attn_draw_panels_get_n (hs_session_peek_panels (session)), ==,
                    FORMULA_LAYERS * FORMULA_HEADS);
  point_at (fixture->picture, 2 * FORMULA_HEADS + 1, 3, 0);
  assert_hovered (session, 1, 3, 0);
  g_assert_cmpuint (hs_session_peek_hovered (session)->layer, ==, 2);
  click (fixture->picture, 1, FORMULA_HEADS + 3, 1, 1);
  assert_chosen (session, 1, 3);
  click_at (fixture->picture, 1, find_title (fixture->picture, ATTN_DRAW_ROLE_LAYER_TITLE, 2));
  assert_chosen (session, 2, 3);
  click_at (fixture->picture, 2, find_title (fixture->picture, ATTN_DRAW_ROLE_HEAD_TITLE, 0));
  assert_chosen (session, 2, 0);
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_LAYERS);
  click (fixture->picture, 2, FORMULA_HEADS + 2, 0, 0);
  assert_chosen (session, 1, 2);
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_HEATMAP);
}

/* ---- zooming all layers ---- */

static double
get_map_size (HsPicture *picture)
{
  return attn_draw_layout_get_panel_rect (hs_picture_peek_layout (picture), 0).width;
}

static void
get_map_middle (HsPicture *picture, size_t panel, double *x, double *y)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (hs_picture_peek_layout (picture), panel);
  graphene_point_t origin = hs_picture_get_origin (picture);
  *x = rect.x + rect.width / 2 - (double)origin.x;
  *y = rect.y + rect.height / 2 - (double)origin.y;
}

/* The map under the pointer stays there; the sizes end at what is useful; other views have none. */
static void
test_magnify (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsPicture *picture = fixture->picture;
  GtkAdjustment *across = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  GtkAdjustment *down = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  double x, y, now_x, now_y;
  g_object_set (picture, "hadjustment", across, "vadjustment", down, NULL);
  g_assert_false (hs_picture_has_sheet (picture));
  show (fixture->session, ATTN_DRAW_LAYERS);
  allocate (GTK_WIDGET (picture), WIDTH, HEIGHT);
  g_assert_true (hs_picture_has_sheet (picture));
  double fitting = get_map_size (picture);
  get_map_middle (picture, 6, &x, &y);
  for (int i = 0; i < 3; i++) {
    hs_picture_magnify (picture, 1.25, x, y);
    get_map_middle (picture, 6, &now_x, &now_y);
    /* whole px, and no farther than the picture's ends */
    g_assert_cmpfloat (ABS (now_x - x), <=, 12);
    g_assert_cmpfloat (ABS (now_y - y), <=, 12);
  }
  g_assert_cmpfloat (get_map_size (picture), >, 1.6 * fitting);
  for (int i = 0; i < 40; i++)
    hs_picture_magnify (picture, 1.25, x, y);
  g_assert_cmpfloat (get_map_size (picture), <=, MIN (WIDTH, HEIGHT));
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), >, WIDTH);
  for (int i = 0; i < 40; i++)
    hs_picture_magnify (picture, 1 / 1.25, x, y);
  g_assert_cmpfloat (get_map_size (picture), ==, fitting);
  /* at the chosen head */
  hs_session_set_layer (fixture->session, 2);
  hs_session_set_head (fixture->session, 3);
  for (int i = 0; i < 3; i++)
    hs_zoom_by (fixture->session, HS_ZOOM_STEP);
  g_assert_cmpfloat (get_map_size (picture), >, 1.6 * fitting);
  get_map_middle (picture, 2 * FORMULA_HEADS + 3, &x, &y);
  g_assert_true (x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
  hs_zoom_reset (fixture->session);
  g_assert_cmpfloat (get_map_size (picture), ==, fitting);
}

/* Scrolled away, the titles stand along the edges, and a click there chooses what they name. */
static void
test_titles_stay (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsPicture *picture = fixture->picture;
  GtkAdjustment *across = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  GtkAdjustment *down = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  AttnDrawHit hit;
  double x, y;
  g_object_set (picture, "hadjustment", across, "vadjustment", down, NULL);
  show (fixture->session, ATTN_DRAW_LAYERS);
  for (int i = 0; i < 6; i++)
    hs_picture_magnify (picture, 1.25, 0, 0);
  gtk_adjustment_set_value (across, 300);
  gtk_adjustment_set_value (down, 200);
  cairo_surface_t *surface = draw (picture);
  g_assert_cmphex (pixel_at (surface, 1, 1), ==, 0xffffff); /* the strips' corner */
  cairo_surface_destroy (surface);
  get_map_middle (picture, FORMULA_HEADS + 2, &x, &y);
  g_assert_true (hs_picture_pick (picture, x, 12, &hit));
  g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_HEAD_TITLE);
  g_assert_cmpuint (hit.head, ==, 2);
  g_assert_cmpuint (hit.layer, ==, G_MAXSIZE);
  g_assert_true (hs_picture_pick (picture, 20, y, &hit));
  g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_LAYER_TITLE);
  g_assert_cmpuint (hit.layer, ==, 1);
  g_assert_cmpuint (hit.head, ==, G_MAXSIZE);
  g_assert_false (hs_picture_pick (picture, 5, 5, &hit));
  /* what is revealed is not under them */
  hs_session_set_layer (fixture->session, 0);
  hs_session_set_head (fixture->session, 0);
  hs_picture_reveal (picture,
                     attn_draw_layout_get_panel_rect (hs_picture_peek_layout (picture), 0));
  get_map_middle (picture, 0, &x, &y);
  double half = get_map_size (picture) / 2;
  g_assert_true (hs_picture_pick (picture, x - half + 1, y - half + 1, &hit));
  g_assert_cmpuint (hit.panel, ==, 0);
}

static AttnDrawRect
find_swatch (HsPicture *picture, size_t head)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_LEGEND && item->panel == head)
      return item->rect;
  }
  g_assert_not_reached ();
}

/* What the updater does when nothing new is to be computed. */
static void
show_again (HsSession *session)
{
  hs_session_show (session, hs_session_peek_panels (session), hs_session_peek_asked (session));
}

/* Pointing at a token, a line or a head tells the session; a click on a token pins it, on a head's
 * colour it hides the head, a double click leaves only this one. */
static void
test_lines_input (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  show (session, ATTN_DRAW_LINES);
  point_at (fixture->picture, 0, 2, G_MAXSIZE);
  assert_hovered (session, HS_NONE, 2, HS_NONE);
  point_at (fixture->picture, 0, G_MAXSIZE, 3);
  assert_hovered (session, HS_NONE, HS_NONE, 3);
  click (fixture->picture, 1, 0, 4, G_MAXSIZE);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 4);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  click_at (fixture->picture, 1, find_swatch (fixture->picture, 1));
  const AttnHeadSet *heads = &hs_session_peek_arrangement (session)->heads;
  g_assert_false (attn_head_set_has (heads, 1));
  g_assert_true (attn_head_set_has (heads, 2));
  show_again (session);
  click_at (fixture->picture, 1, find_swatch (fixture->picture, 1));
  g_assert_true (attn_head_set_is_empty (heads));
  click_at (fixture->picture, 2, find_swatch (fixture->picture, 3));
  g_assert_true (attn_head_set_has (heads, 3));
  g_assert_false (attn_head_set_has (heads, 2));
  /* the same by keys: the pointer's head */
  hs_session_set_hovered (session, &(HsCell){2, HS_NONE, HS_NONE, HS_NONE});
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->picture), "picture.pin", NULL));
  g_assert_true (attn_head_set_has (heads, 2));
}

/* Without pointer and pin the lines are the very pixels of the file's painter, also where the
 * picture is scrolled; with the pointer on a token they are that token's lines. */
static void
test_lines_pixels (Fixture *fixture, gconstpointer data)
{
  (void)data;
  show (fixture->session, ATTN_DRAW_LINES);
  const AttnDrawLayout *layout = hs_picture_peek_layout (fixture->picture);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  graphene_point_t origin = hs_picture_get_origin (fixture->picture);
  size_t width = (size_t)rect.width, height = (size_t)rect.height;
  g_autofree uint32_t *pixels = g_new (uint32_t, width * height);
  AttnDrawFocus focus = {G_MAXSIZE, 2, G_MAXSIZE};

  for (int focused = 0; focused < 2; focused++) {
    if (focused)
      point_at (fixture->picture, 0, 2, G_MAXSIZE);
    cairo_surface_t *screen = draw (fixture->picture);
    attn_draw_raster_lines (layout, focused ? &focus : NULL, 1, 0, height, pixels, width);
    for (size_t y = 2; y + 2 < height; y++)
      for (size_t x = 2; x + 2 < width; x++) /* labels' outlines lie on the border */
        g_assert_cmphex (pixel_at (screen, rect.x + (double)x - (double)origin.x,
                                   rect.y + (double)y - (double)origin.y),
                         ==, pixels[y * width + x] & 0xffffff);
    cairo_surface_destroy (screen);
  }
}

static guint32
get_token_pixel (HsPicture *picture, size_t key)
{
  AttnDrawRect rect = attn_draw_layout_place (hs_picture_peek_layout (picture), 0, G_MAXSIZE, key);
  graphene_point_t origin = hs_picture_get_origin (picture);
  cairo_surface_t *surface = draw (picture);
  guint32 pixel = pixel_at (surface, round (rect.x) + 2 - (double)origin.x,
                            round (rect.y) + 2 - (double)origin.y);
  cairo_surface_destroy (surface);
  return pixel;
}

static guint32
to_pixel (AttnDrawColor color)
{
  return (guint32)lround (255 * color.red) << 16 | (guint32)lround (255 * color.green) << 8 |
         (guint32)lround (255 * color.blue);
}

/* In the text the pointer shows where a piece looks, unless a query is pinned: then it reads the
 * weights from that one. A click pins, another one releases. */
static void
test_text (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  HsPicture *picture = fixture->picture;
  AttnDrawColor shades[N_TOKENS];
  show (session, ATTN_DRAW_TEXT);
  attn_draw_layout_get_shades (hs_picture_peek_layout (picture), G_MAXSIZE, shades);
  g_assert_cmphex (get_token_pixel (picture, 1), ==, to_pixel (shades[1]));
  point_at (picture, 0, G_MAXSIZE, 3);
  assert_hovered (session, 0, 3, HS_NONE);
  attn_draw_layout_get_shades (hs_picture_peek_layout (picture), 3, shades);
  g_assert_cmphex (get_token_pixel (picture, 1), ==, to_pixel (shades[1]));
  click (picture, 1, 0, G_MAXSIZE, 3);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 3);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  point_at (picture, 0, G_MAXSIZE, 4);
  assert_hovered (session, 0, 3, 4);
  g_assert_cmphex (get_token_pixel (picture, 1), ==, to_pixel (shades[1])); /* of the pinned one */
  click (picture, 1, 0, G_MAXSIZE, 5);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 5);
  click (picture, 1, 0, G_MAXSIZE, 5);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
}

static void
press (HsPicture *picture, HsMove move)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  AttnDrawRect rect;
  g_assert_true (hs_picture_text_move (hs_picture_peek_session (picture), layout, move, &rect));
  g_assert_cmpfloat (rect.width, >, 0);
}

/* Keys go from piece to piece and from line to line, and pin. */
static void
test_text_keys (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  HsPicture *picture = fixture->picture;
  allocate (GTK_WIDGET (picture), 180, HEIGHT);
  show (session, ATTN_DRAW_TEXT);
  press (picture, HS_MOVE_RIGHT);
  assert_hovered (session, 0, 0, HS_NONE);
  press (picture, HS_MOVE_RIGHT);
  assert_hovered (session, 0, 1, HS_NONE);
  press (picture, HS_MOVE_END);
  assert_hovered (session, 0, N_TOKENS - 1, HS_NONE);
  AttnDrawRect last =
      attn_draw_layout_place (hs_picture_peek_layout (picture), 0, G_MAXSIZE, N_TOKENS - 1);
  press (picture, HS_MOVE_UP);
  guint above = hs_session_peek_hovered (session)->query;
  AttnDrawRect rect =
      attn_draw_layout_place (hs_picture_peek_layout (picture), 0, G_MAXSIZE, above);
  g_assert_cmpfloat (rect.y + rect.height, <=, last.y); /* a narrow picture has several lines */
  press (picture, HS_MOVE_DOWN);
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, >, above);
  press (picture, HS_MOVE_HOME);
  press (picture, HS_MOVE_UP);
  assert_hovered (session, 0, 0, HS_NONE);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (picture), "picture.pin", NULL));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 0);
  press (picture, HS_MOVE_RIGHT);
  assert_hovered (session, 0, 0, 1);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (picture), "picture.pin", NULL));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 1);
}

/* Textures outlive what does not change them: the same pixels after another head was chosen, other
 * ones after other colours. */
static void
test_same_pixels (Fixture *fixture, gconstpointer data)
{
  (void)data;
  HsSession *session = fixture->session;
  double x, y;
  hs_session_set_shows_values (session, false);
  show (session, ATTN_DRAW_LAYERS);
  get_middle (fixture->picture, 5, 2, 2, &x, &y);
  cairo_surface_t *before = draw (fixture->picture);
  hs_session_set_head (session, 3);
  hs_session_show (session, hs_session_peek_panels (session), hs_session_peek_asked (session));
  cairo_surface_t *after = draw (fixture->picture);
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_MAGMA);
  cairo_surface_t *colours = draw (fixture->picture);
  show (session, ATTN_DRAW_HEATMAP);
  cairo_surface_t *other = draw (fixture->picture);
  g_assert_cmphex (pixel_at (before, x, y), ==, pixel_at (after, x, y));
  g_assert_cmphex (pixel_at (before, x, y), !=, pixel_at (colours, x, y));
  const uint32_t *lut = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_MAGMA);
  const AttnMap *map = hs_session_peek_map (session);
  float max = attn_draw_panels_get_max (hs_session_peek_panels (session), 0);
  get_middle (fixture->picture, 0, 1, 1, &x, &y);
  uint32_t wanted = lut[attn_draw_color_index (map->weights[N_TOKENS + 1], max)];
  g_assert_cmphex (pixel_at (other, x, y), ==, wanted & 0xffffff);
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
  cairo_surface_destroy (colours);
  cairo_surface_destroy (other);
}

/* Sizes from nothing to large, and a picture without panels, draw without complaint. */
static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  (void)data;
  static const int sizes[][2] = {{160, 160}, {161, 900}, {900, 161}, {2000, 1500}};
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    allocate (GTK_WIDGET (fixture->picture), sizes[i][0], sizes[i][1]);
    const AttnDrawLayout *layout = hs_picture_peek_layout (fixture->picture);
    g_assert_cmpfloat (attn_draw_layout_get_width (layout), >, 0);
    cairo_surface_destroy (draw (fixture->picture));
  }
  hs_session_show (fixture->session, NULL, NULL);
  g_assert_null (hs_picture_peek_layout (fixture->picture));
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkAccessible *accessible = GTK_ACCESSIBLE (fixture->picture);
  gtk_test_accessible_assert_role (accessible, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       hs_session_peek_view (fixture->session)->strings.title);
}

/* A picture that is not there yet may be dragged all the same: it has no small one. */
static void
test_drag_icon (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *label = gtk_label_new ("shown");
  GtkWidget *empty = g_object_ref_sink (gtk_label_new (NULL));
  g_autoptr (GdkPaintable) none = hs_picture_content_dup_icon (empty);
  g_autoptr (GdkPaintable) some = NULL;

  g_assert_null (none);
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_width (label) == 0)
    g_main_context_iteration (NULL, TRUE);
  some = hs_picture_content_dup_icon (label);
  g_assert_true (GDK_IS_PAINTABLE (some));
  g_assert_cmpint (gdk_paintable_get_intrinsic_width (some), >, 0);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (empty);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/picture/cell-colours", test_cell_colours);
  ADD ("/picture/same-as-file", test_same_as_file);
  ADD ("/picture/hover", test_hover);
  ADD ("/picture/click-pins", test_click_pins);
  ADD ("/picture/grid", test_grid);
  ADD ("/picture/lines-input", test_lines_input);
  ADD ("/picture/lines-pixels", test_lines_pixels);
  ADD ("/picture/text", test_text);
  ADD ("/picture/text-keys", test_text_keys);
  ADD ("/picture/layers", test_layers);
  ADD ("/picture/magnify", test_magnify);
  ADD ("/picture/titles-stay", test_titles_stay);
  ADD ("/picture/same-pixels", test_same_pixels);
  ADD ("/picture/sizes", test_sizes);
  ADD ("/picture/accessible", test_accessible);
  g_test_add_func ("/picture/drag-icon", test_drag_icon);
  return g_test_run ();
}
