/* SPDX-License-Identifier: MIT */
/* Maps arranged to be looked at, each step against plain loops over the maps before. */
#include "arrange-source.h"
#include "model-folder.h"

#include "attn/arrange.h"
#include "attn/error.h"
#include "attn/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of at most a hundred f32 of at most 1 each: rounding alone, about 100 × 6e-8. */
#define TOLERANCE 6e-6

#define TEXT "the attention  isn't counting, [MASK] 今天!!"
#define PAIR "reading 北京 \u00E9\u0301 isn't."

static AttnMaps *
arrange_with (AttnMaps *maps, AttnArrangement arrangement, const AttnWordList *words)
{
  g_autoptr (GError) error = NULL;
  AttnMaps *made = attn_maps_arrange (maps, &arrangement, words, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (made);
  return made;
}

static AttnMaps *
arrange (AttnMaps *maps, AttnArrangement arrangement)
{
  return arrange_with (maps, arrangement, NULL);
}

static void
assert_refused (AttnMaps *maps, AttnArrangement arrangement, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_maps_arrange (maps, &arrangement, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, says));
}

/* Labels of a side, apart by blanks. */
static char *
dup_labels (AttnMaps *maps, AttnSide side)
{
  g_autoptr (GString) labels = g_string_new (NULL);
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    g_string_append_printf (labels, "%s%s", i > 0 ? " " : "", attn_maps_peek_label (maps, side, i));
  return g_string_free (g_steal_pointer (&labels), FALSE);
}

static void
assert_labels (AttnMaps *maps, AttnSide side, const char *expected)
{
  g_autofree char *labels = dup_labels (maps, side);
  g_assert_cmpstr (labels, ==, expected);
}

static void
assert_weight (float weight, double expected)
{
  if (isnan (expected))
    g_assert_true (isnan (weight));
  else
    g_assert_cmpfloat_with_epsilon ((double)weight, expected, TOLERANCE);
}

static size_t
count_queries (AttnMaps *maps)
{
  return attn_maps_get_n (maps, ATTN_SIDE_QUERY);
}

static size_t
count_keys (AttnMaps *maps)
{
  return attn_maps_get_n (maps, ATTN_SIDE_KEY);
}

/* Rows that saw all of their weights sum to 1 still. */
static void
assert_rows_sum_to_one (AttnMaps *maps)
{
  g_autofree float *weights = arrange_compute (maps, 0, 0);
  for (size_t q = 0; q < count_queries (maps); q++) {
    double sum = 0;
    for (size_t k = 0; k < count_keys (maps); k++)
      sum += (double)weights[q * count_keys (maps) + k];
    g_assert_cmpfloat_with_epsilon (sum, 1.0, TOLERANCE);
  }
}

/* The shapes every step is tried on: square, of unequal sides, causal. */
static const ArrangeShape shapes[] = {
    {0},
    {.first_query = 2, .end_query = 9, .first_key = 1, .end_key = 16},
    {.causal = true},
    {.first_key = 3, .causal = true},
};

static void
test_plain (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  AttnArrangement plain = {.threshold = 0.5, .n_top = 3, .combine_layers = true};
  g_assert_true (attn_arrangement_is_plain (&plain));
  g_autoptr (AttnMaps) same = arrange (maps, plain);
  g_assert_true (same == maps);
}

/* What a combination of @layers and heads of @set should be. */
static double
combine (AttnMaps *maps, const AttnArrangement *how, size_t layer, size_t index)
{
  double sum = 0, largest = -1, n = 0;
  for (size_t l = 0; l < ARRANGE_LAYERS; l++)
    for (size_t h = 0; h < ARRANGE_HEADS; h++) {
      if ((!how->combine_layers && l != layer) || !attn_head_set_has (&how->heads, h))
        continue;
      g_autofree float *weights = arrange_compute (maps, l, h);
      sum += (double)weights[index];
      largest = MAX (largest, (double)weights[index]);
      n++;
    }
  return how->combine == ATTN_COMBINE_MAX ? largest : sum / n;
}

