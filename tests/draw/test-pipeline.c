/* SPDX-License-Identifier: MIT */
/* The pipeline's figure: its texts keep clear of each other in every width and language, every
 * number is where a click finds it, and what is written adds up. */
#include "test-util.h"

#include "attn-draw/pipeline.h"
#include "attn/run.h"

#include <glib/gstdio.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT "The animal didn't cross the street because it was too tired."

typedef struct {
  AttnModel *model;
  AttnTrace *trace;
  AttnDrawSteps *steps;
} Fixture;

static AttnModel *
load (const char *folder)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  const char *text = data != NULL ? data : TEXT;
  fixture->model = load (folder);
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (fixture->model), &input, &error);
  g_assert_no_error (error);
  fixture->trace = attn_model_run (fixture->model, tokens, NULL, &error);
  g_assert_no_error (error);
  fixture->steps = attn_draw_steps_new (fixture->trace, 2, 4, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  attn_draw_steps_unref (fixture->steps);
  attn_trace_unref (fixture->trace);
  attn_model_unref (fixture->model);
}

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

static AttnDrawExample *
make_example (AttnDrawSteps *steps, AttnStep step, size_t row)
{
  g_autoptr (GError) error = NULL;
  AttnDrawExample *example = attn_draw_example_new_usual (steps, step, row, &error);
  g_assert_no_error (error);
  return example;
}

static void
check_steps (AttnDrawSteps *steps, AttnDrawPipeline *asked, AttnStep by)
{
  for (AttnStep step = 0; step < ATTN_N_STEPS; step += by) {
    if (attn_draw_steps_peek (steps, step) == NULL)
      continue;
    g_autoptr (AttnDrawExample) example =
        make_example (steps, step, attn_draw_steps_find_row (steps));
    asked->step = step;
    asked->example = example;
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, asked);
    check_clear (figure);
    check_ways (figure);
  }
}

static void
test_clear (Fixture *fixture, gconstpointer data)
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
test_low (Fixture *fixture, gconstpointer data)
{
  static const double widths[] = {1138, 1240, 1660}; /* of windows of 1180, 1280 and 1700 px */
  (void)data;
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
      if (attn_draw_steps_peek (fixture->steps, step) == NULL)
        continue;
      g_autoptr (AttnDrawExample) example = make_example (fixture->steps, step, 10);
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
test_elbows (Fixture *fixture, gconstpointer data)
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
test_joined (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (double width = 360; width <= 1600; width += 20)
    check_joined (fixture->steps, width);
}

/* Where several rows are needed, what rows are multiplied by is there as well. */
static void
test_factors (Fixture *fixture, gconstpointer data)
{
  static const double widths[] = {360, 560, 760};
  (void)data;
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++) {
    const AttnDrawPipeline asked = {.width = widths[w], .step = ATTN_STEP_SUM};
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
    size_t n = 0;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const char *text = attn_draw_figure_peek_item (figure, i)->text;
      n += text != NULL && g_str_has_prefix (text, "<i>W</i><sub>");
    }
    g_assert_cmpuint (n, ==, ATTN_N_FACTORS);
  }
}

/* A token that is a word, of a head whose rows differ. */
static void
test_choice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  size_t layer, head;
  (void)data;
  g_assert_true (attn_draw_steps_choose_head (fixture->trace, &layer, &head, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (layer, ==, 2); /* of 4 */
  for (size_t i = 0; i < 8; i++) {
    g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (fixture->trace, layer, i, &error);
    g_assert_no_error (error);
    const size_t row = attn_draw_steps_find_row (steps);
    g_assert_true (row != 0 && row != 15);            /* [CLS], [SEP] */
    g_assert_true (row < 3 || (row > 5 && row < 14)); /* didn ' t, and . */
  }
}

/* The small picture and the enlarged one both lead to the numbers of the step. */
static void
test_pick (Fixture *fixture, gconstpointer data)
{
  const unsigned id = ATTN_DRAW_PIPELINE_STEP + ATTN_STEP_QUERIES;
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_QUERIES};
  (void)data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
  const AttnMatrix *matrix = attn_draw_steps_peek (fixture->steps, ATTN_STEP_QUERIES);
  size_t n_found = 0;
  for (size_t item = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, 0);
       item != G_MAXSIZE;
       item = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, item + 1)) {
    n_found++;
    for (size_t column = 0; column < matrix->n_columns; column += 17) {
      const AttnDrawRect cell = attn_draw_figure_place (figure, item, 3, column);
      AttnDrawFigureHit hit;
      g_assert_true (
          attn_draw_figure_pick (figure, cell.x + cell.width / 2, cell.y + cell.height / 2, &hit));
      g_assert_cmpuint (hit.id, ==, id);
      g_assert_cmpuint (hit.row, ==, 3);
      g_assert_cmpuint (hit.column, ==, column);
    }
  }
  g_assert_cmpuint (n_found, ==, 2);
}

