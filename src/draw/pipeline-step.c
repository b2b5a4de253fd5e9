/* SPDX-License-Identifier: MIT */
/* What is told of the current step: a sentence, its equation, and its matrix enlarged with the
 * tokens beside it. */
#include "pipeline-private.h"
#include "plain-text.h"

#include <math.h>

#define N_(english) (english)

#define LABEL_SIZE 0.85
#define MOST_LABEL 9.0    /* em of a token's label */
#define MOST_CELL 26.0    /* px */
#define LEAST_HEIGHT 17.5 /* em of the enlarged matrix at most, on narrow pictures … */
#define MOST_HEIGHT 26.0  /* … and on wide ones … */
#define HEIGHT 0.2        /* … between them by the width */
#define MOST_LINE 62.0    /* em of a line that is read */
#define LEAST_LINE 30.0   /* em of one beside an equation */
#define GAP 0.6           /* em between paragraphs */

static double
add_paragraph (const AttnDrawPipe *pipe, const AttnDrawFigureText *text, double x, double y)
{
  return y + attn_draw_figure_add_text (pipe->builder, text, x, y).height;
}

static double
add_title (const AttnDrawPipe *pipe, double x, double y, double width)
{
  size_t stage = 1;
  const size_t n = attn_draw_steps_get_stage (pipe->steps, pipe->asked->step, &stage);
  g_autofree char *at = g_strdup_printf ("%zu", stage);
  g_autofree char *all = g_strdup_printf ("%zu", n);
  const char *const arguments[] = {at, all, attn_draw_pipe_peek_name (pipe, pipe->asked->step)};
  g_autofree char *title =
      attn_draw_fill (attn_draw_pipe_say (pipe, N_ ("Step %1$s of %2$s · %3$s")), arguments, 3);
  const AttnDrawFigureText text = {
      .text = title, .is_bold = true, .size = 1.2, .max_width = width, .wraps = true};
  const double end = add_paragraph (pipe, &text, x, y);
  attn_draw_figure_name_part (pipe->builder, ATTN_DRAW_PIPELINE_WORDS);
  return end;
}

/* Where the equation stands beside what is told. Returns: px of its x; 0 for under it. */
static double
find_beside (const AttnDrawPipe *pipe, const AttnDrawFigureText *formula, double x, double width)
{
  AttnDrawFigureText free = *formula;
  free.max_width = 0;
  free.wraps = false;
  const double wide = attn_draw_figure_measure_text (pipe->builder, &free).width;
  const double told = MIN (width - wide - 2 * pipe->em, MOST_LINE * pipe->em);
  return told >= LEAST_LINE * pipe->em ? x + told + 2 * pipe->em : 0;
}

double
attn_draw_pipe_add_words (const AttnDrawPipe *pipe, double x, double y, double width)
{
  const double gap = round (GAP * pipe->em);
  g_autofree char *sentence = attn_draw_pipe_dup_sentence (pipe, pipe->asked->step);
  g_autofree char *equation = attn_draw_pipe_dup_equation (pipe, pipe->asked->step);
  const AttnDrawFigureText formula = {
      .text = equation, .is_markup = true, .size = 1.15, .max_width = width, .wraps = true};
  const double beside = *equation != '\0' ? find_beside (pipe, &formula, x, width) : 0;
  const double told = beside > 0 ? beside - x - 2 * pipe->em : MIN (width, MOST_LINE * pipe->em);
  const AttnDrawFigureText words = {
      .text = sentence, .is_markup = true, .max_width = told, .wraps = true};
  const double end = add_paragraph (pipe, &words, x, add_title (pipe, x, y, told) + gap * 0.5);
  if (*equation == '\0')
    return end;
  if (beside > 0) {
    const double bottom = add_paragraph (pipe, &formula, beside, y);
    return MAX (end, bottom);
  }
  return add_paragraph (pipe, &formula, x, end + gap);
}

/* Every how many tokens a label fits. */
static size_t
find_stride (double line, double cell)
{
  return MAX ((size_t)ceil (line / cell - 0.02), 1); /* sizes are whole px */
}

