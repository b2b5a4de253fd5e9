/* SPDX-License-Identifier: MIT */
/* headscope-cli compare: its answer's form, and that its numbers are those of attention. */
#include "cli-run.h"
#include "picture-repeat.h"
#include "test-util.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/attn.h"

#include <math.h>
#include <string.h>

#define CAT "The cat sat."
#define DOG "The dog sat down."

static char *
dump (json_t *answer, const char *key)
{
  return json_dumps (json_object_get (answer, key), JSON_COMPACT);
}

static void
test_two_texts (void)
{
  json_t *answer = ASK ("compare --text @ --text-b @", CAT, DOG);
  assert_keys (answer, "a,b,aligned,alone,heads");
  json_t *a = json_object_get (answer, "a"), *b = json_object_get (answer, "b");
  assert_keys (a, "model,text,pair,tokens");
  g_assert_cmpstr (json_string_value (json_object_get (a, "text")), ==, CAT);
  g_assert_cmpstr (json_string_value (json_object_get (b, "text")), ==, DOG);
  g_assert_true (json_is_null (json_object_get (b, "pair")));
  g_autofree char *tokens = dump (b, "tokens");
  g_assert_cmpstr (tokens, ==, "[\"[CLS]\",\"the\",\"dog\",\"sat\",\"down\",\".\",\"[SEP]\"]");
  g_autofree char *aligned = dump (answer, "aligned");
  g_assert_cmpstr (aligned, ==, "[[0,0],[1,1],[3,3],[4,5],[5,6]]");
  g_autofree char *alone = dump (answer, "alone");
  g_assert_cmpstr (alone, ==, "{\"a\":[2],\"b\":[2,4]}");
  json_t *heads = json_object_get (answer, "heads");
  g_assert_cmpuint (json_array_size (heads), ==, 4 * 8);
  double before = 1;
  for (size_t i = 0; i < 4 * 8; i++) {
    json_t *head = json_array_get (heads, i);
    double change = json_number_value (json_object_get (head, "change"));
    assert_keys (head, "layer,head,change");
    g_assert_cmpfloat (change, <=, before);
    g_assert_cmpfloat (change, >, 0);
    before = change;
  }
  json_decref (answer);
}

static double
get_weight (json_t *rows, gint64 query, gint64 key)
{
  return json_number_value (json_array_get (json_array_get (rows, (size_t)query), (size_t)key));
}

/* Every number of A − B, and the change, from what attention says of A and of B. */
static void
test_numbers (void)
{
  json_t *answer =
      ASK ("compare --text @ --text-b @ --layer 3 --head 2 --layer-b 4 --head-b 7", CAT, DOG);
  assert_keys (answer, "a,b,aligned,alone,change,difference,heads");
  g_assert_cmpint (get_int (json_object_get (answer, "a"), "layer"), ==, 3);
  g_assert_cmpint (get_int (json_object_get (answer, "b"), "head"), ==, 7);
  json_t *attention_a = ASK ("attention --text @ --layer 3 --head 2", CAT);
  json_t *attention_b = ASK ("attention --text @ --layer 4 --head 7", DOG);
  json_t *a =
      json_object_get (json_array_get (json_object_get (attention_a, "maps"), 0), "weights");
  json_t *b =
      json_object_get (json_array_get (json_object_get (attention_b, "maps"), 0), "weights");
  json_t *aligned = json_object_get (answer, "aligned");
  json_t *difference = json_object_get (answer, "difference");
  size_t n = json_array_size (aligned);
  double change = 0;
  g_assert_cmpuint (json_array_size (difference), ==, n);
  for (size_t i = 0; i < n * n; i++) {
    json_t *query = json_array_get (aligned, i / n), *key = json_array_get (aligned, i % n);
    gint64 query_a = json_integer_value (json_array_get (query, 0));
    gint64 query_b = json_integer_value (json_array_get (query, 1));
    gint64 key_a = json_integer_value (json_array_get (key, 0));
    gint64 key_b = json_integer_value (json_array_get (key, 1));
    double found = get_weight (difference, (gint64)(i / n), (gint64)(i % n));
    double wanted = get_weight (a, query_a, key_a) - get_weight (b, query_b, key_b);
    /* the answer is rounded to f32 once more */
    g_assert_cmpfloat_with_epsilon (found, wanted, 1e-7);
    change += fabs (found) / 2 / (double)n;
  }
  g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (answer, "change")), change,
                                  1e-7); /* 9 digits of each */
  json_decref (attention_a);
  json_decref (attention_b);
  json_decref (answer);
}

