/* SPDX-License-Identifier: MIT */
/* What an experiment of training is, and what came of it, in words and in a table. */
#include "hs-lab-train-words.h"

#include "hs-lab-train.h"
#include "hs-table.h"

#include "attn-draw/sentences.h"
#include "attn/number.h"

#include <glib/gi18n.h>

#define LOSS_DECIMALS 4
#define N_COLUMNS 7
/* Between seeds of which one has learned the task and another has not: by so much, and so many
 * times. */
#define WIDE_NATS 0.1
#define WIDE_TIMES 10.0

AttnExperimentOptions
hs_lab_train_get_options (void)
{
  static const size_t heads[] = {1, 2, 4, 8, 16};

  return (AttnExperimentOptions){
      .train = ATTN_TRAIN_OPTIONS, .heads = heads, .n_heads = G_N_ELEMENTS (heads), .n_seeds = 3};
}

void
hs_lab_train_say_example (GtkLabel *label)
{
  g_autofree char *text =
      g_strdup_printf ("<big><tt>C A F B <b><u>D</u></b> [E] A G</tt></big>   %s: <b>B</b> · %s: "
                       "<b>C</b> · %s: <b>E</b>",
                       _ ("just before"), _ ("first"), _ ("marked"));

  gtk_label_set_markup (label, text);
}

static char *
dup_number (double value, int decimals)
{
  char text[ATTN_NUMBER_SIZE];

  return g_strdup (attn_number_format_fixed (text, value, decimals));
}

/* ---- the table ---- */

static char *
dup_spread (const AttnSpread *spread, int decimals)
{
  g_autofree char *mean = dup_number (spread->mean, decimals);
  g_autofree char *least = dup_number (spread->least, decimals);
  g_autofree char *most = dup_number (spread->most, decimals);

  return spread->n > 1 && !g_str_equal (least, most)
             ? g_strdup_printf ("%s (%s – %s)", mean, least, most)
             : g_strdup (mean);
}

/* Whether the mean, as it is printed, is the lowest: what is told apart only by digits that nobody
 * sees is not told apart. */
static bool
is_lowest (const AttnExperiment *experiment, size_t index)
{
  const size_t best = attn_experiment_find_best (experiment);
  const AttnSpread loss = attn_experiment_get_result (experiment, index, ATTN_MEASURE_LOSS);

  if (best == G_MAXSIZE || loss.n == 0)
    return false;
  const AttnSpread least = attn_experiment_get_result (experiment, best, ATTN_MEASURE_LOSS);
  g_autofree char *mean = dup_number (loss.mean, LOSS_DECIMALS);
  g_autofree char *lowest = dup_number (least.mean, LOSS_DECIMALS);
  return g_str_equal (mean, lowest);
}

static char *
dup_percent (const AttnSpread *spread)
{
  const AttnSpread percent = {spread->n, spread->mean * 100, spread->least * 100,
                              spread->most * 100};
  g_autofree char *text = dup_spread (&percent, 0);

  return g_strdup_printf ("%s %%", text);
}

static char *
dup_seconds (const AttnExperiment *experiment, size_t index)
{
  const size_t n_seeds = attn_experiment_peek_options (experiment)->n_seeds;
  double seconds = 0;
  size_t n = 0;

  for (size_t seed = 0; seed < n_seeds; seed++) {
    const double one = attn_experiment_get_seconds (experiment, index, seed);
    seconds += one;
    n += one > 0;
  }
  return n > 0 ? dup_number (seconds / (double)n, 2) : g_strdup ("");
}

static void
add_row (GtkGrid *grid, const AttnExperiment *experiment, size_t index, bool is_best)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  const AttnSpread loss = attn_experiment_get_result (experiment, index, ATTN_MEASURE_LOSS);
  const char *cells[N_COLUMNS];
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  if (loss.n == 0)
    return;
  g_ptr_array_add (texts, g_strdup_printf ("%zu", options->heads[index]));
  g_ptr_array_add (texts, g_strdup_printf ("%zu", options->train.d_model / options->heads[index]));
  g_ptr_array_add (texts, dup_spread (&loss, LOSS_DECIMALS));
  for (int i = ATTN_MEASURE_PREVIOUS; i < ATTN_N_MEASURES; i++) {
    const AttnSpread right = attn_experiment_get_result (experiment, index, (AttnMeasure)i);
    g_ptr_array_add (texts, dup_percent (&right));
  }
  g_ptr_array_add (texts, dup_seconds (experiment, index));
  for (guint i = 0; i < N_COLUMNS; i++)
    cells[i] = g_ptr_array_index (texts, i);
  hs_table_add_row (grid, cells, N_COLUMNS, true, is_best ? "best-row" : NULL);
}

void
hs_lab_train_fill_table (GtkGrid *grid, const AttnExperiment *experiment)
{
  const char *const names[N_COLUMNS] = {"h",         "d_k",        _ ("loss"),   _ ("just before"),
                                        _ ("first"), _ ("marked"), _ ("seconds")};
  hs_table_clear (grid);
  hs_table_add_row (grid, names, N_COLUMNS, true, "dim-label");
  for (size_t i = 0; i < attn_experiment_peek_options (experiment)->n_heads; i++)
    add_row (grid, experiment, i, is_lowest (experiment, i));
}

/* ---- what it says ---- */

static void
add_sentence (GString *text, char *sentence)
{
  attn_draw_add_sentence (text, sentence);
  g_free (sentence);
}

/* Returns: the fewest heads of those with the lowest mean. */
static size_t
find_lowest (const AttnExperiment *experiment)
{
  for (size_t i = 0; i < attn_experiment_peek_options (experiment)->n_heads; i++)
    if (is_lowest (experiment, i))
      return i;
  return G_MAXSIZE;
}

