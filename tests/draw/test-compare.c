/* SPDX-License-Identifier: MIT */
/* Comparisons: which maps and ranges, how tokens are linked, and pictures of them at any size. */
#include "layout-checks.h"

#include "attn-draw/paint.h"
#include "attn/align.h"
#include "attn/error.h"

#include <math.h>
#include <string.h>

static const char *const cat[] = {"[CLS]", "the", "cat", "sat", ".", "[SEP]"};
static const char *const dog[] = {"[CLS]", "the", "dog", "sat", "down", ".", "[SEP]"};
static const char *const other[] = {"un", "deux", "trois"};

#define ALL(labels) (labels), G_N_ELEMENTS (labels)

static AttnMaps *
make_maps (const char *const *labels, size_t n, bool causal)
{
  Fixture fixture = {
      .n_layers = 2,
      .n_heads = 3,
      .n_queries = n,
      .n_keys = n,
      .labels = labels,
      .n_labels = n,
      .causal = causal,
  };
  return fixture_make_maps (&fixture);
}

static AttnDrawView *
make_view (void)
{
  AttnDrawView *view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_COMPARE;
  view->hides_values = true; /* they would stand on the colours */
  return view;
}

static AttnDrawPanels *
make_panels (const AttnDrawView *view, AttnMaps *a, AttnMaps *b)
{
  g_autoptr (GError) error = NULL;
  AttnDrawPanels *panels = attn_draw_panels_new_compare (view, a, b, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return panels;
}

/* The cat's maps and the dog's. */
static AttnDrawPanels *
make_cat_and_dog (const AttnDrawView *view)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  return make_panels (view, a, b);
}

static float
find_max (const AttnMap *map)
{
  float max = 0;
  for (size_t i = 0; i < map->n_queries * map->n_keys; i++)
    max = MAX (max, fabsf (map->weights[i]));
  return max;
}

static void
test_panels (void)
{
  g_autoptr (AttnDrawView) view = make_view ();
  view->layer = 1;
  view->layer_b = 0;
  view->head_b = 2;
  g_autoptr (AttnDrawPanels) panels = make_cat_and_dog (view);
  const AttnMap *a = attn_draw_panels_peek (panels, 0);
  const AttnMap *b = attn_draw_panels_peek (panels, 1);
  const AttnMap *difference = attn_draw_panels_peek (panels, 2);

  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, 3);
  g_assert_cmpuint (a->layer, ==, 1);
  g_assert_cmpuint (b->layer, ==, 0);
  g_assert_cmpuint (b->head, ==, 2);
  g_assert_cmpuint (attn_draw_panels_get_layer (panels, 2), ==, 1);
  g_assert_cmpuint (difference->n_queries, ==, 5);
  /* "sat" is query 3 of both, "." is key 4 of A and 5 of B; the pairs 2 and 3 */
  g_assert_cmpfloat (difference->weights[2 * 5 + 3], ==,
                     a->weights[3 * 6 + 4] - b->weights[3 * 7 + 5]);
  g_assert_false (attn_draw_panels_is_difference (panels, 1));
  g_assert_true (attn_draw_panels_is_difference (panels, 2));
  g_assert_false (attn_draw_panels_has_no_difference (panels));
}

/* Exports take the maps that are drawn, and are told where there is no A − B. */
static void
test_maps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawView) view = make_view ();
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) apart = make_maps (ALL (other), false);
  g_autoptr (AttnDrawPanels) panels = make_cat_and_dog (view);
  g_autoptr (AttnDrawPanels) strangers = make_panels (view, a, apart);

  for (size_t panel = 0; panel < 3; panel++)
    g_assert_true (attn_draw_panels_peek_compared (panels, panel, NULL) ==
                   attn_draw_panels_peek (panels, panel)->maps);
  g_assert_nonnull (attn_draw_panels_peek_compared (strangers, 1, &error));
  g_assert_null (attn_draw_panels_peek_compared (strangers, 2, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, "A and B have no token in common, so there is no A − B");
}