static AttnDrawFigureText
make_label (const char *token, size_t index, bool is_followed, double em)
{
  return (AttnDrawFigureText){
      .text = token,
      .is_bold = is_followed,
      .size = LABEL_SIZE,
      .tone = is_followed ? ATTN_DRAW_TONE_ACCENT_TEXT : ATTN_DRAW_TONE_TEXT,
      .align = ATTN_DRAW_ALIGN_END,
      .max_width = MOST_LABEL * em,
      .id = ATTN_DRAW_PIPELINE_TOKEN,
      .row = index,
  };
}

/* Px of the longest label: its width, which is a turned one's height, and of a line. */
static AttnDrawTextSize
measure_labels (const AttnDrawPipe *pipe)
{
  AttnDrawTextSize most = {0};
  for (size_t i = 0; i < pipe->steps->n_tokens; i++) {
    g_autofree char *token = attn_draw_pipe_dup_label (pipe, i);
    const AttnDrawFigureText label = make_label (token, i, true, pipe->em);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (pipe->builder, &label);
    most.width = MAX (most.width, size.width);
    most.height = MAX (most.height, size.height);
  }
  return most;
}

/* The rows that have one, where not all have room: the example's among them. */
static void
add_row_labels (
    const AttnDrawPipe *pipe, const AttnDrawRect *rect, double left, double line, double gap)
{
  const size_t n = pipe->steps->n_tokens;
  const double cell = rect->height / (double)n;
  const size_t stride = find_stride (line, cell);
  const AttnDrawExample *example = pipe->asked->example;
  const size_t row = example != NULL ? example->cell->row : 0;
  for (size_t i = row % stride; i < n; i += stride) {
    g_autofree char *token = attn_draw_pipe_dup_label (pipe, i);
    const bool is_followed = pipe->asked->has_followed && pipe->asked->followed == i;
    const AttnDrawFigureText label = make_label (token, i, is_followed, pipe->em);
    const double height = attn_draw_figure_measure_text (pipe->builder, &label).height;
    attn_draw_figure_add_text (pipe->builder, &label, rect->x - gap,
                               rect->y + cell * ((double)i + 0.5) - height / 2);
    /* beside its letters, too, up to the matrix */
    attn_draw_figure_widen (pipe->builder,
                            (AttnDrawRect){left, rect->y + cell * (double)i, rect->x - left, cell});
  }
}

/* Turned, over their columns: keys, of which one may be picked. */
static void
add_column_labels (const AttnDrawPipe *pipe, const AttnDrawRect *rect, double line)
{
  size_t key = 0;
  const bool has_key = attn_draw_pipe_find_key (pipe, &key);
  const size_t n = pipe->steps->n_tokens;
  const double cell = rect->width / (double)n;
  const size_t stride = find_stride (line, cell);
  const AttnDrawExample *example = pipe->asked->example;
  const bool has_column = example != NULL && attn_draw_pipe_is_square (example->step);
  for (size_t i = has_column ? example->cell->column % stride : 0; i < n; i += stride) {
    g_autofree char *token = attn_draw_pipe_dup_label (pipe, i);
    AttnDrawFigureText label = make_label (token, i, has_key && key == i, pipe->em);
    label.is_turned = true;
    label.align = ATTN_DRAW_ALIGN_START;
    const AttnDrawTextSize size = attn_draw_figure_measure_text (pipe->builder, &label);
    attn_draw_figure_add_text (pipe->builder, &label,
                               rect->x + cell * ((double)i + 0.5) - size.width / 2,
                               rect->y - 5 - size.height);
  }
}