static void
test_combined (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, NULL);
  for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (unsigned variant = 0; variant < 8; variant++) {
      g_autoptr (AttnMaps) maps = arrange_maps_new (trace, shapes[s]);
      AttnArrangement how = {
          .combine = (variant & 1) != 0 ? ATTN_COMBINE_MAX : ATTN_COMBINE_MEAN,
          .combine_layers = (variant & 2) != 0,
      };
      if ((variant & 4) != 0) {
        attn_head_set_put (&how.heads, 1, true);
        attn_head_set_put (&how.heads, 3, true);
      }
      g_autoptr (AttnMaps) made = arrange (maps, how);
      size_t n_layers = how.combine_layers ? 1 : ARRANGE_LAYERS;
      g_assert_cmpuint (attn_maps_get_n_heads (made), ==, 1);
      g_assert_cmpuint (attn_maps_get_n_layers (made), ==, n_layers);
      g_assert_true (attn_maps_peek_trace (made) == trace);
      g_autofree char *labels = dup_labels (maps, ATTN_SIDE_KEY);
      assert_labels (made, ATTN_SIDE_KEY, labels);
      size_t layer = n_layers - 1;
      g_autofree float *weights = arrange_compute (made, layer, 0);
      for (size_t i = 0; i < count_queries (maps) * count_keys (maps); i += 7)
        assert_weight (weights[i], combine (maps, &how, layer, i));
    }
}

static void
test_combined_nothing (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){.has_nan = true});
  AttnArrangement how = {.combine = ATTN_COMBINE_MAX};
  g_autoptr (AttnMaps) made = arrange (maps, how);
  g_autofree float *weights = arrange_compute (made, 0, 0);
  size_t n = count_keys (made);
  for (size_t k = 0; k < n; k++) {
    g_assert_false (isnan (weights[k]));
    g_assert_true (isnan (weights[n + k]));
  }
  attn_head_set_put (&how.heads, ARRANGE_HEADS, true);
  attn_head_set_put (&how.heads, 2, true);
  assert_refused (maps, how, "head 5 was chosen, a layer has heads 1 to 4");
  attn_arrangement_limit_heads (&how, ARRANGE_HEADS);
  g_assert_false (attn_head_set_has (&how.heads, ARRANGE_HEADS));
  g_assert_true (attn_head_set_has (&how.heads, 2));
  attn_arrangement_limit_heads (&how, 2);
  g_assert_true (attn_head_set_is_empty (&how.heads));
}

/* All layers together have the same bits on any number of threads. */
static void
test_combined_threads (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  const size_t n = count_queries (maps) * count_keys (maps);
  for (int combine = ATTN_COMBINE_MEAN; combine <= ATTN_COMBINE_MAX; combine++) {
    AttnArrangement how = {.combine = (AttnCombine)combine, .combine_layers = true};
    g_autoptr (AttnMaps) alone = arrange (maps, how);
    g_autofree float *wanted = g_new (float, n);
    g_assert_true (attn_maps_compute (alone, 0, 0, wanted, NULL));
    for (size_t n_threads = 1; n_threads <= 5; n_threads++) {
      g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
      g_autoptr (AttnMaps) made = attn_maps_arrange (maps, &how, NULL, pool, NULL);
      g_autofree float *weights = g_new (float, n);
      g_assert_true (attn_maps_compute (made, 0, 0, weights, NULL));
      g_assert_cmpmem (weights, n * sizeof *weights, wanted, n * sizeof *wanted);
    }
  }
}

static bool
compute_great (G_GNUC_UNUSED void *source,
               G_GNUC_UNUSED size_t layer,
               G_GNUC_UNUSED size_t head,
               float *weights,
               G_GNUC_UNUSED GError **error)
{
  for (size_t i = 0; i < 4; i++)
    weights[i] = i % 2 == 0 ? FLT_MAX : -FLT_MAX;
  return true;
}

static const char *
say_label (void *source G_GNUC_UNUSED, AttnSide side G_GNUC_UNUSED, size_t index G_GNUC_UNUSED)
{
  return "a";
}

static void
free_nothing (void *source G_GNUC_UNUSED)
{
}

