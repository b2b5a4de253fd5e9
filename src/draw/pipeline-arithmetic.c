/* SPDX-License-Identifier: MIT */
/* The arithmetic of one number as blocks of a card: its terms, their sum and what is done with it,
 * and for a score its row's softmax and the values that the weights lead to. */
#include "pipeline-blocks.h"
#include "plain-text.h"

#include <math.h>
#include <string.h>

#define N_(english) (english)

#define MOST_TERMS 12   /* bars; the others are one sum */
#define MOST_WEIGHTS 16 /* a row of so many is shown as it is, of more the largest */
#define FEW_TERMS 6     /* that few on pictures narrower than … */
#define FEW_WEIGHTS 9   /* … so that the sum is seen on a low window, too … */
#define ROOMY 100.0     /* … em */
#define MOST_VALUES 6
#define LEAST_SHOWN 5e-5 /* less is written as 0 */
#define DECIMALS 4

static bool
is_roomy (const AttnDrawPipe *pipe)
{
  return pipe->width >= ROOMY * pipe->em;
}

static double
round_shown (double value)
{
  const double unit = pow (10, DECIMALS);
  return round (value * unit) / unit;
}

/* Every number is written as it is everywhere, so that written ones may miss their sum by a bit. */
static bool
is_missed (double written, double sum)
{
  return fabs (written - round_shown (sum)) > 0.5 * pow (10, -DECIMALS);
}

/* ---- terms ---- */

/* Of the two that are added, which stand in the order of their size. */
static bool
is_of_input (const AttnDrawPipe *pipe, const AttnCell *cell, const AttnCellTerm *term)
{
  const AttnMatrix *input = attn_draw_steps_peek (pipe->steps, ATTN_STEP_INPUT);
  const float *value = input->values + cell->row * input->n_columns + cell->column;
  const bool is_first = memcmp (&cell->terms[0].left, value, sizeof *value) == 0;
  return (term == &cell->terms[0]) == is_first;
}

static char *
dup_term_label (const AttnDrawPipe *pipe, const AttnCell *cell, const AttnCellTerm *term)
{
  if (cell->left_step == ATTN_STEP_WEIGHTS)
    return attn_draw_pipe_dup_token (pipe, term->index);
  if (cell->kind == ATTN_CELL_ADDED)
    return is_of_input (pipe, cell, term) ? g_strdup ("X") : g_strdup ("output");
  g_autofree char *column = g_strdup_printf ("%zu", term->index + 1);
  return attn_draw_pipe_fill (pipe, N_ ("dim %s"), column);
}

static char *
dup_factors (const AttnCellTerm *term)
{
  g_autofree char *left = attn_draw_dup_number ((double)term->left, 3);
  g_autofree char *right = attn_draw_dup_number ((double)term->right, 3);
  return g_strdup_printf ("%s × %s", left, right);
}

static char *
dup_smaller (const AttnDrawPipe *pipe, size_t n)
{
  g_autofree char *number = g_strdup_printf ("%zu", n);
  return attn_draw_pipe_fill (pipe, N_ ("+ %s smaller ones"), number);
}

/* Those that would all be written as 0 are told of together, unless that is only one. */
static size_t
count_shown (const AttnDrawPipe *pipe, const AttnCell *cell)
{
  const size_t most = is_roomy (pipe) ? MOST_TERMS : FEW_TERMS;
  size_t n = cell->n_terms <= most + 1 ? cell->n_terms : most;
  while (n > 1 && fabs (cell->terms[n - 1].product) < LEAST_SHOWN)
    n--;
  return n + 1 == cell->n_terms ? n + 1 : n;
}

