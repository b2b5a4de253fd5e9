/* SPDX-License-Identifier: MIT */
/* Picking is the inverse of placing, and of what the pixels show. */
#include "draw-fixture.h"

#include "attn-draw/paint.h"

#include <math.h>

static AttnDrawLayout *
make_layout (AttnDrawKind kind, size_t n_queries, size_t n_keys, double width)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 2,
                     .n_heads = kind == ATTN_DRAW_HEADS ? 6 : 1,
                     .n_queries = n_queries,
                     .n_keys = n_keys,
                     .labels = fixture_words,
                     .n_labels = fixture_n_words};

  view->kind = kind;
  view->width_px = width;
  view->layer = 1;
  return fixture_make_layout (&fixture, view);
}

static void
assert_picks (
    const AttnDrawLayout *layout, double x, double y, size_t panel, size_t query, size_t key)
{
  AttnDrawHit hit;
  g_assert_true (attn_draw_pick (layout, x, y, &hit));
  g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_MAP);
  g_assert_cmpuint (hit.panel, ==, panel);
  g_assert_cmpuint (hit.head, ==, panel);
  g_assert_cmpuint (hit.layer, ==, 1);
  g_assert_cmpuint (hit.query, ==, query);
  g_assert_cmpuint (hit.key, ==, key);
}

/* A cell's middle, its left and top edges, and points just inside the others. */
static void
assert_inverse (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key)
{
  AttnDrawRect cell = attn_draw_layout_place (layout, panel, query, key);
  double right = nextafter (cell.x + cell.width, 0), bottom = nextafter (cell.y + cell.height, 0);
  double just_right = cell.x + cell.width * (1 - 1e-6);
  double just_bottom = cell.y + cell.height * (1 - 1e-6);

  g_assert_cmpfloat (right, >, cell.x);
  g_assert_cmpfloat (bottom, >, cell.y);
  assert_picks (layout, cell.x + cell.width / 2, cell.y + cell.height / 2, panel, query, key);
  assert_picks (layout, cell.x, cell.y, panel, query, key);
  assert_picks (layout, just_right, just_bottom, panel, query, key);
}

static void
test_inverse (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (int trial = 0; trial < 60; trial++) {
    AttnDrawKind kind = trial % 3 == 0 ? ATTN_DRAW_HEADS : ATTN_DRAW_HEATMAP;
    size_t n_queries = (size_t)pow (2, g_rand_double_range (rand, 0, trial % 10 == 0 ? 11 : 8));
    size_t n_keys = trial % 2 == 0 ? n_queries : (size_t)g_rand_int_range (rand, 1, 200);
    g_autoptr (AttnDrawLayout) layout =
        make_layout (kind, n_queries, n_keys, g_rand_int_range (rand, 1, 1600));
    size_t n_panels = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout));
    for (int i = 0; i < 200; i++)
      assert_inverse (layout, (size_t)g_rand_int_range (rand, 0, (gint32)n_panels),
                      (size_t)g_rand_int_range (rand, 0, (gint32)n_queries),
                      (size_t)g_rand_int_range (rand, 0, (gint32)n_keys));
    assert_inverse (layout, n_panels - 1, n_queries - 1, n_keys - 1);
  }
}

/* The cell under the middle of a pixel is the one the pixel shows. */
static void
test_agrees_with_raster (void)
{
  float weights[49];
  for (size_t i = 0; i < 49; i++)
    weights[i] = (float)i / 48;
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 7, .n_keys = 7, .weights = weights};
  const uint32_t *lut = attn_draw_color_map_peek_lut (view->color_map);

  for (double width = 20; width < 700; width += 97) {
    view->hides_values = true; /* cells alone */
    view->width_px = width;
    g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
    size_t n_x = (size_t)rect.width, n_y = (size_t)rect.height;
    g_autofree uint32_t *pixels = g_new (uint32_t, n_x * n_y);
    attn_draw_raster (layout, 0, 1, pixels, n_x);
    if (n_x < 7)
      continue; /* pooled: a pixel shows more than one cell */
    for (size_t y = 0; y < n_y; y++)
      for (size_t x = 0; x < n_x; x++) {
        AttnDrawHit hit;
        g_assert_true (
            attn_draw_pick (layout, rect.x + (double)x + 0.5, rect.y + (double)y + 0.5, &hit));
        float weight = weights[hit.query * 7 + hit.key];
        g_assert_cmphex (pixels[y * n_x + x], ==, lut[attn_draw_color_index (weight, 1)]);
      }
  }
}

/* The middle of every label picks its token. */
static void
test_labels (void)
{
  static const size_t sizes[] = {1, 9, 32, 100, 512};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < 2; kind++) {
      g_autoptr (AttnDrawLayout) layout = make_layout ((AttnDrawKind)kind, sizes[s], sizes[s], 900);
      size_t n_labels = 0;
      for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
        const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
        bool is_query = item->role == ATTN_DRAW_ROLE_QUERY_LABEL;
        if (!is_query && item->role != ATTN_DRAW_ROLE_KEY_LABEL)
          continue;
        AttnDrawHit hit;
        n_labels++;
        g_assert_true (attn_draw_pick (layout, item->rect.x + item->rect.width / 2,
                                       item->rect.y + item->rect.height / 2, &hit));
        g_assert_cmpint (hit.role, ==, item->role);
        g_assert_cmpuint (is_query ? hit.query : hit.key, ==, item->token);
        g_assert_cmpuint (is_query ? hit.key : hit.query, ==, G_MAXSIZE);
        g_assert_cmpuint (hit.panel, ==, item->panel);
      }
      g_assert_cmpuint (n_labels, >=, 1);
    }
}