/* The mean of weights whose sum no f32 can hold is a mean still: of one layer and of all. */
static void
test_combined_great (void)
{
  const AttnMapsClass klass = {
      .n_layers = 3,
      .n_heads = 5,
      .n_queries = 2,
      .n_keys = 2,
      .compute = compute_great,
      .peek_label = say_label,
      .free = free_nothing,
  };
  for (int layers = 0; layers < 2; layers++) {
    g_autoptr (AttnMaps) maps = attn_maps_new (&klass, NULL);
    g_autoptr (AttnMaps) made = arrange (
        maps, (AttnArrangement){.combine = ATTN_COMBINE_MEAN, .combine_layers = layers == 1});
    g_autofree float *weights = arrange_compute (made, 0, 0);
    for (size_t i = 0; i < 4; i++) /* the mean of equal numbers is that number */
      g_assert_cmpfloat (weights[i], ==, i % 2 == 0 ? FLT_MAX : -FLT_MAX);
  }
}

static bool
fail_later (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  if (layer == 0 || head == 0)
    return attn_maps_compute (source, layer, head, weights, error);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "layer %zu is gone", layer);
  return false;
}

static const char *
say_nothing (void *source G_GNUC_UNUSED, AttnSide side G_GNUC_UNUSED, size_t index G_GNUC_UNUSED)
{
  return "";
}

static void
unref_source (void *source)
{
  attn_maps_unref (source);
}

/* Of several failures on several threads it is the first layer's that is told, and no other. */
static void
test_combined_failing (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, NULL);
  g_autoptr (AttnMaps) good = arrange_maps_new (trace, (ArrangeShape){0});
  const AttnMapsClass klass = {
      .n_layers = ARRANGE_LAYERS,
      .n_heads = ARRANGE_HEADS,
      .n_queries = count_queries (good),
      .n_keys = count_keys (good),
      .compute = fail_later,
      .peek_label = say_nothing,
      .free = unref_source,
  };
  g_autoptr (AttnMaps) maps = attn_maps_new (&klass, attn_maps_ref (good));
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  AttnArrangement how = {.combine = ATTN_COMBINE_MEAN, .combine_layers = true};
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_maps_arrange (maps, &how, NULL, pool, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, "layer 1 is gone");
}

/* A layer that looks at near tokens alone, and one that looks at all. */
static void
test_combined_visible (void)
{
  g_autoptr (AttnTrace) trace =
      arrange_run ("modernbert", "the cat and the dog and the fox and the bird", NULL);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMaps) made =
      arrange (maps, (AttnArrangement){.combine = ATTN_COMBINE_MEAN, .combine_layers = true});
  bool narrows = false;
  for (size_t q = 0; q < count_queries (maps); q++) {
    size_t least = G_MAXSIZE, most = 0, first, end;
    for (size_t l = 0; l < attn_maps_get_n_layers (maps); l++) {
      attn_maps_get_visible (maps, l, q, &first, &end);
      narrows = narrows || end - first < count_keys (maps);
      least = MIN (least, first);
      most = MAX (most, end);
    }
    attn_maps_get_visible (made, 0, q, &first, &end);
    g_assert_cmpuint (first, ==, least);
    g_assert_cmpuint (end, ==, most);
  }
  g_assert_true (narrows);
}

static bool
covers (const AttnOrigin *origin, size_t token)
{
  return token >= origin->first && token < origin->first + origin->n;
}

/* Whether the unit @unit of @made is one of token @token: by its place in the text where it has
 * one, as a part of which it may have several. */
static bool
reaches (AttnMaps *made, AttnSide side, size_t unit, const AttnOrigin *token)
{
  AttnOrigin origin;
  attn_maps_get_origin (made, side, unit, &origin);
  bool in_span = token->start < token->end && origin.sequence == token->sequence &&
                 token->start < origin.end && origin.start < token->end;
  return covers (&origin, token->first) && (token->start == token->end || in_span);
}

/* To @to from @from, in words and characters alike: the mean over the tokens of a row, the sum over
 * those of a column, each of these shared out evenly. */