static float
find_largest (AttnMaps *maps, size_t first_layer, size_t n_layers)
{
  float max = 0;
  for (size_t layer = first_layer; layer < first_layer + n_layers; layer++)
    for (size_t head = 0; head < 3; head++) {
      g_autoptr (AttnMap) map = attn_maps_dup_map (maps, layer, head, NULL);
      max = MAX (max, find_max (map));
    }
  return max;
}

/* A and B always have one range; A − B its own largest, or the chosen number. */
static void
test_ranges (void)
{
  static const AttnDrawRange ranges[] = {ATTN_DRAW_RANGE_AUTO, ATTN_DRAW_RANGE_MAP,
                                         ATTN_DRAW_RANGE_LAYER, ATTN_DRAW_RANGE_MODEL,
                                         ATTN_DRAW_RANGE_FIXED};
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  g_autoptr (AttnDrawView) view = make_view ();
  view->layer_b = 1;
  view->range_max = 0.3;

  for (size_t r = 0; r < G_N_ELEMENTS (ranges); r++) {
    view->range = ranges[r];
    g_autoptr (AttnDrawPanels) panels =
        attn_draw_panels_new_compare (view, a, b, pool, NULL, NULL, NULL);
    float maps = MAX (find_max (attn_draw_panels_peek (panels, 0)),
                      find_max (attn_draw_panels_peek (panels, 1)));
    float layers = MAX (find_largest (a, 0, 1), find_largest (b, 1, 1));
    float all = MAX (find_largest (a, 0, 2), find_largest (b, 0, 2));
    float expected[] = {maps, maps, layers, all, 0.3f};
    float difference = find_max (attn_draw_panels_peek (panels, 2));
    g_assert_cmpfloat (attn_draw_panels_get_max (panels, 0), ==, expected[r]);
    g_assert_cmpfloat (attn_draw_panels_get_max (panels, 1), ==, expected[r]);
    g_assert_cmpfloat (attn_draw_panels_get_max (panels, 2), ==,
                       ranges[r] == ATTN_DRAW_RANGE_FIXED ? 0.3f : difference);
  }
}

static void
assert_links (const AttnDrawPanels *panels, size_t panel, const size_t *joint, size_t n)
{
  const AttnMap *map = attn_draw_panels_peek (panels, panel);
  AttnSide sides[] = {ATTN_SIDE_QUERY, ATTN_SIDE_KEY};

  g_assert_cmpuint (map->n_queries, ==, n);
  for (size_t s = 0; s < 2; s++) {
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++)
      g_assert_cmpuint (attn_draw_panels_get_joint (panels, panel, sides[s], i), ==, joint[i]);
    for (size_t joint_index = 0; joint_index < attn_draw_panels_get_n_joint (panels, sides[s]);
         joint_index++) {
      size_t index = attn_draw_panels_find_joint (panels, panel, sides[s], joint_index);
      n_found += index != G_MAXSIZE;
      if (index != G_MAXSIZE)
        g_assert_cmpuint (joint[index], ==, joint_index);
    }
    g_assert_cmpuint (n_found, ==, n);
    g_assert_cmpuint (attn_draw_panels_find_joint (panels, panel, sides[s], G_MAXSIZE), ==,
                      G_MAXSIZE);
  }
}

/* A's six tokens, then "dog" and "down" of B. */
static void
test_links (void)
{
  static const size_t of_a[] = {0, 1, 2, 3, 4, 5}, of_b[] = {0, 1, 6, 3, 7, 4, 5};
  static const size_t of_both[] = {0, 1, 3, 4, 5}, order[] = {0, 1, 2, 6, 3, 7, 4, 5};
  g_autoptr (AttnDrawView) view = make_view ();
  g_autoptr (AttnDrawPanels) panels = make_cat_and_dog (view);

  g_assert_cmpuint (attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), ==, 8);
  assert_links (panels, 0, of_a, G_N_ELEMENTS (of_a));
  assert_links (panels, 1, of_b, G_N_ELEMENTS (of_b));
  assert_links (panels, 2, of_both, G_N_ELEMENTS (of_both));
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++)
    g_assert_cmpuint (attn_draw_panels_get_joint_at (panels, ATTN_SIDE_QUERY, i), ==, order[i]);
}

