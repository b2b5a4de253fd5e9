/* SPDX-License-Identifier: MIT */
/* Partners among tokens, A − B, and which heads changed most. */
#include "attn/align.h"
#include "attn/error.h"

#include <math.h>
#include <string.h>

enum { N_LAYERS = 2, N_HEADS = 3, MAX_TOKENS = 16 };

/* Maps on given words: weights are made up, rows sum to 1. */
typedef struct {
  const char *words[MAX_TOKENS];
  size_t n;
  size_t n_layers, n_heads;
  unsigned seed;
  bool causal;
  size_t fails_from; /* head from which compute fails; 0 for never */
  float replaced;    /* unless 0: the weight of query 0, key 0 in layer 1, head 2 */
} Words;

static bool
words_compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Words *words = source;

  if (words->fails_from > 0 && head >= words->fails_from) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "head %zu cannot be had", head);
    return false;
  }
  for (size_t q = 0; q < words->n; q++) {
    size_t end = words->causal ? q + 1 : words->n;
    float sum = 0;
    for (size_t k = 0; k < words->n; k++) {
      size_t made_up = (words->seed + layer * 7 + head * 3 + q * 5 + k * 11) % 13 + 1;
      weights[q * words->n + k] = k < end ? (float)made_up : 0;
      sum += weights[q * words->n + k];
    }
    for (size_t k = 0; k < words->n; k++)
      weights[q * words->n + k] /= sum;
  }
  if (words->replaced != 0 && layer == 1 && head == 2)
    weights[0] = words->replaced;
  return true;
}

static const char *
words_peek_label (void *source, AttnSide side G_GNUC_UNUSED, size_t index)
{
  return ((const Words *)source)->words[index];
}

static void
words_get_visible (
    void *source, size_t layer G_GNUC_UNUSED, size_t query, size_t *first, size_t *end)
{
  const Words *words = source;
  *first = 0;
  *end = words->causal ? query + 1 : words->n;
}

static bool
words_get_origin (void *source G_GNUC_UNUSED,
                  AttnSide side G_GNUC_UNUSED,
                  size_t index,
                  AttnOrigin *origin)
{
  *origin = (AttnOrigin){.first = index, .n = 1};
  return true;
}

/* @text: words between single spaces */
static AttnMaps *
make_maps_from (Words words, const char *text)
{
  g_auto (GStrv) split = g_strsplit (text, " ", -1);
  Words *source = g_new (Words, 1);

  words.n_layers = words.n_layers > 0 ? words.n_layers : N_LAYERS;
  words.n_heads = words.n_heads > 0 ? words.n_heads : N_HEADS;
  for (words.n = 0; split[words.n] != NULL; words.n++)
    words.words[words.n] = g_intern_string (split[words.n]);
  g_assert_cmpuint (words.n, <=, MAX_TOKENS);
  *source = words;
  AttnMapsClass klass = {
      .n_layers = words.n_layers,
      .n_heads = words.n_heads,
      .n_queries = words.n,
      .n_keys = words.n,
      .compute = words_compute,
      .peek_label = words_peek_label,
      .get_origin = words_get_origin,
      .get_visible = words_get_visible,
      .free = g_free,
  };
  return attn_maps_new (&klass, source);
}

static AttnMaps *
make_maps (const char *text)
{
  return make_maps_from ((Words){.seed = 0}, text);
}

static AttnAlignment *
align (AttnMaps *a, AttnMaps *b)
{
  g_autoptr (GError) error = NULL;
  AttnAlignment *alignment = attn_alignment_new (a, b, ATTN_SIDE_QUERY, &error);
  g_assert_no_error (error);
  return alignment;
}

