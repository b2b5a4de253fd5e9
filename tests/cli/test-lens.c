/* SPDX-License-Identifier: MIT */
/* headscope-cli lens, and attention --lens: the table, numbers through a lens, hidden states. */
#include "cli-run.h"
#include "test-util.h"

#include "attn/lens.h"

#include <math.h>
#include <string.h>

#define TEXT "The cat sat on the [MASK]."

static const char *
get_string (json_t *object, const char *key)
{
  const char *string = json_string_value (json_object_get (object, key));
  g_assert_nonnull (string);
  return string;
}

static double
get_number (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_number (value));
  return json_number_value (value);
}

/* The row of the lens @name. */
static json_t *
find_row (json_t *answer, const char *name)
{
  json_t *row;
  size_t i;
  json_array_foreach (json_object_get (answer, "lenses"), i, row)
  {
    if (strcmp (get_string (row, "name"), name) == 0)
      return row;
  }
  g_assert_not_reached ();
}

static void
test_table (void)
{
  json_t *answer = ASK ("lens --model @", "demo");
  g_assert_cmpuint (json_array_size (json_object_get (answer, "lenses")), ==, ATTN_N_LENSES);
  assert_keys (find_row (answer, "rollout"), "name,title,meaning,level,cost,families,defined");
  assert_keys (find_row (answer, "flow"),
               "name,title,meaning,level,cost,families,max_tokens,defined");
  g_assert_cmpstr (get_string (find_row (answer, "norm"), "level"), ==, "head");
  g_assert_cmpstr (get_string (find_row (answer, "value-zeroing"), "cost"), ==, "slow");
  json_decref (answer);
  g_autoptr (GString) text = g_string_new ("cat");
  for (int i = 0; i < 70; i++)
    g_string_append (text, " cat");
  json_t *long_text = ASK ("lens --text @", text->str);
  json_t *flow = find_row (long_text, "flow");
  g_assert_true (json_is_false (json_object_get (flow, "defined")));
  g_assert_nonnull (strstr (get_string (flow, "reason"), "64 tokens at most"));
  g_assert_true (json_is_true (json_object_get (find_row (long_text, "value-zeroing"), "defined")));
  json_decref (long_text);
}

static double
get_weight (json_t *map, size_t query, size_t key)
{
  return json_number_value (
      json_array_get (json_array_get (json_object_get (map, "weights"), query), key));
}

/* One map for all heads of a layer, after the lens's name; a single layer has the same numbers. */
static void
test_joint (void)
{
  json_t *all = ASK ("attention --lens rollout --text @", TEXT);
  json_t *one = ASK ("attention --lens rollout --layer 3 --text @", TEXT);
  json_t *maps = json_object_get (all, "maps"), *single = json_object_get (one, "maps");
  assert_keys (all, "about,lens,tokens,maps");
  g_assert_cmpstr (get_string (all, "lens"), ==, "rollout");
  g_assert_cmpstr (get_string (json_object_get (all, "about"), "lens"), ==, "rollout");
  g_assert_cmpuint (json_array_size (maps), ==, 4);
  g_assert_cmpuint (json_array_size (single), ==, 1);
  json_t *third = json_array_get (maps, 2), *map = json_array_get (single, 0);
  g_assert_cmpint (get_int (map, "layer"), ==, 3);
  g_assert_cmpstr (get_string (map, "head"), ==, "all");
  g_assert_true (json_equal (third, map));
  const size_t n = json_array_size (json_object_get (all, "tokens"));
  for (size_t query = 0; query < n; query++) {
    double sum = 0;
    for (size_t key = 0; key < n; key++)
      sum += get_weight (map, query, key);
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
  }
  json_decref (all);
  json_decref (one);
}