/* In every other view a joint_index is the row or column itself. */
static void
test_plain_links (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 3, .n_keys = 5};
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);

  g_assert_cmpuint (attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), ==, 5);
  g_assert_cmpuint (attn_draw_panels_get_joint (panels, 0, ATTN_SIDE_KEY, 4), ==, 4);
  g_assert_cmpuint (attn_draw_panels_find_joint (panels, 0, ATTN_SIDE_QUERY, 2), ==, 2);
  g_assert_cmpuint (attn_draw_panels_find_joint (panels, 0, ATTN_SIDE_QUERY, 3), ==, G_MAXSIZE);
  g_assert_cmpuint (attn_draw_panels_get_joint_at (panels, ATTN_SIDE_KEY, 2), ==, 2);
}

static void
test_refused (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnDrawView) view = make_view ();
  g_autoptr (GError) error = NULL;

  view->layer_b = 2;
  g_assert_null (attn_draw_panels_new_compare (view, a, a, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==,
                   "layer 3, head 1 of B was asked for, but there are only layers 1 to 2 and heads "
                   "1 to 3");
}

static AttnDrawLayout *
make_layout (AttnMaps *a, AttnMaps *b, double width, double max_height)
{
  g_autoptr (AttnDrawView) view = make_view ();
  view->width_px = width;
  view->max_height_px = max_height;
  g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
  return attn_draw_layout_new (view, panels);
}

/* What is said under the picture, and what not. */
static void
test_notes (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  g_autoptr (AttnMaps) apart = make_maps (ALL (other), false);
  g_autoptr (AttnDrawLayout) layout = make_layout (a, b, 1000, 0);
  g_autoptr (AttnDrawLayout) same = make_layout (a, a, 1000, 0);
  g_autoptr (AttnDrawLayout) strangers = make_layout (a, apart, 1000, 0);

  g_assert_true (
      layout_has_note (layout, "without a partner, so not in A − B: A: cat · B: dog, down"));
  g_assert_true (layout_has_note (layout, "range of A − B: ± "));
  g_assert_true (layout_has_note (layout, "purple: more in A · green: more in B"));
  g_assert_false (layout_has_note (layout, "exactly 0"));

  g_assert_true (layout_has_note (same, "every weight of A − B is exactly 0"));
  g_assert_false (layout_has_note (same, "without a partner"));
  g_assert_false (layout_has_note (same, "range of A − B"));

  g_assert_cmpuint (attn_draw_panels_get_n (attn_draw_layout_peek_panels (strangers)), ==, 2);
  g_assert_true (
      layout_has_note (strangers, "A and B have no token in common, so there is no A − B"));
  g_assert_false (layout_has_note (strangers, "purple"));
}

/* Long lists are cut and their length is told. */
static void
test_many_alone (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (fixture_words, fixture_n_words, false);
  g_autoptr (AttnDrawLayout) layout = make_layout (a, b, 1000, 0);
  g_autofree char *end = g_strdup_printf (", … (%zu)", fixture_n_words - 4);

  g_assert_true (layout_has_note (layout, "A: cat, sat · B: animal, didn, ', t, cross, 猫, …"));
  g_assert_true (layout_has_note (layout, end));
}