/* Returns: (nullable): "4, 8" where more than one number of heads has the lowest mean. */
static char *
dup_equal (const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  GString *list = g_string_new (NULL);
  size_t n = 0;

  for (size_t i = 0; i < options->n_heads; i++)
    if (is_lowest (experiment, i))
      g_string_append_printf (list, n++ > 0 ? ", %zu" : "%zu", options->heads[i]);
  return g_string_free (list, n < 2);
}

static void
tell_best (GString *text, const AttnExperiment *experiment, size_t best)
{
  const size_t heads = attn_experiment_peek_options (experiment)->heads[best];
  const AttnSpread loss = attn_experiment_get_result (experiment, best, ATTN_MEASURE_LOSS);
  g_autofree char *spread = dup_spread (&loss, LOSS_DECIMALS);
  g_autofree char *equal = dup_equal (experiment);

  if (equal != NULL) {
    g_autofree char *mean = dup_number (loss.mean, LOSS_DECIMALS);
    add_sentence (text, g_strdup_printf (_ ("The lowest loss, %s, was measured with several "
                                            "numbers of heads alike: %s."),
                                         mean, equal));
    return;
  }
  add_sentence (
      text, g_strdup_printf (ngettext ("The lowest loss was measured with %zu head: %s.",
                                       "The lowest loss was measured with %zu heads: %s.", heads),
                             heads, spread));
}

/* The most heads that have a result. */
static size_t
find_last (const AttnExperiment *experiment)
{
  size_t last = 0;

  for (size_t i = 0; i < attn_experiment_peek_options (experiment)->n_heads; i++)
    if (attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS).n > 0)
      last = i;
  return last;
}

static void
tell_most (GString *text, const AttnExperiment *experiment, size_t best)
{
  const size_t last = find_last (experiment);
  const size_t heads = attn_experiment_peek_options (experiment)->heads[last];

  if (last == best)
    add_sentence (text, g_strdup (_ ("No more heads than these were measured: here more heads were "
                                     "better.")));
  else if (attn_experiment_compare (experiment, last, best) == ATTN_EXPERIMENT_WORSE)
    add_sentence (text, g_strdup_printf (_ ("%zu heads did worse with every seed: more heads were "
                                            "not better."),
                                         heads));
  else
    add_sentence (text, g_strdup_printf (_ ("%zu heads did as well within the spread of the seeds: "
                                            "more heads made no clear difference."),
                                         heads));
}

static void
tell_least (GString *text, const AttnExperiment *experiment, size_t best)
{
  const size_t heads = attn_experiment_peek_options (experiment)->heads[0];

  if (best == 0 || attn_experiment_get_result (experiment, 0, ATTN_MEASURE_LOSS).n == 0)
    return;
  if (attn_experiment_compare (experiment, 0, best) == ATTN_EXPERIMENT_WORSE)
    add_sentence (text, g_strdup_printf (ngettext ("%zu head did worse with every seed.",
                                                   "%zu heads did worse with every seed.", heads),
                                         heads));
  else
    add_sentence (text,
                  g_strdup_printf (ngettext ("%zu head did as well within the spread.",
                                             "%zu heads did as well within the spread.", heads),
                                   heads));
}

/* Some seeds learned it and some did not: a mean of both is of neither. */
static void
tell_wide (GString *text, const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);

  for (size_t i = 0; i < options->n_heads; i++) {
    const AttnSpread loss = attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS);
    const size_t heads = options->heads[i];
    if (loss.n < 2 || loss.most - loss.least < WIDE_NATS || loss.most < WIDE_TIMES * loss.least)
      continue;
    g_autofree char *least = dup_number (loss.least, LOSS_DECIMALS);
    g_autofree char *most = dup_number (loss.most, LOSS_DECIMALS);
    add_sentence (text, g_strdup_printf (ngettext ("With %zu head some seeds learned it and some "
                                                   "did not (%s – %s): the mean is of neither.",
                                                   "With %zu heads some seeds learned it and some "
                                                   "did not (%s – %s): the mean is of neither.",
                                                   heads),
                                         heads, least, most));
  }
}

/* Some seed of some number of heads has still to come, or never will. */
static bool
is_partial (const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);

  for (size_t i = 0; i < options->n_heads; i++)
    if (attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS).n < options->n_seeds)
      return true;
  return false;
}

/* Of one number of heads nothing can be said to be lowest. */
static bool
has_several (const AttnExperiment *experiment)
{
  size_t n = 0;

  for (size_t i = 0; i < attn_experiment_peek_options (experiment)->n_heads; i++)
    n += attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS).n > 0;
  return n > 1;
}

char *
hs_lab_train_dup_finding (const AttnExperiment *experiment)
{
  const size_t best = find_lowest (experiment);
  GString *text = g_string_new (NULL);

  if (best == G_MAXSIZE || !has_several (experiment))
    return g_string_free (text, FALSE);
  if (is_partial (experiment))
    add_sentence (text, g_strdup (_ ("So far:")));
  tell_best (text, experiment, best);
  if (attn_experiment_get_result (experiment, best, ATTN_MEASURE_LOSS).n < 2) {
    add_sentence (text, g_strdup (_ ("One seed has no spread: whether a difference is more than "
                                     "chance, only several can tell.")));
    return g_string_free (text, FALSE);
  }
  tell_most (text, experiment, best);
  tell_least (text, experiment, best);
  tell_wide (text, experiment);
  return g_string_free (text, FALSE);
}