/* "colours: −1.3 … 1.3 · each cell is the mean of 4 numbers" */
static char *
dup_note (const AttnDrawPipe *pipe, const AttnDrawShown *shown)
{
  g_autofree char *most = attn_draw_dup_number (shown->max, shown->max < 10 ? 2 : 1);
  g_autofree char *far = attn_draw_dup_number (shown->largest, fabs (shown->largest) < 10 ? 2 : 1);
  const size_t n = shown->rows_per_cell * shown->columns_per_cell;
  g_autofree char *shared = g_strdup_printf ("%zu", n);
  GString *note = g_string_new (NULL);
  g_autofree char *range = attn_draw_pipe_fill (
      pipe,
      shown->is_signed ? N_ ("colours: −%1$s … %1$s, purple above 0, green below")
                       : N_ ("colours: 0 … %s"),
      most);
  g_string_append (note, range);
  if (fabs (shown->largest) > 1.05 * shown->max) {
    g_autofree char *more = attn_draw_pipe_fill (
        pipe, n > 1 ? N_ ("largest in size %s") : N_ ("the largest, %s, is beyond them"), far);
    g_string_append_printf (note, " · %s", more);
  }
  if (n > 1) {
    g_autofree char *mean =
        attn_draw_pipe_fill (pipe,
                             shown->is_signed ? N_ ("each cell is the mean of %s numbers")
                                              : N_ ("each cell is the largest of %s numbers"),
                             shared);
    g_string_append_printf (note, " · %s", mean);
  }
  return g_string_free (note, FALSE);
}

static double
add_note (const AttnDrawPipe *pipe, const AttnDrawShown *shown, double x, double y, double width)
{
  g_autofree char *note = dup_note (pipe, shown);
  const AttnDrawFigureText text = {
      .text = note, .size = 0.8, .tone = ATTN_DRAW_TONE_DIM, .max_width = width, .wraps = true};
  return add_paragraph (pipe, &text, x, y);
}

/* "Q₄ · 16 × 32" over the matrix. */
static double
add_caption (const AttnDrawPipe *pipe, double x, double y, double width)
{
  g_autofree char *symbol = attn_draw_pipe_dup_symbol (pipe, pipe->asked->step);
  g_autofree char *shape = attn_draw_pipe_dup_shape (pipe, pipe->asked->step);
  g_autofree char *size = attn_draw_pipe_dup_size (pipe, pipe->asked->step);
  g_autofree char *caption = g_strdup_printf ("<b>%s</b>  %s = %s", symbol, shape, size);
  const AttnDrawFigureText text = {
      .text = caption, .is_markup = true, .max_width = width, .wraps = true};
  return add_paragraph (pipe, &text, x, y);
}

double
attn_draw_pipe_add_enlarged (const AttnDrawPipe *pipe, double x, double y, double width)
{
  const AttnStep step = pipe->asked->step;
  const AttnMatrix *matrix = attn_draw_steps_peek (pipe->steps, step);
  const bool is_square = attn_draw_pipe_is_square (step);
  const AttnDrawTextSize label = measure_labels (pipe);
  /* turned labels of narrow columns begin left of the matrix */
  const double gap = is_square ? ceil (label.height / 2) + 2 : 6;
  AttnDrawRect rect = {.x = x + label.width + gap + 1};
  const double end = add_caption (pipe, x, y, width);
  /* the first row's label may begin above the matrix */
  rect.y = end + MAX (round (0.4 * pipe->em), ceil (label.height / 2)) +
           (is_square ? label.width + 6 : 0);
  rect.width = MAX (x + width - rect.x - 1, 2 * pipe->em);
  rect.width = MIN (rect.width, MOST_CELL * (double)matrix->n_columns);
  rect.height = CLAMP (HEIGHT * pipe->width, LEAST_HEIGHT * pipe->em, MOST_HEIGHT * pipe->em);
  rect.height = MIN (rect.height, label.height * (double)matrix->n_rows);
  rect.height = MIN (rect.height, MOST_CELL * (double)matrix->n_rows);
  if (is_square)
    rect.width = rect.height = MIN (rect.width, rect.height);
  rect.x = round (rect.x);
  rect.y = round (rect.y);
  rect.width = floor (rect.width);
  rect.height = floor (rect.height);
  const AttnDrawShown shown =
      attn_draw_pipe_add_matrix (pipe, step, rect, ATTN_DRAW_PIPELINE_MATRIX);
  add_row_labels (pipe, &rect, x, label.height, gap);
  if (is_square)
    add_column_labels (pipe, &rect, label.height);
  return add_note (pipe, &shown, x, rect.y + rect.height + round (0.4 * pipe->em), width);
}
