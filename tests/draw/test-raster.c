/* SPDX-License-Identifier: MIT */
/* Cells as pixels: exact when enlarged, the largest when shrunk, patterns for what has no weight.
 */
#include "layout-checks.h"
#include "palette.h"

#include "attn-draw/paint.h"

#include <math.h>

typedef struct {
  uint32_t *pixels;
  size_t width, height;
} Image;

static Image
raster (const AttnDrawLayout *layout, size_t panel, double scale)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  Image image = {
      .width = (size_t)MAX (round (rect.width * scale), 1),
      .height = (size_t)MAX (round (rect.height * scale), 1),
  };
  /* a row more, to see that nothing is written past the end; a stride that is not the width */
  size_t stride = image.width + 3;
  uint32_t *padded = g_new (uint32_t, stride * (image.height + 1));
  for (size_t i = 0; i < stride * (image.height + 1); i++)
    padded[i] = 0x12345678;
  attn_draw_raster (layout, panel, scale, padded, stride);
  image.pixels = g_new (uint32_t, image.width * image.height);
  for (size_t y = 0; y <= image.height; y++)
    for (size_t x = 0; x < stride; x++) {
      if (y < image.height && x < image.width)
        image.pixels[y * image.width + x] = padded[y * stride + x];
      else
        g_assert_cmphex (padded[y * stride + x], ==, 0x12345678);
    }
  g_free (padded);
  return image;
}

static AttnDrawLayout *
make_layout (size_t n_queries, size_t n_keys, const float *weights, double width, bool causal)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = n_queries,
      .n_keys = n_keys,
      .weights = weights,
      .causal = causal,
  };
  view->hides_values = true; /* cells alone */
  view->width_px = width;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 1;
  return fixture_make_layout (&fixture, view);
}

static uint32_t
color_of (float value)
{
  return attn_draw_color_map_peek_lut (
      ATTN_DRAW_COLOR_MAP_YLGNBU)[attn_draw_color_index (value, 1)];
}

/* Every pixel has the colour of the cell its middle lies in; cells of whole px are equally large.
 */
static void
test_enlarged (void)
{
  const float weights[] = {0, 0.25f, 0.5f, 0.75f, 1, 0.1f, 0.2f, 0.3f, 0.4f};
  static const double scales[] = {0.75, 1, 1.5, 2, 3, 3.7};
  g_autoptr (AttnDrawLayout) layout = make_layout (3, 3, weights, 500, false);

  for (size_t s = 0; s < G_N_ELEMENTS (scales); s++) {
    Image image = raster (layout, 0, scales[s]);
    for (size_t y = 0; y < image.height; y++)
      for (size_t x = 0; x < image.width; x++) {
        size_t query = (size_t)(((double)y + 0.5) * 3 / (double)image.height);
        size_t key = (size_t)(((double)x + 0.5) * 3 / (double)image.width);
        g_assert_cmphex (image.pixels[y * image.width + x], ==,
                         color_of (weights[3 * query + key]));
      }
    g_free (image.pixels);
  }
}