/* The text is run twice, and not one bit differs. */
static void
test_same_is_zero (void)
{
  json_t *answer = ASK ("compare --text @ --text-b @ --layer 2 --head 3", CAT, CAT);
  json_t *heads = json_object_get (answer, "heads");
  json_t *difference = json_object_get (answer, "difference");
  size_t n = json_array_size (difference);
  g_assert_cmpuint (n, ==, 6);
  for (size_t i = 0; i < n * n; i++)
    g_assert_cmpfloat (get_weight (difference, (gint64)(i / n), (gint64)(i % n)), ==, 0);
  for (size_t i = 0; i < json_array_size (heads); i++)
    g_assert_cmpfloat (json_number_value (json_object_get (json_array_get (heads, i), "change")),
                       ==, 0);
  g_autofree char *alone = dump (answer, "alone");
  g_assert_cmpstr (alone, ==, "{\"a\":[],\"b\":[]}");
  json_decref (answer);
}

/* The chosen head is like itself, and what is told of another is what that pair's change is. */
static void
test_two_heads (void)
{
  json_t *answer = ASK ("compare --text @ --layer 2 --head 3 --layer-b 4 --head-b 1", CAT);
  json_t *heads = json_object_get (answer, "heads");
  double chosen = json_number_value (json_object_get (answer, "change"));
  bool is_found = false;
  g_assert_cmpuint (json_array_size (heads), ==, 4 * 8);
  json_t *last = json_array_get (heads, 4 * 8 - 1);
  g_assert_cmpint (get_int (last, "layer"), ==, 2);
  g_assert_cmpint (get_int (last, "head"), ==, 3);
  g_assert_cmpfloat (json_number_value (json_object_get (last, "change")), ==, 0);
  for (size_t i = 0; i < 4 * 8; i++) {
    json_t *head = json_array_get (heads, i);
    if (get_int (head, "layer") == 4 && get_int (head, "head") == 1) {
      g_assert_cmpfloat (json_number_value (json_object_get (head, "change")), ==, chosen);
      is_found = true;
    }
  }
  g_assert_true (is_found);
  json_decref (answer);
}

static void
test_two_models (void)
{
  g_autofree char *folder = test_data_path ("golden/models/bert-mlm");
  g_auto (Run) run = RUN ("compare --text @ --model-b @ --layer 3 --head 4", "The cat", folder);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (
      run.err, ==,
      "headscope-cli: note: A has 4 layers of 8 heads, B 3 of 4, so the heads of B are "
      "ranked by what they differ from layer 3, head 4 of A\n");
  json_t *answer = json_loads (run.out, 0, NULL);
  json_t *ranked = json_object_get (answer, "heads");
  g_assert_cmpuint (json_array_size (ranked), ==, 3 * 4);
  bool is_found = false;
  for (size_t i = 0; i < json_array_size (ranked); i++) {
    json_t *head = json_array_get (ranked, i);
    double change = json_number_value (json_object_get (head, "change"));
    if (get_int (head, "layer") != 3 || get_int (head, "head") != 4)
      continue;
    is_found = true; /* the chosen pair is one of them */
    g_assert_cmpfloat (change, ==, json_number_value (json_object_get (answer, "change")));
  }
  g_assert_true (is_found);
  g_assert_cmpstr (json_string_value (json_object_get (json_object_get (answer, "b"), "model")), ==,
                   "bert-mlm");
  g_assert_cmpfloat (json_number_value (json_object_get (answer, "change")), >, 0);
  json_decref (answer);

  json_t *same = ASK ("compare --text @ --model @ --model-b @ --top 2", "The cat", folder, folder);
  json_t *heads = json_object_get (same, "heads");
  g_assert_cmpuint (json_array_size (heads), ==, 2);
  g_assert_cmpfloat (json_number_value (json_object_get (json_array_get (heads, 0), "change")), ==,
                     0);
  json_decref (same);
}

/* What a token cannot see in A or in B is null, not 0. */
static void
test_hidden (void)
{
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  json_t *answer =
      ASK ("compare --model @ --text @ --text-b @ --layer 1", folder, "one two three", "one three");
  json_t *difference = json_object_get (answer, "difference");
  g_assert_cmpuint (json_array_size (difference), >=, 2);
  for (size_t q = 0; q < json_array_size (difference); q++)
    for (size_t k = 0; k < json_array_size (difference); k++)
      g_assert_cmpint (json_is_null (json_array_get (json_array_get (difference, q), k)), ==,
                       k > q);
  json_decref (answer);
}