/* "a:b a:b …" of two texts' partners. */
static char *
describe_pairs (const char *text_a, const char *text_b)
{
  g_autoptr (AttnMaps) a = make_maps (text_a);
  g_autoptr (AttnMaps) b = make_maps (text_b);
  g_autoptr (AttnAlignment) alignment = align (a, b);
  GString *pairs = g_string_new (NULL);

  for (size_t i = 0; i < attn_alignment_get_n (alignment); i++) {
    size_t in_a, in_b;
    attn_alignment_get (alignment, i, &in_a, &in_b);
    g_string_append_printf (pairs, "%s%zu:%zu", i > 0 ? " " : "", in_a, in_b);
    g_assert_cmpuint (attn_alignment_find (alignment, false, in_a), ==, i);
    g_assert_cmpuint (attn_alignment_find (alignment, true, in_b), ==, i);
  }
  return g_string_free (pairs, FALSE);
}

static void
assert_pairs (const char *text_a, const char *text_b, const char *expected)
{
  g_autofree char *pairs = describe_pairs (text_a, text_b);
  g_assert_cmpstr (pairs, ==, expected);
}

static void
test_pairs (void)
{
  assert_pairs ("a b c", "a b c", "0:0 1:1 2:2");
  assert_pairs ("a b c", "a c", "0:0 2:1");
  assert_pairs ("a c", "a b c", "0:0 1:2");
  assert_pairs ("a b c", "a x c", "0:0 2:2");
  assert_pairs ("a b", "c d", "");
  assert_pairs ("a b c d e", "c d e a b", "2:0 3:1 4:2");
  /* case and blanks count: pieces are compared as they are */
  assert_pairs ("A", "a", "");
}

static void
test_repeated (void)
{
  assert_pairs ("the the the", "the", "0:0");
  assert_pairs ("the", "the the the", "0:0");
  assert_pairs ("x the y the z", "the the", "1:0 3:1");
  assert_pairs ("[CLS] a [SEP] b [SEP]", "[CLS] a [SEP]", "0:0 1:1 2:2");
  assert_pairs ("[CLS] a [SEP] b [SEP]", "[CLS] b [SEP]", "0:0 3:1 4:2");
}

static void
test_alone (void)
{
  g_autoptr (AttnMaps) a = make_maps ("a b c d");
  g_autoptr (AttnMaps) b = make_maps ("a c e");
  g_autoptr (AttnAlignment) alignment = align (a, b);
  g_assert_cmpuint (attn_alignment_get_n_alone (alignment, false), ==, 2);
  g_assert_cmpuint (attn_alignment_get_n_alone (alignment, true), ==, 1);
  g_assert_cmpuint (attn_alignment_find (alignment, false, 1), ==, G_MAXSIZE);
  g_assert_cmpuint (attn_alignment_find (alignment, true, 2), ==, G_MAXSIZE);
}

/* The length of a longest common subsequence, the plain way: with or without each first token. */
static size_t
count_common (const char *a, const char *b)
{
  if (*a == '\0' || *b == '\0')
    return 0;
  if (*a == *b)
    return 1 + count_common (a + 1, b + 1);
  return MAX (count_common (a + 1, b), count_common (a, b + 1));
}

static char *
make_random_text (char *letters)
{
  size_t n = (size_t)g_test_rand_int_range (1, 9);
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++) {
    letters[i] = (char)g_test_rand_int_range ('a', 'e');
    g_string_append_printf (text, "%s%c", i > 0 ? " " : "", letters[i]);
  }
  letters[n] = '\0';
  return g_string_free (text, FALSE);
}

/* As many pairs as there can be, each of equal tokens, rising, and the same when A and B are
 * exchanged. */
