/* SPDX-License-Identifier: MIT */
/* headscope-cli prune-curve: what is left of a model while heads go, and importance --with-ablation
 * beside it. */
#include "cli-run.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

#define TEXT "The cat sat on the mat and looked at the river."

static double
get_number (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_number (value));
  return json_number_value (value);
}

static json_t *
get_point (json_t *curve, size_t i)
{
  return json_array_get (json_object_get (curve, "points"), i);
}

/* Three random orders, and one of each other kind; all begin with all heads and end without any. */
static void
test_orders (void)
{
  json_t *answer = ASK ("prune-curve --order importance,ablation,random --masks 2 --text @", TEXT);
  assert_keys (answer, "loss,accuracy,task,draws,texts,step,rule,rank_correlation,"
                       "rank_correlation_size,heads,layers,curves");
  g_assert_cmpuint (json_array_size (json_object_get (answer, "heads")), ==, 32);
  json_t *curves = json_object_get (answer, "curves"), *curve;
  g_assert_cmpuint (json_array_size (curves), ==, 5);
  size_t i;
  json_array_foreach (curves, i, curve)
  {
    assert_keys (curve, i < 2 ? "order,accuracy_falls,likelihood_falls,points,heads"
                              : "order,seed,accuracy_falls,likelihood_falls,points,heads");
    g_assert_cmpuint (json_array_size (json_object_get (curve, "points")), ==, 12);
    g_assert_cmpuint (json_array_size (json_object_get (curve, "heads")), ==, 32);
    g_assert_cmpfloat (get_number (get_point (curve, 0), "loss"), ==, get_number (answer, "loss"));
    g_assert_cmpint (get_int (get_point (curve, 1), "removed"), ==, 3);
    g_assert_cmpfloat (get_number (get_point (curve, 11), "share"), ==, 1);
    g_assert_cmpfloat (get_number (get_point (curve, 11), "loss"), ==,
                       get_number (get_point (json_array_get (curves, 0), 11), "loss"));
  }
  json_t *layers = json_object_get (answer, "layers"), *layer;
  json_array_foreach (layers, i, layer)
  {
    g_assert_cmpfloat_with_epsilon (get_number (layer, "effect"),
                                    get_number (layer, "loss") - get_number (answer, "loss"),
                                    1e-7); /* 9 digits each */
    g_assert_cmpfloat (get_number (layer, "head_effect_largest"), >=,
                       get_number (layer, "head_effect_mean"));
  }
  g_assert_cmpuint (json_array_size (layers), ==, 4);
  json_decref (answer);
}

/* The first heads to go are those of ablate --each that cost the least. */
static void
test_as_ablate (void)
{
  json_t *curve = ASK ("prune-curve --text @", TEXT);
  json_t *each = ASK ("ablate --each --text @", TEXT);
  double least = INFINITY;
  size_t i, at = 0;
  json_t *row;
  json_array_foreach (json_object_get (each, "each"), i, row)
  {
    if (get_number (row, "loss") < least) {
      least = get_number (row, "loss");
      at = i;
    }
  }
  json_t *first = json_array_get (
      json_object_get (json_array_get (json_object_get (curve, "curves"), 0), "heads"), 0);
  g_assert_cmpint (json_integer_value (json_array_get (first, 0)), ==, (gint64)at / 8 + 1);
  g_assert_cmpint (json_integer_value (json_array_get (first, 1)), ==, (gint64)at % 8 + 1);
  json_decref (curve);
  json_decref (each);
}

/* Of several texts every number is the mean of the texts' own, here with one fixed order. */
static void
test_texts (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = in_folder ("texts.txt");
  g_file_set_contents (path, "The cat sat on the mat.\nIt rained all day in the old town.\n", -1,
                       &error);
  g_assert_no_error (error);
  const char *options = "prune-curve --order random --seeds 1 --seed 4 --format csv";
  g_autofree char *batch = g_strconcat (options, " --batch @", NULL);
  g_autofree char *text = g_strconcat (options, " --text @", NULL);
  g_auto (Run) both = RUN (batch, path);
  g_auto (Run) first = RUN (text, "The cat sat on the mat.");
  g_auto (Run) second = RUN (text, "It rained all day in the old town.");
  g_auto (GStrv) of_both = g_strsplit (both.out, "\n", -1);
  g_auto (GStrv) of_first = g_strsplit (first.out, "\n", -1);
  g_auto (GStrv) of_second = g_strsplit (second.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (of_both), ==, 1 + 12 + 4 + 1);
  for (size_t i = 1; i < 17; i++) {
    const char *lines[] = {of_both[i], of_first[i], of_second[i]};
    double loss[3];
    for (size_t at = 0; at < 3; at++) {
      g_auto (GStrv) cells = g_strsplit (lines[at], ",", -1);
      g_assert_cmpuint (g_strv_length (cells), ==, 6);
      loss[at] = g_ascii_strtod (cells[4], NULL);
    }
    g_assert_cmpfloat_with_epsilon (loss[0], (loss[1] + loss[2]) / 2, 1e-6); /* 9 digits */
  }
}

/* A model without a head for words: there is a cosine, and no importance. */
static void
test_vector (void)
{
  g_autofree char *model = g_build_filename (g_getenv ("HEADSCOPE_TEST_DATA"), "golden", "models",
                                             "sentence-transformers", NULL);
  json_t *answer = ASK ("prune-curve --model @ --text @", model, "the cat sat");
  json_t *curve = json_array_get (json_object_get (answer, "curves"), 0);
  assert_keys (curve, "order,cosine_falls,points,heads");
  g_assert_true (json_is_null (json_object_get (answer, "accuracy")));
  g_auto (Run) refused =
      RUN ("prune-curve --order importance --model @ --text @", model, "the cat sat");
  g_assert_cmpint (refused.status, ==, 1);
  g_assert_nonnull (strstr (refused.err, "language-model head"));
  json_decref (answer);
}

