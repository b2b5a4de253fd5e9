/* SPDX-License-Identifier: MIT */
/* Lenses that show numbers below 0: diverging colours around 0, ranges of both sides, and what no
 * query sees. */
#include "blocks.h"
#include "draw-fixture.h"
#include "layout-checks.h"
#include "layout-private.h"
#include "links.h"
#include "panels-private.h"
#include "test-util.h"

#include "attn-draw/paint.h"
#include "attn/metrics.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

/* of a model whose queries see no later keys */
static AttnMaps *causal;

static AttnMaps *
run (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  return attn_maps_new_from_trace (trace);
}

static AttnDrawView *
make_view (AttnDrawKind kind)
{
  AttnDrawView *view = attn_draw_view_new ();
  view->kind = kind;
  view->lens = ATTN_LENS_SCORES;
  view->width_px = 900;
  attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
  return view;
}

static AttnDrawLayout *
make_layout (const AttnDrawView *view)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, causal, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return attn_draw_layout_new (view, panels);
}

/* The range's end is the number farthest from 0 that is seen, by a plain loop. */
static void
test_range (void)
{
  g_autoptr (AttnDrawView) view = make_view (ATTN_DRAW_HEATMAP);
  g_autoptr (AttnDrawLayout) layout = make_layout (view);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  const AttnMap *map = attn_draw_panels_peek (panels, 0);
  float most = 0;

  for (size_t query = 0; query < map->n_queries; query++)
    for (size_t key = 0; key < map->n_keys; key++) {
      float score = map->weights[query * map->n_keys + key];
      if (key > query)
        g_assert_true (score == -INFINITY);
      else
        most = MAX (most, fabsf (score));
    }
  g_assert_true (attn_draw_panels_is_signed (panels, 0));
  g_assert_true (attn_draw_panels_is_signed (panels, G_MAXSIZE));
  g_assert_false (attn_draw_panels_is_difference (panels, 0));
  g_assert_cmpfloat (attn_draw_panels_get_max (panels, 0), ==, most);
  g_assert_true (layout_has_note (layout, "range: this map, ± "));
  g_assert_true (layout_has_note (layout, "purple: above 0 · green: below 0"));
  g_assert_true (layout_has_note (layout, "hatched: cannot be seen, the score is −∞"));
  g_assert_false (layout_has_note (layout, "negative weights"));
  g_assert_false (layout_has_note (layout, "crossed"));
}

static uint32_t
get_pixel (const AttnDrawLayout *layout, size_t query, size_t key)
{
  const AttnMap *map = attn_draw_panels_peek (attn_draw_layout_peek_panels (layout), 0);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  size_t width = (size_t)rect.width, height = (size_t)rect.height;
  g_autofree uint32_t *pixels = g_new (uint32_t, width * height);

  attn_draw_raster (layout, 0, 1, pixels, width);
  /* near a cell's corner: its middle may have a number */
  size_t x = (key * width + width / 20) / map->n_keys + 1;
  size_t y = (query * height + height / 20) / map->n_queries + 1;
  return pixels[y * width + x];
}

/* Each cell has the colour of its number's place between −max and max, light and dark. */
static void
test_colors (void)
{
  for (AttnDrawPalette palette = ATTN_DRAW_PALETTE_PAPER; palette <= ATTN_DRAW_PALETTE_SCREEN_DARK;
       palette++) {
    g_autoptr (AttnDrawView) view = make_view (ATTN_DRAW_HEATMAP);
    view->palette = palette;
    view->scale = ATTN_DRAW_SCALE_LOG; /* they have no logarithms, and say so */
    view->hides_values = true;
    attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
    g_autoptr (AttnDrawLayout) layout = make_layout (view);
    AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
    const AttnMap *map = attn_draw_panels_peek (panels, 0);
    const uint32_t *lut = attn_draw_diverging_peek_lut (palette == ATTN_DRAW_PALETTE_SCREEN_DARK
                                                            ? ATTN_DRAW_DIVERGING_DARK
                                                            : ATTN_DRAW_DIVERGING_LIGHT);
    for (size_t query = 0; query < map->n_queries; query++)
      for (size_t key = 0; key <= query; key++) {
        float score = map->weights[query * map->n_keys + key];
        unsigned index = attn_draw_diverging_index (score, attn_draw_panels_get_max (panels, 0));
        g_assert_cmphex (get_pixel (layout, query, key), ==, lut[index]);
      }
    g_assert_true (layout_has_note (layout, ", linear"));
  }
}

