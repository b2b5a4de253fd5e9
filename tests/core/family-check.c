/* SPDX-License-Identifier: MIT */
/* A model against reference results, tap by tap, so that a failure names the first bad one. */
#include "family-check.h"

#include "attn/predict.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

#define MOST_TEXTS 8 /* in a batch */

typedef struct {
  double attentions, hidden_states, logits;
} Tolerance;

/* One text of a case; a case that is a batch holds several, padded to equal length. */
typedef struct {
  const Reference *reference;
  size_t n_case;
  size_t sequence, n_sequences; /* which of a batch */
  size_t n_tokens, n_padded;
  const char *label; /* for messages */
  FamilyVerdict *verdict;
} Text;

/* Returns: false, with the sentence as the verdict unless there is one already. */
G_GNUC_PRINTF (2, 3)
static bool
fail (const Text *text, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (text->verdict->fault == NULL)
    text->verdict->fault = g_strdup_printf ("%s: %s", text->label, sentence);
  return false;
}

static double
get_number (json_t *object, const char *key, double fallback)
{
  json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : fallback;
}

/* What the reference states; for real weights 1e-4 on attention, 1e-3 on hidden states, since sums
 * over hundreds of products in another order differ that much. */
static Tolerance
get_tolerance (const Reference *reference)
{
  json_t *stated = json_object_get (reference_peek_json (reference), "tolerance_abs");
  return (Tolerance){
      .attentions = get_number (stated, "attentions", 1e-4),
      .hidden_states = get_number (stated, "hidden_states", 1e-3),
      .logits = get_number (stated, "logits", 1e-3),
  };
}

/* The largest |a - b|; a NaN on either side counts as infinitely far. */
static double
compare_rows (const float *a, size_t lda, const float *b, size_t ldb, size_t n_rows, size_t n)
{
  double largest = 0;
  for (size_t r = 0; r < n_rows; r++) {
    for (size_t i = 0; i < n; i++) {
      double difference = fabs ((double)a[r * lda + i] - (double)b[r * ldb + i]);
      if (!(difference <= largest))
        largest = isnan (difference) ? (double)INFINITY : difference;
    }
  }
  return largest;
}

static bool
check_hidden (const Text *text, const AttnTrace *trace, size_t layer, double tolerance)
{
  size_t shape[8], stride, D = attn_model_peek_config (attn_trace_peek_model (trace))->d_model;
  g_autofree float *expected =
      reference_dup_tensor (text->reference, text->n_case, "hidden_states", shape);
  if (expected == NULL)
    return true;
  const float *x = attn_trace_peek_tap (trace, ATTN_TAP_HIDDEN, layer, &stride);
  size_t first_row = (layer * text->n_sequences + text->sequence) * text->n_padded;
  double distance = compare_rows (x, stride, expected + first_row * D, D, text->n_tokens, D);
  text->verdict->hidden_states = fmax (text->verdict->hidden_states, distance);
  if (distance <= tolerance)
    return true;
  return fail (text, "hidden state %zu is off by %g, tolerance %g", layer, distance, tolerance);
}

static bool
check_row_sums (const Text *text, const float *map, size_t n)
{
  for (size_t query = 0; query < n; query++) {
    double sum = 0;
    for (size_t key = 0; key < n; key++)
      sum += (double)map[query * n + key];
    if (!(fabs (sum - 1) <= 1e-5)) { /* as trace.h promises */
      return fail (text, "row %zu of a map sums to %.9g", query, sum);
    }
  }
  return true;
}

/* Keys a query cannot see are exactly 0. */
static bool
check_hidden_keys (const Text *text, const AttnTrace *trace, size_t layer, const float *map)
{
  size_t n = text->n_tokens, first, end;
  for (size_t query = 0; query < n; query++) {
    attn_trace_get_visible (trace, layer, query, &first, &end);
    for (size_t key = 0; key < n; key++)
      if ((key < first || key >= end) && map[query * n + key] != 0)
        return fail (text, "layer %zu, query %zu, hidden key %zu (from 0) has weight %g", layer,
                     query, key, (double)map[query * n + key]);
  }
  return true;
}