/* All layers: a map of every layer and head; a row's title is its layer, a column's its head. */
static void
test_layers (void)
{
  Fixture fixture = {.n_layers = 5, .n_heads = 7, .n_queries = 11, .n_keys = 6};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_LAYERS;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  AttnDrawHit hit;
  size_t n_layers = 0, n_heads = 0;

  for (size_t panel = 0; panel < 35; panel++)
    for (size_t query = 0; query < 11; query++) {
      AttnDrawRect cell = attn_draw_layout_place (layout, panel, query, 4);
      g_assert_true (
          attn_draw_pick (layout, cell.x + cell.width / 2, cell.y + cell.height / 2, &hit));
      g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_MAP);
      g_assert_cmpuint (hit.layer, ==, panel / 7);
      g_assert_cmpuint (hit.head, ==, panel % 7);
      g_assert_cmpuint (hit.query, ==, query);
      g_assert_cmpuint (hit.key, ==, 4);
    }
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_layer = item->role == ATTN_DRAW_ROLE_LAYER_TITLE;
    if (!is_layer && item->role != ATTN_DRAW_ROLE_HEAD_TITLE)
      continue;
    g_assert_true (attn_draw_pick (layout, item->rect.x + item->rect.width / 2,
                                   item->rect.y + item->rect.height / 2, &hit));
    g_assert_cmpint (hit.role, ==, item->role);
    g_assert_cmpuint (hit.panel, ==, G_MAXSIZE);
    g_assert_cmpuint (hit.layer, ==, is_layer ? n_layers : G_MAXSIZE);
    g_assert_cmpuint (hit.head, ==, is_layer ? G_MAXSIZE : n_heads);
    n_layers += is_layer;
    n_heads += !is_layer;
  }
  g_assert_cmpuint (n_layers, ==, 5);
  g_assert_cmpuint (n_heads, ==, 7);
}

/* No cell can be pointed at where only blocks are kept. */
static void
test_pooled (void)
{
  g_autofree float *zeros = g_new0 (float, 320 * 320);
  Fixture fixture = {
      .n_layers = 8, .n_heads = 8, .n_queries = 320, .n_keys = 320, .weights = zeros};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_LAYERS;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 27);
  AttnDrawHit hit;

  g_assert_true (attn_draw_pick (layout, rect.x + 3, rect.y + 3, &hit));
  g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_MAP);
  g_assert_cmpuint (hit.panel, ==, 27);
  g_assert_cmpuint (hit.layer, ==, 3);
  g_assert_cmpuint (hit.head, ==, 3);
  g_assert_cmpuint (hit.query, ==, G_MAXSIZE);
  g_assert_cmpuint (hit.key, ==, G_MAXSIZE);
}

static void
test_others (void)
{
  g_autoptr (AttnDrawLayout) layout = make_layout (ATTN_DRAW_HEADS, 9, 9, 900);
  AttnDrawHit hit;
  size_t n_titles = 0, n_bars = 0;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    double x = item->rect.x + item->rect.width / 2, y = item->rect.y + item->rect.height / 2;
    if (item->role == ATTN_DRAW_ROLE_HEAD_TITLE) {
      g_assert_true (attn_draw_pick (layout, x, y, &hit));
      g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_HEAD_TITLE);
      g_assert_cmpuint (hit.head, ==, item->panel);
      n_titles++;
    } else if (item->kind == ATTN_DRAW_ITEM_BAR) {
      g_assert_true (attn_draw_pick (layout, x, y, &hit));
      g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_BAR);
      g_assert_cmpuint (hit.panel, ==, G_MAXSIZE);
      n_bars++;
    }
  }
  g_assert_cmpuint (n_titles, ==, 6);
  g_assert_cmpuint (n_bars, ==, 1);
  static const double nowhere[][2] = {{-1, 5}, {0.5, 0.5}, {1e9, 1e9}, {NAN, NAN}, {-INFINITY, 5}};
  for (size_t i = 0; i < G_N_ELEMENTS (nowhere); i++) {
    g_assert_false (attn_draw_pick (layout, nowhere[i][0], nowhere[i][1], &hit));
    g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_NONE);
    g_assert_cmpuint (hit.query, ==, G_MAXSIZE);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pick/inverse", test_inverse);
  g_test_add_func ("/pick/agrees-with-raster", test_agrees_with_raster);
  g_test_add_func ("/pick/labels", test_labels);
  g_test_add_func ("/pick/layers", test_layers);
  g_test_add_func ("/pick/pooled", test_pooled);
  g_test_add_func ("/pick/others", test_others);
  return g_test_run ();
}