/* Accent marks are where something is followed or picked, and only there. */
static size_t
count_accents (const AttnDrawFigure *figure, const AttnDrawFigureStyle *style)
{
  const AttnDrawColor accent = attn_draw_tone_get (style, ATTN_DRAW_TONE_ACCENT);
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++)
    n += memcmp (&attn_draw_figure_peek_item (figure, i)->color, &accent, sizeof accent) == 0;
  return n;
}

static void
test_marks (Fixture *fixture, gconstpointer data)
{
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_SCORES};
  (void)data;
  g_autoptr (AttnDrawFigure) plain = attn_draw_pipeline_new (fixture->steps, &asked);
  asked.has_followed = true;
  asked.followed = 3;
  g_autoptr (AttnDrawFigure) followed = attn_draw_pipeline_new (fixture->steps, &asked);
  /* a row in each of 15 pictures and the enlarged one */
  g_assert_cmpuint (count_accents (followed, &asked.style) - count_accents (plain, &asked.style),
                    ==, 16);
  g_assert_cmpuint (count_accents (plain, &asked.style), ==,
                    8); /* the head's columns and rows, in factors too */
}

/* Steps in their order, Q, K and V in one; from end to end. */
static void
test_move (Fixture *fixture, gconstpointer data)
{
  AttnDrawSteps *steps = fixture->steps;
  size_t stage = 0, n = attn_draw_steps_get_stage (steps, ATTN_STEP_INPUT, &stage);
  (void)data;
  g_assert_cmpuint (stage, ==, 1);
  AttnStep step = ATTN_STEP_INPUT;
  for (size_t i = 1; i < n; i++) {
    step = attn_draw_steps_move (steps, step, 1);
    g_assert_cmpuint (attn_draw_steps_get_stage (steps, step, &stage), ==, n);
    g_assert_cmpuint (stage, ==, i + 1);
  }
  g_assert_cmpint (step, ==, ATTN_STEP_RESULT);
  g_assert_cmpint (attn_draw_steps_move (steps, step, 1), ==, ATTN_STEP_RESULT);
  g_assert_cmpint (attn_draw_steps_move (steps, ATTN_STEP_VALUES, -1), ==, ATTN_STEP_INPUT);
  g_assert_cmpint (attn_draw_steps_move (steps, ATTN_STEP_KEYS, 1), ==, ATTN_STEP_HEAD_QUERIES);
}

/* One row and one column of the head's own, from step to step. */
static void
test_usual (Fixture *fixture, gconstpointer data)
{
  (void)data;
  const size_t row = attn_draw_steps_find_row (fixture->steps), head = 2;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawSteps) steps =
      attn_draw_steps_new (attn_draw_steps_peek_trace (fixture->steps), 1, head, &error);
  g_assert_no_error (error);
  const size_t d_k = attn_draw_steps_peek (steps, ATTN_STEP_HEAD_OUTPUT)->n_columns;
  size_t own = G_MAXSIZE;
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
    const AttnMatrix *matrix = attn_draw_steps_peek (steps, step);
    if (matrix == NULL || step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS)
      continue;
    g_autoptr (AttnDrawExample) example = make_example (steps, step, row);
    const AttnCell *cell = attn_draw_example_peek_cell (example);
    const size_t column = matrix->n_columns == d_k ? head * d_k + cell->column : cell->column;
    own = own == G_MAXSIZE ? column : own;
    g_assert_cmpuint (cell->row, ==, row);
    g_assert_cmpuint (column, ==, own);
    g_assert_cmpuint (column / d_k, ==, head);
  }
}