static double
group (AttnMaps *maps, const float *weights, AttnMaps *made, size_t from, size_t to)
{
  double sum = 0, n_rows = 0;
  for (size_t q = 0; q < count_queries (maps); q++) {
    AttnOrigin token;
    attn_maps_get_origin (maps, ATTN_SIDE_QUERY, q, &token);
    if (!reaches (made, ATTN_SIDE_QUERY, from, &token))
      continue;
    n_rows++;
    for (size_t k = 0; k < count_keys (maps); k++) {
      attn_maps_get_origin (maps, ATTN_SIDE_KEY, k, &token);
      if (!reaches (made, ATTN_SIDE_KEY, to, &token))
        continue;
      double n_units = 0;
      for (size_t unit = 0; unit < count_keys (made); unit++)
        n_units += reaches (made, ATTN_SIDE_KEY, unit, &token) ? 1 : 0;
      sum += (double)weights[q * count_keys (maps) + k] / n_units;
    }
  }
  return sum / n_rows;
}

static void
assert_grouped (AttnMaps *maps, AttnMaps *made)
{
  g_autofree float *weights = arrange_compute (maps, 1, 2);
  g_autofree float *grouped = arrange_compute (made, 1, 2);
  for (size_t q = 0; q < count_queries (made); q++) {
    size_t first, end;
    attn_maps_get_visible (made, 1, q, &first, &end);
    for (size_t k = 0; k < count_keys (made); k++) {
      float weight = grouped[q * count_keys (made) + k];
      assert_weight (weight, group (maps, weights, made, q, k));
      /* the formula's weights are above 0, so what is seen shows */
      g_assert_true ((weight > 0) == (k >= first && k < end));
    }
  }
}

static void
check_grouped (AttnTrace *trace, AttnUnit unit)
{
  for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++) {
    g_autoptr (AttnMaps) maps = arrange_maps_new (trace, shapes[s]);
    g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = unit});
    g_assert_cmpuint (attn_maps_get_n_heads (made), ==, ARRANGE_HEADS);
    g_assert_cmpuint (attn_maps_get_n_layers (made), ==, ARRANGE_LAYERS);
    assert_grouped (maps, made);
  }
}

static void
test_words (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, PAIR);
  check_grouped (trace, ATTN_UNIT_WORDS);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = ATTN_UNIT_WORDS});
  assert_labels (made, ATTN_SIDE_QUERY,
                 "[CLS] the attention isn't counting , [MASK] 今 天 !! [SEP] reading 北 京 "
                 "\u00E9 isn't . [SEP]");
  g_autofree char *labels = dup_labels (made, ATTN_SIDE_QUERY);
  assert_labels (made, ATTN_SIDE_KEY, labels);
  assert_rows_sum_to_one (made);
}

static void
test_characters (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, PAIR);
  check_grouped (trace, ATTN_UNIT_CHARACTERS);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS});
  assert_labels (made, ATTN_SIDE_QUERY,
                 "[CLS] t h e a t t e n t i o n i s n ' t c o u n t i n g , [MASK] 今 天 ! ! [SEP] "
                 "r e a d i n g 北 京 \u00E9\u0301 i s n ' t . [SEP]");
  assert_rows_sum_to_one (made);
  /* a token's row is repeated, its column split evenly */
  g_autofree float *tokens = arrange_compute (maps, 0, 0);
  g_autofree float *weights = arrange_compute (made, 0, 0);
  for (size_t row = 1; row < 4; row++)
    for (size_t key = 1; key < 4; key++)
      g_assert_cmpfloat (weights[row * count_keys (made) + key], ==,
                         tokens[count_keys (maps) + 1] / 3);
}