/* Blocks keep the number farthest from 0 with its sign; −∞ that is not seen counts for nothing. */
static void
test_blocks (void)
{
  const float weights[] = {1, -3, 2, 0.5f, -0.5f, 0, -1, -2, 4};
  const Fixture fixture = {
      .n_layers = 1, .n_heads = 1, .n_queries = 3, .n_keys = 3, .weights = weights};
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  AttnDrawBlocks blocks;
  float pooled[4];

  attn_draw_blocks_init (&blocks, maps, 2, 2);
  blocks.is_signed = true;
  AttnDrawPeak peak = attn_draw_blocks_pool (&blocks, maps, 0, weights, pooled);
  g_assert_cmpfloat (peak.max, ==, 4);
  g_assert_cmpfloat (pooled[0], ==, -3);
  g_assert_cmpfloat (pooled[1], ==, 2);
  g_assert_cmpfloat (pooled[2], ==, -2);
  g_assert_cmpfloat (pooled[3], ==, 4);
  blocks.is_signed = false;
  g_assert_cmpfloat (attn_draw_blocks_pool (&blocks, maps, 0, weights, pooled).max, ==, 4);
  g_assert_cmpfloat (pooled[0], ==, 1);

  const float endless[] = {1, -INFINITY, -3, 2};
  const Fixture small = {
      .n_layers = 1, .n_heads = 1, .n_queries = 2, .n_keys = 2, .weights = endless};
  g_autoptr (AttnMaps) seen = fixture_make_maps (&small);
  attn_draw_blocks_init (&blocks, seen, 1, 1);
  blocks.is_signed = true;
  peak = attn_draw_blocks_pool (&blocks, seen, 0, endless, NULL);
  g_assert_cmpfloat (peak.max, ==, 3);
  g_assert_cmpuint (peak.odd & ATTN_DRAW_ODD_CROSSED, ==, ATTN_DRAW_ODD_INFINITE);
}

/* Lines of both signs, as opaque as their numbers are far from 0. */
static void
test_lines (void)
{
  g_autoptr (AttnDrawView) view = make_view (ATTN_DRAW_LINES);
  g_autoptr (AttnDrawLayout) layout = make_layout (view);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  const uint32_t *lut = attn_draw_diverging_peek_lut (ATTN_DRAW_DIVERGING_LIGHT);
  const GArray *links = layout->links->shown.links;
  size_t n_below = 0;

  g_assert_cmpuint (links->len, >, 0);
  for (guint i = 0; i < links->len; i++) {
    const AttnDrawLink *link = &g_array_index (links, AttnDrawLink, i);
    size_t panel = layout->links->panels[link->slot];
    const AttnMap *map = attn_draw_panels_peek (panels, panel);
    float score = map->weights[link->query * map->n_keys + link->key];
    AttnDrawLine line;
    g_assert_cmpuint (link->key, <=, link->query);
    g_assert_cmpint (link->is_below, ==, score < 0);
    g_assert_cmpuint (
        link->code, ==,
        attn_draw_color_index (fabsf (score), attn_draw_panels_get_max (panels, panel)));
    g_assert_true (attn_draw_layout_find_line (layout, panel, link->query, link->key, &line));
    g_assert_cmphex (attn_draw_color_to_pixel (line.color), ==, lut[score < 0 ? 1 : 255]);
    n_below += link->is_below;
  }
  g_assert_cmpuint (n_below, >, 0);
  g_assert_cmpuint (n_below, <, links->len);
  g_assert_true (layout_has_note (layout, "purple: above 0 · green: below 0"));
}

