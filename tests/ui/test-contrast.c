/* SPDX-License-Identifier: MIT */
/* Contrast of everything written in the window, in both themes and every view, from what is really
 * rendered; and of what is drawn to be seen: focus ring and bars. Source: WCAG 2.1, criteria 1.4.3
 * and 1.4.11, level AA. */
#include "hs-application.h"
#include "hs-window.h"
#include "ui-test.h"

#include <math.h>

#define TEXT "The animal didn't cross the street because it was too tired."
#define TEXT_B "The animal didn't cross the street because it was too wide."
#define LEAST_TEXT 4.5
#define LEAST_GRAPHICS 3.0
#define FRAMES_LIMIT_US (2 * G_USEC_PER_SEC)

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
} Fixture;

/* What a walk over the rendered nodes needs. */
typedef struct {
  cairo_surface_t *surface; /* the window as it looks */
  GArray *inactive; /* graphene_rect_t: of controls that take nothing, which need no contrast */
  guint n_texts, n_faint;
  double least;
} Walk;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (css, "/io/github/headscope/Headscope/headscope.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1180, 900);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_desk_close (&fixture->desk);
}

/* ---- colours ---- */

static double
get_luminance (GdkRGBA color)
{
  const double shares[] = {0.2126, 0.7152, 0.0722};
  const double channels[] = {(double)color.red, (double)color.green, (double)color.blue};
  double luminance = 0;

  for (int i = 0; i < 3; i++) {
    double c = channels[i];
    luminance += shares[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

static double
get_contrast (GdkRGBA a, GdkRGBA b)
{
  double one = get_luminance (a) + 0.05, two = get_luminance (b) + 0.05;

  return MAX (one, two) / MIN (one, two);
}

static GdkRGBA
lay_over (GdkRGBA color, double alpha, GdkRGBA ground)
{
  const float a = (float)alpha * color.alpha;

  return (GdkRGBA){ground.red + (color.red - ground.red) * a,
                   ground.green + (color.green - ground.green) * a,
                   ground.blue + (color.blue - ground.blue) * a, 1};
}

/* The colour that most pixels of a rectangle have: letters cover less than their ground. */
static GdkRGBA
find_ground (cairo_surface_t *surface, const graphene_rect_t *rect)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  const unsigned char *data = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  const int right =
      MIN ((int)(rect->origin.x + rect->size.width), cairo_image_surface_get_width (surface));
  const int bottom =
      MIN ((int)(rect->origin.y + rect->size.height), cairo_image_surface_get_height (surface));
  guint most = 0, found = 0;

  for (int y = MAX ((int)rect->origin.y, 0); y < bottom; y++)
    for (int x = MAX ((int)rect->origin.x, 0); x < right; x++) {
      guint32 pixel;
      memcpy (&pixel, data + (gsize)y * (gsize)stride + 4 * (gsize)x, sizeof pixel);
      guint pixel_color = pixel & 0xffffff;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (pixel_color))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (pixel_color), GUINT_TO_POINTER (n));
      if (n > most) {
        most = n;
        found = pixel_color;
      }
    }
  return (GdkRGBA){(float)(found >> 16 & 0xff) / 255, (float)(found >> 8 & 0xff) / 255,
                   (float)(found & 0xff) / 255, 1};
}

/* ---- the walk ---- */

static bool
is_inactive (const Walk *walk, const graphene_rect_t *rect)
{
  graphene_point_t middle;

  graphene_rect_get_center (rect, &middle);
  for (guint i = 0; i < walk->inactive->len; i++)
    if (graphene_rect_contains_point (&g_array_index (walk->inactive, graphene_rect_t, i), &middle))
      return true;
  return false;
}

static void
check_text (Walk *walk,
            GskRenderNode *node,
            GskTransform *transform,
            const graphene_rect_t *clip,
            double opacity)
{
  graphene_rect_t bounds, shown;

  gsk_render_node_get_bounds (node, &bounds);
  gsk_transform_transform_bounds (transform, &bounds, &bounds);
  if (!graphene_rect_intersection (&bounds, clip, &shown) ||
      shown.size.width < bounds.size.width / 2 || shown.size.height < bounds.size.height * 0.9f ||
      is_inactive (walk, &shown))
    return;
  GdkRGBA ground = find_ground (walk->surface, &shown);
  GdkRGBA color = lay_over (*gsk_text_node_get_color (node), opacity, ground);
  double contrast = get_contrast (color, ground);
  walk->n_texts++;
  walk->least = MIN (walk->least, contrast);
  if (contrast >= LEAST_TEXT)
    return;
  walk->n_faint++;
  g_test_message ("faint: %.2f at (%.0f, %.0f), %.0f px wide: %s on %s", contrast,
                  (double)shown.origin.x, (double)shown.origin.y, (double)shown.size.width,
                  gdk_rgba_to_string (&color), gdk_rgba_to_string (&ground));
}

