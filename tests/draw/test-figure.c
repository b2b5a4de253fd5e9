/* SPDX-License-Identifier: MIT */
/* Figures: what shares a cell, picking as the inverse of placing, pixels, and files. */
#include "attn-draw/color-map.h"
#include "attn-draw/figure.h"

#include <glib.h>

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { ID_MATRIX = 1, ID_BAR, ID_WORD };

#define WIDTH 200
#define HEIGHT 120

static const AttnDrawRect matrix_rect = {20, 30, 70, 40};

/* A matrix of @n_rows × @n_columns values that grow, shared as asked. */
static AttnDrawFigure *
make_figure (size_t n_rows, size_t n_columns, size_t share, bool is_signed)
{
  const AttnDrawFigureStyle style = {.palette = ATTN_DRAW_PALETTE_PAPER};
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&style);
  g_autofree float *values = g_new (float, n_rows *n_columns);
  for (size_t i = 0; i < n_rows * n_columns; i++)
    values[i] = (float)i / (float)(n_rows * n_columns) - (is_signed ? 0.5F : 0.0F);
  const AttnDrawFigureMatrix matrix = {.n_rows = n_rows,
                                       .n_columns = n_columns,
                                       .values = values,
                                       .is_signed = is_signed,
                                       .max = 1,
                                       .rows_per_cell = share,
                                       .columns_per_cell = share};
  attn_draw_figure_add_matrix (builder, &matrix, matrix_rect, ID_MATRIX);
  const AttnDrawColor red = {1, 0, 0};
  attn_draw_figure_add_rule (builder, (AttnDrawRect){100, 30, 50, 10}, red, ID_BAR, 3, 4);
  attn_draw_figure_add_frame (builder, matrix_rect, (AttnDrawColor){0, 0, 1}, 2);
  attn_draw_figure_add_arrow (builder, (AttnDrawPoint){100, 60}, (AttnDrawPoint){140, 60}, red);
  const AttnDrawPoint points[] = {{100, 100}, {120, 80}, {150, 100}};
  attn_draw_figure_add_line (builder, points, G_N_ELEMENTS (points), red, 1.5);
  attn_draw_figure_add_area (builder, points, G_N_ELEMENTS (points), red, 0.3);
  const AttnDrawFigureText word = {.text = "<i>Q</i><sub>4</sub>K<sup>T</sup>",
                                   .is_markup = true,
                                   .align = ATTN_DRAW_ALIGN_MIDDLE,
                                   .id = ID_WORD,
                                   .row = 7};
  attn_draw_figure_add_text (builder, &word, 55, 8);
  return attn_draw_figure_builder_end (builder, WIDTH, HEIGHT);
}

/* Every value's place picks that value: its middle and its first corner. */
static void
check_pick (size_t n_rows, size_t n_columns, size_t share)
{
  g_autoptr (AttnDrawFigure) figure = make_figure (n_rows, n_columns, share, true);
  const size_t item = attn_draw_figure_find (figure, ID_MATRIX, ATTN_DRAW_FIGURE_MATRIX, 0);
  for (size_t row = 0; row < n_rows; row++)
    for (size_t column = 0; column < n_columns; column++) {
      const AttnDrawRect cell = attn_draw_figure_place (figure, item, row, column);
      const double xs[] = {cell.x, cell.x + cell.width / 2};
      const double ys[] = {cell.y, cell.y + cell.height / 2};
      for (size_t i = 0; i < 2; i++) {
        AttnDrawFigureHit hit;
        g_assert_true (attn_draw_figure_pick (figure, xs[i], ys[i], &hit));
        g_assert_cmpuint (hit.id, ==, ID_MATRIX);
        g_assert_cmpuint (hit.item, ==, item);
        g_assert_cmpuint (hit.row, ==, row);
        g_assert_cmpuint (hit.column, ==, column);
      }
    }
}

static void
test_pick (void)
{
  check_pick (4, 7, 1);
  check_pick (1, 1, 1);
  check_pick (37, 256, 8);
  check_pick (512, 512, 13);
}