/* The largest terms as bars, the others as one. Returns: the sum of what is written. */
static double
add_terms (AttnDrawBlock *block, const AttnCell *cell)
{
  const size_t n_shown = count_shown (block->pipe, cell);
  const size_t n = n_shown + (n_shown < cell->n_terms);
  double exact[MOST_TERMS + 1] = {0}, written = 0;
  AttnDrawBarLine lines[MOST_TERMS + 1] = {0};
  double rest = cell->sum;
  for (size_t i = 0; i < n_shown; i++) {
    exact[i] = cell->terms[i].product;
    rest -= exact[i];
  }
  if (n > n_shown)
    exact[n_shown] = rest;
  for (size_t i = 0; i < n; i++) {
    const bool is_rest = i == n_shown;
    written += round_shown (exact[i]);
    lines[i] = (AttnDrawBarLine){
        .label = is_rest ? dup_smaller (block->pipe, cell->n_terms - n_shown)
                         : dup_term_label (block->pipe, cell, &cell->terms[i]),
        .detail = is_rest || cell->kind == ATTN_CELL_ADDED ? NULL : dup_factors (&cell->terms[i]),
        .size = exact[i],
        .shown = round_shown (exact[i]),
        .is_dim = is_rest,
        .row = cell->row,
        .column = is_rest ? G_MAXSIZE : cell->terms[i].index,
    };
  }
  attn_draw_block_add_bars (block, lines, n, true, ATTN_DRAW_PIPELINE_STEP + cell->left_step);
  for (size_t i = 0; i < n; i++)
    attn_draw_bar_line_clear (&lines[i]);
  return written;
}

/* What is done with the sum; nothing where it is the result already. */
static void
add_sum (AttnDrawBlock *block, AttnStep step, const AttnCell *cell, bool is_rounded)
{
  const AttnDrawPipe *pipe = block->pipe;
  g_autofree char *n = g_strdup_printf ("%zu", cell->n_terms);
  g_autofree char *sum = attn_draw_pipe_fill (
      pipe, is_rounded ? N_ ("sum of %s terms, rounded") : N_ ("sum of %s terms"), n);
  const double d_k = (double)pipe->steps->d_k;
  const bool has_scale = fabs (cell->scale - 1) > 1e-9;
  const bool has_added = fabs (cell->added) > 0, has_bias = fabs (cell->bias) > 0;
  attn_draw_block_add_gap (block, 0.5);
  if (!has_scale && !has_added && !has_bias) {
    attn_draw_block_add_figure (block, sum, (double)cell->value, true);
    return;
  }
  attn_draw_block_add_figure (block, sum, cell->sum, false);
  if (has_added)
    attn_draw_block_add_figure (block, attn_draw_pipe_say (pipe, N_ ("+ terms for the distance")),
                                cell->added, false);
  if (has_scale && fabs (cell->scale * sqrt (d_k) - 1) < 1e-6) {
    g_autofree char *root = g_strdup_printf ("÷ √%zu", pipe->steps->d_k);
    attn_draw_block_add_figure (block, root, sqrt (d_k), false);
  } else if (has_scale) {
    attn_draw_block_add_figure (block, "×", cell->scale, false);
  }
  if (has_bias)
    attn_draw_block_add_figure (block,
                                attn_draw_pipe_say (pipe, step == ATTN_STEP_SCORES
                                                              ? N_ ("+ terms for the distance")
                                                              : N_ ("+ bias")),
                                cell->bias, false);
  attn_draw_block_add_figure (block, "=", (double)cell->value, true);
}

/* "score = (q₁k₁ + … + q₈k₈ + D) · 0.2041" */
static char *
dup_score_caption (const AttnDrawPipe *pipe, const AttnCell *cell)
{
  const AttnDrawSteps *steps = pipe->steps;
  const size_t n = cell->n_terms;
  g_autofree char *number = attn_draw_dup_number (cell->scale, 4);
  g_autofree char *scale = attn_draw_steps_has_root (steps) ? g_strdup (" / √<i>d</i><sub>k</sub>")
                           : attn_draw_steps_has_scale (steps) ? g_strconcat (" · ", number, NULL)
                                                               : g_strdup ("");
  return g_strdup_printf ("%s = (<i>q</i><sub>1</sub><i>k</i><sub>1</sub> + … + "
                          "<i>q</i><sub>%zu</sub><i>k</i><sub>%zu</sub>%s)%s%s",
                          attn_draw_pipe_say (pipe, N_ ("score")), n, n,
                          steps->distance == ATTN_DRAW_DISTANCE_INSIDE ? " + <i>D</i>" : "", scale,
                          steps->distance == ATTN_DRAW_DISTANCE_AFTER ? " + <i>D</i>" : "");
}

