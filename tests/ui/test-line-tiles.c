/* SPDX-License-Identifier: MIT */
/* Lines as textures: the same pixels as the file's, whether painted at once or on a thread. */
#include "formula-maps.h"
#include "hs-line-tiles.h"
#include "hs-work.h"
#include "ui-test.h"

#define FEW 6
#define MANY 200 /* tokens: their lines take longer than a frame */
#define TOP 300  /* px that are scrolled away */
#define HEIGHT 500

typedef struct {
  AttnDrawLayout *layout;
  const AttnDrawItem *lines;
  HsLineTiles *tiles;
  guint n_ready;
} Fixture;

static void
ready_cb (gpointer data)
{
  ((Fixture *)data)->n_ready++;
}

static void
fixture_init (Fixture *fixture, size_t n_tokens)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) maps = formula_maps_new (n_tokens, n_tokens);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_LINES;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  *fixture = (Fixture){.layout = attn_draw_layout_new (view, panels)};
  for (size_t i = 0; i < attn_draw_layout_get_n_items (fixture->layout); i++)
    if (attn_draw_layout_peek_item (fixture->layout, i)->kind == ATTN_DRAW_ITEM_LINES)
      fixture->lines = attn_draw_layout_peek_item (fixture->layout, i);
  g_assert_nonnull (fixture->lines);
  fixture->tiles = hs_line_tiles_new (ready_cb, fixture);
}

static void
fixture_clear (Fixture *fixture)
{
  hs_line_tiles_free (fixture->tiles);
  hs_work_drain ();
  attn_draw_layout_free (fixture->layout);
}

static AttnDrawFocus
focus_on (size_t query)
{
  return (AttnDrawFocus){G_MAXSIZE, query, G_MAXSIZE};
}

/* Returns: whether all was drawn; @surface: the lines from TOP on. */
static bool
draw (Fixture *fixture, const AttnDrawFocus *focus, cairo_surface_t **surface)
{
  AttnDrawRect rect = fixture->lines->rect;
  graphene_rect_t visible =
      GRAPHENE_RECT_INIT ((float)rect.x, (float)rect.y + TOP, (float)rect.width, HEIGHT);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  bool is_complete =
      hs_line_tiles_append (fixture->tiles, snapshot, fixture->layout, fixture->lines, focus,
                            &visible, &(HsScreen){.scale_factor = 1});
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)rect.width, HEIGHT);
  cairo_t *cr = cairo_create (*surface);
  cairo_translate (cr, -rect.x, -rect.y - TOP);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (*surface);
  return is_complete;
}

/* Whether @surface is what a file has there. */
static bool
is_of (Fixture *fixture, cairo_surface_t *surface, const AttnDrawFocus *focus)
{
  size_t width = (size_t)fixture->lines->rect.width;
  g_autofree uint32_t *wanted = g_new (uint32_t, width * HEIGHT);
  const unsigned char *row = cairo_image_surface_get_data (surface);
  bool same = true;
  attn_draw_raster_lines (fixture->layout, focus, 1, TOP, HEIGHT, wanted, width);
  for (size_t y = 0; y < HEIGHT; y++, row += cairo_image_surface_get_stride (surface))
    for (size_t x = 0; x < width; x++)
      same &= ((const uint32_t *)(const void *)row)[x] << 8 == wanted[y * width + x] << 8;
  return same;
}

static void
assert_drawn (Fixture *fixture,
              const AttnDrawFocus *focus,
              bool is_complete,
              const AttnDrawFocus *of)
{
  cairo_surface_t *surface;
  g_assert_cmpint (draw (fixture, focus, &surface), ==, is_complete);
  g_assert_true (is_of (fixture, surface, of));
  cairo_surface_destroy (surface);
}

static bool
is_ready (gpointer data)
{
  return ((Fixture *)data)->n_ready > 0;
}

static void
wait_for (Fixture *fixture, const AttnDrawFocus *focus)
{
  cairo_surface_t *surface;
  fixture->n_ready = 0;
  bool is_complete = draw (fixture, focus, &surface);
  cairo_surface_destroy (surface);
  if (!is_complete)
    ui_test_wait (is_ready, fixture);
}

/* Few lines are there in the first frame. */
static void
test_at_once (void)
{
  Fixture fixture;
  cairo_surface_t *surface;
  fixture_init (&fixture, FEW);
  g_assert_true (draw (&fixture, NULL, &surface));
  cairo_surface_destroy (surface);
  fixture_clear (&fixture);
}

/* Many come a little later, and are not there by halves. */
static void
test_later (void)
{
  Fixture fixture;
  cairo_surface_t *surface;
  fixture_init (&fixture, MANY);
  g_assert_false (draw (&fixture, NULL, &surface));
  cairo_surface_destroy (surface);
  wait_for (&fixture, NULL);
  assert_drawn (&fixture, NULL, true, NULL);
  fixture_clear (&fixture);
}

/* Pointing at a token: what was drawn before stays until its lines are there. */
static void
test_focus (void)
{
  AttnDrawFocus first = focus_on (30), second = focus_on (40);
  Fixture fixture;
  fixture_init (&fixture, MANY);
  wait_for (&fixture, NULL);
  assert_drawn (&fixture, &first, false, NULL);
  wait_for (&fixture, &first);
  assert_drawn (&fixture, &first, true, &first);
  assert_drawn (&fixture, &second, false, &first);
  wait_for (&fixture, &second);
  assert_drawn (&fixture, &second, true, &second);
  assert_drawn (&fixture, NULL, true, NULL);
  fixture_clear (&fixture);
}

/* The pointer runs over many tokens: only the one it is on in the end is drawn. */
static void
test_newest (void)
{
  AttnDrawFocus last = focus_on (40);
  cairo_surface_t *surface;
  Fixture fixture;
  fixture_init (&fixture, MANY);
  wait_for (&fixture, NULL);
  for (size_t query = 30; query < 40; query++) {
    AttnDrawFocus focus = focus_on (query);
    g_assert_false (draw (&fixture, &focus, &surface));
    cairo_surface_destroy (surface);
  }
  wait_for (&fixture, &last);
  assert_drawn (&fixture, &last, true, &last);
  fixture_clear (&fixture);
}

/* What was asked for before the picture changed, or went, is told to nobody. */
static void
test_gone (void)
{
  cairo_surface_t *surface;
  Fixture fixture;
  fixture_init (&fixture, MANY);
  g_assert_false (draw (&fixture, NULL, &surface));
  cairo_surface_destroy (surface);
  hs_line_tiles_clear (fixture.tiles);
  hs_work_drain ();
  g_assert_cmpuint (fixture.n_ready, ==, 0);
  g_assert_false (draw (&fixture, NULL, &surface));
  cairo_surface_destroy (surface);
  fixture_clear (&fixture);
  g_assert_cmpuint (fixture.n_ready, ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/line-tiles/at-once", test_at_once);
  g_test_add_func ("/line-tiles/later", test_later);
  g_test_add_func ("/line-tiles/focus", test_focus);
  g_test_add_func ("/line-tiles/newest", test_newest);
  g_test_add_func ("/line-tiles/gone", test_gone);
  return g_test_run ();
}