/* A character whose bytes are tokens of their own, and tokens with a blank in front. */
static void
test_byte_level (void)
{
  g_autoptr (AttnTrace) trace =
      arrange_run ("gpt2", "The cat's \U0001F469\u200D\U0001F467 天气", NULL);
  g_assert_cmpuint (attn_trace_get_n_tokens (trace), >, 12);
  for (AttnUnit unit = ATTN_UNIT_CHARACTERS; unit <= ATTN_UNIT_WORDS; unit++) {
    check_grouped (trace, unit);
    g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
    g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = unit});
    assert_labels (made, ATTN_SIDE_KEY,
                   unit == ATTN_UNIT_WORDS
                       ? "The cat's ␣ \U0001F469\u200D\U0001F467 ␣ 天气"
                       : "T h e c a t ' s ␣ \U0001F469\u200D\U0001F467 ␣ 天 气");
    assert_rows_sum_to_one (made);
  }
}

static void
test_word_list (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = test_folder_new ();
  static const char content[] = "今天\n今天天气 9\n北京大学\n大学\ncat天\n好a\n";
  g_autofree char *path = test_folder_write (folder, "words.txt", content, strlen (content));
  g_autoptr (AttnWordList) words = attn_word_list_load (path, &error);
  g_assert_no_error (error);
  test_folder_remove (folder);
  g_autoptr (AttnTrace) trace =
      arrange_run ("bert-mlm", "cat今天天气好a，今天天，北京大 学大学", NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  AttnArrangement how = {.unit = ATTN_UNIT_WORDS};
  g_autoptr (AttnMaps) made = arrange_with (maps, how, words);
  assert_labels (made, ATTN_SIDE_KEY,
                 "[CLS] cat 今天天气 好 a ， 今天 天 ， 北 京 大 学 大学 [SEP]");
  assert_grouped (maps, made);
  assert_rows_sum_to_one (made);
  g_autoptr (AttnMaps) characters =
      arrange_with (maps, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS}, words);
  g_autoptr (AttnMaps) without = arrange (maps, how);
  g_assert_cmpuint (count_keys (without), ==, count_keys (characters) - 2); /* but for cat's */
}

/* The way from a token to its unit and back. */
static void
test_origins (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, PAIR);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  for (AttnUnit unit = ATTN_UNIT_CHARACTERS; unit <= ATTN_UNIT_WORDS; unit++) {
    g_autoptr (AttnMaps) made =
        arrange (maps, (AttnArrangement){.unit = unit, .hide = ATTN_HIDE_CLS});
    g_assert_cmpuint (attn_maps_find_token (made, ATTN_SIDE_KEY, 0), ==, G_MAXSIZE);
    for (size_t t = 1; t < attn_tokens_get_n (tokens); t++) {
      size_t found = attn_maps_find_token (made, ATTN_SIDE_KEY, t);
      g_assert_cmpuint (found, <, count_keys (made));
      AttnOrigin origin;
      g_assert_true (attn_maps_get_origin (made, ATTN_SIDE_KEY, found, &origin));
      const AttnToken *token = attn_tokens_peek (tokens, t);
      g_assert_true (covers (&origin, t));
      g_assert_cmpint (origin.sequence, ==, token->sequence);
      g_assert_true (origin.special == token->special);
      g_assert_cmpuint (origin.start, <=, token->start);
      const char *text = attn_tokens_peek_text (tokens, MAX (origin.sequence, 0), NULL);
      g_autofree char *there = g_strndup (text + origin.start, origin.end - origin.start);
      g_assert_cmpstr (origin.special ? "" : there, ==,
                       origin.special ? "" : attn_maps_peek_label (made, ATTN_SIDE_KEY, found));
      if (origin.special)
        g_assert_cmpstr (attn_maps_peek_piece (made, ATTN_SIDE_KEY, found), ==, token->piece);
    }
  }
}

/* Where @label stands for the @nth time. */
static size_t
find_label (AttnMaps *maps, AttnSide side, const char *label, size_t nth)
{
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    if (strcmp (attn_maps_peek_label (maps, side, i), label) == 0 && nth-- == 0)
      return i;
  g_assert_not_reached ();
}