/* Every weight is exactly 0: the picture is the middle colour, the bar tells no other number. */
static void
test_same_is_zero (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnDrawLayout) layout = make_layout (a, a, 900, 0);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 2);
  const uint32_t *lut = attn_draw_diverging_peek_lut (ATTN_DRAW_DIVERGING_LIGHT);
  size_t width = (size_t)rect.width, n = width * (size_t)rect.height;
  g_autofree uint32_t *pixels = g_new (uint32_t, n);

  g_assert_true (attn_draw_panels_has_no_difference (panels));
  g_assert_cmpfloat (find_max (attn_draw_panels_peek (panels, 2)), ==, 0);
  attn_draw_raster (layout, 2, 1, pixels, width);
  for (size_t i = 0; i < n; i++)
    g_assert_cmphex (pixels[i], ==, lut[ATTN_DRAW_DIVERGING_MIDDLE]);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_number = item->role == ATTN_DRAW_ROLE_BAR && item->kind == ATTN_DRAW_ITEM_TEXT;
    if (is_number && item->rect.x > rect.x)
      g_assert_cmpstr (pango_layout_get_text (item->text), ==, "0");
  }
}

/* Each pixel of A − B is the colour of its cell, in the window's dark look, too; of several cells
 * under one pixel the one with the larger difference, whatever its sign. */
static void
test_colors (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  for (int dark = 0; dark < 2; dark++) {
    g_autoptr (AttnDrawView) view = make_view ();
    view->palette = dark ? ATTN_DRAW_PALETTE_SCREEN_DARK : ATTN_DRAW_PALETTE_PAPER;
    view->scale = ATTN_DRAW_SCALE_LOG; /* of A and B; differences stay linear */
    const uint32_t *lut =
        attn_draw_diverging_peek_lut (dark ? ATTN_DRAW_DIVERGING_DARK : ATTN_DRAW_DIVERGING_LIGHT);
    g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    const AttnMap *map = attn_draw_panels_peek (panels, 2);
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 2);
    size_t width = (size_t)rect.width, height = (size_t)rect.height;
    g_autofree uint32_t *pixels = g_new (uint32_t, width * height);
    attn_draw_raster (layout, 2, 1, pixels, width);
    for (size_t y = 0; y < height; y++)
      for (size_t x = 0; x < width; x++) {
        AttnDrawHit hit;
        g_assert_true (
            attn_draw_pick (layout, rect.x + (double)x + 0.5, rect.y + (double)y + 0.5, &hit));
        float weight = map->weights[hit.query * map->n_keys + hit.key];
        float max = attn_draw_panels_get_max (panels, 2);
        g_assert_cmphex (pixels[y * width + x], ==, lut[attn_draw_diverging_index (weight, max)]);
      }
  }
}

/* Weights written into cells have their sign and can be read on every colour. */
static void
test_values (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  g_autoptr (AttnDrawView) view = make_view ();
  view->width_px = 1600;
  g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
  g_autoptr (AttnDrawLayout) plain = attn_draw_layout_new (view, panels);
  view->hides_values = false;
  g_autoptr (AttnDrawLayout) written = attn_draw_layout_new (view, panels);
  for (size_t panel = 0; panel < 3; panel++) {
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (written, panel);
    size_t n = (size_t)rect.width * (size_t)rect.height, n_changed = 0;
    g_autofree uint32_t *before = g_new (uint32_t, n);
    g_autofree uint32_t *after = g_new (uint32_t, n);
    attn_draw_raster (plain, panel, 1, before, (size_t)rect.width);
    attn_draw_raster (written, panel, 1, after, (size_t)rect.width);
    for (size_t i = 0; i < n; i++)
      n_changed += before[i] != after[i];
    const AttnMap *map = attn_draw_panels_peek (panels, panel);
    g_assert_cmpuint (n_changed, >, 10 * map->n_queries * map->n_keys);
  }
}

