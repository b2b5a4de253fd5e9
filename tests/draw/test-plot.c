/* SPDX-License-Identifier: MIT */
/* Charts: where points and numbers stand, that texts are whole and apart, and what they are of. */
#include "attn-draw/lab-charts.h"
#include "attn-draw/plot.h"

#include <math.h>
#include <string.h>

#define NARROW 260.0
#define WIDE 1100.0

static const AttnDrawFigureStyle paper = {.palette = ATTN_DRAW_PALETTE_PAPER};

static const AttnDrawPlotPoint rising[] = {
    {1, 0.002, 0.001, 0.004}, {2, 0.02, 0.02, 0.02}, {4, 0.2, 0.1, 0.3}, {8, 2, 2, 2}};

static AttnDrawFigure *
make (const AttnDrawPlotAxis *x, const AttnDrawPlotAxis *y, size_t n, double width)
{
  const AttnDrawPlotSeries series = {.name = "a", .points = rising, .n = n};
  const AttnDrawPlot plot = {.title = "t",
                             .x = *x,
                             .y = *y,
                             .series = &series,
                             .n_series = 1,
                             .has_mark = true,
                             .mark = 4};
  return attn_draw_chart_new (&(AttnDrawChart){.plots = &plot, .n_plots = 1}, &paper, width);
}

static AttnDrawRect
find_dot (AttnDrawFigure *figure, size_t point)
{
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->id == ATTN_DRAW_PLOT_ID (0) && item->row == point)
      return item->rect;
  }
  g_assert_not_reached ();
}

/* The middle of the text that is @word. */
static double
find_word (AttnDrawFigure *figure, const char *word, bool across)
{
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->kind == ATTN_DRAW_FIGURE_TEXT && g_strcmp0 (item->text, word) == 0)
      return across ? item->rect.x + item->rect.width / 2 : item->rect.y + item->rect.height / 2;
  }
  g_test_fail_printf ("there is no %s", word);
  return NAN;
}

/* On logarithmic axes equal factors are equal steps; numbers stand at what they name: to 2 px,
 * since letters are not as high as their line. */
static void
test_logarithmic (void)
{
  static const double ticks[] = {1, 2, 4, 8};
  const AttnDrawPlotAxis x = {.title = "h", .is_log = true, .ticks = ticks, .n_ticks = 4};
  const AttnDrawPlotAxis y = {.title = "ms", .is_log = true};
  g_autoptr (AttnDrawFigure) figure = make (&x, &y, 4, WIDE);
  AttnDrawRect dots[4];
  for (size_t i = 0; i < 4; i++)
    dots[i] = find_dot (figure, i);
  for (size_t i = 1; i < 4; i++) {
    g_assert_cmpfloat_with_epsilon (dots[i].x - dots[i - 1].x, dots[1].x - dots[0].x, 1e-6);
    g_assert_cmpfloat_with_epsilon (dots[i].y - dots[i - 1].y, dots[1].y - dots[0].y, 1e-6);
  }
  g_assert_cmpfloat (dots[1].y, <, dots[0].y); /* more is higher */
  g_assert_cmpfloat_with_epsilon (find_word (figure, "4", true), dots[2].x + dots[2].width / 2, 1);
  g_assert_cmpfloat_with_epsilon (
      find_word (figure, "0.01", false),
      dots[1].y + dots[1].height / 2 + (dots[0].y - dots[1].y) * log10 (2), 2);
}

static void
test_linear (void)
{
  const AttnDrawPlotAxis x = {.title = "step"}, y = {.title = "right", .most = 1};
  g_autoptr (AttnDrawFigure) figure = make (&x, &y, 4, WIDE);
  const AttnDrawRect first = find_dot (figure, 1), second = find_dot (figure, 2);
  const AttnDrawRect third = find_dot (figure, 3);
  g_assert_cmpfloat_with_epsilon (third.x - second.x, 2 * (second.x - first.x), 1e-6);
  const double zero = find_word (figure, "0.0", false), two = find_word (figure, "2.0", false);
  g_assert_cmpfloat_with_epsilon (third.y + third.height / 2, two, 2);
  g_assert_cmpfloat_with_epsilon (second.y + second.height / 2, zero + (two - zero) / 10, 2);
}

