/* SPDX-License-Identifier: MIT */
/* What is pointed at, as it is really drawn: seen on cells of every colour, and among lines no
 * stronger than its weight. Source of the contrast: WCAG 2.1, criterion 1.4.11. */
#include "formula-maps.h"
#include "hs-picture.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define N_TOKENS 6
#define WIDTH 640
#define HEIGHT 520
#define LEAST_CONTRAST 3.0

typedef struct {
  HsSession *session;
  HsPicture *picture;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->session = hs_session_new ();
  hs_session_set_shows_values (fixture->session, false); /* cells alone */
  fixture->picture = HS_PICTURE (g_object_ref_sink (hs_picture_new (fixture->session)));
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_finalize_object (fixture->picture);
  g_assert_finalize_object (fixture->session);
}

/* ---- helpers ---- */

static void
show (Fixture *fixture, AttnMaps *maps, AttnDrawKind kind, bool dark)
{
  g_autoptr (GError) error = NULL;
  hs_session_set_kind (fixture->session, kind);
  hs_session_set_dark (fixture->session, dark);
  const AttnDrawView *asked = hs_session_peek_asked (fixture->session);
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (asked, maps, NULL, NULL, NULL, &error);
  int minimum;
  g_assert_no_error (error);
  hs_session_show (fixture->session, panels, asked);
  gtk_widget_measure (GTK_WIDGET (fixture->picture), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL,
                      NULL, NULL);
  gtk_widget_size_allocate (GTK_WIDGET (fixture->picture), &(GtkAllocation){0, 0, WIDTH, HEIGHT},
                            -1);
}

static cairo_surface_t *
draw (HsPicture *picture, int scale)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (picture)->snapshot (GTK_WIDGET (picture), snapshot);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH * scale, HEIGHT * scale);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* @x,@y: px on the picture */
static AttnDrawColor
color_at (HsPicture *picture, cairo_surface_t *surface, double x, double y)
{
  graphene_point_t origin = hs_picture_get_origin (picture);
  double scale = (double)cairo_image_surface_get_width (surface) / WIDTH;
  size_t column = (size_t)floor ((x - (double)origin.x) * scale);
  size_t row = (size_t)floor ((y - (double)origin.y) * scale);
  const unsigned char *data = cairo_image_surface_get_data (surface);
  guint32 value;
  memcpy (&value,
          data + row * (size_t)cairo_image_surface_get_stride (surface) + column * sizeof value,
          sizeof value);
  return (AttnDrawColor){(value >> 16 & 0xff) / 255.0, (value >> 8 & 0xff) / 255.0,
                         (value & 0xff) / 255.0};
}