static void
test_csv (void)
{
  json_t *answer = ASK ("compare --text @ --text-b @ --top 3", CAT, DOG);
  g_auto (Run) run = RUN ("compare --text @ --text-b @ --top 3 --format csv", CAT, DOG);
  g_auto (GStrv) lines = g_strsplit (run.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3 + 2);
  g_assert_cmpstr (lines[0], ==, "layer,head,change");
  for (size_t i = 0; i < 3; i++) {
    json_t *head = json_array_get (json_object_get (answer, "heads"), i);
    g_auto (GStrv) fields = g_strsplit (lines[i + 1], ",", -1);
    g_assert_cmpuint (g_strv_length (fields), ==, 3);
    g_assert_cmpint (g_ascii_strtoll (fields[0], NULL, 10), ==, get_int (head, "layer"));
    g_assert_cmpint (g_ascii_strtoll (fields[1], NULL, 10), ==, get_int (head, "head"));
    g_assert_true (g_ascii_strtod (fields[2], NULL) ==
                   json_number_value (json_object_get (head, "change")));
  }
  json_decref (answer);
}

/* B's pair is B's own: a text of its own has none unless one is given. */
static void
test_pairs (void)
{
  json_t *answer = ASK ("compare --text a --pair b --text-b a");
  g_autofree char *alone = dump (answer, "alone");
  g_assert_cmpstr (alone, ==, "{\"a\":[3,4],\"b\":[]}");
  json_decref (answer);
  json_t *both = ASK ("compare --text a --pair b --text-b a --pair-b c");
  json_t *b = json_object_get (both, "b");
  g_assert_cmpstr (json_string_value (json_object_get (b, "pair")), ==, "c");
  json_decref (both);
}

/* The file is attention's, with A − B in it, and says what both were. */
static void
test_difference (void)
{
  json_t *wanted =
      ASK ("compare --text @ --text-b @ --layer 3 --head 2 --layer-b 4 --head-b 7", CAT, DOG);
  json_t *answer =
      ASK ("compare --text @ --text-b @ --layer 3 --head 2 --layer-b 4 --head-b 7 --difference",
           CAT, DOG);
  assert_keys (answer, "about,tokens,maps");
  json_t *about = json_object_get (answer, "about"), *b = json_object_get (about, "b");
  assert_keys (about, "program,model,weights_sha256,text,layer,head,b");
  assert_keys (b, "model,weights_sha256,text,layer,head");
  g_assert_cmpstr (json_string_value (json_object_get (about, "text")), ==, CAT);
  g_assert_cmpstr (json_string_value (json_object_get (b, "text")), ==, DOG);
  g_assert_cmpint (get_int (about, "layer"), ==, 3);
  g_assert_cmpint (get_int (b, "head"), ==, 7);
  json_t *map = json_array_get (json_object_get (answer, "maps"), 0);
  g_assert_cmpint (get_int (map, "layer"), ==, 3);
  g_autofree char *weights = dump (map, "weights"), *difference = dump (wanted, "difference");
  g_assert_cmpstr (weights, ==, difference);
  json_decref (answer);
  json_decref (wanted);
}

/* What arranges maps, and lenses, come before the subtraction. */
static void
test_difference_arranged (void)
{
  const char *words = "@ --text @ --layer @ --combine mean --hide cls --lens norm --format json";
  json_t *a = ASK (words, "attention", CAT, "2"), *b = ASK (words, "attention", DOG, "4");
  json_t *answer =
      ASK ("compare --text @ --text-b @ --layer 2 --layer-b 4 --combine mean --hide cls "
           "--lens norm --difference",
           CAT, DOG);
  json_t *map = json_array_get (json_object_get (answer, "maps"), 0);
  json_t *rows = json_object_get (map, "weights");
  json_t *rows_a = json_object_get (json_array_get (json_object_get (a, "maps"), 0), "weights");
  json_t *rows_b = json_object_get (json_array_get (json_object_get (b, "maps"), 0), "weights");

  g_assert_cmpstr (json_string_value (json_object_get (map, "head")), ==, "mean");
  g_assert_cmpuint (json_array_size (rows), ==, 4); /* the, sat, . and [SEP] */
  /* "sat" is row 2 of both, "." column 3 of A and 4 of B; each of the three is rounded to f32, of
   * numbers of about 1 */
  g_assert_cmpfloat_with_epsilon (get_weight (rows, 1, 2),
                                  get_weight (rows_a, 2, 3) - get_weight (rows_b, 2, 4), 1e-6);
  json_decref (answer);
  json_decref (a);
  json_decref (b);
}

static void
test_difference_refused (void)
{
  static const struct {
    const char *words, *said;
  } cases[] = {
      {"compare --text a --head-b 2 --unit words",
       "--unit needs --difference: heads are ranked by their weights"},
      {"compare --text a --head-b 2 --difference --top 3",
       "--top and --difference exclude each other: it is of one head of A and one of B"},
      {"compare --text a --head-b 2 --difference --format safetensors",
       "--format safetensors: known are json, csv, npy and npz"},
      {"compare --text a --head-b 2 --difference --lens rollout",
       "the lens rollout is of whole layers: it excludes --head, --heads and --head-b"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = RUN (cases[i].words);
    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.err, cases[i].said));
    g_assert_cmpuint (run.out_length, ==, 0);
  }
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_auto (Run) apart =
      RUN ("compare --model @ --text one --text-b two --difference --format csv", folder);
  g_assert_cmpint (apart.status, ==, 1);
  g_assert_cmpstr (apart.err, ==,
                   "headscope-cli: A and B have no token in common, so there is no A − B\n");
}