static void
test_parts (void)
{
  static const struct {
    AttnPart part;
    const char *queries, *keys;
  } cases[] = {
      {ATTN_PART_A_TO_A, "the cat .", "the cat ."},
      {ATTN_PART_A_TO_B, "the cat .", "it was"},
      {ATTN_PART_B_TO_A, "it was", "the cat ."},
      {ATTN_PART_B_TO_B, "it was", "it was"},
  };
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", "the cat.", "it was");
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  g_autofree float *weights = arrange_compute (maps, 2, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.part = cases[i].part});
    assert_labels (made, ATTN_SIDE_QUERY, cases[i].queries);
    assert_labels (made, ATTN_SIDE_KEY, cases[i].keys);
    g_autofree float *selected = arrange_compute (made, 2, 1);
    for (size_t q = 0; q < count_queries (made); q++)
      for (size_t k = 0; k < count_keys (made); k++) {
        size_t from =
            find_label (maps, ATTN_SIDE_QUERY, attn_maps_peek_label (made, ATTN_SIDE_QUERY, q), 0);
        size_t to =
            find_label (maps, ATTN_SIDE_KEY, attn_maps_peek_label (made, ATTN_SIDE_KEY, k), 0);
        g_assert_cmpfloat (selected[q * count_keys (made) + k], ==,
                           weights[from * count_keys (maps) + to]);
      }
  }
}

static void
test_hidden (void)
{
  static const struct {
    unsigned hide;
    AttnUnit unit;
    const char *left;
  } cases[] = {
      {ATTN_HIDE_CLS, ATTN_UNIT_TOKENS, "the cat , it ' [MASK] . [SEP] was ! [SEP]"},
      {ATTN_HIDE_SEP, ATTN_UNIT_TOKENS, "[CLS] the cat , it ' [MASK] . was !"},
      {ATTN_HIDE_PUNCTUATION, ATTN_UNIT_TOKENS, "[CLS] the cat it [MASK] [SEP] was [SEP]"},
      {ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION, ATTN_UNIT_TOKENS,
       "the cat it [MASK] was"},
      {ATTN_HIDE_PUNCTUATION, ATTN_UNIT_WORDS, "[CLS] the cat it [MASK] [SEP] was [SEP]"},
      {ATTN_HIDE_CLS | ATTN_HIDE_PUNCTUATION, ATTN_UNIT_CHARACTERS,
       "t h e c a t i t [MASK] [SEP] w a s [SEP]"},
  };
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", "the cat, it' [MASK].", "was!");
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){0});
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnMaps) made =
        arrange (maps, (AttnArrangement){.hide = cases[i].hide, .unit = cases[i].unit});
    assert_labels (made, ATTN_SIDE_QUERY, cases[i].left);
    assert_labels (made, ATTN_SIDE_KEY, cases[i].left);
  }
}

/* Signs that carry meaning stay; marks of every script go. */
static void
test_punctuation (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("gpt2", "A,“。！？£\U0001F469—(x)#", NULL);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMaps) made = arrange (
      maps, (AttnArrangement){.hide = ATTN_HIDE_PUNCTUATION, .unit = ATTN_UNIT_CHARACTERS});
  assert_labels (made, ATTN_SIDE_KEY, "A £ \U0001F469 x");
}

static void
test_nothing_left (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", "!?", NULL);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  unsigned all = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION;
  assert_refused (maps, (AttnArrangement){.hide = all},
                  "hidden tokens: of 4 tokens nothing is left");
  assert_refused (maps, (AttnArrangement){.part = ATTN_PART_A_TO_B}, "there is no second text");
  assert_refused (maps, (AttnArrangement){.part = ATTN_PART_B_TO_B}, "there is no second text");
  assert_refused (maps, (AttnArrangement){.part = ATTN_PART_A_TO_A, .hide = all},
                  "nothing is left");
  g_autoptr (AttnTrace) empty = arrange_run ("bert-mlm", "", NULL);
  g_autoptr (AttnMaps) frame = attn_maps_new_from_trace (empty);
  assert_refused (frame, (AttnArrangement){.part = ATTN_PART_A_TO_A},
                  "of 2 tokens nothing is left");
  g_autoptr (AttnMaps) made = arrange (frame, (AttnArrangement){.hide = ATTN_HIDE_CLS});
  assert_labels (made, ATTN_SIDE_KEY, "[SEP]");
}

