/* SPDX-License-Identifier: MIT */
/* Where the pipeline's figure puts things: its texts keep clear of each other in every width and
 * language, its arrows lead from picture to picture, and every picture is there. */
#include "pipeline-fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a translation may look like: twice as long, or of full-width characters. */
static const char *
speak_long (const char *english, void *data)
{
  GStringChunk *chunk = data;
  g_autofree char *twice = g_strconcat (english, " ", "wortreichundlangausgedrückt", NULL);
  return g_string_chunk_insert_const (chunk, twice);
}

static const char *
speak_wide (const char *english, void *data)
{
  GStringChunk *chunk = data;
  g_autoptr (GString) wide = g_string_new (NULL);
  for (const char *p = english; *p != '\0'; p++)
    if (*p == '%')
      while (*p != '\0') {
        g_string_append_c (wide, *p);
        if (*p == 's')
          break;
        p++;
      }
    else if (g_ascii_isalpha (*p))
      g_string_append (wide, (p - english) % 2 == 0 ? "注" : "");
  return g_string_chunk_insert_const (chunk, wide->str);
}

static bool
overlap (const AttnDrawRect *a, const AttnDrawRect *b)
{
  const double slack = 0.5; /* px: sizes are rounded up */
  return a->x + slack < b->x + b->width && b->x + slack < a->x + a->width &&
         a->y + slack < b->y + b->height && b->y + slack < a->y + a->height;
}

static void
check_inside (const AttnDrawFigure *figure, const AttnDrawFigureItem *item)
{
  const AttnDrawRect *rect = &item->rect;
  if (rect->x < -0.5 || rect->y < -0.5 ||
      rect->x + rect->width > attn_draw_figure_get_width (figure) + 0.5 ||
      rect->y + rect->height > attn_draw_figure_get_height (figure) + 0.5)
    g_error ("\"%s\" at %g, %g leaves the figure", item->text != NULL ? item->text : "", rect->x,
             rect->y);
}

/* Texts and matrices keep clear of each other and inside. */
static void
check_clear (const AttnDrawFigure *figure)
{
  const size_t n = attn_draw_figure_get_n_items (figure);
  for (size_t i = 0; i < n; i++) {
    const AttnDrawFigureItem *a = attn_draw_figure_peek_item (figure, i);
    if (a->kind != ATTN_DRAW_FIGURE_TEXT && a->kind != ATTN_DRAW_FIGURE_MATRIX)
      continue;
    check_inside (figure, a);
    for (size_t k = 0; k < i; k++) {
      const AttnDrawFigureItem *b = attn_draw_figure_peek_item (figure, k);
      if (b->kind != ATTN_DRAW_FIGURE_TEXT && b->kind != ATTN_DRAW_FIGURE_MATRIX)
        continue;
      if (overlap (&a->rect, &b->rect))
        g_error ("\"%s\" and \"%s\" overlap at %g, %g", a->text != NULL ? a->text : "a matrix",
                 b->text != NULL ? b->text : "a matrix", a->rect.x, a->rect.y);
    }
  }
}

/* Returns: whether a straight line passes through a rect. */
static bool
crosses (const AttnDrawPoint *from, const AttnDrawPoint *to, const AttnDrawRect *rect)
{
  const AttnDrawRect line = {MIN (from->x, to->x) - 1, MIN (from->y, to->y) - 1,
                             fabs (from->x - to->x) + 2, fabs (from->y - to->y) + 2};
  return overlap (&line, rect);
}

/* Arrows have right angles only, stay inside and pass through nothing. */
static void
check_ways (const AttnDrawFigure *figure)
{
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *arrow = attn_draw_figure_peek_item (figure, i);
    if (arrow->kind != ATTN_DRAW_FIGURE_ARROW)
      continue;
    check_inside (figure, arrow);
    size_t n;
    const AttnDrawPoint *points = attn_draw_figure_peek_points (figure, i, &n);
    for (size_t k = 1; k < n; k++) {
      const AttnDrawPoint *from = &points[k - 1], *to = &points[k];
      g_assert_true ((fabs (from->x - to->x) < 0.1) != (fabs (from->y - to->y) < 0.1));
      for (size_t j = 0; j < attn_draw_figure_get_n_items (figure); j++) {
        const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, j);
        const bool is_solid =
            item->kind == ATTN_DRAW_FIGURE_TEXT || item->kind == ATTN_DRAW_FIGURE_MATRIX;
        if (is_solid && crosses (from, to, &item->rect))
          g_error ("an arrow at %g, %g passes through \"%s\" at %g, %g", from->x, from->y,
                   item->text != NULL ? item->text : "a matrix", item->rect.x, item->rect.y);
      }
    }
  }
}