static double
get_luminance (AttnDrawColor color)
{
  const double channels[] = {color.red, color.green, color.blue};
  const double shares[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double c = channels[i];
    sum += shares[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

static double
get_contrast (AttnDrawColor a, AttnDrawColor b)
{
  double one = get_luminance (a) + 0.05, two = get_luminance (b) + 0.05;
  return MAX (one, two) / MIN (one, two);
}

/* ---- frames on cells ---- */

/* Going up from a cell over the frame into the cell above it, something differs clearly from the
 * cell, and something from the one above. */
static double
find_least_contrast (HsPicture *picture, size_t query, size_t key, double reach)
{
  AttnDrawRect rect = attn_draw_layout_place (hs_picture_peek_layout (picture), 0, query, key);
  cairo_surface_t *surface = draw (picture, 1);
  double x = rect.x + rect.width / 2;
  AttnDrawColor inside = color_at (picture, surface, x, rect.y + rect.height / 2);
  AttnDrawColor above = color_at (picture, surface, x, rect.y - rect.height / 2);
  double to_inside = 1, to_above = 1;
  for (double y = rect.y - reach; y < rect.y; y++) {
    AttnDrawColor mark = color_at (picture, surface, x, y);
    to_inside = MAX (to_inside, get_contrast (mark, inside));
    to_above = MAX (to_above, get_contrast (mark, above));
  }
  cairo_surface_destroy (surface);
  return MIN (to_inside, to_above);
}

static void
test_frames (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  double least = 21;
  for (unsigned map = 0; map < ATTN_DRAW_N_COLOR_MAPS; map++)
    for (int dark = 0; dark < 2; dark++) {
      hs_session_set_color_map (fixture->session, (AttnDrawColorMap)map);
      show (fixture, maps, ATTN_DRAW_HEATMAP, dark);
      for (guint query = 1; query < N_TOKENS; query++)
        for (guint key = 1; key < N_TOKENS; key++) {
          hs_session_set_hovered (fixture->session, &(HsCell){.query = query, .key = key});
          double cell = find_least_contrast (fixture->picture, query, key, 3);
          double row = find_least_contrast (fixture->picture, query, key - 1, 2);
          least = MIN (least, MIN (cell, row));
        }
    }
  g_test_message ("least contrast of a frame with the cells beside it: %.2f", least);
  g_assert_cmpfloat (least, >=, LEAST_CONTRAST);
}

/* ---- lines ---- */

static bool
compute_cb (void *source,
            size_t layer G_GNUC_UNUSED,
            size_t head G_GNUC_UNUSED,
            float *weights,
            GError **error G_GNUC_UNUSED)
{
  memcpy (weights, source, 4 * sizeof *weights);
  return true;
}

static const char *
peek_label_cb (void *source G_GNUC_UNUSED, AttnSide side G_GNUC_UNUSED, size_t index)
{
  return index == 0 ? "one" : "two";
}

static void
get_visible_cb (void *source G_GNUC_UNUSED,
                size_t layer G_GNUC_UNUSED,
                size_t query G_GNUC_UNUSED,
                size_t *first,
                size_t *end)
{
  *first = 0;
  *end = 2;
}

static AttnMaps *
make_maps (float weight)
{
  const float weights[4] = {weight, 1 - weight, 0, 1};
  AttnMapsClass klass = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = 2,
      .n_keys = 2,
      .compute = compute_cb,
      .peek_label = peek_label_cb,
      .get_visible = get_visible_cb,
      .free = g_free,
  };
  return attn_maps_new (&klass, g_memdup2 (weights, sizeof weights));
}

static double
get_distance (AttnDrawColor a, AttnDrawColor b)
{
  return MAX (MAX (fabs (a.red - b.red), fabs (a.green - b.green)), fabs (a.blue - b.blue));
}

/* Along the level line of a pair: as strong as its weight, within three of 256 steps as Cairo
 * blends and the line's place is rounded; where that is hardly anything, half of it is dashes. */
static void
test_lines (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const float shares[] = {1, 0.4f, 0.0571f, 4.8e-15f, 0};
  for (size_t i = 0; i < G_N_ELEMENTS (shares) * 2; i++) {
    float share = shares[i / 2];
    g_autoptr (AttnMaps) maps = make_maps (share);
    AttnDrawLine line;
    guint n_own = 0;
    show (fixture, maps, ATTN_DRAW_LINES, i % 2 == 1);
    hs_session_set_hovered (fixture->session, &(HsCell){0});
    const AttnDrawLayout *layout = hs_picture_peek_layout (fixture->picture);
    g_assert_true (attn_draw_layout_find_line (layout, 0, 0, 0, &line));
    g_assert_cmpfloat_with_epsilon (line.strength, (double)share, 0.5 / 255 + 1e-9);
    AttnDrawColor ground = attn_draw_layout_get_background (layout);
    AttnDrawColor wanted = {ground.red + line.strength * (line.color.red - ground.red),
                            ground.green + line.strength * (line.color.green - ground.green),
                            ground.blue + line.strength * (line.color.blue - ground.blue)};
    cairo_surface_t *surface = draw (fixture->picture, 2); /* a line covers px wholly */
    for (int x = 2; x < 18; x++) {
      AttnDrawColor got = color_at (fixture->picture, surface, line.left_x + x, line.left_y);
      n_own += get_distance (got, wanted) <= 3.0 / 255;
    }
    cairo_surface_destroy (surface);
    if (share < 0.1f)
      g_assert_true (n_own >= 6 && n_own <= 10);
    else
      g_assert_cmpuint (n_own, ==, 16);
  }
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv);
  ADD ("/marks/frames", test_frames);
  ADD ("/marks/lines", test_lines);
  return g_test_run ();
}
