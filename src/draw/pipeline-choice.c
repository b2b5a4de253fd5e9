/* SPDX-License-Identifier: MIT */
/* What is shown where nobody has chosen: a head of which much can be seen, and a row of it. */
#include "pipeline-private.h"

#include "attn/error.h"

#include <math.h>

#define USUAL_TOKENS 3.0 /* among which a row worth an example shares out its attention */
#define LEAST_LETTERS 2  /* of a word, but for Han characters and the like */

static const AttnToken *
peek_token (const AttnTrace *trace, size_t index)
{
  const AttnTokens *tokens = attn_trace_peek_tokens (trace);
  return tokens != NULL ? attn_tokens_peek (tokens, index) : NULL;
}

static bool
is_special (const AttnTrace *trace, size_t token)
{
  const AttnToken *at = peek_token (trace, token);
  return at != NULL && at->sequence < 0;
}

static const char *
next_char (const char *p)
{
  return p + g_utf8_skip[*(const guchar *)p];
}

/* Tokens that a head may rest on: special ones and punctuation. */
static bool
is_rest (const AttnTrace *trace, size_t token)
{
  const AttnToken *at = peek_token (trace, token);
  if (at == NULL)
    return false;
  if (at->sequence < 0)
    return true;
  const char *text = attn_tokens_peek_text (attn_trace_peek_tokens (trace), at->sequence, NULL);
  for (const char *p = text + at->start; p < text + at->end; p = next_char (p))
    if (g_unichar_isalnum (g_utf8_get_char (p)))
      return false;
  return true;
}

/* ---- the head ---- */

static double
get_entropy (const float *weights, size_t n)
{
  double entropy = 0;
  for (size_t i = 0; i < n; i++)
    if (weights[i] > 0)
      entropy -= (double)weights[i] * log ((double)weights[i]);
  return entropy;
}

static double
get_rest_share (const AttnTrace *trace, const float *row, size_t query, size_t n)
{
  double share = 0;
  for (size_t key = 0; key < n; key++)
    if (key == query || is_rest (trace, key))
      share += (double)row[key];
  return share;
}

/* Variance of the entropies of rows that are not of special tokens, times the mean share of them
 * that goes to other words: heads may rest on the rest. */
static double
get_worth (const AttnTrace *trace, const float *weights, size_t n)
{
  double sum = 0, squares = 0, n_rows = 0, rests = 0;
  for (size_t row = 0; row < n; row++) {
    if (is_special (trace, row))
      continue;
    const double entropy = get_entropy (weights + row * n, n);
    sum += entropy;
    squares += entropy * entropy;
    rests += get_rest_share (trace, weights + row * n, row, n);
    n_rows++;
  }
  if (n_rows <= 0)
    return 0;
  const double mean = sum / n_rows;
  return (squares / n_rows - mean * mean) * (1 - rests / n_rows);
}

bool
attn_draw_steps_choose_head (const AttnTrace *trace, size_t *layer, size_t *head, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (trace));
  const size_t n = attn_trace_get_n_tokens (trace);
  g_autofree float *weights = g_try_new (float, n *n);
  double most = -1;
  if (weights == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory for a map of %zu × %zu weights", n, n);
    return false;
  }
  *layer = config->n_layers / 2;
  *head = 0;
  for (size_t i = 0; i < config->n_heads; i++) {
    attn_trace_compute_map (trace, *layer, i, weights);
    const double worth = get_worth (trace, weights, n);
    if (worth <= most)
      continue;
    most = worth;
    *head = i;
  }
  return true;
}

/* ---- the row ---- */

static bool
is_of_word (gunichar c)
{
  return g_unichar_isalpha (c) || c == '\'' || c == 0x2019;
}

/* Nothing but letters, and none beside it: "it", not the "t" of "didn't". */
static bool
is_whole_word (const AttnTrace *trace, size_t token)
{
  const AttnToken *at = peek_token (trace, token);
  if (at == NULL || at->sequence < 0)
    return false;
  const char *text = attn_tokens_peek_text (attn_trace_peek_tokens (trace), at->sequence, NULL);
  const char *p = text + at->start, *end = text + at->end;
  while (p < end && g_unichar_isspace (g_utf8_get_char (p)))
    p = next_char (p);
  if (p >= end)
    return false;
  const bool is_wide = g_unichar_iswide (g_utf8_get_char (p));
  if (!is_wide && p > text && is_of_word (g_utf8_get_char (g_utf8_prev_char (p))))
    return false;
  size_t n_letters = 0;
  for (; p < end; p = next_char (p), n_letters++)
    if (!g_unichar_isalpha (g_utf8_get_char (p)))
      return false;
  return is_wide || (n_letters >= LEAST_LETTERS && !is_of_word (g_utf8_get_char (end)));
}

/* Where no token is a whole word: the one that looks most at one other of the text. */
static size_t
find_strongest (const AttnDrawSteps *steps)
{
  const AttnMatrix *weights = attn_draw_steps_peek (steps, ATTN_STEP_WEIGHTS);
  size_t found = steps->n_tokens / 2;
  float most = 0;
  for (size_t query = 0; query < steps->n_tokens; query++) {
    const float *row = weights->values + query * steps->n_tokens;
    for (size_t key = 0; key < steps->n_tokens && !is_special (steps->trace, query); key++)
      if (key != query && row[key] > most && !is_special (steps->trace, key)) {
        most = row[key];
        found = query;
      }
  }
  return found;
}

/* Whether what the token looks at most is another word of the text. */
static bool
looks_at_other (const AttnDrawSteps *steps, size_t query)
{
  const AttnMatrix *weights = attn_draw_steps_peek (steps, ATTN_STEP_WEIGHTS);
  const float *row = weights->values + query * steps->n_tokens;
  size_t most = 0;
  for (size_t key = 1; key < steps->n_tokens; key++)
    if (row[key] > row[most])
      most = key;
  return most != query && !is_rest (steps->trace, most);
}

size_t
attn_draw_steps_find_row (const AttnDrawSteps *steps)
{
  const AttnMatrix *weights = attn_draw_steps_peek (steps, ATTN_STEP_WEIGHTS);
  size_t found = G_MAXSIZE;
  double least = G_MAXDOUBLE;
  bool has_other = false;
  for (size_t query = 0; query < steps->n_tokens; query++) {
    if (!is_whole_word (steps->trace, query))
      continue;
    const double n = exp (get_entropy (weights->values + query * steps->n_tokens, steps->n_tokens));
    const bool is_other = looks_at_other (steps, query);
    if (has_other != is_other ? has_other : fabs (n - USUAL_TOKENS) >= least)
      continue;
    has_other = is_other;
    least = fabs (n - USUAL_TOKENS);
    found = query;
  }
  return found != G_MAXSIZE ? found : find_strongest (steps);
}