static void
check_steps (AttnDrawSteps *steps, AttnDrawPipeline *asked, AttnStep by)
{
  for (AttnStep step = 0; step < ATTN_N_STEPS; step += by) {
    if (attn_draw_steps_peek (steps, step) == NULL)
      continue;
    g_autoptr (AttnDrawExample) example =
        pipeline_make_example (steps, step, attn_draw_steps_find_row (steps));
    asked->step = step;
    asked->example = example;
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, asked);
    check_clear (figure);
    check_ways (figure);
  }
}

static void
test_clear (PipelineFixture *fixture, gconstpointer data)
{
  static const double widths[] = {300, 480, 700, 1000, 1320, 1700};
  static const double sizes[] = {10, 20};
  static const AttnDrawTranslate languages[] = {NULL, speak_long, speak_wide};
  g_autoptr (GStringChunk) chunk = g_string_chunk_new (4096);
  (void)data;
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (size_t l = 0; l < G_N_ELEMENTS (languages); l++) {
        AttnDrawPipeline asked = {
            .width = widths[w],
            .style = {.palette = ATTN_DRAW_PALETTE_SCREEN, .font_size_pt = sizes[s]},
            .translate = languages[l],
            .translate_data = chunk,
        };
        check_steps (fixture->steps, &asked, l == 0 ? 1 : 4);
      }
}

/* In a usual window the way, the step's matrix and the arithmetic are seen at once: they are not
 * higher than it is, and stand beside or under each other in that order. */
static void
test_low (PipelineFixture *fixture, gconstpointer data)
{
  static const double widths[] = {1138, 1240, 1660}; /* of windows of 1180, 1280 and 1700 px */
  (void)data;
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
      if (attn_draw_steps_peek (fixture->steps, step) == NULL)
        continue;
      g_autoptr (AttnDrawExample) example = pipeline_make_example (fixture->steps, step, 10);
      AttnDrawPipeline asked = {.width = widths[w], .step = step, .example = example};
      g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
      const size_t words = attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_WORDS);
      const size_t matrix = attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_MATRIX);
      const size_t card = attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_CARD);
      g_assert_true (words != G_MAXSIZE && matrix != G_MAXSIZE && card != G_MAXSIZE);
      const AttnDrawRect at = attn_draw_figure_peek_item (figure, matrix)->rect;
      const AttnDrawRect beside = attn_draw_figure_peek_item (figure, card)->rect;
      g_assert_cmpfloat (at.x + at.width, <, beside.x);
      /* what a window of 800 px of height shows under its title and over its status line */
      g_assert_cmpfloat (MAX (at.y + at.height, beside.y + beside.height), <, w == 2 ? 900 : 690);
    }
}

static bool
is_arrow_of (const AttnDrawFigureItem *item, double x, double y)
{
  return item->kind == ATTN_DRAW_FIGURE_ARROW && fabs (item->rect.x - x) < 12 &&
         item->rect.y - 1 < y && item->rect.y + item->rect.height + 1 > y;
}

/* X leads to each of Q, K and V, or to what it is multiplied by on the way. */
static void
test_elbows (PipelineFixture *fixture, gconstpointer data)
{
  AttnDrawPipeline asked = {.width = 1138, .step = ATTN_STEP_QUERIES};
  (void)data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
  const size_t input = attn_draw_figure_find (figure, ATTN_DRAW_PIPELINE_STEP + ATTN_STEP_INPUT,
                                              ATTN_DRAW_FIGURE_MATRIX, 0);
  const AttnDrawRect *x = &attn_draw_figure_peek_item (figure, input)->rect;
  size_t n = 0, n_turned = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (!is_arrow_of (item, x->x + x->width, x->y + x->height / 2))
      continue;
    n++;
    n_turned += item->rect.height > 20;
  }
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (n_turned, ==, 2);
}

/* Returns: how many arrows have their tip at a side of the picture, at most 8 px from it. */
static size_t
count_incoming (const AttnDrawFigure *figure, const AttnDrawRect *rect)
{
  const AttnDrawRect near = {rect->x - 8, rect->y - 8, rect->width + 16, rect->height + 16};
  size_t n_found = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    if (attn_draw_figure_peek_item (figure, i)->kind != ATTN_DRAW_FIGURE_ARROW)
      continue;
    size_t n;
    const AttnDrawPoint *points = attn_draw_figure_peek_points (figure, i, &n);
    const AttnDrawPoint *tip = &points[n - 1];
    n_found += crosses (tip, tip, &near);
  }
  return n_found;
}