/* The rank correlation is that of the columns it stands above. */
static void
test_beside_importance (void)
{
  json_t *answer = ASK ("importance --with-ablation --text @", TEXT);
  json_t *each = ASK ("ablate --each --text @", TEXT);
  assert_keys (answer, "loss,task,draws,rank_correlation,rank_correlation_size,heads");
  double difference = 0;
  size_t i, n = 0;
  json_t *row, *heads = json_object_get (answer, "heads");
  json_array_foreach (heads, i, row)
  {
    const double cost = get_number (json_array_get (json_object_get (each, "each"), i), "loss") -
                        get_number (each, "loss");
    g_assert_cmpfloat_with_epsilon (get_number (row, "ablation_effect"), cost, 1e-7);
    double ranks[2] = {0};
    size_t other;
    json_t *against;
    json_array_foreach (heads, other, against)
    {
      ranks[0] += get_number (against, "importance") < get_number (row, "importance");
      ranks[1] += get_number (against, "ablation_effect") < get_number (row, "ablation_effect");
    }
    difference += (ranks[0] - ranks[1]) * (ranks[0] - ranks[1]);
    n++;
  }
  const double size = (double)n;
  g_assert_cmpfloat_with_epsilon (get_number (answer, "rank_correlation"),
                                  1 - 6 * difference / (size * (size * size - 1)), 1e-8);
  json_decref (answer);
  json_decref (each);
}

/* The words that are right are named as for ablate, with the same loss. */
static void
test_labels (void)
{
  json_t *answer = ASK ("prune-curve --labels city --text @", "Beijing is the [MASK] of China.");
  json_t *other = ASK ("ablate --each --labels city --text @", "Beijing is the [MASK] of China.");
  json_t *third = ASK ("importance --labels city --text @", "Beijing is the [MASK] of China.");
  g_assert_cmpstr (json_string_value (json_object_get (answer, "task")), ==, "labelled");
  g_assert_cmpfloat_with_epsilon (get_number (answer, "loss"), get_number (other, "loss"), 1e-5);
  g_assert_cmpfloat_with_epsilon (get_number (third, "loss"), get_number (other, "loss"), 1e-5);
  /* of no use is told: nothing is to be guessed, or it is told already */
  g_auto (Run) none = RUN ("ablate --each --labels city --text @", "Beijing is a city of China.");
  g_auto (Run) told = RUN ("importance --labels city --mask-positions 2 --text @", TEXT);
  g_assert_cmpint (none.status, ==, 0);
  g_assert_nonnull (strstr (none.err, "--labels has no use here: the text has no mask"));
  g_assert_cmpint (told.status, ==, 0);
  g_assert_nonnull (strstr (told.err, "what stood at --mask-positions is right there"));
  g_auto (Run) wrong = RUN ("prune-curve --labels supercalifragilistic --text @", TEXT);
  g_assert_cmpint (wrong.status, ==, 1);
  g_assert_nonnull (strstr (wrong.err, "is not one token"));
  json_decref (answer);
  json_decref (other);
  json_decref (third);
}

/* A figure of the curves is the same twice, and says what it is of. */
static void
test_figure (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-prune-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "curve.svg", NULL);
  char *contents[2] = {NULL, NULL};
  for (size_t i = 0; i < 2; i++) {
    g_auto (Run) run = RUN ("prune-curve --order importance,ablation,random --layer 2 --head 3 "
                            "--figure @ --text @",
                            path, TEXT);
    g_assert_cmpint (run.status, ==, 0);
    g_assert_true (g_file_get_contents (path, &contents[i], NULL, NULL));
  }
  g_assert_cmpstr (contents[0], ==, contents[1]);
  g_assert_nonnull (strstr (contents[0], "How many heads can go: 4 layers"));
  g_assert_nonnull (strstr (contents[0], "random (seed 3)"));
  for (size_t i = 0; i < 2; i++)
    g_free (contents[i]);
  g_auto (Run) outside = RUN ("prune-curve --layer 9 --figure @ --text @", path, TEXT);
  g_assert_cmpint (outside.status, ==, 2);
  g_remove (path);
  g_rmdir (folder);
}

static void
test_refused (void)
{
  static const char *const wrong[] = {"", "loss", "random,random", "random,"};
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_auto (Run) run = RUN ("prune-curve --order @ --text @", wrong[i], TEXT);
    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.err, "--order"));
  }
  g_auto (Run) seeds = RUN ("prune-curve --seeds 2 --text @", TEXT);
  g_assert_cmpint (seeds.status, ==, 2);
  g_assert_nonnull (strstr (seeds.err, "--order random"));
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/prune/orders", test_orders);
  g_test_add_func ("/prune/as-ablate", test_as_ablate);
  g_test_add_func ("/prune/texts", test_texts);
  g_test_add_func ("/prune/vector", test_vector);
  g_test_add_func ("/prune/beside-importance", test_beside_importance);
  g_test_add_func ("/prune/labels", test_labels);
  g_test_add_func ("/prune/figure", test_figure);
  g_test_add_func ("/prune/refused", test_refused);
  return cli_test_run ();
}