/* Nothing, one point, and a value without a place on the axis. */
static void
test_little (void)
{
  const AttnDrawPlotAxis x = {.title = "x"}, y = {.title = "y", .is_log = true};
  const AttnDrawPlotPoint odd[] = {{1, 0, 0, 0}, {2, NAN, 0, 0}, {3, 5, 5, 5}};
  const AttnDrawPlotSeries series = {.points = odd, .n = 3};
  const AttnDrawPlot plot = {.x = x, .y = y, .series = &series, .n_series = 1};
  for (size_t n = 0; n < 2; n++) {
    g_autoptr (AttnDrawFigure) figure = make (&x, &y, n, WIDE);
    g_assert_cmpfloat (attn_draw_figure_get_width (figure), ==, WIDE);
  }
  g_autoptr (AttnDrawFigure) figure =
      attn_draw_chart_new (&(AttnDrawChart){.plots = &plot, .n_plots = 1}, &paper, WIDE);
  size_t n_dots = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++)
    n_dots += attn_draw_figure_peek_item (figure, i)->id != 0;
  g_assert_cmpuint (n_dots, ==, 1);
}

/* ---- the lab's own charts ---- */

static bool
overlap (const AttnDrawRect *a, const AttnDrawRect *b)
{
  return a->x + 1 < b->x + b->width && b->x + 1 < a->x + a->width && a->y + 1 < b->y + b->height &&
         b->y + 1 < a->y + a->height;
}

static void
check_texts (AttnDrawFigure *figure)
{
  const size_t n = attn_draw_figure_get_n_items (figure);
  for (size_t i = 0; i < n; i++) {
    const AttnDrawFigureItem *a = attn_draw_figure_peek_item (figure, i);
    if (a->kind != ATTN_DRAW_FIGURE_TEXT)
      continue;
    if (a->rect.x < -1 || a->rect.x + a->rect.width > attn_draw_figure_get_width (figure) + 1 ||
        a->rect.y < -1 || a->rect.y + a->rect.height > attn_draw_figure_get_height (figure) + 1)
      g_test_fail_printf ("“%s” reaches over the edge", a->text);
    for (size_t k = i + 1; k < n; k++) {
      const AttnDrawFigureItem *b = attn_draw_figure_peek_item (figure, k);
      if (b->kind == ATTN_DRAW_FIGURE_TEXT && overlap (&a->rect, &b->rect))
        g_test_fail_printf ("“%s” lies on “%s”", a->text, b->text);
    }
  }
}

static AttnExperiment *
make_experiment (void)
{
  static const size_t heads[] = {1, 4};
  AttnExperimentOptions options = {
      .train = ATTN_TRAIN_OPTIONS, .heads = heads, .n_heads = 2, .n_seeds = 2};
  options.train.n_steps = 20;
  options.train.report_every = 10;
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);
  g_assert_true (attn_experiment_run (experiment, NULL, NULL, NULL, NULL));
  return g_steal_pointer (&experiment);
}

static void
test_texts (void)
{
  static const double widths[] = {NARROW, 420, WIDE};
  g_autoptr (AttnExperiment) experiment = make_experiment ();
  const AttnTiming timings[] = {
      {1, 3, 1.2, 1.25, 1.3}, {16, 3, 1.4, 1.5, 1.6}, {512, 3, 9, 10, 12}};
  const AttnDrawTimingChart timing = {
      .times = {ATTN_TIMING_OPTIONS, timings, G_N_ELEMENTS (timings), 2, "plain"}, .picked = 16};
  for (size_t i = 0; i < G_N_ELEMENTS (widths); i++)
    for (double size = 10; size <= 20; size += 10) {
      AttnDrawLabLook look = {.width = widths[i], .margin = 1, .style = {.font_size_pt = size}};
      g_autoptr (AttnDrawFigure) curves = attn_draw_experiment_chart_new (experiment, &look);
      g_autoptr (AttnDrawFigure) empty = attn_draw_experiment_chart_new (NULL, &look);
      g_autoptr (AttnDrawFigure) times = attn_draw_timing_chart_new (&timing, &look);
      check_texts (curves);
      check_texts (empty);
      check_texts (times);
    }
}