/* Numbers of a card's texts, in the order in which they stand. */
static double
read_number (const char *text)
{
  const bool is_less = g_str_has_prefix (text, "−");
  const double number = g_ascii_strtod (is_less ? text + strlen ("−") : text, NULL);
  return is_less ? -number : number;
}

/* The bars' numbers of a dot product give its sum; where what is written misses it in the last
 * digits, that is said. */
static void
check_sum (Fixture *fixture, AttnStep step, size_t column)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawExample) example =
      attn_draw_example_new (fixture->steps, step, 5, column, &error);
  g_assert_no_error (error);
  AttnDrawPipeline asked = {.width = 1320, .step = step, .has_cell = true, .example = example};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
  const AttnCell *cell = attn_draw_example_peek_cell (example);
  double sum = 0;
  bool has_sum = false, is_in = false, is_rounded = false;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text == NULL)
      continue;
    is_in |= strstr (text, " × ") != NULL && g_ascii_isdigit (text[strlen (text) - 1]) &&
             strchr (text, '.') != NULL;
    has_sum |= is_in && g_str_has_prefix (text, "sum of ");
    is_rounded |= has_sum && g_str_has_suffix (text, " terms, rounded");
    const bool is_signed = g_str_has_prefix (text, "+") || g_str_has_prefix (text, "−");
    if (is_in && !has_sum && is_signed && strstr (text, " ") == NULL)
      sum += read_number (text[0] == '+' ? text + 1 : text);
  }
  g_assert_true (has_sum);
  const double off = fabs (sum - round (cell->sum * 1e4) / 1e4);
  g_assert_cmpint (is_rounded, ==, off > 5e-5);
  /* of at most 13 bars each is half of the last digit off, as is the sum */
  g_assert_cmpfloat (off, <, 14 * 5e-5);
}

static void
test_sums (Fixture *fixture, gconstpointer data)
{
  (void)data;
  check_sum (fixture, ATTN_STEP_QUERIES, 100);
  check_sum (fixture, ATTN_STEP_CONTRIBUTION, 7);
  check_sum (fixture, ATTN_STEP_OUTPUT, 255);
}

/* Returns: (transfer full): a folder with the shipped model, all of whose weights are NaN. */
static char *
make_nan_folder (void)
{
  g_autofree char *from = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autoptr (GDir) files = g_dir_open (from, 0, NULL);
  char *folder = g_dir_make_tmp ("headscope-nan-XXXXXX", NULL);
  for (const char *name; (name = g_dir_read_name (files)) != NULL;) {
    g_autofree char *path = g_build_filename (from, name, NULL);
    g_autofree char *copy = g_build_filename (folder, name, NULL);
    gsize size = 0;
    g_autofree char *bytes = test_read_file (path, &size);
    if (g_str_has_suffix (name, ".safetensors")) {
      guint64 n_header = 0;
      memcpy (&n_header, bytes, sizeof n_header);
      const gsize begin = sizeof n_header + (gsize)GUINT64_FROM_LE (n_header);
      memset (bytes + begin, 0xFF, size - begin); /* all bits set are NaN in every float type */
    }
    g_assert_true (g_file_set_contents (copy, bytes, (gssize)size, NULL));
  }
  return folder;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (files)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Of a row without numbers none is called the largest. */
static void
test_nan (void)
{
  g_autofree char *folder = make_nan_folder ();
  g_autoptr (AttnModel) model = load (folder);
  g_autoptr (GError) error = NULL;
  const AttnTokenizerInput input = {.text = TEXT, .text_length = strlen (TEXT)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (trace, 1, 0, &error);
  g_assert_no_error (error);
  for (AttnStep step = ATTN_STEP_SCORES; step <= ATTN_STEP_WEIGHTS; step++) {
    g_autoptr (AttnDrawExample) example = make_example (steps, step, 3);
    AttnDrawPipeline asked = {.width = 1320, .step = step, .example = example};
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
    bool is_told = false;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const char *text = attn_draw_figure_peek_item (figure, i)->text;
      is_told |= text != NULL && strstr (text, "its row has no numbers") != NULL;
      g_assert_true (text == NULL || strstr (text, "the largest number in its row") == NULL);
    }
    g_assert_true (is_told);
  }
  remove_folder (folder);
}

/* A token is pointed at beside its letters, too; where not every label has room, the example's has
 * it. */
static void
test_labels (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (size_t row = 8; row < 11; row++) {
    g_autoptr (AttnDrawExample) example = make_example (fixture->steps, ATTN_STEP_SCORES, row);
    AttnDrawPipeline asked = {.width = 300, .step = ATTN_STEP_SCORES, .example = example};
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
    const size_t key = attn_draw_example_peek_cell (example)->column;
    const size_t matrix = attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_MATRIX);
    const AttnDrawRect place = attn_draw_figure_peek_item (figure, matrix)->rect;
    bool has_row = false, has_column = false;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      if (item->id != ATTN_DRAW_PIPELINE_TOKEN)
        continue;
      const bool is_beside = item->rect.x + item->rect.width <= place.x;
      has_column |= !is_beside && item->row == key;
      if (!is_beside || item->row != row)
        continue;
      has_row = true;
      AttnDrawFigureHit hit;
      const double middle = item->rect.y + item->rect.height / 2;
      g_assert_true (attn_draw_figure_pick (figure, place.x - 2, middle, &hit));
      g_assert_cmpuint (hit.id, ==, ATTN_DRAW_PIPELINE_TOKEN);
      g_assert_cmpuint (hit.row, ==, row);
    }
    g_assert_true (has_row && has_column);
  }
}