/* A lens comes before what arranges maps, and in every format. */
static void
test_arranged (void)
{
  json_t *answer = ASK ("attention --lens norm --combine mean --unit words --text @", TEXT);
  g_assert_cmpuint (json_array_size (json_object_get (answer, "maps")), ==, 4);
  g_assert_cmpstr (get_string (json_array_get (json_object_get (answer, "maps"), 0), "head"), ==,
                   "mean");
  json_decref (answer);
  static const char *const formats[] = {"csv", "npy", "npz", "safetensors"};
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree char *path = in_folder ("maps");
    g_auto (Run) run = RUN ("attention --lens gradient --layer 1 --format @ -o @ --text @",
                            formats[i], path, TEXT);
    g_assert_cmpint (run.status, ==, 0);
  }
}

/* With masks of its own the gradient's labels are what stood there: its sums are importance's. */
static void
test_gradient (void)
{
  json_t *maps = ASK ("attention --lens gradient --mask-positions 2,3 --text @", "The cat sat.");
  json_t *importance = ASK ("importance --mask-positions 2,3 --text @", "The cat sat.");
  const size_t n = json_array_size (json_object_get (maps, "tokens"));
  json_t *map;
  size_t i;
  json_array_foreach (json_object_get (maps, "maps"), i, map)
  {
    double sum = 0;
    for (size_t cell = 0; cell < n * n; cell++)
      sum += get_weight (map, cell / n, cell % n);
    g_assert_cmpfloat_with_epsilon (
        sum, get_number (json_array_get (json_object_get (importance, "heads"), i), "gradient"),
        1e-5);
  }
  json_decref (maps);
  json_decref (importance);
}

static void
test_hidden (void)
{
  json_t *logits = ASK ("lens --logits 6 --top 3 --text @", TEXT);
  json_t *guesses = ASK ("predict --top 3 --text @", TEXT);
  json_t *layers = json_object_get (logits, "logits");
  g_assert_cmpuint (json_array_size (layers), ==, 5);
  json_t *last = json_array_get (json_object_get (json_array_get (layers, 4), "positions"), 0);
  json_t *mask = json_array_get (json_object_get (guesses, "masks"), 0);
  for (size_t i = 0; i < 3; i++) {
    json_t *a = json_array_get (json_object_get (last, "top"), i);
    json_t *b = json_array_get (json_object_get (mask, "top"), i);
    assert_keys (a, "token,id,logit,p");
    g_assert_cmpint (get_int (a, "id"), ==, get_int (b, "id"));
    g_assert_cmpfloat_with_epsilon (get_number (a, "p"), get_number (b, "p"), 1e-6);
  }
  json_t *found = ASK ("lens --contributions 6 --text @", TEXT);
  assert_keys (found, "position,token,id,logit,embedding,rest,heads,feed_forward");
  g_assert_cmpuint (json_array_size (json_object_get (found, "heads")), ==, 32);
  json_t *places = ASK ("lens --trajectories --text @", TEXT);
  assert_keys (places, "tokens,shares,states");
  g_assert_cmpuint (json_array_size (json_object_get (places, "states")), ==, 5);
  json_t *mixing = ASK ("lens --mixing --text @", TEXT);
  g_assert_cmpuint (json_array_size (json_object_get (mixing, "mixing")), ==, 4);
  json_t *sinks = ASK ("lens --sinks --text @", TEXT);
  assert_keys (json_array_get (json_object_get (sinks, "sinks"), 31),
               "layer,head,key,token,id,mass,moved,sink,no_op");
  json_t *heads = ASK ("heads --text @", TEXT);
  assert_keys (heads, "heads,sink_score");
  g_assert_cmpuint (json_array_size (json_object_get (heads, "sink_score")), ==,
                    json_array_size (json_object_get (places, "tokens")));
  json_t *answers[] = {logits, guesses, found, places, mixing, sinks, heads};
  for (size_t i = 0; i < G_N_ELEMENTS (answers); i++)
    json_decref (answers[i]);
}