static bool
check_maps (const Text *text, const AttnTrace *trace, size_t layer, double tolerance)
{
  size_t n = text->n_tokens, n_padded = text->n_padded;
  size_t H = attn_model_peek_config (attn_trace_peek_model (trace))->n_heads;
  g_autofree float *expected =
      reference_dup_tensor (text->reference, text->n_case, "attentions", NULL);
  g_autofree float *map = g_new (float, n *n);
  g_assert_nonnull (expected);
  for (size_t head = 0; head < H; head++) {
    attn_trace_compute_map (trace, layer, head, map);
    size_t index = (layer * text->n_sequences + text->sequence) * H + head;
    double distance = compare_rows (map, n, expected + index * n_padded * n_padded, n_padded, n, n);
    text->verdict->attentions = fmax (text->verdict->attentions, distance);
    if (!(distance <= tolerance)) {
      return fail (text, "map of layer %zu, head %zu (from 0) is off by %g, tolerance %g", layer,
                   head, distance, tolerance);
    }
    if (!check_row_sums (text, map, n) || !check_hidden_keys (text, trace, layer, map))
      return false;
  }
  return true;
}

/* The rows of this text for which logits are known: [n] positions and where their row stands. */
typedef struct {
  size_t n;
  size_t positions[600], rows[600];
} KnownLogits;

static void
list_known_logits (const Text *text, KnownLogits *known)
{
  size_t shape[8];
  known->n = 0;
  g_autofree float *rows =
      reference_dup_tensor (text->reference, text->n_case, "logits_rows", shape);
  for (size_t i = 0; rows == NULL && i < text->n_tokens; i++, known->n++)
    known->positions[i] = i, known->rows[i] = text->sequence * text->n_padded + i;
  bool pairs = text->n_sequences > 1; /* (sequence, position) in a batch */
  for (size_t i = 0; rows != NULL && i < shape[0]; i++) {
    size_t position = (size_t)rows[pairs ? 2 * i + 1 : i];
    if ((pairs && (size_t)rows[2 * i] != text->sequence) || position >= text->n_tokens)
      continue;
    known->positions[known->n] = position;
    known->rows[known->n++] = i;
  }
}

static size_t
check_logits (const Text *text, const AttnTrace *trace, AttnPool *pool, double tolerance)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *all = reference_dup_tensor (text->reference, text->n_case, "logits", NULL);
  g_autofree float *some =
      reference_dup_tensor (text->reference, text->n_case, "logits_at_rows", NULL);
  const float *expected = all != NULL ? all : some;
  if (expected == NULL)
    return 0;
  KnownLogits known;
  list_known_logits (text, &known);
  size_t V = attn_model_peek_config (attn_trace_peek_model (trace))->vocab_size;
  g_autofree float *logits = g_new (float, text->n_tokens *V);
  attn_trace_compute_logits (trace, 0, text->n_tokens, logits, pool, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < known.n; i++) {
    double distance =
        compare_rows (logits + known.positions[i] * V, V, expected + known.rows[i] * V, V, 1, V);
    text->verdict->logits = fmax (text->verdict->logits, distance);
    if (!(distance <= tolerance))
      fail (text, "logits of token %zu are off by %g, tolerance %g", known.positions[i], distance,
            tolerance);
  }
  return known.n;
}

static void
check_trace (const Text *text, const AttnTrace *trace)
{
  Tolerance tolerance = get_tolerance (text->reference);
  size_t L = attn_model_peek_config (attn_trace_peek_model (trace))->n_layers;
  for (size_t layer = 0; layer < L; layer++)
    if (!check_hidden (text, trace, layer, tolerance.hidden_states) ||
        !check_maps (text, trace, layer, tolerance.attentions))
      return;
  if (!check_hidden (text, trace, L, tolerance.hidden_states))
    return;
  if (attn_model_has_lm_head (attn_trace_peek_model (trace)))
    check_logits (text, trace, NULL, tolerance.logits);
}

static size_t
count_unmasked (json_t *sequence, size_t n)
{
  json_t *mask = json_object_get (sequence, "attention_mask");
  size_t n_unmasked = 0;
  for (size_t i = 0; i < n; i++)
    n_unmasked += mask == NULL || json_number_value (json_array_get (mask, i)) > 0;
  return n_unmasked;
}