static void
test_pooled_colors (void)
{
  enum { N = 600 };
  const char *labels[N];
  for (size_t i = 0; i < N; i++)
    labels[i] = "t";
  g_autofree float *weights = g_new0 (float, N *N);
  Fixture fixture = {.n_layers = 1,
                     .n_heads = 1,
                     .n_queries = N,
                     .n_keys = N,
                     .labels = labels,
                     .n_labels = N,
                     .weights = weights};
  g_autofree float *zeros = g_new0 (float, N *N);
  g_autoptr (AttnMaps) a = fixture_make_maps (&fixture);
  fixture.weights = zeros;
  g_autoptr (AttnMaps) b = fixture_make_maps (&fixture);
  weights[N * 300 + 300] = -0.5f;
  weights[N * 300 + 301] = 0.25f;
  g_autoptr (AttnDrawView) view = make_view ();
  view->width_px = 500;
  g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 2);
  size_t width = (size_t)rect.width, height = (size_t)rect.height, n_least = 0;
  g_assert_cmpuint (width, <, N * 3 / 4); /* most pixels show several cells */
  g_autofree uint32_t *pixels = g_new (uint32_t, width * height);
  attn_draw_raster (layout, 2, 1, pixels, width);
  for (size_t i = 0; i < width * height; i++)
    n_least += pixels[i] == attn_draw_diverging_peek_lut (ATTN_DRAW_DIVERGING_LIGHT)[1];
  g_assert_cmpuint (n_least, >=, 1);
}

/* The bar of A − B runs through all its colours, with 0 in the middle; opposite numbers are as far
 * from it. */
static void
test_bars (void)
{
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  g_autoptr (AttnDrawLayout) layout = make_layout (a, b, 1000, 0);
  const uint32_t *lut = attn_draw_diverging_peek_lut (ATTN_DRAW_DIVERGING_LIGHT);
  size_t n_bars = 0;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->kind != ATTN_DRAW_ITEM_BAR)
      continue;
    n_bars++;
    if (item->panel != 2)
      continue;
    size_t width = (size_t)(item->rect.width * 4), height = (size_t)(item->rect.height * 4);
    g_autofree uint32_t *pixels = g_new (uint32_t, width * height);
    attn_draw_raster_bar (layout, item, 4, pixels, width);
    g_assert_cmphex (pixels[0], ==, lut[255]);
    g_assert_cmphex (pixels[(height - 1) * width], ==, lut[1]);
    g_assert_cmphex (pixels[height / 2 * width], ==, lut[ATTN_DRAW_DIVERGING_MIDDLE]);
  }
  g_assert_cmpuint (n_bars, ==, 2);
}

/* A chosen range that A − B goes beyond is told at both ends of its bar, and only then. */
static void
test_clipped (void)
{
  static const double ends[] = {0.001, 10};
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);

  for (size_t e = 0; e < G_N_ELEMENTS (ends); e++) {
    g_autoptr (AttnDrawView) view = make_view ();
    view->range = ATTN_DRAW_RANGE_FIXED;
    view->range_max = ends[e];
    g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    size_t n_beyond = 0;
    for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
      const char *text = item->text != NULL ? pango_layout_get_text (item->text) : "";
      n_beyond += g_str_has_prefix (text, "≥ +") || g_str_has_prefix (text, "≤ −");
    }
    g_assert_cmpuint (n_beyond, ==, e == 0 ? 2 : 0);
  }
}

static const AttnDrawItem *
find_item (const AttnDrawLayout *layout, AttnDrawItemKind kind, size_t panel)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->kind == kind && item->panel == panel)
      return item;
  }
  return NULL;
}