static void walk_node (Walk *walk,
                       GskRenderNode *node,
                       GskTransform *transform,
                       const graphene_rect_t *clip,
                       double opacity);

static void
walk_transformed (Walk *walk,
                  GskRenderNode *node,
                  GskTransform *transform,
                  const graphene_rect_t *clip,
                  double opacity)
{
  GskTransform *inner = gsk_transform_transform (gsk_transform_ref (transform),
                                                 gsk_transform_node_get_transform (node));

  walk_node (walk, gsk_transform_node_get_child (node), inner, clip, opacity);
  gsk_transform_unref (inner);
}

static void
walk_clipped (Walk *walk,
              GskRenderNode *child,
              const graphene_rect_t *own,
              GskTransform *transform,
              const graphene_rect_t *clip,
              double opacity)
{
  graphene_rect_t rect;

  gsk_transform_transform_bounds (transform, own, &rect);
  if (graphene_rect_intersection (&rect, clip, &rect))
    walk_node (walk, child, transform, &rect, opacity);
}

static void
walk_node (Walk *walk,
           GskRenderNode *node,
           GskTransform *transform,
           const graphene_rect_t *clip,
           double opacity)
{
  switch ((int)gsk_render_node_get_node_type (node)) {
  case GSK_TEXT_NODE:
    check_text (walk, node, transform, clip, opacity);
    break;
  case GSK_CONTAINER_NODE:
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      walk_node (walk, gsk_container_node_get_child (node, i), transform, clip, opacity);
    break;
  case GSK_TRANSFORM_NODE:
    walk_transformed (walk, node, transform, clip, opacity);
    break;
  case GSK_OPACITY_NODE:
    walk_node (walk, gsk_opacity_node_get_child (node), transform, clip,
               opacity * (double)gsk_opacity_node_get_opacity (node));
    break;
  case GSK_CLIP_NODE:
    walk_clipped (walk, gsk_clip_node_get_child (node), gsk_clip_node_get_clip (node), transform,
                  clip, opacity);
    break;
  case GSK_ROUNDED_CLIP_NODE:
    walk_clipped (walk, gsk_rounded_clip_node_get_child (node),
                  &gsk_rounded_clip_node_get_clip (node)->bounds, transform, clip, opacity);
    break;
  case GSK_SHADOW_NODE:
    walk_node (walk, gsk_shadow_node_get_child (node), transform, clip, opacity);
    break;
  case GSK_DEBUG_NODE:
    walk_node (walk, gsk_debug_node_get_child (node), transform, clip, opacity);
    break;
  default: /* has no text, or that of an icon */
    break;
  }
}

static void
find_inactive (GtkWidget *widget, GtkWidget *window, GArray *rects)
{
  graphene_rect_t bounds;

  if (!gtk_widget_get_sensitive (widget) && gtk_widget_get_mapped (widget) &&
      gtk_widget_compute_bounds (widget, window, &bounds)) {
    g_array_append_val (rects, bounds);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_inactive (child, window, rects);
}

/* Until nothing is left to come: styles, sizes, textures. */
static void
settle (void)
{
  const gint64 end = g_get_monotonic_time () + FRAMES_LIMIT_US / 4;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

static GdkRGBA
get_color (GtkWidget *widget, const char *name)
{
  GdkRGBA color;

  g_assert_true (
      gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, &color));
  return color;
}

/* A window draws all but its own ground. */
static GskRenderNode *
render (GtkWidget *window, const graphene_rect_t *rect)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GdkRGBA ground = get_color (window, "theme_bg_color");

  gtk_snapshot_append_color (snapshot, &ground, rect);
  GTK_WIDGET_GET_CLASS (window)->snapshot (window, snapshot);
  return gtk_snapshot_free_to_node (snapshot);
}

typedef struct {
  GtkWidget *window;
  graphene_rect_t clip;
  GskRenderNode *node; /* NULL until it is painted */
} Painted;

static void
painted_cb (Painted *painted)
{
  if (painted->node != NULL)
    return;
  painted->clip = GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (painted->window),
                                      (float)gtk_widget_get_height (painted->window));
  painted->node = render (painted->window, &painted->clip);
}

static bool
has_node (gpointer painted)
{
  return ((Painted *)painted)->node != NULL;
}