/* Ids without a text can be combined, renormalised and thinned out, and nothing else. */
static void
test_no_text (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTrace) text = arrange_run ("bert-mlm", "the cat", NULL);
  static const int32_t ids[] = {4, 5, 8, 9};
  g_autoptr (AttnTrace) trace = attn_model_run_ids (attn_trace_peek_model (text), ids, NULL,
                                                    G_N_ELEMENTS (ids), NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  static const char why[] = "these maps come from no text";
  assert_refused (maps, (AttnArrangement){.unit = ATTN_UNIT_WORDS}, why);
  assert_refused (maps, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS}, why);
  assert_refused (maps, (AttnArrangement){.hide = ATTN_HIDE_CLS}, why);
  assert_refused (maps, (AttnArrangement){.part = ATTN_PART_A_TO_A}, why);
  g_autoptr (AttnMaps) made =
      arrange (maps, (AttnArrangement){.combine = ATTN_COMBINE_MAX, .renormalise = true});
  assert_rows_sum_to_one (made);
}

/* Keys of a causal model that are hidden narrow what is seen, down to nothing. */
static void
test_selected_visible (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", ", the , cat", NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){.causal = true});
  AttnArrangement how = {.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP};
  g_autoptr (AttnMaps) part =
      arrange_maps_new (trace, (ArrangeShape){.first_key = 2, .causal = true});
  how.renormalise = true;
  g_autoptr (AttnMaps) made = arrange (part, how);
  g_autofree float *weights = arrange_compute (made, 0, 0);
  assert_labels (made, ATTN_SIDE_QUERY, ", the , cat");
  assert_labels (made, ATTN_SIDE_KEY, "the , cat");
  static const size_t ends[] = {0, 1, 2, 3};
  for (size_t q = 0; q < G_N_ELEMENTS (ends); q++) {
    size_t first, end;
    double sum = 0;
    attn_maps_get_visible (made, 0, q, &first, &end);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (end, ==, ends[q]);
    for (size_t k = 0; k < 3; k++) {
      sum += (double)weights[q * 3 + k];
      g_assert_true ((weights[q * 3 + k] > 0) == (k < end));
    }
    g_assert_cmpfloat_with_epsilon (sum, q == 0 ? 0 : 1, TOLERANCE);
  }
}

/* A query whose every weight went to what is hidden has a row of zeros, renormalised or not. */
static void
test_renormalised (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", "the cat, it was", NULL);
  g_autoptr (AttnMaps) maps = arrange_maps_new (trace, (ArrangeShape){.has_nan = true});
  AttnArrangement how = {.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION};
  g_autoptr (AttnMaps) left = arrange (maps, how);
  how.renormalise = true;
  g_autoptr (AttnMaps) made = arrange (maps, how);
  g_autofree float *before = arrange_compute (left, 0, 1);
  g_autofree float *after = arrange_compute (made, 0, 1);
  size_t n = count_keys (made);
  for (size_t q = 0; q < count_queries (made); q++) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
      sum += (double)before[q * n + k];
    for (size_t k = 0; k < n; k++)
      assert_weight (after[q * n + k], (double)before[q * n + k] / sum);
  }
  g_assert_true (isnan (after[0])); /* [CLS] is gone, so it is the first */
  g_assert_false (isnan (after[n]));
}

