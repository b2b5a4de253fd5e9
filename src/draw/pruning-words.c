/* SPDX-License-Identifier: MIT */
/* What the figure on how many heads can go says in words. */
#include "plain-text.h"
#include "pruning-private.h"

#include "attn-draw/ablation.h"

#define DECIMALS 4

const char *
attn_draw_pruning_say (const AttnDrawPruning *asked, const char *english)
{
  return asked->translate != NULL ? asked->translate (english, asked->translate_data) : english;
}

char *
attn_draw_pruning_fill (const AttnDrawPruning *asked,
                        const char *english,
                        const char *const *arguments,
                        size_t n)
{
  return attn_draw_fill (attn_draw_pruning_say (asked, english), arguments, n);
}

const char *
attn_draw_pruning_peek_order (const AttnDrawPruning *asked, AttnPruneOrder order)
{
  static const char *const names[ATTN_N_PRUNE_ORDERS] = {
      [ATTN_PRUNE_BY_IMPORTANCE] = N_ ("By importance"),
      [ATTN_PRUNE_BY_ABLATION] = N_ ("By the effect of removing each"),
      [ATTN_PRUNE_AT_RANDOM] = N_ ("At random"),
  };
  return attn_draw_pruning_say (asked, names[order]);
}

static bool
is_vector (const AttnDrawPruning *asked)
{
  return asked->pruning->kind == ATTN_TASK_VECTOR;
}

const char *
attn_draw_pruning_peek_measure (const AttnDrawPruning *asked)
{
  return attn_draw_pruning_say (asked,
                                is_vector (asked) ? N_ ("1 − cosine") : N_ ("change of the loss"));
}

char *
attn_draw_pruning_dup_title (const AttnDrawPruning *asked)
{
  const AttnPruning *pruning = asked->pruning;
  g_autofree char *layers = g_strdup_printf ("%zu", pruning->n_layers);
  g_autofree char *heads = g_strdup_printf ("%zu", pruning->n_heads / pruning->n_layers);
  const char *const arguments[] = {layers, heads};
  return attn_draw_pruning_fill (asked, N_ ("How many heads can go: %1$s layers × %2$s heads"),
                                 arguments, 2);
}

/* ---- where it falls ---- */

static char *
dup_share (const AttnPruning *pruning, size_t point)
{
  const double removed = (double)attn_prune_get_removed (pruning->n_heads, point);
  return g_strdup_printf ("%.0f", 100 * removed / (double)pruning->n_heads);
}

static const char *
peek_fall (size_t least, size_t most, size_t n_points)
{
  if (least == n_points)
    return N_ ("%1$s: the %2$s stays at 90 %% or more of that with all heads");
  if (most == n_points)
    return N_ ("%1$s: in some orders the %2$s falls below 90 %% of that with all heads once %3$s "
               "%% of them are off, in others it does not");
  return least == most ? N_ ("%1$s: the %2$s falls below 90 %% of that with all heads once %3$s %% "
                             "of them are off")
                       : N_ ("%1$s: the %2$s falls below 90 %% of that with all heads once %3$s to "
                             "%4$s %% of them are off");
}

static char *
dup_fall (const AttnDrawPruning *asked, const AttnDrawPruningLine *line)
{
  const AttnPruning *pruning = asked->pruning;
  const char *quality =
      attn_draw_pruning_say (asked, is_vector (asked) ? N_ ("cosine") : N_ ("accuracy"));
  size_t least = pruning->n_points, most = 0;
  for (size_t i = 0; i < line->n; i++) {
    const size_t fall = attn_pruning_find_fall (pruning, line->first + i, false);
    least = MIN (least, fall);
    most = MAX (most, fall);
  }
  g_autofree char *first = dup_share (pruning, least);
  g_autofree char *last = dup_share (pruning, most);
  const char *const arguments[] = {attn_draw_pruning_peek_order (asked, line->order), quality,
                                   first, last};
  return attn_draw_pruning_fill (asked, peek_fall (least, most, pruning->n_points), arguments, 4);
}

