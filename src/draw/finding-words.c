/* SPDX-License-Identifier: MIT */
/* A finding's numbers in sentences: first whether it shows itself, and by which count. */
#include "plain-text.h"

#include "attn-draw/finding.h"
#include "attn-draw/sentences.h"

#include <math.h>

#define N_(english) (english)
#define DECIMALS 4
#define CORRELATION_DECIMALS 2
#define MOST_ARGUMENTS 8

/* A text that grows by sentences, each with numbers of its own. */
typedef struct {
  const AttnFindingResult *result;
  const char *closing;
  const char *(*translate) (const char *english, void *data);
  void *data;
  GString *text;
  char *arguments[MOST_ARGUMENTS]; /* [n] owned, of the next sentence */
  size_t n;
} Words;

static void
take (Words *words, char *argument)
{
  words->arguments[words->n++] = argument;
}

static void
add_count (Words *words, size_t count)
{
  take (words, g_strdup_printf ("%zu", count));
}

static void
add_number (Words *words, double value, int decimals)
{
  take (words, attn_draw_dup_number (value, decimals));
}

static void
add_head (Words *words, const AttnFindingHead *head)
{
  take (words, g_strdup_printf ("%zu-%zu", head->layer + 1, head->head + 1));
}

/* Appends a sentence with the arguments so far, which are used up. */
static void
say (Words *words, const char *english)
{
  const char *sentence =
      words->translate != NULL ? words->translate (english, words->data) : english;
  g_autofree char *filled =
      attn_draw_fill (sentence, (const char *const *)words->arguments, words->n);
  attn_draw_add_sentence (words->text, filled);
  while (words->n > 0)
    g_free (words->arguments[--words->n]);
}

static void
say_spare (Words *words)
{
  const AttnFindingResult *result = words->result;
  const bool is_vector = result->task == ATTN_TASK_VECTOR;
  add_count (words, result->n_spare);
  add_count (words, result->n_layers * result->n_heads);
  add_count (words, result->n_better);
  if (is_vector)
    say (words, result->is_shown
                    ? N_ ("It shows here: %1$s of %2$s heads can be missing, one at a time, and "
                          "the sentence’s vector keeps a cosine of 0.99 or more.")
                    : N_ ("It does not show here: only %1$s of %2$s heads can be missing, one at a "
                          "time, with the sentence’s vector keeping a cosine of 0.99 or more."));
  else
    say (words, result->is_shown
                    ? N_ ("It shows here: %1$s of %2$s heads can be missing, one at a time, with a "
                          "loss at most 1 %% higher; without %3$s of them it is even lower.")
                    : N_ ("It does not show here: only %1$s of %2$s heads can be missing, one at a "
                          "time, with a loss at most 1 %% higher; without %3$s of them it is even "
                          "lower."));
  if (isnan (result->head.value))
    return;
  add_head (words, &result->head);
  add_number (words, is_vector ? 1 - result->without : result->without, DECIMALS);
  add_number (words, result->loss, DECIMALS);
  say (words, is_vector ? N_ ("The worst to lose is head %1$s: the cosine is then %2$s.")
                        : N_ ("The worst to lose is head %1$s: the loss is then %2$s instead of "
                              "%3$s."));
}

static void
say_roles (Words *words)
{
  const AttnFindingResult *result = words->result;
  if (result->n_roles == 0) {
    say (words, N_ ("It does not show here: no head puts half of its weight on the previous or the "
                    "next token."));
  } else {
    add_count (words, result->n_top);
    add_count (words, result->n_top_roles);
    add_count (words, result->n_layers * result->n_heads);
    add_count (words, result->n_roles);
    say (words, result->is_shown
                    ? N_ ("It shows here: of the %1$s heads with the most importance %2$s put half "
                          "of their weight or more on the previous or the next token; of all %3$s "
                          "heads %4$s do.")
                    : N_ ("It does not show here: of the %1$s heads with the most importance only "
                          "%2$s put half of their weight or more on the previous or the next "
                          "token; of all %3$s heads %4$s do."));
  }
  if (isnan (result->head.value))
    return;
  add_head (words, &result->head);
  say (words, N_ ("Most important is head %1$s."));
}

