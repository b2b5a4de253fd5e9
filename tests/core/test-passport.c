/* SPDX-License-Identifier: MIT */
/* A head's passport: closed forms for patterns that are known, and the reference's numbers. */
#include "reference.h"
#include "test-util.h"
#include "text-run.h"

#include "attn/model.h"
#include "attn/passport.h"
#include "attn/run.h"
#include "attn/tokenizer.h"

#include <math.h>
#include <string.h>

#define N 5

typedef struct {
  float weights[N * N];
  bool causal;
} Toy;

static bool
compute_toy (void *source,
             G_GNUC_UNUSED size_t layer,
             G_GNUC_UNUSED size_t head,
             float *weights,
             G_GNUC_UNUSED GError **error)
{
  memcpy (weights, ((Toy *)source)->weights, sizeof ((Toy *)source)->weights);
  return true;
}

/* The first and the last token have the same text. */
static const char *
peek_label (G_GNUC_UNUSED void *source, G_GNUC_UNUSED AttnSide side, size_t index)
{
  static const char *const labels[N] = {"a", "b", "c", "d", "a"};
  return labels[index];
}

static void
get_visible (void *source, G_GNUC_UNUSED size_t layer, size_t query, size_t *first, size_t *end)
{
  *first = 0;
  *end = ((Toy *)source)->causal ? query + 1 : N;
}

static void
keep (G_GNUC_UNUSED void *source)
{
}

static void
compute (Toy *toy, AttnPassport *passport)
{
  g_autoptr (GError) error = NULL;
  const AttnMapsClass klass = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = N,
      .n_keys = N,
      .compute = compute_toy,
      .peek_label = peek_label,
      .get_visible = get_visible,
      .free = keep,
  };
  g_autoptr (AttnMaps) maps = attn_maps_new (&klass, toy);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 0, 0, &error);
  g_assert_no_error (error);
  attn_map_compute_passport (map, passport);
}

/* Each token looks at the one before it, the first at itself: nothing is "next". */
static void
test_previous (void)
{
  Toy toy = {0};
  for (size_t i = 0; i < N; i++)
    toy.weights[i * N + (i > 0 ? i - 1 : 0)] = 1;
  AttnPassport passport;
  compute (&toy, &passport);
  g_assert_cmpfloat (passport.mass_previous, ==, 1);
  g_assert_cmpfloat (passport.mass_next, ==, 0);
  g_assert_cmpfloat_with_epsilon (passport.mass_self, 1.0 / N, 1e-12);
  g_assert_cmpfloat (passport.entropy, ==, 0);
  g_assert_cmpfloat (passport.confidence, ==, 1);
  g_assert_cmpfloat_with_epsilon (passport.mean_distance, (N - 1.0) / N, 1e-12);
  g_assert_cmpint (passport.pattern, ==, ATTN_PATTERN_DIAGONAL);
  g_assert_true (isnan (passport.mass_cls)); /* such maps do not know their template */
  g_assert_true (isnan (passport.mass_other));
}

static void
test_next (void)
{
  Toy toy = {0};
  for (size_t i = 0; i < N; i++)
    toy.weights[i * N + MIN (i + 1, N - 1)] = 1;
  AttnPassport passport;
  compute (&toy, &passport);
  g_assert_cmpfloat (passport.mass_next, ==, 1);
  g_assert_cmpfloat (passport.mass_previous, ==, 0);
}

/* Evenly over all keys: the most there is, and the first and last token meet themselves. */
static void
test_even (void)
{
  Toy toy = {0};
  for (size_t i = 0; i < N * N; i++)
    toy.weights[i] = 1.0F / N;
  AttnPassport passport;
  compute (&toy, &passport);
  g_assert_cmpfloat_with_epsilon (passport.entropy, log (N), 1e-6); /* 1/N in single precision */
  g_assert_cmpfloat_with_epsilon (passport.entropy_normalised, 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (passport.mass_same, 2.0 / N / N, 1e-7);
  g_assert_cmpint (passport.pattern, ==, ATTN_PATTERN_BROAD);
}

/* Evenly over what a causal query sees is as broad as can be, too. */
static void
test_causal (void)
{
  Toy toy = {.causal = true};
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j <= i; j++)
      toy.weights[i * N + j] = 1.0F / (float)(i + 1);
  AttnPassport passport;
  compute (&toy, &passport);
  g_assert_cmpfloat_with_epsilon (passport.entropy_normalised, 1, 1e-6);
  g_assert_cmpfloat (passport.mass_next, ==, 0);
}