char *
attn_draw_pruning_dup_falls (const AttnDrawPruning *asked)
{
  const AttnPruning *pruning = asked->pruning;
  AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS];
  const size_t n = attn_draw_pruning_find_lines (pruning, lines);
  GString *text = g_string_new (NULL);
  if (!is_vector (asked) && !(pruning->curves[0].scores[0].accuracy > 0)) {
    g_string_append (text, attn_draw_pruning_say (asked, N_ ("With all heads nothing is guessed "
                                                             "right, so accuracy cannot fall")));
    return g_string_free (text, FALSE);
  }
  for (size_t i = 0; i < n; i++) {
    g_autofree char *fall = dup_fall (asked, &lines[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", fall);
  }
  return g_string_free (text, FALSE);
}

/* ---- what is above the plots ---- */

static const char *
peek_task (const AttnPruning *pruning)
{
  if (pruning->mixes_kinds)
    return N_ ("The texts ask for different things");
  switch (pruning->kind) {
  case ATTN_TASK_GUESSED:
    return N_ ("Right is what the model guesses first at [MASK] with all heads");
  case ATTN_TASK_LABELLED:
    return N_ ("Right are the words that were chosen for [MASK]");
  case ATTN_TASK_MASKED:
    return N_ ("Right is what stood at the masked tokens");
  case ATTN_TASK_DRAWN:
    return N_ ("Right is what stood at tokens that were masked at random; draws: %1$s");
  case ATTN_TASK_NEXT:
    return N_ ("Right is each next token");
  case ATTN_TASK_VECTOR:
  case ATTN_N_TASKS:
  default:
    return N_ ("This model guesses no words: the loss is 1 − cosine of the sentence’s vector with "
               "that of all heads");
  }
}

char *
attn_draw_pruning_dup_subtitle (const AttnDrawPruning *asked)
{
  const AttnPruning *pruning = asked->pruning;
  g_autofree char *draws = g_strdup_printf ("%zu", pruning->n_draws);
  const char *const arguments[] = {draws};
  g_autofree char *task = attn_draw_pruning_fill (asked, peek_task (pruning), arguments, 1);
  g_autofree char *falls = attn_draw_pruning_dup_falls (asked);
  const char *how = N_ ("A tenth of the heads is switched off at a time, those that matter least "
                        "first, and stays off");
  const char *of_cosine =
      /* xgettext:no-c-format */
      N_ ("Framed: the first point where the cosine is below 90 % of that with all heads");
  const char *of_accuracy =
      /* xgettext:no-c-format */
      N_ ("Framed: the first point where accuracy, and in the loss exp(−loss), is below 90 % of "
          "that with all heads");
  const char *frames = is_vector (asked) ? of_cosine : of_accuracy;
  return g_strjoin ("\n", attn_draw_pruning_say (asked, how), task, falls,
                    attn_draw_pruning_say (asked, frames), NULL);
}

/* ---- points ---- */

static char *
dup_number (double value)
{
  return attn_draw_dup_number (value, DECIMALS);
}

/* Of a random order the mean of all. */
static AttnScore
get_mean (const AttnPruning *pruning, const AttnDrawPruningLine *line, size_t point)
{
  AttnScore mean = {0, 0};
  for (size_t i = 0; i < line->n; i++) {
    const AttnScore *score = &pruning->curves[line->first + i].scores[point];
    mean.loss += score->loss / (double)line->n;
    mean.accuracy += score->accuracy / (double)line->n;
  }
  return mean;
}

static char *
dup_curve_point (const AttnDrawPruning *asked, size_t point, size_t index)
{
  const AttnPruning *pruning = asked->pruning;
  AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS];
  if (index >= attn_draw_pruning_find_lines (pruning, lines) || point >= pruning->n_points)
    return g_strdup ("");
  const AttnScore score = get_mean (pruning, &lines[index], point);
  g_autofree char *removed =
      g_strdup_printf ("%zu", attn_prune_get_removed (pruning->n_heads, point));
  g_autofree char *all = g_strdup_printf ("%zu", pruning->n_heads);
  g_autofree char *loss = dup_number (is_vector (asked) ? 1 - score.loss : score.loss);
  g_autofree char *accuracy = dup_number (score.accuracy);
  const char *const arguments[] = {attn_draw_pruning_peek_order (asked, lines[index].order),
                                   removed, all, loss, accuracy};
  return attn_draw_pruning_fill (
      asked,
      is_vector (asked) ? N_ ("%1$s, %2$s of %3$s heads off: cosine %4$s")
                        : N_ ("%1$s, %2$s of %3$s heads off: loss %4$s, accuracy %5$s"),
      arguments, 5);
}

static char *
dup_layer_point (const AttnDrawPruning *asked, size_t layer, size_t series)
{
  const AttnPruning *pruning = asked->pruning;
  double least, largest;
  if (layer >= pruning->n_layers || series > 1)
    return g_strdup ("");
  const double clean = pruning->curves[0].scores[0].loss;
  const double mean = attn_pruning_get_layer (pruning, layer, &least, &largest);
  g_autofree char *name = g_strdup_printf ("%zu", layer + 1);
  g_autofree char *change = attn_draw_ablation_dup_signed (
      series == 0 ? pruning->layers[layer].loss - clean : mean, DECIMALS);
  g_autofree char *low = attn_draw_ablation_dup_signed (least, DECIMALS);
  g_autofree char *high = attn_draw_ablation_dup_signed (largest, DECIMALS);
  const char *const arguments[] = {name, attn_draw_pruning_peek_measure (asked), change, low, high};
  return attn_draw_pruning_fill (
      asked,
      series == 0 ? N_ ("layer %1$s, all its heads off: %2$s %3$s")
                  : N_ ("layer %1$s, one head off: %2$s %3$s on average, from %4$s to %5$s"),
      arguments, 5);
}

static char *
dup_head_point (const AttnDrawPruning *asked, size_t index)
{
  const AttnPruning *pruning = asked->pruning;
  const size_t H = pruning->n_heads / pruning->n_layers;
  if (index >= pruning->n_heads)
    return g_strdup ("");
  g_autofree char *layer = g_strdup_printf ("%zu", index / H + 1);
  g_autofree char *head = g_strdup_printf ("%zu", index % H + 1);
  g_autofree char *importance = dup_number (pruning->importance[index]);
  g_autofree char *effect = attn_draw_ablation_dup_signed (pruning->effects[index], DECIMALS);
  const char *const arguments[] = {layer, head, importance, attn_draw_pruning_peek_measure (asked),
                                   effect};
  return attn_draw_pruning_fill (
      asked, N_ ("layer %1$s, head %2$s: importance %3$s; removed alone, %4$s %5$s"), arguments, 5);
}

char *
attn_draw_pruning_dup_point (const AttnDrawPruning *asked, unsigned id, size_t row, size_t column)
{
  switch (attn_draw_pruning_find_part (asked->pruning, id)) {
  case ATTN_DRAW_PRUNING_LOSS:
  case ATTN_DRAW_PRUNING_ACCURACY:
    return dup_curve_point (asked, row, column);
  case ATTN_DRAW_PRUNING_LAYER:
    return dup_layer_point (asked, row, column);
  case ATTN_DRAW_PRUNING_HEAD:
    return dup_head_point (asked, row);
  case ATTN_DRAW_PRUNING_NONE:
  default:
    return g_strdup ("");
  }
}