static void
say_relations (Words *words)
{
  static const char *const sentences[ATTN_N_RELATIONS] = {
      N_ ("Head %1$s looks at the previous token most: %2$s %% of its weight."),
      N_ ("Head %1$s looks at the next token most: %2$s %% of its weight."),
      N_ ("Head %1$s looks at %3$s most: %2$s %% of its weight."),
  };
  const AttnFindingResult *result = words->result;
  say (words,
       result->is_shown
           ? N_ ("It shows here.")
           : N_ ("It does not show here: no head has half of its weight in one such place."));
  for (size_t i = 0; i < ATTN_N_RELATIONS; i++) {
    const AttnFindingHead *head = &result->surest[i];
    if (!(head->value > 0) || (i == ATTN_RELATION_CLOSING && words->closing == NULL))
      continue; /* hidden, or there is none */
    add_head (words, head);
    add_number (words, 100 * head->value, 0);
    take (words, attn_draw_one_line (words->closing != NULL ? words->closing : ""));
    say (words, sentences[i]);
  }
}

static void
say_kinds (Words *words)
{
  const AttnFindingResult *result = words->result;
  const size_t N = result->n_layers * result->n_heads, *n = result->n_kinds;
  const size_t named = n[ATTN_PATTERN_VERTICAL] + n[ATTN_PATTERN_DIAGONAL] +
                       n[ATTN_PATTERN_VERTICAL_DIAGONAL] + n[ATTN_PATTERN_BLOCK];
  add_count (words, N);
  add_count (words, n[ATTN_PATTERN_VERTICAL]);
  add_count (words, n[ATTN_PATTERN_DIAGONAL]);
  add_count (words, n[ATTN_PATTERN_VERTICAL_DIAGONAL]);
  add_count (words, n[ATTN_PATTERN_BLOCK]);
  add_number (words, 100 * (double)named / (double)N, 0);
  say (words, result->is_shown
                  ? N_ ("It shows here: of %1$s heads %2$s are vertical, %3$s diagonal, %4$s both "
                        "and %5$s blocks, together %6$s %%; in the paper it was 39 to 68 %%.")
                  : N_ ("It does not show here: of %1$s heads %2$s are vertical, %3$s diagonal, "
                        "%4$s both and %5$s blocks, together only %6$s %%; in the paper it was 39 "
                        "to 68 %%."));
  add_count (words, n[ATTN_PATTERN_BROAD]);
  add_count (words, n[ATTN_PATTERN_MIXED]);
  say (words, N_ ("%1$s more spread their weight widely, and %2$s are mixed."));
}

static void
say_weights (Words *words)
{
  const AttnFindingResult *result = words->result;
  if (result->n_compared == 0) {
    say (words, N_ ("No head can be compared on this text: their weights are all equal, or not "
                    "numbers."));
    return;
  }
  add_count (words, result->n_compared);
  add_number (words, result->mean, CORRELATION_DECIMALS);
  say (words, result->is_shown
                  ? N_ ("It shows here: over %1$s heads, weights and the size of gradient × "
                        "attention have a rank correlation of only %2$s in the mean.")
                  : N_ ("It does not show here: over %1$s heads, weights and the size of gradient "
                        "× attention have a rank correlation of %2$s in the mean."));
  add_head (words, &result->least);
  add_number (words, result->least.value, CORRELATION_DECIMALS);
  add_head (words, &result->most);
  add_number (words, result->most.value, CORRELATION_DECIMALS);
  say (words, N_ ("It is lowest in head %1$s (%2$s), highest in head %3$s (%4$s). The weight is a "
                  "factor of both sides, so some agreement is sure."));
}

char *
attn_draw_finding_dup_sentence (const AttnFindingResult *result,
                                const char *closing,
                                const char *(*translate) (const char *english, void *data),
                                void *data)
{
  static void (*const parts[ATTN_N_FINDINGS]) (Words *) = {say_spare, say_roles, say_relations,
                                                           say_kinds, say_weights};
  Words words = {result, closing, translate, data, g_string_new (NULL), {NULL}, 0};
  parts[result->finding](&words);
  return g_string_free (words.text, FALSE);
}

const char *
attn_draw_finding_peek_closing (const AttnTrace *trace)
{
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  const size_t n = tokens != NULL ? attn_tokens_get_n (tokens) : 0;
  const AttnToken *last = n > 1 ? attn_tokens_peek (tokens, n - 1) : NULL;
  return last != NULL && last->special ? last->text : NULL;
}