/* What is no matrix answers what it was given; the ground answers nothing. */
static void
test_pick_others (void)
{
  g_autoptr (AttnDrawFigure) figure = make_figure (4, 7, 1, true);
  AttnDrawFigureHit hit = {0};
  g_assert_true (attn_draw_figure_pick (figure, 101, 31, &hit));
  g_assert_cmpuint (hit.id, ==, ID_BAR);
  g_assert_cmpuint (hit.row, ==, 3);
  g_assert_cmpuint (hit.column, ==, 4);
  const size_t word = attn_draw_figure_find (figure, ID_WORD, ATTN_DRAW_FIGURE_TEXT, 0);
  const AttnDrawRect rect = attn_draw_figure_place (figure, word, 0, 0);
  g_assert_cmpfloat_with_epsilon (rect.x + rect.width / 2, 55, 1);
  g_assert_true (attn_draw_figure_pick (figure, rect.x + 1, rect.y + 1, &hit));
  g_assert_cmpuint (hit.row, ==, 7);
  g_assert_false (attn_draw_figure_pick (figure, 120, 60, &hit)); /* the arrow has no id */
  g_assert_false (attn_draw_figure_pick (figure, 1, 1, &hit));
  g_assert_cmpuint (attn_draw_figure_find (figure, 99, ATTN_DRAW_FIGURE_TEXT, 0), ==, G_MAXSIZE);
}

static uint32_t
read_pixel (cairo_surface_t *surface, double x, double y)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);
  const uint32_t *row =
      (const void *)(data + (size_t)y * (size_t)cairo_image_surface_get_stride (surface));
  return row[(size_t)x] | 0xff000000;
}

static cairo_surface_t *
raster (const AttnDrawFigure *figure, double scale)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)(WIDTH * scale), (int)(HEIGHT * scale));
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  attn_draw_figure_paint (figure, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* The middle of every cell has exactly the colour map's colour of its value. */
static void
check_cells (bool is_signed, double scale)
{
  const size_t n_rows = 4, n_columns = 7;
  g_autoptr (AttnDrawFigure) figure = make_figure (n_rows, n_columns, 1, is_signed);
  const size_t item = attn_draw_figure_find (figure, ID_MATRIX, ATTN_DRAW_FIGURE_MATRIX, 0);
  cairo_surface_t *surface = raster (figure, scale);
  for (size_t i = 0; i < n_rows * n_columns; i++) {
    const float value = (float)i / (float)(n_rows * n_columns) - (is_signed ? 0.5F : 0.0F);
    const uint32_t wanted =
        is_signed ? attn_draw_diverging_peek_lut (
                        ATTN_DRAW_DIVERGING_LIGHT)[attn_draw_diverging_index (value, 1)]
                  : attn_draw_color_map_peek_lut (
                        ATTN_DRAW_COLOR_MAP_YLGNBU)[attn_draw_color_index (value, 1)];
    const AttnDrawRect cell = attn_draw_figure_place (figure, item, i / n_columns, i % n_columns);
    g_assert_cmphex (
        read_pixel (surface, (cell.x + cell.width / 2) * scale, (cell.y + cell.height / 2) * scale),
        ==, wanted);
  }
  cairo_surface_destroy (surface);
}

static void
test_cells (void)
{
  check_cells (true, 1);
  check_cells (true, 2.5);
  check_cells (false, 1);
}

/* Values that share a cell: the mean of signed ones, the largest of others; what is hidden does not
 * count, and a cell of nothing else is neither. */
static void
test_shared (void)
{
  const float values[] = {1, -0.5F, -INFINITY, -INFINITY, 0.25F, 0.25F, 0.5F, -INFINITY};
  const uint32_t *signs = attn_draw_diverging_peek_lut (ATTN_DRAW_DIVERGING_LIGHT);
  const uint32_t *weights = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU);
  const uint32_t wanted[2][3] = {
      {signs[attn_draw_diverging_index (0.25F, 1)], 0, signs[attn_draw_diverging_index (0.5F, 1)]},
      {weights[attn_draw_color_index (1, 1)], 0, weights[attn_draw_color_index (0.5F, 1)]}};
  for (int is_weight = 0; is_weight < 2; is_weight++) {
    const AttnDrawFigureStyle style = {.palette = ATTN_DRAW_PALETTE_PAPER};
    AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&style);
    const AttnDrawFigureMatrix matrix = {.n_rows = 1,
                                         .n_columns = 8,
                                         .values = values,
                                         .is_signed = is_weight == 0,
                                         .max = 1,
                                         .columns_per_cell = 2};
    attn_draw_figure_add_matrix (builder, &matrix, (AttnDrawRect){10, 10, 80, 20}, 1);
    g_autoptr (AttnDrawFigure) figure = attn_draw_figure_builder_end (builder, WIDTH, HEIGHT);
    cairo_surface_t *surface = raster (figure, 1);
    g_assert_cmphex (read_pixel (surface, 20, 20), ==, wanted[is_weight][0]);
    g_assert_cmphex (read_pixel (surface, 80, 20), ==, wanted[is_weight][2]);
    const uint32_t hidden = read_pixel (surface, 40, 20);
    g_assert_cmphex (hidden & 255, ==, hidden >> 8 & 255); /* grey, … */
    g_assert_cmphex (hidden, !=, 0xffffffff);              /* … yet not the ground */
    cairo_surface_destroy (surface);
  }
}