/* What the row and the column are of: beside x, which the layer reads, heads make rows, too. */
static char *
dup_row_caption (const AttnDrawPipe *pipe, AttnStep step, const AttnCell *cell)
{
  const char *bias = fabs (cell->bias) > 0 ? " + <i>b</i>" : "";
  if (step == ATTN_STEP_CONTRIBUTION || step == ATTN_STEP_OUTPUT) {
    const bool is_own = step == ATTN_STEP_CONTRIBUTION;
    g_autofree char *row = attn_draw_pipe_dup_symbol (pipe, cell->left_step);
    g_autofree char *share =
        is_own ? g_strdup_printf ("<sup>(%zu)</sup>", pipe->steps->head + 1) : g_strdup ("");
    g_autofree char *matrix = g_strconcat ("<i>W</i><sub>O</sub>", share, NULL);
    g_autofree char *words =
        attn_draw_pipe_fill2 (pipe, N_ ("row of %1$s · column of %2$s"), row, matrix);
    return g_strconcat (words, bias, NULL);
  }
  return g_strdup_printf ("<i>x</i><sub>1</sub><i>w</i><sub>1</sub> + … + "
                          "<i>x</i><sub>%zu</sub><i>w</i><sub>%zu</sub>%s",
                          cell->n_terms, cell->n_terms, bias);
}

static char *
dup_terms_caption (const AttnDrawPipe *pipe, AttnStep step, const AttnCell *cell)
{
  if (step == ATTN_STEP_SCORES)
    return dup_score_caption (pipe, cell);
  if (step == ATTN_STEP_HEAD_OUTPUT)
    return g_strdup (attn_draw_pipe_say (pipe, N_ ("Σ weight × value")));
  if (cell->kind == ATTN_CELL_ROTATED)
    return g_strdup (
        attn_draw_pipe_say (pipe, N_ ("turned: a number × cosine, and its partner × sine")));
  if (cell->kind == ATTN_CELL_ADDED)
    return g_strdup ("<i>X</i> + <i>output</i>");
  return dup_row_caption (pipe, step, cell);
}

static void
add_dot (AttnDrawBlock *block, AttnStep step, const AttnCell *cell)
{
  g_autofree char *caption = dup_terms_caption (block->pipe, step, cell);
  attn_draw_block_add_caption (block, caption);
  const double written = add_terms (block, cell);
  add_sum (block, step, cell, is_missed (written, cell->sum));
}

/* ---- softmax ---- */

static int
compare_places (const void *a, const void *b, void *data)
{
  const AttnCellTerm *terms = data;
  const size_t left = terms[*(const size_t *)a].index, right = terms[*(const size_t *)b].index;
  return left < right ? -1 : left > right;
}

/* Which of the row's weights are shown, in the order of the text: the largest, and the one asked
 * for. Returns: how many. */
static size_t
choose_weights (const AttnDrawPipe *pipe, const AttnCell *cell, size_t *chosen)
{
  size_t n = MIN (cell->n_terms, is_roomy (pipe) ? MOST_WEIGHTS : FEW_WEIGHTS);
  bool has_own = false;
  for (size_t i = 0; i < n; i++) {
    chosen[i] = i;
    has_own |= cell->terms[i].index == cell->column;
  }
  for (size_t i = n; i < cell->n_terms && !has_own; i++)
    if (cell->terms[i].index == cell->column) {
      chosen[n - 1] = i;
      has_own = true;
    }
  g_qsort_with_data (chosen, (int)n, sizeof *chosen, compare_places, cell->terms);
  return n;
}