/* Numbers of heads through a lens: of whole layers a row each. */
static void
test_heads (void)
{
  json_t *raw = ASK ("heads --text @", TEXT);
  json_t *own = ASK ("heads --lens without-special --text @", TEXT);
  json_t *rollout = ASK ("heads --lens rollout --text @", TEXT);
  json_t *a = json_array_get (json_object_get (raw, "heads"), 0);
  json_t *b = json_array_get (json_object_get (own, "heads"), 0);
  json_t *rows = json_object_get (rollout, "heads");
  g_assert_cmpfloat (get_number (a, "mass_cls"), >, 0);
  g_assert_cmpfloat (get_number (b, "mass_cls"), ==, 0);
  g_assert_cmpuint (json_array_size (rows), ==, 4);
  g_assert_cmpstr (get_string (json_array_get (rows, 3), "head"), ==, "all");
  json_decref (raw);
  json_decref (own);
  json_decref (rollout);
}

static void
test_refused (void)
{
  static const struct {
    const char *words, *said;
    int status;
  } cases[] = {
      {"heads --lens norm --text a", "its rows do not sum to 1", 2},
      {"compare --lens flow --text a --head 2 --layer-b 2", "is of whole layers", 2},
      {"render --view compare --format svg -o - --text a --text-b b --mask-positions 1",
       "not for the view compare", 2},
      {"lens --top 3", "--top goes with --logits", 2},
      {"lens --mixing --trajectories --text a", "exclude each other", 2},
      {"lens --logits x --text a", "wanted are tokens' numbers", 2},
      {"lens --logits 99 --text a", "there is no token 99", 1},
      {"lens --contributions 1 --guess nosuchtoken --text a", "--guess nosuchtoken", 2},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = RUN (cases[i].words);
    g_assert_cmpint (run.status, ==, cases[i].status);
    g_assert_nonnull (strstr (run.err, cases[i].said));
  }
}

/* Differences are those of the numbers that attention gives, also of whole layers. */
static void
test_compare (void)
{
  json_t *answer = ASK ("compare --lens rollout --text @ --layer 1 --layer-b 3", TEXT);
  json_t *all = ASK ("attention --lens rollout --text @", TEXT);
  json_t *maps = json_object_get (all, "maps");
  json_t *difference = json_object_get (answer, "difference");
  const size_t n = json_array_size (difference);
  g_assert_cmpstr (get_string (answer, "lens"), ==, "rollout");
  g_assert_cmpuint (n, ==, 9);
  for (size_t q = 0; q < n; q++)
    for (size_t k = 0; k < n; k++) /* nine digits of each */
      g_assert_cmpfloat_with_epsilon (
          json_number_value (json_array_get (json_array_get (difference, q), k)),
          get_weight (json_array_get (maps, 0), q, k) - get_weight (json_array_get (maps, 2), q, k),
          1e-7);
  json_decref (all);
  json_decref (answer);
}

/* Scores that a mask hides are no change, nor "not a number". */
static void
test_compare_scores (void)
{
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  json_t *answer = ASK ("compare --lens scores --model @ --text @ --text-b @ --layer 1", folder,
                        "The cat sat", "The cat ran");
  json_t *difference = json_object_get (answer, "difference");
  g_assert_true (json_is_null (json_array_get (json_array_get (difference, 0), 1)));
  g_assert_cmpfloat (get_number (answer, "change"), ==, 0); /* a causal start is the same */
  json_decref (answer);
}

/* A picture tells which of its tokens are masked though the text has no mask. */
static void
test_masked (void)
{
  g_auto (Run) picture = RUN (
      "render --lens gradient --mask-positions 3 --format svg -o - --layer 2 --head 2 --text @",
      "The cat sat on the mat.");
  g_assert_cmpint (picture.status, ==, 0);
  g_assert_nonnull (strstr (picture.out, "masked tokens: 3 (from 0)"));
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/lens/table", test_table);
  g_test_add_func ("/lens/joint", test_joint);
  g_test_add_func ("/lens/arranged", test_arranged);
  g_test_add_func ("/lens/gradient", test_gradient);
  g_test_add_func ("/lens/hidden", test_hidden);
  g_test_add_func ("/lens/heads", test_heads);
  g_test_add_func ("/lens/compare", test_compare);
  g_test_add_func ("/lens/compare/scores", test_compare_scores);
  g_test_add_func ("/lens/masked", test_masked);
  g_test_add_func ("/lens/refused", test_refused);
  return cli_test_run ();
}