/* No single large weight is lost, wherever it stands and however small the picture. */
static void
test_shrunk_keeps_every_line (void)
{
  const size_t n = 512;
  g_autofree float *weights = g_new0 (float, n *n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (int trial = 0; trial < 20; trial++) {
    size_t query = (size_t)g_rand_int_range (rand, 0, (gint32)n);
    size_t key = (size_t)g_rand_int_range (rand, 0, (gint32)n);
    weights[query * n + key] = 1;
    g_autoptr (AttnDrawLayout) layout =
        make_layout (n, n, weights, g_rand_int_range (rand, 60, 500), false);
    Image image = raster (layout, 0, 1);
    g_assert_cmpuint (image.width, <, n);
    size_t n_dark = 0;
    for (size_t i = 0; i < image.width * image.height; i++) {
      n_dark += image.pixels[i] == color_of (1);
      g_assert_true (image.pixels[i] == color_of (1) || image.pixels[i] == color_of (0));
    }
    /* a cell on the border of two pixels counts under both, in each direction */
    g_assert_cmpuint (n_dark, >=, 1);
    g_assert_cmpuint (n_dark, <=, 4);
    size_t x = key * image.width / n, y = query * image.height / n;
    g_assert_cmphex (image.pixels[y * image.width + x], ==, color_of (1));
    g_free (image.pixels);
    weights[query * n + key] = 0;
  }
}

/* Against plain loops over real overlaps. */
static void
test_shrunk_is_largest (void)
{
  const size_t n = 300;
  g_autofree float *weights = g_new (float, n *n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (size_t i = 0; i < n * n; i++)
    weights[i] = (float)g_rand_double (rand) * (float)g_rand_double (rand);
  g_autoptr (AttnDrawLayout) layout = make_layout (n, n, weights, 250, false);
  Image image = raster (layout, 0, 1);

  for (size_t y = 0; y < image.height; y++)
    for (size_t x = 0; x < image.width; x++) {
      float largest = 0;
      for (size_t query = 0; query < n; query++) {
        bool in_row = (query + 1) * image.height > y * n && query * image.height < (y + 1) * n;
        for (size_t key = 0; in_row && key < n; key++)
          if ((key + 1) * image.width > x * n && key * image.width < (x + 1) * n)
            largest = MAX (largest, weights[query * n + key]);
      }
      g_assert_cmphex (image.pixels[y * image.width + x], ==, color_of (largest));
    }
  g_free (image.pixels);
}

/* The same of maps that are kept as blocks: all cells of the blocks that a pixel touches. */
static void
test_shrunk_blocks (void)
{
  const size_t n = 300, per_block = 2;
  g_autofree float *weights = g_new (float, n *n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (size_t i = 0; i < n * n; i++)
    weights[i] = (float)g_rand_double (rand) * (float)g_rand_double (rand);
  Fixture fixture = {.n_layers = 9, .n_heads = 8, .n_queries = n, .n_keys = n, .weights = weights};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->hides_values = true; /* cells alone */
  view->kind = ATTN_DRAW_LAYERS;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->width_px = 1111;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  g_assert_null (attn_draw_panels_peek (attn_draw_layout_peek_panels (layout), 10));
  Image image = raster (layout, 10, 1);

  for (size_t y = 0; y < image.height; y++)
    for (size_t x = 0; x < image.width; x++) {
      float largest = 0;
      size_t first_query = y * n / image.height / per_block * per_block;
      size_t first_key = x * n / image.width / per_block * per_block;
      for (size_t query = first_query; query < n; query++) {
        if (query / per_block * per_block * image.height >= (y + 1) * n)
          break;
        for (size_t key = first_key; key < n; key++) {
          if (key / per_block * per_block * image.width >= (x + 1) * n)
            break;
          largest = MAX (largest, weights[query * n + key]);
        }
      }
      g_assert_cmphex (image.pixels[y * image.width + x], ==, color_of (largest));
    }
  g_free (image.pixels);
}

/* Hidden keys and NaN have colours of their own, no colour of the map, and differ. */
static void
test_patterns (void)
{
  const float weights[] = {0.5f, 0, 0, NAN, 0.25f, 0, 0, 0, 1};
  const AttnDrawInk *ink = attn_draw_palette_peek_ink (ATTN_DRAW_PALETTE_PAPER);
  g_autoptr (AttnDrawLayout) layout = make_layout (3, 3, weights, 400, true);

  for (double scale = 1; scale <= 3; scale++) {
    Image image = raster (layout, 0, scale);
    size_t n_hidden = 0, n_hidden_lines = 0, n_nan = 0, n_nan_lines = 0;
    for (size_t y = 0; y < image.height; y++)
      for (size_t x = 0; x < image.width; x++) {
        size_t query = (2 * y + 1) * 3 / (2 * image.height);
        size_t key = (2 * x + 1) * 3 / (2 * image.width);
        uint32_t pixel = image.pixels[y * image.width + x];
        if (key > query) {
          g_assert_true (pixel == ink->hidden || pixel == ink->hidden_line);
          n_hidden++;
          n_hidden_lines += pixel == ink->hidden_line;
        } else if (query == 1 && key == 0) {
          g_assert_true (pixel == ink->not_a_number || pixel == ink->not_a_number_line);
          n_nan++;
          n_nan_lines += pixel == ink->not_a_number_line;
        } else {
          g_assert_cmphex (pixel, ==, color_of (weights[3 * query + key]));
        }
      }
    /* one line of a sixth, two of an eighth that meet at every fourth; the edges cut some off */
    g_assert_cmpfloat (fabs ((double)n_hidden_lines / (double)n_hidden - 1.0 / 6), <, 0.02);
    g_assert_cmpfloat (fabs ((double)n_nan_lines / (double)n_nan - 7.0 / 32), <, 0.04);
    g_free (image.pixels);
  }
}

/* Where zero has no colour it is dotted: no hatching, no cross, no colour of the map; and the note
 * says so. */
static void
test_zeros (void)
{
  const float weights[] = {0.5f, 0, 0, 0.25f};
  const AttnDrawInk *ink = attn_draw_palette_peek_ink (ATTN_DRAW_PALETTE_PAPER);
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 2, .n_keys = 2, .weights = weights};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();

  for (AttnDrawScale scale = ATTN_DRAW_SCALE_LOG; scale <= ATTN_DRAW_SCALE_RANK; scale++) {
    view->scale = scale;
    view->hides_values = true;
    g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
    Image image = raster (layout, 0, 2);
    size_t n_zero = 0, n_dots = 0;
    for (size_t y = 0; y < image.height; y++)
      for (size_t x = 0; x < image.width; x++) {
        bool is_zero = (2 * y < image.height) != (2 * x < image.width);
        uint32_t pixel = image.pixels[y * image.width + x];
        bool looks_zero = pixel == ink->zero || pixel == ink->zero_dot;
        g_assert_cmpint (is_zero, ==, looks_zero);
        n_zero += is_zero;
        n_dots += pixel == ink->zero_dot;
      }
    /* a dot of 2 × 2 in each 12 × 12 pixels; the edges cut some off */
    g_assert_cmpfloat (fabs ((double)n_dots / (double)n_zero - 1.0 / 36), <, 0.005);
    g_assert_true (layout_has_note (layout, "dotted"));
    g_free (image.pixels);
  }
}

/* Under one pixel NaN is never lost, and hidden keys never cover a weight. */
static void
test_pooled_patterns (void)
{
  const size_t n = 400;
  g_autofree float *weights = g_new0 (float, n *n);
  const AttnDrawInk *ink = attn_draw_palette_peek_ink (ATTN_DRAW_PALETTE_PAPER);

  weights[399 * n + 7] = NAN;
  g_autoptr (AttnDrawLayout) layout = make_layout (n, n, weights, 220, true);
  Image image = raster (layout, 0, 1);
  size_t n_nan = 0;
  for (size_t i = 0; i < image.width * image.height; i++)
    n_nan += image.pixels[i] == ink->not_a_number || image.pixels[i] == ink->not_a_number_line;
  g_assert_cmpuint (n_nan, >=, 1);
  for (size_t x = 0; x < image.width; x++) /* the diagonal holds a visible key in every pixel */
    if (x < image.height)
      g_assert_cmphex (image.pixels[x * image.width + x], ==, color_of (0));
  g_free (image.pixels);
}

static void
test_bar (void)
{
  const float weights[] = {1};
  const uint32_t *lut = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU);
  g_autoptr (AttnDrawLayout) layout = make_layout (1, 1, weights, 500, false);
  const AttnDrawItem *item = NULL;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout) && item == NULL; i++)
    if (attn_draw_layout_peek_item (layout, i)->kind == ATTN_DRAW_ITEM_BAR)
      item = attn_draw_layout_peek_item (layout, i);
  g_assert_nonnull (item);
  AttnDrawRect rect = item->rect;
  g_assert_cmpfloat (rect.height, >, 1);

  for (double scale = 1; scale <= 8; scale *= 2) {
    size_t width = (size_t)(rect.width * scale), height = (size_t)(rect.height * scale);
    g_autofree uint32_t *pixels = g_new0 (uint32_t, width * height);
    attn_draw_raster_bar (layout, item, scale, pixels, width);
    size_t last = 256;
    for (size_t y = 0; y < height; y++) {
      for (size_t x = 1; x < width; x++)
        g_assert_cmphex (pixels[y * width + x], ==, pixels[y * width]);
      size_t index = 0;
      while (index < 256 && lut[index] != pixels[y * width])
        index++;
      g_assert_cmpuint (index, <=, last);
      last = index;
    }
    if (height >= 256) {
      g_assert_cmphex (pixels[0], ==, lut[255]);
      g_assert_cmphex (pixels[(height - 1) * width], ==, lut[0]);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/enlarged", test_enlarged);
  g_test_add_func ("/raster/shrunk-keeps-every-line", test_shrunk_keeps_every_line);
  g_test_add_func ("/raster/shrunk-is-largest", test_shrunk_is_largest);
  g_test_add_func ("/raster/shrunk-blocks", test_shrunk_blocks);
  g_test_add_func ("/raster/patterns", test_patterns);
  g_test_add_func ("/raster/zeros", test_zeros);
  g_test_add_func ("/raster/pooled-patterns", test_pooled_patterns);
  g_test_add_func ("/raster/bar", test_bar);
  return g_test_run ();
}