/* However large the maps are, the bars are as tall. */
static void
test_tall_bars (void)
{
  static const char *const words[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  g_autoptr (AttnMaps) a = make_maps (ALL (words), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);
  g_autoptr (AttnDrawLayout) layout = make_layout (a, b, 5000, 3000);

  size_t n_bars = 0;
  for (size_t panel = 0; panel < 3; panel++) {
    const AttnDrawItem *bar = find_item (layout, ATTN_DRAW_ITEM_BAR, panel);
    const AttnDrawItem *map = find_item (layout, ATTN_DRAW_ITEM_PANEL, panel);
    if (bar == NULL)
      continue;
    n_bars++;
    g_assert_cmpfloat (bar->rect.y, ==, map->rect.y);
    g_assert_cmpfloat (bar->rect.height, ==, map->rect.height);
  }
  g_assert_cmpuint (n_bars, >=, 1);
}

/* What is pinned is marked wherever it is: "dog" in B alone, "sat" in all three. */
static void
test_pins (void)
{
  static const struct {
    size_t query, n_marks, n_labels;
  } cases[] = {{6, 1, 1}, {3, 3, 3}, {2, 1, 1}};
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (AttnDrawView) view = make_view ();
    view->has_pin = true;
    view->pin_query = cases[c].query;
    g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    AttnDrawColor plain = {0, 0, 0};
    size_t n_marks = 0, n_labels = 0;
    for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
      n_marks += item->kind == ATTN_DRAW_ITEM_MARK;
      n_labels += item->role == ATTN_DRAW_ROLE_QUERY_LABEL && item->color.red > plain.red;
    }
    g_assert_cmpuint (n_marks, ==, cases[c].n_marks);
    g_assert_cmpuint (n_labels, ==, cases[c].n_labels);
  }
}

static void
assert_inverse (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key)
{
  AttnDrawRect rect = attn_draw_layout_place (layout, panel, query, key);
  AttnDrawHit hit;

  g_assert_true (attn_draw_pick (layout, rect.x + rect.width / 2, rect.y + rect.height / 2, &hit));
  g_assert_cmpuint (hit.panel, ==, panel);
  g_assert_cmpuint (hit.query, ==, query);
  g_assert_cmpuint (hit.key, ==, key);
}

static void
assert_pickable (const AttnDrawLayout *layout)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    const AttnMap *map = attn_draw_panels_peek (panels, panel);
    assert_inverse (layout, panel, 0, 0);
    assert_inverse (layout, panel, map->n_queries - 1, map->n_keys - 1);
    assert_inverse (layout, panel, map->n_queries / 2, map->n_keys / 3);
  }
}

static AttnMaps *
make_some (GRand *rand, size_t n, bool causal)
{
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = n,
      .n_keys = n,
      .n_labels = (size_t)g_rand_int_range (rand, 1, (gint32)fixture_n_words),
      .causal = causal,
  };
  fixture.labels =
      fixture_words + g_rand_int_range (rand, 0, (gint32)(fixture_n_words - fixture.n_labels + 1));
  return fixture_make_maps (&fixture);
}

/* Texts of all lengths and scripts in pictures of all sizes. */
static void
test_any_size (void)
{
  static const size_t sizes[] = {1, 2, 3, 5, 8, 16, 24, 47, 90, 200, 512};
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (int trial = 0; trial < 120; trial++) {
    size_t n_a = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
    size_t n_b = trial % 3 == 0 ? sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))]
                                : n_a + (size_t)g_rand_int_range (rand, 0, 4);
    g_autoptr (AttnMaps) a = make_some (rand, n_a, trial % 5 == 0);
    g_autoptr (AttnMaps) b = make_some (rand, n_b, trial % 7 == 0);
    g_autoptr (AttnDrawView) view = make_view ();
    view->width_px = g_rand_int_range (rand, 260, 1900);
    view->max_height_px = trial % 2 == 0 ? g_rand_int_range (rand, 200, 1200) : 0;
    view->font_size_pt = trial % 4 == 0 ? g_rand_double_range (rand, 5, 16) : 10;
    view->has_pin = trial % 3 == 1;
    view->pin_query = n_a / 2;
    view->pin_key = n_a + 1;
    attn_draw_view_set_compared_strings (view, &(AttnDrawSubject){"one", "A text.", NULL},
                                         &(AttnDrawSubject){"two", "一段文字。", "B"}, NULL, NULL);
    g_autoptr (AttnDrawPanels) panels = make_panels (view, a, b);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    layout_assert_sane (layout);
    layout_assert_clear (layout);
    layout_assert_inside (layout);
    layout_assert_thinning_told (layout);
    assert_pickable (layout);
    g_assert_cmpfloat (attn_draw_layout_get_width (layout), <=, view->width_px);
  }
}