static void
test_random (void)
{
  for (int round = 0; round < 3000; round++) {
    char letters_a[10], letters_b[10];
    g_autofree char *text_a = make_random_text (letters_a);
    g_autofree char *text_b = make_random_text (letters_b);
    g_autoptr (AttnMaps) a = make_maps (text_a);
    g_autoptr (AttnMaps) b = make_maps (text_b);
    g_autoptr (AttnAlignment) forth = align (a, b);
    g_autoptr (AttnAlignment) back = align (b, a);
    size_t n = attn_alignment_get_n (forth), last_a = 0, last_b = 0;
    g_assert_cmpuint (n, ==, count_common (letters_a, letters_b));
    g_assert_cmpuint (n, ==, attn_alignment_get_n (back));
    for (size_t i = 0; i < n; i++) {
      size_t in_a, in_b, back_a, back_b;
      attn_alignment_get (forth, i, &in_a, &in_b);
      attn_alignment_get (back, i, &back_b, &back_a);
      g_assert_cmpint (letters_a[in_a], ==, letters_b[in_b]);
      g_assert_true (i == 0 || (in_a > last_a && in_b > last_b));
      g_assert_cmpuint (in_a, ==, back_a);
      g_assert_cmpuint (in_b, ==, back_b);
      last_a = in_a;
      last_b = in_b;
    }
  }
}

static AttnMap *
subtract (AttnMaps *a, AttnMaps *b, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) difference = attn_maps_new_difference (a, b, &error);
  g_assert_no_error (error);
  AttnMap *map = attn_maps_dup_map (difference, layer, head, &error);
  g_assert_no_error (error);
  return map;
}

/* A of "a b c d" minus B of "a c d" is A's rows and columns 0, 2, 3 minus all of B's. */
static void
test_difference (void)
{
  static const size_t in_a[] = {0, 2, 3};
  g_autoptr (AttnMaps) a = make_maps ("a b c d");
  g_autoptr (AttnMaps) b = make_maps_from ((Words){.seed = 4}, "a c d");
  g_autoptr (AttnMap) map = subtract (a, b, 1, 2);
  float weights_a[16], weights_b[9];

  g_assert_true (attn_maps_compute (a, 1, 2, weights_a, NULL));
  g_assert_true (attn_maps_compute (b, 1, 2, weights_b, NULL));
  g_assert_cmpuint (map->n_queries, ==, 3);
  g_assert_cmpuint (map->n_keys, ==, 3);
  for (size_t q = 0; q < 3; q++)
    for (size_t k = 0; k < 3; k++)
      g_assert_cmpfloat (map->weights[q * 3 + k], ==,
                         weights_a[in_a[q] * 4 + in_a[k]] - weights_b[q * 3 + k]);
  g_assert_cmpstr (attn_maps_peek_label (map->maps, ATTN_SIDE_KEY, 1), ==, "c");
  g_assert_cmpstr (attn_maps_peek_piece (map->maps, ATTN_SIDE_QUERY, 2), ==, "d");
  AttnOrigin origin;
  g_assert_true (attn_maps_get_origin (map->maps, ATTN_SIDE_QUERY, 2, &origin));
  g_assert_cmpuint (origin.first, ==, 3);
  g_assert_null (attn_maps_peek_trace (map->maps));
}

static void
test_same_is_zero (void)
{
  g_autoptr (AttnMaps) a = make_maps ("the cat and the dog");
  g_autoptr (AttnMaps) b = make_maps ("the cat and the dog");
  for (size_t layer = 0; layer < N_LAYERS; layer++)
    for (size_t head = 0; head < N_HEADS; head++) {
      g_autoptr (AttnMap) map = subtract (a, b, layer, head);
      g_assert_cmpuint (map->n_queries, ==, 5);
      for (size_t i = 0; i < 25; i++)
        g_assert_cmpfloat (map->weights[i], ==, 0);
    }
}

static void
test_exchanged (void)
{
  g_autoptr (AttnMaps) a = make_maps ("x the y z the y");
  g_autoptr (AttnMaps) b = make_maps_from ((Words){.seed = 9}, "the y x y the z");
  g_autoptr (AttnMap) forth = subtract (a, b, 0, 1);
  g_autoptr (AttnMap) back = subtract (b, a, 0, 1);

  g_assert_cmpuint (forth->n_queries, ==, back->n_queries);
  for (size_t i = 0; i < forth->n_queries * forth->n_keys; i++)
    g_assert_cmpfloat (forth->weights[i], ==, -back->weights[i]);
}

/* Pairs 0:0 1:2 2:3. Query 1 is A's 1, which sees keys 0 to 1, and B's 2, which sees all of them
 * up to 2: of the pairs both see 0 and 1. */