static void
test_share (void)
{
  g_assert_cmpuint (attn_draw_figure_find_share (256, 104, 3, 32), ==, 8);
  g_assert_cmpuint (attn_draw_figure_find_share (20, 104, 3, 0), ==, 1);
  g_assert_cmpuint (attn_draw_figure_find_share (20, 0.1, 3, 0), ==, 20);
  g_assert_cmpuint (attn_draw_figure_find_share (768, 104, 3, 64), ==, 32);
}

/* Text that only looks like markup stands as it is. */
static void
test_markup (void)
{
  const AttnDrawFigureStyle style = {.font_size_pt = 12};
  g_autoptr (AttnDrawFigureBuilder) builder = attn_draw_figure_builder_new (&style);
  AttnDrawFigureText text = {.text = "a <b", .is_markup = true};
  const AttnDrawTextSize wrong = attn_draw_figure_measure_text (builder, &text);
  text.is_markup = false;
  const AttnDrawTextSize plain = attn_draw_figure_measure_text (builder, &text);
  g_assert_cmpfloat (wrong.width, ==, plain.width);
  text.is_turned = true;
  const AttnDrawTextSize turned = attn_draw_figure_measure_text (builder, &text);
  g_assert_cmpfloat (turned.width, ==, plain.height);
  g_assert_cmpfloat (turned.height, ==, plain.width);
  text = (AttnDrawFigureText){.text = "many words in a row", .max_width = 60, .wraps = true};
  const AttnDrawTextSize wrapped = attn_draw_figure_measure_text (builder, &text);
  g_assert_cmpfloat (wrapped.width, <=, 60);
  g_assert_cmpfloat (wrapped.height, >, plain.height * 1.5);
}

/* A character of Chinese stands where other labels are turned, on the place that is asked for; a
 * word of them turns as others do. */
static void
test_turned (void)
{
  static const struct {
    const char *text;
    bool stands;
  } cases[] = {{"貓", true}, {"今天", false}, {"c", false}, {"", false}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const AttnDrawFigureStyle style = {.font_size_pt = 12};
    AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&style);
    AttnDrawFigureText text = {.text = cases[i].text};
    const AttnDrawTextSize plain = attn_draw_figure_measure_text (builder, &text);
    text.is_turned = true;
    text.align = ATTN_DRAW_ALIGN_END;
    const AttnDrawTextSize size = attn_draw_figure_add_text (builder, &text, 30, 80);
    g_assert_cmpfloat (size.width, ==, cases[i].stands ? plain.width : plain.height);
    g_autoptr (AttnDrawFigure) figure = attn_draw_figure_builder_end (builder, 100, 100);
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, 0);
    g_assert_cmpfloat (item->rect.x, ==, 30);
    g_assert_cmpfloat (item->rect.y + item->rect.height, ==, 80);
  }
}

static void
test_files (void)
{
  const AttnDrawProvenance provenance = {"A title", "where it comes from", "Headscope"};
  static const char *const heads[] = {"\x89PNG", "<?xml", "%PDF"};
  for (unsigned format = ATTN_DRAW_PNG; format <= ATTN_DRAW_PDF; format++) {
    g_autoptr (GError) error = NULL;
    GBytes *files[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
      g_autoptr (AttnDrawFigure) figure = make_figure (9, 64, 2, true);
      files[i] = attn_draw_figure_write (figure, (AttnDrawFormat)format, 1.5, &provenance, &error);
      g_assert_no_error (error);
    }
    g_assert_true (g_bytes_equal (files[0], files[1]));
    gsize size = 0;
    const char *bytes = g_bytes_get_data (files[0], &size);
    g_assert_cmpuint (size, >, 500);
    g_assert_true (memcmp (bytes, heads[format], 4) == 0);
    g_bytes_unref (files[0]);
    g_bytes_unref (files[1]);
  }
}

