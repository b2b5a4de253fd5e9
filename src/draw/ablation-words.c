/* SPDX-License-Identifier: MIT */
/* What the figure on heads that are off says in words. */
#include "ablation-private.h"
#include "plain-text.h"

#include "attn/number.h"
#include "attn/tokenizer.h"

#include <math.h>

#define MOST_LABELS 6 /* named one by one */
#define DECIMALS 4

const char *
attn_draw_ablation_say (const AttnDrawAblation *asked, const char *english)
{
  return asked->translate != NULL ? asked->translate (english, asked->translate_data) : english;
}

char *
attn_draw_ablation_fill (const AttnDrawAblation *asked,
                         const char *english,
                         const char *const *arguments,
                         size_t n)
{
  return attn_draw_fill (attn_draw_ablation_say (asked, english), arguments, n);
}

static char *
dup_number (double value, int decimals)
{
  char number[ATTN_NUMBER_SIZE];
  return g_strdup (attn_number_format_fixed (number, value, decimals));
}

char *
attn_draw_ablation_dup_signed (double value, int decimals)
{
  g_autofree char *size = dup_number (fabs (value), decimals);
  g_autofree char *zero = dup_number (0, decimals);
  const char *sign = g_str_equal (size, zero) || isnan (value) ? "" : value > 0 ? "+" : "−";
  return g_strconcat (sign, size, NULL);
}

/* ---- what the loss is of ---- */

/* Returns: (transfer full): "“capital”, “city” …", with the language's own marks. */
static char *
dup_labels (const AttnDrawAblation *asked)
{
  const AttnTask *task = asked->numbers.clean->task;
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (attn_trace_peek_model (task->clean));
  char *text = g_strdup ("");
  for (size_t i = 0; i < MIN (task->n_labels, MOST_LABELS); i++) {
    g_autofree char *before = text;
    g_autofree char *word =
        attn_draw_one_line (attn_tokenizer_peek_text (tokenizer, task->labels[i]));
    const char *const words[] = {word};
    g_autofree char *quoted = attn_draw_ablation_fill (asked, N_ ("“%s”"), words, 1);
    const char *const both[] = {before, quoted};
    text = i > 0 ? attn_draw_ablation_fill (asked, N_ ("%1$s, %2$s"), both, 2)
                 : g_steal_pointer (&quoted);
  }
  if (task->n_labels <= MOST_LABELS)
    return text;
  g_autofree char *some = text;
  return g_strconcat (some, " …", NULL);
}

static const char *
peek_sentence (const AttnTask *task)
{
  const bool is_one = task->n_labels == 1;
  switch (task->kind) {
  case ATTN_TASK_GUESSED:
    return is_one ? N_ ("Loss: −ln p of %1$s at [MASK], the model’s own best guess with all heads")
                  : N_ ("Loss: mean −ln p at %2$s masks of %1$s, the model’s own best guesses with "
                        "all heads");
  case ATTN_TASK_LABELLED:
    return is_one ? N_ ("Loss: −ln p of %1$s at [MASK], which was chosen")
                  : N_ ("Loss: mean −ln p at %2$s masks of %1$s; the words were chosen, or are the "
                        "model’s best guesses where none was");
  case ATTN_TASK_MASKED:
    return N_ ("Loss: mean −ln p of what stood at the %2$s masked tokens: %1$s");
  case ATTN_TASK_DRAWN:
    return N_ ("Loss: mean −ln p of what stood at tokens that were masked at random, 15 %% of the "
               "text; draws: %3$s, seed: %4$s, first drawn: %1$s");
  case ATTN_TASK_NEXT:
    return N_ ("Loss: mean −ln p of each next token of the text");
  case ATTN_TASK_VECTOR:
  case ATTN_N_TASKS:
  default:
    return N_ ("This model guesses no words. Effect: 1 − cosine of the sentence’s vector with that "
               "of all heads");
  }
}

char *
attn_draw_ablation_dup_task (const AttnDrawAblation *asked)
{
  const AttnTask *task = asked->numbers.clean->task;
  g_autofree char *labels = dup_labels (asked);
  g_autofree char *n = g_strdup_printf ("%zu", task->n_labels);
  g_autofree char *draws = g_strdup_printf ("%zu", task->n_draws);
  g_autofree char *seed = g_strdup_printf ("%zu", asked->numbers.clean->seed);
  const char *const arguments[] = {labels, n, draws, seed};
  return attn_draw_ablation_fill (asked, peek_sentence (task), arguments, 4);
}

char *
attn_draw_ablation_dup_losses (const AttnDrawAblation *asked)
{
  const AttnAblationNumbers *numbers = &asked->numbers;
  const double before = numbers->clean->task->loss;
  const bool is_vector = numbers->clean->task->kind == ATTN_TASK_VECTOR;
  g_autofree char *all = dup_number (before, DECIMALS);
  if (numbers->off == NULL) {
    const char *const arguments[] = {all};
    return is_vector ? g_strdup (attn_draw_ablation_say (
                           asked, N_ ("All heads on: the vector is what it is compared with")))
                     : attn_draw_ablation_fill (asked, N_ ("All heads on: loss %s"), arguments, 1);
  }
  g_autofree char *now =
      dup_number (is_vector ? 1 - numbers->off->loss : numbers->off->loss, DECIMALS);
  g_autofree char *change = attn_draw_ablation_dup_signed (numbers->off->loss - before, DECIMALS);
  g_autofree char *n = g_strdup_printf ("%zu", numbers->off->n_off);
  const char *const arguments[] = {all, now, change, n};
  return attn_draw_ablation_fill (
      asked,
      is_vector ? N_ ("Heads off: %4$s. Cosine of the sentence’s vector with that of all heads: "
                      "%2$s")
                : N_ ("All heads on: loss %1$s. Heads off: %4$s, loss %2$s (%3$s)"),
      arguments, 4);
}

/* ---- the title ---- */

static const char *
peek_kind (AttnAblateKind kind)
{
  static const char *const names[ATTN_N_ABLATE_KINDS] = {
      [ATTN_ABLATE_ZERO] = N_ ("the head’s output is 0"),
      [ATTN_ABLATE_UNIFORM] = N_ ("the head looks everywhere alike"),
      [ATTN_ABLATE_MEAN] = N_ ("the head’s output is its mean over the text"),
      [ATTN_ABLATE_FROZEN] = N_ ("the head’s output is 0, all patterns stay as they were"),
      [ATTN_ABLATE_PATCH] = N_ ("the head’s output is that of the second text"),
  };
  return names[kind];
}

char *
attn_draw_ablation_dup_title (const AttnDrawAblation *asked)
{
  const AttnAblationClean *clean = asked->numbers.clean;
  g_autofree char *layers = g_strdup_printf ("%zu", clean->n_layers);
  g_autofree char *heads = g_strdup_printf ("%zu", clean->n_heads);
  const char *const arguments[] = {layers, heads,
                                   attn_draw_ablation_say (asked, peek_kind (asked->numbers.kind))};
  return attn_draw_ablation_fill (asked, N_ ("%1$s layers × %2$s heads · off: %3$s"), arguments, 3);
}