/* At the end of a frame, when everything has its place: on a busy machine there is no other moment
 * that is certain to be between two layouts. */
static Painted
wait_painted (GtkWidget *window)
{
  Painted painted = {.window = window};
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  const gulong handler =
      g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (painted_cb), &painted);

  gtk_widget_queue_draw (window);
  ui_test_wait (has_node, &painted);
  g_signal_handler_disconnect (clock, handler);
  return painted;
}

static void
check (Fixture *fixture, const char *what)
{
  GtkWidget *window = fixture->window;
  Walk walk = {.least = INFINITY};

  settle ();
  g_assert_true (gtk_widget_get_mapped (window));
  const Painted painted = wait_painted (window);
  g_autoptr (GskRenderNode) node = painted.node;
  walk.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)painted.clip.size.width,
                                             (int)painted.clip.size.height);
  walk.inactive = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  find_inactive (window, window, walk.inactive);
  cairo_t *cr = cairo_create (walk.surface);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (walk.surface);
  walk_node (&walk, node, NULL, &painted.clip, 1);
  g_test_message ("%s: %u texts, least contrast %.2f", what, walk.n_texts, walk.least);
  g_assert_cmpuint (walk.n_texts, >, 20);
  if (walk.n_faint > 0)
    g_test_fail (); /* after all of them are told */
  g_array_unref (walk.inactive);
  cairo_surface_destroy (walk.surface);
}

/* ---- tests ---- */

static bool
is_shown (gpointer data)
{
  return hs_session_peek_panels (data) != NULL &&
         hs_session_peek_view (data)->kind == hs_session_get_kind (data) &&
         hs_session_get_state (data) == HS_STATE_READY;
}

static void
test_texts (Fixture *fixture, gconstpointer dark)
{
  static const AttnDrawKind kinds[] = {ATTN_DRAW_HEATMAP, ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS,
                                       ATTN_DRAW_LINES,   ATTN_DRAW_TEXT,  ATTN_DRAW_COMPARE};
  HsSession *session = fixture->desk.session;

  hs_side_set_text (hs_session_peek_side_b (session), TEXT_B);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    hs_session_set_kind (session, kinds[i]);
    ui_test_wait (is_shown, session);
    g_autofree char *what =
        g_strdup_printf ("%s view %d", dark != NULL ? "dark" : "light", (int)kinds[i]);
    check (fixture, what);
    hs_session_set_pinned (session, 4, HS_NONE);
    check (fixture, "pinned");
    hs_session_set_pinned (session, HS_NONE, HS_NONE);
  }
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_side_set_text (hs_session_peek_side (session), "The [MASK] sat.");
  ui_test_wait_state (session, HS_STATE_READY);
  g_assert_true (gtk_widget_activate_action (fixture->window, "win.find", NULL));
  check (fixture, "mask and find bar");
}

/* The focus ring on every ground it may lie on, and the bars on theirs. */
static void
test_graphics (Fixture *fixture, gconstpointer dark G_GNUC_UNUSED)
{
  static const char *const grounds[] = {"theme_base_color", "theme_bg_color"};
  static const char *const colors[] = {"focus_ring", "share", "picked"};

  settle ();
  for (size_t i = 0; i < G_N_ELEMENTS (colors); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (grounds); j++) {
      GdkRGBA color = get_color (fixture->window, colors[i]);
      GdkRGBA ground = get_color (fixture->window, grounds[j]);
      double contrast = get_contrast (color, ground);
      g_test_message ("%s on %s: %.2f", colors[i], grounds[j], contrast);
      g_assert_cmpfloat (contrast, >=, LEAST_GRAPHICS);
    }
}

static void
set_dark (gboolean dark)
{
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
set_up_dark (Fixture *fixture, gconstpointer data)
{
  set_dark (TRUE);
  set_up (fixture, data);
  hs_session_set_dark (fixture->desk.session, true);
}

static void
tear_down_dark (Fixture *fixture, gconstpointer data)
{
  tear_down (fixture, data);
  set_dark (FALSE);
}

int
main (int argc, char **argv)
{
  g_unsetenv ("GTK_THEME"); /* it would leave no choice between light and dark */
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
  g_test_add ("/contrast/light/texts", Fixture, NULL, set_up, test_texts, tear_down);
  g_test_add ("/contrast/light/graphics", Fixture, NULL, set_up, test_graphics, tear_down);
  g_test_add ("/contrast/dark/texts", Fixture, "dark", set_up_dark, test_texts, tear_down_dark);
  g_test_add ("/contrast/dark/graphics", Fixture, "dark", set_up_dark, test_graphics,
              tear_down_dark);
  return g_test_run ();
}