static void
test_nothing_in_common (void)
{
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_auto (Run) run = RUN ("compare --model @ --text one --text-b two", folder);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_cmpstr (run.err, ==,
                   "headscope-cli: A and B have no token in common, so there is no A − B\n");
  g_assert_cmpuint (run.out_length, ==, 0);
}

/* Every option that tells B apart makes another picture. */
static void
test_render (void)
{
  static const char *const variants[] = {
      "--text-b a",
      "--text-b b --pair-b c",
      "--layer-b 2",
      "--head-b 2",
      "--text-b a --layer 2",
      "--head 3 --head-b 1",
      "--head-b 2 --pin-query 1",
      "--text-b a --palette screen-dark --head-b 2",
      "--text-b a --pin-key 5",
      "--text-b a --crop 1:4,0:3",
      "--text-b a --crop 1:4,0:3 --color-scale log",
      "--text-b a --color-scale rank",
  };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autofree char *words =
        g_strconcat ("render --view compare --text @ --format png -o - ", variants[i], NULL);
    g_auto (Run) run = RUN (words, CAT);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *)run.out, run.out_length);
    if (!g_hash_table_add (seen, sum))
      g_error ("%s changes nothing", variants[i]);
  }
}

/* What the window writes is what the line it copies, and its session, make again. */
static void
assert_repeats (AttnDrawPicture *picture, AttnMaps *a, AttnMaps *b)
{
  g_autoptr (GBytes) wanted = repeat_write (picture, a, b);
  g_autofree char *path = in_folder ("from a shell.png");

  repeat_assert_command (picture, wanted, path);
  repeat_assert_session (picture, wanted, "render --session @ --format png -o -");
}

static void
test_repeats (void)
{
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");
  g_autoptr (AttnModel) model = repeat_load_model (NULL);
  g_autoptr (AttnModel) model_b = repeat_load_model (other);
  const char *sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL);
  const char *sha256_b = attn_model_compute_sha256 (model_b, NULL, NULL, NULL);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model_name = ATTN_MODEL_BUILT_IN,
      .model_name_b = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = sha256,
      .weights_sha256_b = sha256,
      .text = "It's \"$HOME\" `x` 猫",
      .pair = "one\ntwo",
      .text_b = "It's 猫, \\ too",
      .format = ATTN_DRAW_PNG,
      .scale = 1,
  };
  view->kind = ATTN_DRAW_COMPARE;
  view->layer = 2;
  view->layer_b = 1;
  view->head_b = 7;
  view->has_pin = true;
  view->pin_query = 12;
  g_autoptr (AttnMaps) a = repeat_run_text (model, picture.text, picture.pair);
  g_autoptr (AttnMaps) b = repeat_run_text (model, picture.text_b, NULL);
  g_autoptr (AttnMaps) b_other = repeat_run_text (model_b, picture.text, picture.pair);
  assert_repeats (&picture, a, b);

  picture.text_b = picture.text;
  picture.pair_b = picture.pair;
  assert_repeats (&picture, a, a); /* two heads of one text */

  view->head_b = 3;
  picture.model_b = other;
  picture.model_name_b = attn_model_peek_name (model_b);
  picture.weights_sha256_b = sha256_b;
  view->arrangement = (AttnArrangement){.unit = ATTN_UNIT_WORDS, .hide = ATTN_HIDE_CLS};
  view->pin_query = 1;
  assert_repeats (&picture, a, b_other);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/compare/two-texts", test_two_texts);
  g_test_add_func ("/compare/numbers", test_numbers);
  g_test_add_func ("/compare/same-is-zero", test_same_is_zero);
  g_test_add_func ("/compare/two-heads", test_two_heads);
  g_test_add_func ("/compare/two-models", test_two_models);
  g_test_add_func ("/compare/hidden", test_hidden);
  g_test_add_func ("/compare/csv", test_csv);
  g_test_add_func ("/compare/pairs", test_pairs);
  g_test_add_func ("/compare/difference", test_difference);
  g_test_add_func ("/compare/difference-arranged", test_difference_arranged);
  g_test_add_func ("/compare/difference-refused", test_difference_refused);
  g_test_add_func ("/compare/nothing-in-common", test_nothing_in_common);
  g_test_add_func ("/compare/render", test_render);
  g_test_add_func ("/compare/repeats", test_repeats);
  return cli_test_run ();
}