/* All steps at once are the steps one after the other. */
static void
test_together (void)
{
  g_autoptr (AttnTrace) trace = arrange_run ("bert-mlm", TEXT, PAIR);
  for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++) {
    g_autoptr (AttnMaps) maps = arrange_maps_new (trace, shapes[s]);
    AttnArrangement all = {
        .combine = ATTN_COMBINE_MEAN,
        .unit = ATTN_UNIT_WORDS,
        .hide = ATTN_HIDE_PUNCTUATION,
        .renormalise = true,
        .keep = ATTN_KEEP_TOP,
        .n_top = 3,
    };
    attn_head_set_put (&all.heads, 0, true);
    attn_head_set_put (&all.heads, 2, true);
    g_autoptr (AttnMaps) made = arrange (maps, all);
    AttnArrangement one = {.combine = all.combine, .heads = all.heads};
    g_autoptr (AttnMaps) combined = arrange (maps, one);
    g_autoptr (AttnMaps) words = arrange (combined, (AttnArrangement){.unit = all.unit});
    /* words know their text no more than tokens do; what is hidden is chosen among them */
    g_autoptr (AttnMaps) shown = arrange (words, (AttnArrangement){.hide = all.hide});
    g_autoptr (AttnMaps) whole = arrange (shown, (AttnArrangement){.renormalise = true});
    g_autoptr (AttnMaps) kept =
        arrange (whole, (AttnArrangement){.keep = all.keep, .n_top = all.n_top});
    g_autofree char *labels = dup_labels (kept, ATTN_SIDE_KEY);
    assert_labels (made, ATTN_SIDE_KEY, labels);
    g_autofree float *together = arrange_compute (made, 1, 0);
    g_autofree float *one_by_one = arrange_compute (kept, 1, 0);
    size_t n_bytes = count_queries (made) * count_keys (made) * sizeof (float);
    g_assert_cmpuint (count_queries (made), ==, count_queries (kept));
    g_assert_cmpmem (together, n_bytes, one_by_one, n_bytes);
  }
}

/* A set that follows a person's clicks on each head, and what has to be shown then. */
static void
test_toggle (void)
{
  AttnHeadSet set = {{0}};
  const size_t n = 3;

  attn_head_set_toggle (&set, 1, n);
  g_assert_true (attn_head_set_has (&set, 0));
  g_assert_false (attn_head_set_has (&set, 1));
  g_assert_true (attn_head_set_has (&set, 2));
  attn_head_set_toggle (&set, 0, n);
  g_assert_false (attn_head_set_has (&set, 0));
  g_assert_true (attn_head_set_has (&set, 2));
  attn_head_set_toggle (&set, 2, n); /* none is left: all */
  g_assert_true (attn_head_set_is_empty (&set));
  attn_head_set_toggle (&set, 2, n);
  attn_head_set_toggle (&set, 2, n); /* all by name are all */
  g_assert_true (attn_head_set_is_empty (&set));
  attn_head_set_toggle (&set, n, n); /* no such head */
  g_assert_true (attn_head_set_is_empty (&set));
  attn_head_set_toggle (&set, ATTN_HEAD_SET_MAX, ATTN_HEAD_SET_MAX + 8);
  g_assert_true (attn_head_set_is_empty (&set));
  attn_head_set_toggle (&set, 0, 1); /* the only one stays */
  g_assert_true (attn_head_set_is_empty (&set));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrange/plain", test_plain);
  g_test_add_func ("/arrange/combined", test_combined);
  g_test_add_func ("/arrange/combined/nothing", test_combined_nothing);
  g_test_add_func ("/arrange/combined/threads", test_combined_threads);
  g_test_add_func ("/arrange/combined/great", test_combined_great);
  g_test_add_func ("/arrange/combined/failing", test_combined_failing);
  g_test_add_func ("/arrange/combined/visible", test_combined_visible);
  g_test_add_func ("/arrange/words", test_words);
  g_test_add_func ("/arrange/words/list", test_word_list);
  g_test_add_func ("/arrange/characters", test_characters);
  g_test_add_func ("/arrange/byte-level", test_byte_level);
  g_test_add_func ("/arrange/origins", test_origins);
  g_test_add_func ("/arrange/parts", test_parts);
  g_test_add_func ("/arrange/hidden", test_hidden);
  g_test_add_func ("/arrange/hidden/punctuation", test_punctuation);
  g_test_add_func ("/arrange/hidden/nothing-left", test_nothing_left);
  g_test_add_func ("/arrange/hidden/visible", test_selected_visible);
  g_test_add_func ("/arrange/no-text", test_no_text);
  g_test_add_func ("/arrange/renormalised", test_renormalised);
  g_test_add_func ("/arrange/together", test_together);
  g_test_add_func ("/arrange/toggle", test_toggle);
  return g_test_run ();
}