/* Returns: the sum of what is written. */
static double
add_weight_bars (AttnDrawBlock *block, const AttnCell *cell)
{
  size_t chosen[MOST_WEIGHTS] = {0}, own = G_MAXSIZE;
  double exact[MOST_WEIGHTS + 1], rest = 1, written = 0;
  AttnDrawBarLine lines[MOST_WEIGHTS + 1] = {0};
  const size_t n_shown = choose_weights (block->pipe, cell, chosen);
  const size_t n = n_shown + (n_shown < cell->n_terms);
  for (size_t i = 0; i < n_shown; i++) {
    exact[i] =
        attn_draw_steps_get_weight (block->pipe->steps, cell->row, cell->terms[chosen[i]].index);
    rest -= exact[i];
    if (cell->terms[chosen[i]].index == cell->column)
      own = i;
  }
  if (n > n_shown)
    exact[n_shown] = rest;
  for (size_t i = 0; i < n; i++) {
    const bool is_rest = i == n_shown;
    const size_t key = is_rest ? G_MAXSIZE : cell->terms[chosen[i]].index;
    written += round_shown (MAX (exact[i], 0));
    lines[i] = (AttnDrawBarLine){
        .label = is_rest ? dup_smaller (block->pipe, cell->n_terms - n_shown)
                         : attn_draw_pipe_dup_token (block->pipe, key),
        .size = MAX (exact[i], 0),
        .shown = round_shown (MAX (exact[i], 0)),
        .is_bold = i == own,
        .is_dim = is_rest,
        .row = cell->row,
        .column = key,
    };
  }
  attn_draw_block_add_bars (block, lines, n, false, ATTN_DRAW_PIPELINE_STEP + ATTN_STEP_WEIGHTS);
  for (size_t i = 0; i < n; i++)
    attn_draw_bar_line_clear (&lines[i]);
  return written;
}

char *
attn_draw_pipe_dup_quoted (const AttnDrawPipe *pipe, size_t token)
{
  g_autofree char *label = attn_draw_pipe_dup_token (pipe, token);
  return g_markup_escape_text (label, -1);
}

void
attn_draw_block_add_softmax (AttnDrawBlock *block, const AttnDrawExample *example)
{
  const AttnDrawPipe *pipe = block->pipe;
  const AttnCell *cell = example->softmax;
  g_autofree char *query = attn_draw_pipe_dup_quoted (pipe, cell->row);
  g_autofree char *caption =
      attn_draw_pipe_fill (pipe, N_ ("weights = softmax over the row of “%s”"), query);
  g_autofree char *score = attn_draw_dup_number ((double)example->score->value, DECIMALS);
  g_autofree char *largest = attn_draw_dup_number (cell->bias, DECIMALS);
  g_autofree char *power =
      g_strdup_printf (cell->bias < 0 ? "exp(%s − (%s))" : "exp(%s − %s)", score, largest);
  attn_draw_block_add_caption (block, caption);
  const double written = add_weight_bars (block, cell);
  attn_draw_block_add_gap (block, 0.5);
  attn_draw_block_add_caption (
      block, attn_draw_pipe_say (
                 pipe, is_missed (written, 1)
                           ? N_ ("Rounded. The largest is taken off first; the quotient stays.")
                           : N_ ("The largest is taken off first; the quotient stays the same.")));
  attn_draw_block_add_figure (block, power, exp ((double)example->score->value - cell->bias),
                              false);
  attn_draw_block_add_figure (block, attn_draw_pipe_say (pipe, N_ ("÷ sum of exp over the row")),
                              cell->sum, false);
  attn_draw_block_add_figure (block, "=", (double)cell->value, true);
}

/* ---- values ---- */

static void
add_value_line (AttnDrawBlock *block, double weight, size_t key)
{
  g_autofree char *number = attn_draw_dup_number (weight, DECIMALS);
  g_autofree char *token = attn_draw_pipe_dup_quoted (block->pipe, key);
  g_autofree char *line = g_strdup_printf ("%s × <i>v</i>(%s)", number, token);
  attn_draw_block_add_text (block, line, false);
  attn_draw_block_add_gap (block, 0.25);
}

void
attn_draw_block_add_values (AttnDrawBlock *block, const AttnDrawExample *example)
{
  const AttnDrawPipe *pipe = block->pipe;
  const AttnCell *cell = example->softmax;
  size_t n = 0;
  double rest = 1;
  attn_draw_block_add_caption (block,
                               attn_draw_pipe_say (pipe, N_ ("output row = Σ weight × value")));
  for (; n < MIN (cell->n_terms, MOST_VALUES) && cell->terms[n].product >= LEAST_SHOWN; n++) {
    const size_t key = cell->terms[n].index;
    const double weight = attn_draw_steps_get_weight (pipe->steps, cell->row, key);
    add_value_line (block, weight, key);
    rest -= weight;
  }
  if (n < cell->n_terms) {
    g_autofree char *count = g_strdup_printf ("%zu", cell->n_terms - n);
    g_autofree char *sum = attn_draw_dup_number (MAX (rest, 0), DECIMALS);
    g_autofree char *line =
        attn_draw_pipe_fill2 (pipe, N_ ("+ %1$s smaller ones, together %2$s"), count, sum);
    attn_draw_block_add_text (block, line, false);
    attn_draw_block_add_gap (block, 0.25);
  }
  g_autofree char *token = attn_draw_pipe_dup_quoted (pipe, cell->row);
  g_autofree char *head = attn_draw_pipe_dup_symbol (pipe, ATTN_STEP_HEAD_OUTPUT);
  g_autofree char *end = attn_draw_pipe_fill2 (pipe, N_ ("= row “%1$s” of %2$s"), token, head);
  attn_draw_block_add_gap (block, 0.3);
  attn_draw_block_add_text (block, end, true);
}