/* Down to nothing: no crash, no negative size. */
static void
test_tiny (void)
{
  static const double sides[] = {1, 2, 7, 40, 90, 160, 240, 0, -50, INFINITY, NAN};
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), true);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), true);

  for (size_t w = 0; w < G_N_ELEMENTS (sides); w++)
    for (size_t h = 0; h < G_N_ELEMENTS (sides); h++) {
      g_autoptr (AttnDrawLayout) layout = make_layout (a, b, sides[w], sides[h]);
      layout_assert_sane (layout);
      g_assert_cmpfloat (attn_draw_layout_get_height (layout), >=, 1);
    }
}

/* Side by side where it is wide, one under the other where it is narrow, and within the height. */
static void
test_arrangement_of_maps (void)
{
  static const struct {
    double width, height;
    size_t n_columns;
  } cases[] = {{1200, 0, 3}, {1200, 420, 3}, {480, 0, 1}, {420, 1300, 1}, {640, 640, 2}};
  g_autoptr (AttnMaps) a = make_maps (ALL (cat), false);
  g_autoptr (AttnMaps) b = make_maps (ALL (dog), false);

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (AttnDrawLayout) layout = make_layout (a, b, cases[c].width, cases[c].height);
    g_assert_cmpuint (layout_count_columns (layout), ==, cases[c].n_columns);
    if (cases[c].height > 0)
      g_assert_cmpfloat (attn_draw_layout_get_height (layout), <=, cases[c].height);
  }
}

/* The title tells the head where it is the same; what A is and what B is stands below it. */
static void
test_strings (void)
{
  g_autoptr (AttnDrawView) view = make_view ();
  AttnDrawSubject a = {"demo", "The cat.", NULL}, b = {"other", "The dog.", "A pair."};
  view->layer = view->layer_b = 2;
  view->head = view->head_b = 4;
  attn_draw_view_set_compared_strings (view, &a, &b, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==,
                   "Layer 3, head 5 · attention weights · A and B compared");
  g_assert_cmpstr (view->strings.subtitle, ==, "A: demo · The cat.");
  g_assert_cmpstr (view->strings.subtitle_b, ==, "B: other · The dog. | A pair.");
  view->head_b = 0;
  attn_draw_view_set_compared_strings (view, &a, &b, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "A and B compared");
  g_assert_cmpstr (view->strings.subtitle, ==,
                   "A: Layer 3, head 5 · attention weights · demo · The cat.");
  view->arrangement.combine = ATTN_COMBINE_MEAN;
  view->arrangement.unit = ATTN_UNIT_WORDS;
  attn_draw_view_set_compared_strings (view, &a, &b, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==,
                   "Layer 3 · mean of all heads · attention weights · A and B compared · between "
                   "words");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/panels", test_panels);
  g_test_add_func ("/compare/maps", test_maps);
  g_test_add_func ("/compare/ranges", test_ranges);
  g_test_add_func ("/compare/joint", test_links);
  g_test_add_func ("/compare/plain-joint", test_plain_links);
  g_test_add_func ("/compare/refused", test_refused);
  g_test_add_func ("/compare/notes", test_notes);
  g_test_add_func ("/compare/many-alone", test_many_alone);
  g_test_add_func ("/compare/same-is-zero", test_same_is_zero);
  g_test_add_func ("/compare/colors", test_colors);
  g_test_add_func ("/compare/values", test_values);
  g_test_add_func ("/compare/pooled-colors", test_pooled_colors);
  g_test_add_func ("/compare/bars", test_bars);
  g_test_add_func ("/compare/clipped", test_clipped);
  g_test_add_func ("/compare/tall-bars", test_tall_bars);
  g_test_add_func ("/compare/pins", test_pins);
  g_test_add_func ("/compare/any-size", test_any_size);
  g_test_add_func ("/compare/tiny", test_tiny);
  g_test_add_func ("/compare/arrangement", test_arrangement_of_maps);
  g_test_add_func ("/compare/strings", test_strings);
  return g_test_run ();
}