/* What words there are of a number are the number. */
static void
test_value (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AttnDrawExample) example = make_example (fixture->steps, ATTN_STEP_WEIGHTS, 10);
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_WEIGHTS, .example = example};
  (void)data;
  g_autofree char *value = attn_draw_pipeline_dup_value (fixture->steps, &asked);
  const double number = read_number (strrchr (value, ' ') + 1);
  /* four decimals */
  g_assert_cmpfloat_with_epsilon (number, attn_draw_example_peek_cell (example)->result, 5.1e-5);
  g_assert_true (g_str_has_prefix (value, "“it” → “"));
}

static bool
says (AttnDrawSteps *steps, AttnStep step, const char *words)
{
  const AttnDrawPipeline asked = {.step = step, .width = 1320};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text != NULL && strstr (text, words) != NULL)
      return true;
  }
  return false;
}

/* What is told is what the family does in this very layer. */
static void
check_words (AttnDrawSteps *steps, const char *name)
{
  const bool is_modern = g_str_equal (name, "modernbert"), is_mpnet = g_str_equal (name, "mpnet");
  const bool is_deberta = g_str_equal (name, "deberta-v2");
  g_assert_true (says (steps, ATTN_STEP_SCORES, "D is what the model adds") ==
                 (is_mpnet || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_SCORES, "Dividing by that root") == !is_deberta);
  const bool is_gpt2 = g_str_equal (name, "gpt2"), is_before = is_gpt2 || is_modern;
  g_assert_true (says (steps, ATTN_STEP_INPUT, "a row of the position table") ==
                 !(is_modern || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_INPUT, "a row of the type table") ==
                 g_str_equal (name, "roberta-mlm"));
  g_assert_true (says (steps, ATTN_STEP_INPUT, "Then comes a LayerNorm") == !is_gpt2);
  g_assert_true (says (steps, ATTN_STEP_INPUT, "turned by it") == is_modern);
  g_assert_true (says (steps, ATTN_STEP_INPUT, "later, in the scores") == (is_mpnet || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_SCORES, "keys that come later") == is_gpt2);
  g_assert_true (says (steps, ATTN_STEP_SCORES, "There is no mask") == !is_gpt2);
  const AttnStep last = is_before ? ATTN_STEP_SUM : ATTN_STEP_RESULT;
  g_assert_true (says (steps, last, "added to this sum") == is_before);
  g_assert_true (says (steps, last, "output is added to these rows") == !is_before);
  g_assert_true (says (steps, ATTN_STEP_CONTRIBUTION, "and the bias sum") == !is_modern);
  if (attn_draw_steps_peek (steps, ATTN_STEP_NORMED) != NULL)
    g_assert_true (says (steps, ATTN_STEP_NORMED, "leaves each row as it is") == is_modern);
}