static void
test_causal (void)
{
  g_autoptr (AttnMaps) a = make_maps_from ((Words){.causal = true}, "a b c");
  g_autoptr (AttnMaps) b = make_maps_from ((Words){.causal = true, .seed = 3}, "a x b c");
  g_autoptr (AttnMaps) whole = make_maps ("a x b c");
  g_autoptr (AttnMap) map = subtract (a, b, 0, 0);
  g_autoptr (AttnMap) mixed = subtract (a, whole, 0, 0);
  AttnMap *const maps[] = {map, mixed};

  for (size_t m = 0; m < G_N_ELEMENTS (maps); m++)
    for (size_t q = 0; q < 3; q++) {
      size_t first, end;
      attn_maps_get_visible (maps[m]->maps, 0, q, &first, &end);
      g_assert_cmpuint (first, ==, 0);
      g_assert_cmpuint (end, ==, q + 1);
      for (size_t k = q + 1; k < 3; k++)
        g_assert_cmpfloat (maps[m]->weights[q * 3 + k], ==, 0);
    }
  g_assert_cmpfloat (mixed->weights[0], !=, 0);
}

static void
test_refused (void)
{
  g_autoptr (AttnMaps) a = make_maps ("a b");
  g_autoptr (AttnMaps) other = make_maps ("c d e");
  g_autoptr (AttnMaps) fewer = make_maps_from ((Words){.n_heads = 2}, "a b");
  g_autoptr (GError) error = NULL;

  g_assert_null (attn_maps_new_difference (a, other, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, "A and B have no token in common, so there is no A − B");
  g_clear_error (&error);
  g_assert_null (attn_maps_new_difference (a, fewer, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==,
                   "A has 2 layers of 3 heads, B 2 of 2: they cannot be compared one by one");
}

static void
test_head (void)
{
  g_autoptr (AttnMaps) maps = make_maps_from ((Words){.causal = true}, "a b c");
  g_autoptr (AttnMaps) head = attn_maps_new_head (maps, 1, 2, 4, 5);
  float expected[9], weights[9];
  size_t first, end;

  g_assert_cmpuint (attn_maps_get_n_layers (head), ==, 4);
  g_assert_cmpuint (attn_maps_get_n_heads (head), ==, 5);
  g_assert_true (attn_maps_compute (maps, 1, 2, expected, NULL));
  g_assert_true (attn_maps_compute (head, 3, 4, weights, NULL));
  g_assert_cmpmem (weights, sizeof weights, expected, sizeof expected);
  attn_maps_get_visible (head, 3, 1, &first, &end);
  g_assert_cmpuint (end, ==, 2);
  g_assert_cmpstr (attn_maps_peek_label (head, ATTN_SIDE_KEY, 2), ==, "c");
}

static AttnHeadChange *
rank (AttnMaps *a, AttnMaps *b, AttnPool *pool)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) difference = attn_maps_new_difference (a, b, &error);
  g_assert_no_error (error);
  size_t n = 0;
  AttnHeadChange *changes = attn_rank_changes (difference, pool, NULL, NULL, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_LAYERS * N_HEADS);
  return changes;
}

/* Against plain loops, and the same on threads. */
static void
test_rank (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnMaps) a = make_maps ("a b c d");
  g_autoptr (AttnMaps) b = make_maps_from ((Words){.seed = 5}, "a c d");
  g_autofree AttnHeadChange *changes = rank (a, b, NULL);
  g_autofree AttnHeadChange *pooled = rank (a, b, pool);
  bool seen[N_LAYERS][N_HEADS] = {{false}};

  for (size_t i = 0; i < N_LAYERS * N_HEADS; i++) {
    g_autoptr (AttnMap) map = subtract (a, b, changes[i].layer, changes[i].head);
    double sum = 0;
    for (size_t w = 0; w < 9; w++)
      sum += fabs ((double)map->weights[w]) / 2 / 3;
    /* nine additions in double, in another order */
    g_assert_cmpfloat_with_epsilon (changes[i].change, sum, 1e-15);
    g_assert_cmpfloat (changes[i].change, >, 0);
    g_assert_cmpfloat (changes[i].change, <=, 1);
    g_assert_true (i == 0 || changes[i - 1].change >= changes[i].change);
    g_assert_false (seen[changes[i].layer][changes[i].head]);
    seen[changes[i].layer][changes[i].head] = true;
    g_assert_cmpuint (pooled[i].layer, ==, changes[i].layer);
    g_assert_cmpuint (pooled[i].head, ==, changes[i].head);
    g_assert_cmpfloat (pooled[i].change, ==, changes[i].change);
  }
}