/* Numbers that a map has are never hidden: NaN in a cell is NaN in what it is part of, and there is
 * no pattern, wherever in the row it stands. */
static void
test_nan (void)
{
  for (size_t cell = 0; cell < N; cell++) {
    Toy toy = {0};
    for (size_t i = 0; i < N; i++)
      toy.weights[i * N + i] = 1;
    toy.weights[cell] = NAN;
    AttnPassport passport;
    compute (&toy, &passport);
    g_assert_true (isnan (passport.entropy));
    g_assert_true (isnan (passport.entropy_normalised));
    g_assert_true (isnan (passport.confidence));
    g_assert_true (isnan (passport.mean_distance));
    g_assert_true (isnan (passport.mass_self) == (cell == 0));
    g_assert_true (isnan (passport.mass_next) == (cell == 1));
    g_assert_true (isnan (passport.mass_same) == (cell == N - 1)); /* the other "a" */
    g_assert_cmpfloat (passport.mass_previous, ==, 0);
    g_assert_cmpint (passport.pattern, ==, ATTN_PATTERN_NONE);
    g_assert_cmpuint (passport.n_odd, ==, 1);
  }
}

/* Infinite weights make no pattern either, and what is not there is told apart from NaN. */
static void
test_infinite (void)
{
  Toy toy = {0};
  for (size_t i = 0; i < N * N; i++)
    toy.weights[i] = i % 2 == 0 ? (float)INFINITY : NAN;
  AttnPassport passport;
  compute (&toy, &passport);
  g_assert_cmpint (passport.pattern, ==, ATTN_PATTERN_NONE);
  g_assert_cmpstr (attn_pattern_peek_name (passport.pattern), ==, "none");
  g_assert_cmpuint (passport.n_odd, ==, N * N);
  g_assert_true (isnan (passport.confidence));
  g_assert_true (passport.has_choice);
  g_assert_true (passport.has_neighbours);
  g_assert_false (passport.has_template);
  g_assert_false (passport.has_pair);
}

typedef struct {
  const char *name;
  size_t offset;
} Field;

#define FIELD(name, member) \
  { \
    name, offsetof (AttnPassport, member) \
  }