/* Families whose norms come first, whose tokens do not see all others, or are turned by place. */
static void
test_families (void)
{
  static const char *const names[] = {"gpt2", "modernbert", "mpnet", "deberta-v2", "roberta-mlm"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *name = g_strconcat ("golden/models/", names[i], NULL);
    g_autofree char *folder = test_data_path (name);
    g_autoptr (AttnModel) model = load (folder);
    const int32_t ids[] = {3, 17, 9, 21, 5, 40, 8};
    g_autoptr (AttnTrace) trace =
        attn_model_run_ids (model, ids, NULL, G_N_ELEMENTS (ids), NULL, &error);
    g_assert_no_error (error);
    g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (trace, 0, 1, &error);
    g_assert_no_error (error);
    AttnDrawPipeline asked = {.width = 1100};
    check_steps (steps, &asked, 1);
    check_words (steps, names[i]);
    for (double width = 360; width <= 1600; width += 40)
      check_joined (steps, width);
  }
}

static void
test_same_bytes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {.view = view, .model_name = "demo", .text = TEXT, .scale = 1};
  g_autoptr (AttnDrawExample) example = make_example (fixture->steps, ATTN_STEP_SCORES, 4);
  const AttnDrawPipeline asked = {.step = ATTN_STEP_SCORES, .example = example};
  (void)data;
  view->width_px = 900;
  for (unsigned format = ATTN_DRAW_PNG; format <= ATTN_DRAW_PDF; format++) {
    g_autoptr (GError) error = NULL;
    picture.format = (AttnDrawFormat)format;
    g_autoptr (GBytes) first = attn_draw_pipeline_write (fixture->steps, &asked, &picture, &error);
    g_assert_no_error (error);
    g_autoptr (GBytes) second = attn_draw_pipeline_write (fixture->steps, &asked, &picture, &error);
    g_assert_no_error (error);
    g_assert_true (g_bytes_equal (first, second));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pipeline/clear", Fixture, NULL, set_up, test_clear, tear_down);
  g_test_add ("/pipeline/clear-long", Fixture,
              "One two three four five six seven eight nine ten eleven twelve thirteen fourteen "
              "fifteen sixteen seventeen eighteen nineteen twenty and so on to the very end of "
              "incomprehensibilities, antidisestablishmentarianism and one more of those words",
              set_up, test_clear, tear_down);
  g_test_add ("/pipeline/low", Fixture, NULL, set_up, test_low, tear_down);
  g_test_add ("/pipeline/elbows", Fixture, NULL, set_up, test_elbows, tear_down);
  g_test_add ("/pipeline/joined", Fixture, NULL, set_up, test_joined, tear_down);
  g_test_add ("/pipeline/factors", Fixture, NULL, set_up, test_factors, tear_down);
  g_test_add ("/pipeline/choice", Fixture, NULL, set_up, test_choice, tear_down);
  g_test_add ("/pipeline/pick", Fixture, NULL, set_up, test_pick, tear_down);
  g_test_add ("/pipeline/marks", Fixture, NULL, set_up, test_marks, tear_down);
  g_test_add ("/pipeline/move", Fixture, NULL, set_up, test_move, tear_down);
  g_test_add ("/pipeline/usual", Fixture, NULL, set_up, test_usual, tear_down);
  g_test_add ("/pipeline/labels", Fixture, NULL, set_up, test_labels, tear_down);
  g_test_add ("/pipeline/sums", Fixture, NULL, set_up, test_sums, tear_down);
  g_test_add ("/pipeline/value", Fixture, NULL, set_up, test_value, tear_down);
  g_test_add_func ("/pipeline/families", test_families);
  g_test_add_func ("/pipeline/nan", test_nan);
  g_test_add ("/pipeline/same-bytes", Fixture, NULL, set_up, test_same_bytes, tear_down);
  return g_test_run ();
}