/* Orange is where the chosen number of heads stands, if heads of that number can share the width.
 */
static void
test_mark (void)
{
  const AttnTiming timings[] = {{1, 3, 1.2, 1.25, 1.3}, {16, 3, 1.4, 1.5, 1.6}};
  const AttnDrawLabLook look = ATTN_DRAW_LAB_LOOK;
  const size_t picked[] = {0, 7, 8};
  AttnTimingOptions options = ATTN_TIMING_OPTIONS;

  options.d_model = 256;
  for (size_t i = 0; i < G_N_ELEMENTS (picked); i++) {
    const AttnDrawTimingChart chart = {
        .times = {options, timings, G_N_ELEMENTS (timings), 2, "plain"}, .picked = picked[i]};
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) file =
        attn_draw_timing_chart_write (&chart, &look, ATTN_DRAW_SVG, 1, &error);
    g_assert_no_error (error);
    gsize size;
    g_autofree char *text = g_strndup (g_bytes_get_data (file, &size), g_bytes_get_size (file));
    g_assert_true ((strstr (text, "--mark") != NULL) == (picked[i] == 8));
  }
}

/* Where a curve ends is what was measured. */
static void
test_experiment (void)
{
  g_autoptr (AttnExperiment) experiment = make_experiment ();
  const AttnDrawLabLook look = ATTN_DRAW_LAB_LOOK;
  g_autoptr (AttnDrawFigure) figure = attn_draw_experiment_chart_new (experiment, &look);
  const unsigned id = ATTN_DRAW_PLOT_ID (ATTN_MEASURE_FIRST);
  const double zero = find_word (figure, "0.0", false);
  size_t n = 0;
  g_assert_cmpfloat (zero, >, 0);
  double places[2][3] = {{0}};
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->id != id)
      continue;
    places[item->column][item->row] = item->rect.y;
    n++;
  }
  g_assert_cmpuint (n, ==, 6);
  for (size_t point = 0; point < 3; point++) {
    const double a = attn_experiment_get_spread (experiment, 0, point, ATTN_MEASURE_FIRST).mean;
    const double b = attn_experiment_get_spread (experiment, 1, point, ATTN_MEASURE_FIRST).mean;
    g_assert_true ((a < b) == (places[0][point] > places[1][point]) || a == b);
  }
}

static void
test_files (void)
{
  static const AttnDrawFormat formats[] = {ATTN_DRAW_PNG, ATTN_DRAW_SVG, ATTN_DRAW_PDF};
  g_autoptr (AttnExperiment) experiment = make_experiment ();
  const AttnDrawLabLook look = ATTN_DRAW_LAB_LOOK;
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (GBytes) first =
        attn_draw_experiment_chart_write (experiment, &look, formats[i], 1, NULL);
    g_autoptr (GBytes) second =
        attn_draw_experiment_chart_write (experiment, &look, formats[i], 1, NULL);
    g_assert_nonnull (first);
    g_assert_true (g_bytes_equal (first, second));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/logarithmic", test_logarithmic);
  g_test_add_func ("/plot/linear", test_linear);
  g_test_add_func ("/plot/little", test_little);
  g_test_add_func ("/plot/texts", test_texts);
  g_test_add_func ("/plot/mark", test_mark);
  g_test_add_func ("/plot/experiment", test_experiment);
  g_test_add_func ("/plot/files", test_files);
  return g_test_run ();
}