/* Returns: the text with the reference's positions masked, as a run. */
static AttnTrace *
run_masked (AttnModel *model, json_t *about)
{
  g_autoptr (GError) error = NULL;
  const char *text = json_string_value (json_object_get (about, "text"));
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (model);
  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &error);
  g_assert_no_error (error);
  size_t n = 0, n_ids = 0;
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (about, "mask_positions"), &n);
  g_autofree int32_t *ids = reference_dup_integers (json_object_get (about, "input_ids"), &n_ids);
  g_autofree size_t *positions = g_new (size_t, n);
  for (size_t i = 0; i < n; i++)
    positions[i] = (size_t)masks[i];
  g_autoptr (AttnTokens) masked =
      attn_tokenizer_mask_tokens (tokenizer, tokens, positions, n, &error);
  g_assert_no_error (error);
  for (size_t t = 0; t < n_ids; t++)
    g_assert_cmpint (attn_tokens_peek (masked, t)->id, ==, ids[t]);
  AttnTrace *trace = attn_model_run (model, masked, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static void
check_field (const Reference *reference,
             const char *language,
             const Field *field,
             const AttnPassport *passports,
             size_t n)
{
  size_t shape[8];
  g_autofree char *name = g_strconcat (language, ".", field->name, NULL);
  g_autofree float *wanted = reference_dup_named (reference, name, shape);
  g_assert_cmpuint (shape[0] * shape[1], ==, n);
  for (size_t i = 0; i < n; i++) {
    double value;
    memcpy (&value, (const char *)&passports[i] + field->offset, sizeof value);
    /* maps are in single precision here, in double there: 2e-5 of weights at most 1 */
    g_assert_cmpfloat_with_epsilon (value, (double)wanted[i], 2e-5 * (1 + (double)wanted[i]));
  }
}

static void
check_golden (AttnModel *model, const Reference *reference, const char *language)
{
  static const Field fields[] = {
      FIELD ("entropy", entropy),       FIELD ("entropy_normalised", entropy_normalised),
      FIELD ("confidence", confidence), FIELD ("mean_distance", mean_distance),
      FIELD ("mass_self", mass_self),   FIELD ("mass_prev", mass_previous),
      FIELD ("mass_next", mass_next),   FIELD ("mass_cls", mass_cls),
      FIELD ("mass_sep", mass_sep),
  };
  g_autoptr (GError) error = NULL;
  json_t *about = json_object_get (reference_peek_json (reference), language);
  g_autoptr (AttnTrace) trace = run_masked (model, about);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  const size_t L = attn_maps_get_n_layers (maps), H = attn_maps_get_n_heads (maps);
  g_autofree AttnPassport *passports = g_new (AttnPassport, L * H);
  for (size_t i = 0; i < L * H; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (maps, i / H, i % H, &error);
    g_assert_no_error (error);
    attn_map_compute_passport (map, &passports[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (fields); i++)
    check_field (reference, language, &fields[i], passports, L * H);
}

static void
test_golden (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  check_golden (model, reference, "en");
  check_golden (model, reference, "zh");
}

/* What cannot be masked is told. */
static void
test_masks_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/bert-mlm");
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  const AttnTokenizerInput input = {.text = "the cat", .text_length = 7};
  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &error);
  const size_t beyond = attn_tokens_get_n (tokens);
  g_assert_null (attn_tokenizer_mask_tokens (tokenizer, tokens, &beyond, 1, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "the text has tokens 0 to"));
}

/* Which diagonal it is; of equal ones the first, and of other patterns none. */
static void
test_diagonal (void)
{
  static const struct {
    double self, previous, next;
    AttnPattern pattern;
    const char *name;
  } cases[] = {{0.1, 0.7, 0.2, ATTN_PATTERN_DIAGONAL, "previous"},
               {0.1, 0.2, 0.7, ATTN_PATTERN_DIAGONAL, "next"},
               {0.7, 0.2, 0.1, ATTN_PATTERN_DIAGONAL, "self"},
               {0.4, 0.4, 0.4, ATTN_PATTERN_VERTICAL_DIAGONAL, "self"},
               {0.1, 0.4, 0.4, ATTN_PATTERN_VERTICAL_DIAGONAL, "previous"},
               {1, (double)NAN, (double)NAN, ATTN_PATTERN_DIAGONAL, "self"},
               {0.1, 0.2, 0.3, ATTN_PATTERN_MIXED, NULL}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    AttnPassport passport = attn_passport_make_empty ();
    passport.pattern = cases[i].pattern;
    passport.mass_self = cases[i].self;
    passport.mass_previous = cases[i].previous;
    passport.mass_next = cases[i].next;
    g_assert_cmpstr (attn_passport_peek_diagonal (&passport), ==, cases[i].name);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passport/previous", test_previous);
  g_test_add_func ("/passport/next", test_next);
  g_test_add_func ("/passport/even", test_even);
  g_test_add_func ("/passport/causal", test_causal);
  g_test_add_func ("/passport/nan", test_nan);
  g_test_add_func ("/passport/infinite", test_infinite);
  g_test_add_func ("/passport/golden", test_golden);
  g_test_add_func ("/passport/masks-refused", test_masks_refused);
  g_test_add_func ("/passport/diagonal", test_diagonal);
  return g_test_run ();
}