AttnTokens *
family_encode (AttnModel *model, json_t *item, size_t sequence, const int32_t *ids, size_t n)
{
  g_autoptr (GError) error = NULL;
  json_t *texts = json_object_get (item, "text"), *pair = json_object_get (item, "pair");
  json_t *text = json_is_array (texts) ? json_array_get (texts, sequence) : texts;
  AttnTokenizerInput input = {
      .text = json_string_value (text),
      .text_length = json_string_length (text),
      .pair = json_string_value (pair),
      .pair_length = json_string_length (pair),
      .max_tokens = (size_t)json_number_value (json_object_get (item, "max_length")),
  };
  AttnTokens *tokens = attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, n);
  for (size_t t = 0; t < n; t++)
    g_assert_cmpint (attn_tokens_peek (tokens, t)->id, ==, ids[t]);
  return tokens;
}

/* What is run of a text: from the text where the folder's tokenizer is one we read, else the
 * reference's ids, without the padding. */
typedef struct {
  Text text;
  char *label;
  int32_t *ids, *type_ids;
  AttnTokens *tokens; /* nullable */
  AttnTrace *trace;
} Subject;

static void
subject_init (Subject *subject, AttnModel *model, json_t *item)
{
  Text *text = &subject->text;
  json_t *sequences = json_object_get (item, "sequences");
  json_t *sequence = sequences != NULL ? json_array_get (sequences, text->sequence) : item;
  size_t n_types;
  subject->ids = reference_dup_integers (json_object_get (sequence, "input_ids"), &text->n_padded);
  subject->type_ids =
      reference_dup_integers (json_object_get (sequence, "token_type_ids"), &n_types);
  g_assert_nonnull (subject->ids);
  text->n_tokens = count_unmasked (sequence, text->n_padded);
  text->label = subject->label;
  if (attn_model_peek_tokenizer (model) != NULL)
    subject->tokens = family_encode (model, item, text->sequence, subject->ids, text->n_tokens);
}

static void
subject_clear (Subject *subject)
{
  g_free (subject->label);
  g_free (subject->ids);
  g_free (subject->type_ids);
  g_clear_pointer (&subject->tokens, attn_tokens_unref);
  g_clear_pointer (&subject->trace, attn_trace_unref);
}

/* All texts of a case in one batch: the reference pads them to equal length, we do not. */
static void
check_case (AttnModel *model,
            const Reference *reference,
            size_t n_case,
            const char *name,
            FamilyVerdict *verdict)
{
  g_autoptr (GError) error = NULL;
  json_t *item =
      json_array_get (json_object_get (reference_peek_json (reference), "cases"), n_case);
  json_t *sequences = json_object_get (item, "sequences");
  Subject subjects[MOST_TEXTS] = {0};
  AttnRunInput inputs[MOST_TEXTS];
  AttnTrace *traces[MOST_TEXTS];
  const size_t n = sequences != NULL ? json_array_size (sequences) : 1;
  g_assert_cmpuint (n, <=, MOST_TEXTS);
  for (size_t s = 0; s < n; s++) {
    subjects[s].text = (Text){reference, n_case, s, n, 0, 0, NULL, verdict};
    subjects[s].label = g_strdup_printf ("%s, case %zu, text %zu", name, n_case, s);
    subject_init (&subjects[s], model, item);
    inputs[s] = (AttnRunInput){subjects[s].tokens, subjects[s].ids, subjects[s].type_ids,
                               subjects[s].text.n_tokens};
  }
  attn_model_run_batch (model, inputs, n, NULL, traces, &error);
  g_assert_no_error (error);
  for (size_t s = 0; s < n; s++) {
    subjects[s].trace = traces[s];
    if (verdict->fault == NULL)
      check_trace (&subjects[s].text, traces[s]);
  }
  for (size_t s = 0; s < n; s++)
    subject_clear (&subjects[s]);
}

void
family_check (AttnModel *model,
              const Reference *reference,
              const char *name,
              FamilyVerdict *verdict)
{
  json_t *cases = json_object_get (reference_peek_json (reference), "cases");
  g_assert_cmpuint (json_array_size (cases), >, 0);
  for (size_t i = 0; i < json_array_size (cases) && verdict->fault == NULL; i++)
    check_case (model, reference, i, name, verdict);
}

void
family_check_trace (const AttnTrace *trace,
                    const Reference *reference,
                    size_t n_case,
                    const char *name,
                    FamilyVerdict *verdict)
{
  size_t n = attn_trace_get_n_tokens (trace);
  Text text = {reference, n_case, 0, 1, n, n, name, verdict};
  check_trace (&text, trace);
}

void
family_verdict_clear (FamilyVerdict *verdict)
{
  g_clear_pointer (&verdict->fault, g_free);
}