/* A mean over all queries is over those that may see the key, and shades have both colours. */
static void
test_text (void)
{
  g_autoptr (AttnDrawView) view = make_view (ATTN_DRAW_TEXT);
  g_autoptr (AttnDrawLayout) layout = make_layout (view);
  const AttnMap *map = attn_draw_panels_peek (attn_draw_layout_peek_panels (layout), 0);
  g_autofree float *means = g_new (float, map->n_keys);
  g_autofree AttnDrawColor *shades = g_new (AttnDrawColor, map->n_keys);
  float most = 0;

  g_assert_cmpuint (attn_map_compute_column_means (map, means), ==, map->n_queries);
  for (size_t key = 0; key < map->n_keys; key++) {
    double sum = 0;
    for (size_t query = key; query < map->n_queries; query++)
      sum += (double)map->weights[query * map->n_keys + key];
    /* one rounding to single precision */
    g_assert_cmpfloat_with_epsilon ((double)means[key], sum / (double)(map->n_queries - key),
                                    1e-6 * (1 + fabs (sum)));
    most = MAX (most, fabsf (means[key]));
  }
  g_assert_cmpfloat (attn_draw_layout_get_max (layout, 0), ==, most);
  attn_draw_layout_get_shades (layout, G_MAXSIZE, shades);
  for (size_t key = 0; key < map->n_keys; key++)
    if (fabsf (means[key]) > most / 2) {
      bool is_green = shades[key].green > shades[key].red;
      g_assert_cmpint (is_green, ==, means[key] < 0);
      g_assert_cmpfloat (fixture_get_contrast (shades[key], layout->ink->text), >=, 4.5);
    }
  g_assert_false (layout_has_note (layout, "struck out"));
  g_assert_true (layout_has_note (layout, "range: the mean farthest from 0, ± "));
}

/* A row's sum may be 0 or below: rows stay as they are, and the title says so. */
static void
test_renormalise (void)
{
  g_autoptr (AttnDrawView) view = make_view (ATTN_DRAW_HEATMAP);
  g_autoptr (AttnDrawLayout) plain = make_layout (view);
  view->arrangement.renormalise = true;
  attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
  g_autoptr (AttnDrawLayout) asked = make_layout (view);
  const AttnMap *a = attn_draw_panels_peek (attn_draw_layout_peek_panels (plain), 0);
  const AttnMap *b = attn_draw_panels_peek (attn_draw_layout_peek_panels (asked), 0);
  g_assert_cmpmem (a->weights, a->n_queries * a->n_keys * sizeof (float), b->weights,
                   b->n_queries * b->n_keys * sizeof (float));
  g_assert_nonnull (strstr (view->strings.title, "not renormalised"));
}

/* Every view and range says ±, and no other lens does. */
static void
test_notes (void)
{
  for (AttnDrawKind kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_TEXT; kind++)
    for (AttnDrawRange range = ATTN_DRAW_RANGE_MAP; range <= ATTN_DRAW_RANGE_FIXED; range++) {
      g_autoptr (AttnDrawView) view = make_view (kind);
      view->range = range;
      view->range_max = 2;
      attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
      g_assert_null (strstr (view->strings.range, "0 – "));
      g_assert_true (strstr (view->strings.range, "±") != NULL ||
                     strstr (view->strings.range, "both sides") != NULL);
      g_autoptr (AttnDrawLayout) layout = make_layout (view);
      g_assert_true (layout_has_note (layout, "purple: above 0"));
      view->lens = ATTN_LENS_NORM;
      attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
      g_assert_null (strstr (view->strings.range, "±"));
      g_assert_cmpstr (view->strings.polarity, ==, "");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  causal = run ("The cat sat on the mat");
  g_test_add_func ("/signed/range", test_range);
  g_test_add_func ("/signed/colors", test_colors);
  g_test_add_func ("/signed/blocks", test_blocks);
  g_test_add_func ("/signed/lines", test_lines);
  g_test_add_func ("/signed/text", test_text);
  g_test_add_func ("/signed/renormalise", test_renormalise);
  g_test_add_func ("/signed/notes", test_notes);
  int status = g_test_run ();
  attn_maps_unref (causal);
  return status;
}