/* The picture of a step among all others is smaller than that of the step itself. */
static AttnDrawRect
find_small (const AttnDrawFigure *figure, AttnStep step)
{
  const unsigned id = ATTN_DRAW_PIPELINE_STEP + step;
  AttnDrawRect least = {.width = G_MAXDOUBLE};
  for (size_t i = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, 0); i != G_MAXSIZE;
       i = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, i + 1)) {
    const AttnDrawRect *rect = &attn_draw_figure_peek_item (figure, i)->rect;
    if (rect->width < least.width)
      least = *rect;
  }
  g_assert_cmpfloat (least.width, <, G_MAXDOUBLE);
  return least;
}

/* Scores are of queries and keys; what a head hands on, of weights and values; the sum, of the
 * output and the rows that came in: also where they stand in different rows. */
static void
check_joined (AttnDrawSteps *steps, double width)
{
  const AttnDrawPipeline asked = {.width = width, .step = ATTN_STEP_INPUT};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
  check_clear (figure);
  check_ways (figure);
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
    if (attn_draw_steps_peek (steps, step) == NULL)
      continue;
    const AttnDrawRect rect = find_small (figure, step);
    const size_t n = count_incoming (figure, &rect);
    if (step == ATTN_STEP_INPUT)
      g_assert_cmpuint (n, ==, 0);
    else if (step == ATTN_STEP_SCORES || step == ATTN_STEP_HEAD_OUTPUT || step == ATTN_STEP_SUM ||
             step == ATTN_STEP_OUTPUT)
      g_assert_cmpuint (n, ==, 2);
    else if (step != ATTN_STEP_CONTRIBUTION)
      g_assert_cmpuint (n, ==, 1);
    else
      g_assert_cmpuint (n, >=, 1); /* W_O leads to it where it stands beside it */
  }
}

static void
test_joined (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  for (double width = 360; width <= 1600; width += 20)
    check_joined (fixture->steps, width);
}

/* What rows are multiplied by is there however narrow it is. */
static void
check_factors (AttnDrawSteps *steps, double width)
{
  const AttnDrawPipeline asked = {.width = width, .step = ATTN_STEP_SUM};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    n += text != NULL && g_str_has_prefix (text, "<i>W</i><sub>");
  }
  g_assert_cmpuint (n, ==, ATTN_N_FACTORS);
}

static void
test_factors (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  for (double width = 360; width <= 1600; width += 20)
    check_factors (fixture->steps, width);
}

static void
test_families (void)
{
  for (size_t i = 0; pipeline_families[i] != NULL; i++) {
    g_autoptr (AttnDrawSteps) steps = pipeline_make_family_steps (pipeline_families[i]);
    AttnDrawPipeline asked = {.width = 1100};
    check_steps (steps, &asked, 1);
    for (double width = 360; width <= 1600; width += 40) {
      check_joined (steps, width);
      check_factors (steps, width);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pipeline-ways/clear", PipelineFixture, NULL, pipeline_set_up, test_clear,
              pipeline_tear_down);
  g_test_add ("/pipeline-ways/clear-long", PipelineFixture,
              "One two three four five six seven eight nine ten eleven twelve thirteen fourteen "
              "fifteen sixteen seventeen eighteen nineteen twenty and so on to the very end of "
              "incomprehensibilities, antidisestablishmentarianism and one more of those words",
              pipeline_set_up, test_clear, pipeline_tear_down);
  g_test_add ("/pipeline-ways/low", PipelineFixture, NULL, pipeline_set_up, test_low,
              pipeline_tear_down);
  g_test_add ("/pipeline-ways/elbows", PipelineFixture, NULL, pipeline_set_up, test_elbows,
              pipeline_tear_down);
  g_test_add ("/pipeline-ways/joined", PipelineFixture, NULL, pipeline_set_up, test_joined,
              pipeline_tear_down);
  g_test_add ("/pipeline-ways/factors", PipelineFixture, NULL, pipeline_set_up, test_factors,
              pipeline_tear_down);
  g_test_add_func ("/pipeline-ways/families", test_families);
  return g_test_run ();
}