/* A matrix as large as maps are, with hidden values and one that is no number. */
static AttnDrawFigure *
make_noise (size_t n, double side, size_t share, bool is_signed)
{
  const AttnDrawFigureStyle style = {.palette = ATTN_DRAW_PALETTE_SCREEN_DARK};
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&style);
  g_autofree float *values = g_new (float, n *n);
  uint32_t noise = 1;
  for (size_t i = 0; i < n * n; i++) {
    noise = noise * 1664525U + 1013904223U;
    values[i] = (float)(noise >> 8) / (float)(1 << 24) - (is_signed ? 0.5F : 0.0F);
    if (i % 7 == 0)
      values[i] = -INFINITY;
  }
  values[n + 1] = NAN;
  const AttnDrawFigureMatrix matrix = {.n_rows = n,
                                       .n_columns = n,
                                       .values = values,
                                       .is_signed = is_signed,
                                       .max = 0.9,
                                       .rows_per_cell = share,
                                       .columns_per_cell = share};
  attn_draw_figure_add_matrix (builder, &matrix, (AttnDrawRect){3, 5, side, side}, ID_MATRIX);
  return attn_draw_figure_builder_end (builder, side + 9, side + 9);
}

static double
get_cpu_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* @is_cut: without the first pixel, which leaves no rectangle: then Cairo fills every cell.
 * Returns: ms of processor time. */
static double
paint_at (AttnDrawFigure *figure, double scale, double shift, bool is_cut, cairo_surface_t **image)
{
  const int width = (int)ceil (attn_draw_figure_get_width (figure) * scale);
  const int height = (int)ceil (attn_draw_figure_get_height (figure) * scale);
  *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (*image);
  if (is_cut) {
    cairo_rectangle (cr, 1, 0, width - 1, 1);
    cairo_rectangle (cr, 0, 1, width, height - 1);
    cairo_clip (cr);
  }
  cairo_translate (cr, shift, shift);
  cairo_scale (cr, scale, scale);
  const double begin = get_cpu_ms ();
  attn_draw_figure_paint (figure, cr);
  const double took = get_cpu_ms () - begin;
  cairo_destroy (cr);
  cairo_surface_flush (*image);
  return took;
}

/* Cells written without Cairo are those it would have filled, to the pixel, also where the figure
 * hangs over the image's edge; and large maps take a small part of the time. */
static void
test_pixels (void)
{
  static const struct {
    size_t n, share;
    double side, scale, shift;
    bool is_signed, is_timed;
  } cases[] = {
      {5, 1, 40, 1, 0, false, false},     {37, 4, 101, 1.5, 0, true, false},
      {60, 1, 30, 1, 0, false, false},    {33, 1, 66, 2, -9.5, true, false},
      {40, 1, 90.4, 1, 20, false, false}, {500, 1, 500, 1, 0, false, true},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnDrawFigure) figure =
        make_noise (cases[i].n, cases[i].side, cases[i].share, cases[i].is_signed);
    cairo_surface_t *fast, *slow;
    const double fast_ms = paint_at (figure, cases[i].scale, cases[i].shift, false, &fast);
    const double slow_ms = paint_at (figure, cases[i].scale, cases[i].shift, true, &slow);
    const int width = cairo_image_surface_get_width (fast);
    const int height = cairo_image_surface_get_height (fast);
    for (int y = 0; y < height; y++)
      for (int x = y == 0 ? 1 : 0; x < width; x++) {
        uint32_t pixels[2];
        cairo_surface_t *images[] = {fast, slow};
        for (size_t k = 0; k < 2; k++)
          memcpy (&pixels[k],
                  cairo_image_surface_get_data (images[k]) +
                      y * cairo_image_surface_get_stride (images[k]) + 4 * x,
                  4);
        if (pixels[0] != pixels[1])
          g_error ("case %zu, pixel %d,%d: %08x, Cairo %08x", i, x, y, pixels[0], pixels[1]);
      }
    if (cases[i].is_timed) {
      g_test_message ("%.2f ms, by Cairo %.2f ms", fast_ms, slow_ms);
      g_assert_cmpfloat (fast_ms, <, slow_ms / 4); /* measured: a twentieth */
    }
    cairo_surface_destroy (fast);
    cairo_surface_destroy (slow);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/pick", test_pick);
  g_test_add_func ("/figure/pick-others", test_pick_others);
  g_test_add_func ("/figure/cells", test_cells);
  g_test_add_func ("/figure/shared", test_shared);
  g_test_add_func ("/figure/share", test_share);
  g_test_add_func ("/figure/markup", test_markup);
  g_test_add_func ("/figure/turned", test_turned);
  g_test_add_func ("/figure/pixels", test_pixels);
  g_test_add_func ("/figure/files", test_files);
  return g_test_run ();
}