/* ---- other kinds ---- */

static void
add_normed (AttnDrawBlock *block, const AttnCell *cell)
{
  const AttnDrawPipe *pipe = block->pipe;
  g_autofree char *from = attn_draw_pipe_dup_symbol (pipe, cell->left_step);
  g_autofree char *norm = attn_draw_pipe_dup_norm (pipe);
  attn_draw_block_add_caption (block, norm);
  attn_draw_block_add_figure (block, from, cell->sum, false);
  attn_draw_block_add_figure (block, attn_draw_pipe_say (pipe, N_ ("− mean of the row")),
                              cell->mean, false);
  attn_draw_block_add_figure (block, attn_draw_pipe_say (pipe, N_ ("÷ spread of the row")),
                              cell->deviation, false);
  attn_draw_block_add_figure (block, "× <i>γ</i>", cell->gain, false);
  if (fabs (cell->bias) > 0)
    attn_draw_block_add_figure (block, "+ <i>β</i>", cell->bias, false);
  attn_draw_block_add_figure (block, "=", (double)cell->value, true);
}

/* A head's share is columns of all heads' matrix, and the other way round. */
static void
add_copied (AttnDrawBlock *block, AttnStep step, const AttnCell *cell)
{
  const AttnDrawPipe *pipe = block->pipe;
  const size_t d_k = pipe->steps->d_k;
  g_autofree char *column = g_strdup_printf ("%zu", cell->terms[0].index + 1);
  g_autofree char *from =
      step == ATTN_STEP_CONCAT
          ? g_strdup_printf ("<i>head</i><sub>%zu</sub>", cell->column / d_k + 1)
          : attn_draw_pipe_dup_symbol (pipe, cell->left_step);
  g_autofree char *line =
      attn_draw_pipe_fill2 (pipe, N_ ("It is the number in column %1$s of %2$s."), column, from);
  attn_draw_block_add_text (block, line, false);
  attn_draw_block_add_gap (block, 0.6);
  attn_draw_block_add_figure (block, "=", (double)cell->value, true);
}

void
attn_draw_block_add_own (AttnDrawBlock *block, const AttnDrawExample *example)
{
  const AttnDrawPipe *pipe = block->pipe;
  const AttnCell *cell = example->cell;
  switch (cell->kind) {
  case ATTN_CELL_GIVEN:
    attn_draw_block_add_text (
        block,
        attn_draw_pipe_say (pipe, N_ ("It comes from before: from the layer below, or in the first "
                                      "layer from the embedding.")),
        false);
    return;
  case ATTN_CELL_HIDDEN:
    attn_draw_block_add_text (
        block,
        attn_draw_pipe_say (pipe, N_ ("Here a token may not look: the score is −∞, and the weight "
                                      "is exactly 0.")),
        false);
    return;
  case ATTN_CELL_COPIED:
    add_copied (block, example->step, cell);
    return;
  case ATTN_CELL_NORMED:
    add_normed (block, cell);
    return;
  case ATTN_CELL_DOT:
  case ATTN_CELL_ROTATED:
  case ATTN_CELL_ADDED:
    add_dot (block, example->step, cell);
    return;
  case ATTN_CELL_SOFTMAX:
    attn_draw_block_add_softmax (block, example);
    return;
  }
}

void
attn_draw_block_add_score (AttnDrawBlock *block, const AttnDrawExample *example)
{
  add_dot (block, ATTN_STEP_SCORES, example->score);
}