/* Everything that is equal stands in the order of layers and heads. */
static void
test_rank_of_same (void)
{
  g_autoptr (AttnMaps) a = make_maps ("a b c");
  g_autofree AttnHeadChange *changes = rank (a, a, NULL);
  for (size_t i = 0; i < N_LAYERS * N_HEADS; i++) {
    g_assert_cmpfloat (changes[i].change, ==, 0);
    g_assert_cmpuint (changes[i].layer, ==, i / N_HEADS);
    g_assert_cmpuint (changes[i].head, ==, i % N_HEADS);
  }
}

static void
test_rank_special (void)
{
  g_autoptr (AttnMaps) a = make_maps ("a b c");
  g_autoptr (AttnMaps) moved = make_maps_from ((Words){.replaced = 2}, "a b c");
  g_autoptr (AttnMaps) broken = make_maps_from ((Words){.replaced = NAN}, "a b c");
  g_autofree AttnHeadChange *first = rank (a, moved, NULL);
  g_autofree AttnHeadChange *last = rank (a, broken, NULL);

  g_assert_cmpuint (first[0].layer, ==, 1);
  g_assert_cmpuint (first[0].head, ==, 2);
  g_assert_true (isnan (last[N_LAYERS * N_HEADS - 1].change));
  g_assert_cmpuint (last[N_LAYERS * N_HEADS - 1].layer, ==, 1);
  g_assert_cmpuint (last[N_LAYERS * N_HEADS - 1].head, ==, 2);
}

static bool
stop_after_one_cb (double fraction, void *data)
{
  double *before = data;
  g_assert_cmpfloat (fraction, >=, *before);
  *before = fraction;
  return fraction <= 0;
}

static void
test_rank_stopped (void)
{
  g_autoptr (AttnMaps) a = make_maps ("a b c");
  g_autoptr (AttnMaps) failing = make_maps_from ((Words){.fails_from = 1}, "a b c");
  g_autoptr (AttnMaps) same = attn_maps_new_difference (a, a, NULL);
  g_autoptr (AttnMaps) none = attn_maps_new_difference (a, failing, NULL);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (GError) error = NULL;
  double fraction = 0;
  size_t n = 0;

  g_assert_null (attn_rank_changes (same, NULL, stop_after_one_cb, &fraction, &n, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (attn_rank_changes (none, pool, NULL, NULL, &n, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, "head 1 cannot be had");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/align/pairs", test_pairs);
  g_test_add_func ("/align/repeated", test_repeated);
  g_test_add_func ("/align/alone", test_alone);
  g_test_add_func ("/align/random", test_random);
  g_test_add_func ("/align/difference", test_difference);
  g_test_add_func ("/align/difference/same-is-zero", test_same_is_zero);
  g_test_add_func ("/align/difference/exchanged", test_exchanged);
  g_test_add_func ("/align/difference/causal", test_causal);
  g_test_add_func ("/align/difference/refused", test_refused);
  g_test_add_func ("/align/head", test_head);
  g_test_add_func ("/align/rank", test_rank);
  g_test_add_func ("/align/rank/same", test_rank_of_same);
  g_test_add_func ("/align/rank/special", test_rank_special);
  g_test_add_func ("/align/rank/stopped", test_rank_stopped);
  return g_test_run ();
}
