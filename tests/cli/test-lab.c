/* SPDX-License-Identifier: MIT */
/* headscope-cli lab: head counts, steps whose numbers add up, and training curves. */
#include "cli-run.h"

#include <math.h>
#include <string.h>

#define TEXT "The cat sat."

static double
get_number (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_number (value));
  return json_number_value (value);
}

static void
test_count (void)
{
  json_t *answer = ASK ("lab --d-model 768 --heads 12 --layers 12 --tokens 32");
  assert_keys (answer, "d_model,heads,layers,tokens,d_k,divisible,nearest_heads,nearest_d_model,"
                       "parameters,parameters_with_bias,multiply_adds,exponentials,map_bytes");
  g_assert_cmpfloat (get_number (answer, "d_k"), ==, 64);
  g_assert_cmpfloat (get_number (answer, "parameters"), ==, 28311552);
  g_assert_cmpfloat (get_number (answer, "map_bytes"), ==, 4.0 * 12 * 12 * 32 * 32);
  json_decref (answer);
}

/* The numbers are there, and so is the reason why they will not do. */
static void
test_indivisible (void)
{
  g_auto (Run) run = RUN ("lab --d-model 512 --heads 7");
  g_assert_cmpint (run.status, ==, 1);
  g_assert_nonnull (strstr (run.err, "4 or 8 heads can, and 7 heads can share 511 or 518"));
  json_t *answer = json_loads (run.out, 0, NULL);
  g_assert_true (json_is_false (json_object_get (answer, "divisible")));
  g_assert_true (json_is_null (json_object_get (answer, "d_k")));
  json_decref (answer);
}

/* Weights are those of attention, to the digit. */
static void
test_step (void)
{
  json_t *answer = ASK ("lab --text @ --step weights --layer 2 --head 3", TEXT);
  json_t *attention = ASK ("attention --text @ --layer 2 --head 3", TEXT);
  json_t *map = json_array_get (json_object_get (attention, "maps"), 0);
  g_assert_true (json_equal (json_object_get (answer, "values"), json_object_get (map, "weights")));
  g_assert_true (
      json_equal (json_object_get (answer, "tokens"), json_object_get (attention, "tokens")));
  json_decref (answer);
  json_decref (attention);
}

/* The printed terms, sum, scale and bias give the printed value: 9 digits each. */
static void
check_dot (const char *step)
{
  json_t *answer = ASK ("lab --text @ --step @ --layer 3 --head 2 --cell 1,4", TEXT, step);
  json_t *terms = json_object_get (answer, "terms");
  double sum = 0, size = 0;
  for (size_t i = 0; i < json_array_size (terms); i++) {
    json_t *term = json_array_get (terms, i);
    const double product = get_number (term, "left") * get_number (term, "right");
    g_assert_cmpfloat_with_epsilon (product, get_number (term, "product"), 1e-6 * fabs (product));
    sum += product;
    size += fabs (product);
  }
  g_assert_cmpuint (json_array_size (terms), >, 3);
  g_assert_cmpfloat_with_epsilon (sum, get_number (answer, "sum"), 1e-6 * size);
  const double value = get_number (answer, "scale") * sum + get_number (answer, "bias");
  g_assert_cmpfloat_with_epsilon (value, get_number (answer, "value"), 1e-5 * (1 + size));
  json_decref (answer);
}

static void
test_cells (void)
{
  check_dot ("queries");
  check_dot ("scores");
  check_dot ("head-output");
  check_dot ("output");
}

static void
test_time (void)
{
  json_t *answer = ASK ("lab --d-model 48 --tokens 20 --time 1,3,48 --repeat 2 --threads 1");
  json_t *times = json_object_get (answer, "times");
  static const double heads[] = {1, 3, 48};
  assert_keys (answer, "d_model,tokens,threads,kernel,times");
  g_assert_cmpfloat (get_number (answer, "tokens"), ==, 20);
  g_assert_cmpuint (json_array_size (times), ==, 3);
  for (size_t i = 0; i < 3; i++) {
    json_t *time = json_array_get (times, i);
    assert_keys (time, "heads,d_k,runs,median_ms,low_ms,high_ms");
    g_assert_cmpfloat (get_number (time, "heads"), ==, heads[i]);
    g_assert_cmpfloat (get_number (time, "runs"), ==, 2);
    g_assert_cmpfloat (get_number (time, "low_ms"), <=, get_number (time, "median_ms"));
    g_assert_cmpfloat (get_number (time, "median_ms"), <=, get_number (time, "high_ms"));
  }
  json_decref (answer);
  g_auto (Run) refused = RUN ("lab --d-model 48 --time 5");
  g_assert_cmpint (refused.status, ==, 2);
  g_assert_nonnull (strstr (refused.err, "--time 5: wanted are numbers of heads"));
  g_auto (Run) alone = RUN ("lab --time 4");
  g_assert_cmpint (alone.status, ==, 2);
}

/* What --time wrote is drawn again without measuring: the numbers are the same to the digit, every
 * picture tells the line that makes it, and that line makes the same bytes. */
static void
test_measured (void)
{
  g_auto (Run) json = RUN ("lab --d-model 48 --tokens 20 --time 1,3,48 --repeat 3");
  g_assert_cmpint (json.status, ==, 0);
  g_autofree char *path = in_folder ("times.json");
  g_assert_true (g_file_set_contents (path, json.out, -1, NULL));
  g_auto (Run) again = RUN ("lab --measured @", path);
  g_assert_cmpstr (again.out, ==, json.out);
  g_auto (Run) csv = RUN ("lab --measured times.json --format csv");
  g_assert_true (g_str_has_prefix (csv.out, "heads,d_k,runs,median_ms,low_ms,high_ms\n1,48,3,"));
  static const char *const command =
      "lab --measured @ --mark 3 --format svg --palette screen --lang zh_TW --width-px 640";
  g_auto (Run) first = RUN (command, path);
  g_assert_cmpint (first.status, ==, 0);
  g_auto (Run) second = RUN (command, path);
  g_assert_cmpstr (first.out, ==, second.out);
  const char *begin = strstr (first.out, "made by: printf %s ");
  g_assert_nonnull (begin);
  g_autofree char *line =
      g_strndup (begin + strlen ("made by: "), strcspn (begin + strlen ("made by: "), "\n<"));
  g_auto (GStrv) parts = g_strsplit (line, "headscope-cli", 2);
  g_autofree char *escaped =
      g_strconcat (parts[0], peek_program (), parts[1], " --format svg", NULL);
  g_auto (GStrv) pieces = g_strsplit (escaped, "&quot;", -1); /* as the file has them */
  g_autofree char *shell = g_strjoinv ("\"", pieces);
  const char *const argv[] = {"sh", "-c", shell, NULL};
  g_autofree char *out = NULL;
  g_assert_true (g_spawn_sync (peek_folder (), (char **)(gsize)argv, NULL, G_SPAWN_SEARCH_PATH,
                               NULL, NULL, &out, NULL, NULL, NULL));
  g_assert_cmpstr (out, ==, first.out);
}

static void
test_measured_refused (void)
{
  static const char *const faults[][2] = {
      {"", "found an empty file"},
      {"{}", "d_model: found nothing"},
      {"{\"d_model\":48,\"tokens\":9000,\"threads\":1,\"times\":[]}", "tokens: found 9000"},
      {"{\"d_model\":48,\"tokens\":9,\"threads\":1,\"times\":[]}", "1 to 64 times"},
      {"{\"d_model\":48,\"tokens\":9,\"threads\":1,\"times\":[1]}", "times: found 1"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree char *path = in_folder ("times.json");
    g_assert_true (g_file_set_contents (path, faults[i][0], -1, NULL));
    g_auto (Run) run = RUN ("lab --measured times.json");
    g_assert_cmpint (run.status, ==, 1);
    if (strstr (run.err, "times.json: ") == NULL || strstr (run.err, faults[i][1]) == NULL)
      g_error ("%s: %s", faults[i][0], run.err);
  }
  g_auto (Run) none = RUN ("lab --measured nothing.json");
  g_assert_cmpint (none.status, ==, 1);
}

/* Every kind of file, the same twice, with what it is of inside. */
static void
test_figure (void)
{
  static const char *const heads[] = {"png", "svg", "pdf"};
  static const char *const begins[] = {"\x89PNG", "<?xml", "%PDF-"};
  for (size_t i = 0; i < G_N_ELEMENTS (heads); i++) {
    g_auto (Run) first = RUN ("lab --text @ --figure - --format @ --step scores --layer 2 --head 3 "
                              "--cell 1,2 --follow 1 --width-px 700 --palette screen --lang zh_TW",
                              TEXT, heads[i]);
    g_auto (Run) second =
        RUN ("lab --text @ --figure - --format @ --step scores --layer 2 --head 3 "
             "--cell 1,2 --follow 1 --width-px 700 --palette screen --lang zh_TW",
             TEXT, heads[i]);
    g_assert_cmpstr (first.err, ==, "");
    g_assert_cmpint (first.status, ==, 0);
    g_assert_cmpmem (first.out, first.out_length, second.out, second.out_length);
    g_assert_true (memcmp (first.out, begins[i], strlen (begins[i])) == 0);
    if (i == 1)
      g_assert_nonnull (strstr (first.out, "step scores, layer 2, head 3 (counted from 1); "
                                           "followed: token 1; cell: 1,2 (from 0)"));
  }
}

static void
test_figure_usage (void)
{
  static const char *const faults[][2] = {
      {"lab --text @ --figure a.png -o b.png", "exclude each other"},
      {"lab --text @ --figure a.png --follow 99", "the text has tokens 0 to 5"},
      {"lab --text @ --figure a.gif", "does not end in .png, .svg or .pdf"},
      {"lab --text @ --figure a.png --step normed", "this family has no such step"},
      {"lab --text @ --figure a.png --cell 6,0", "rows 0 to 5"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_auto (Run) run = run_with (faults[i][0], (const char *const[]){TEXT, NULL});
    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.err, faults[i][1]));
  }
}

static void
test_train (void)
{
  json_t *answer = ASK ("lab --train 2,32 --seeds 2 --steps 40");
  json_t *runs = json_object_get (answer, "runs");
  g_assert_cmpuint (json_array_size (runs), ==, 4);
  for (size_t i = 0; i < 4; i++) {
    json_t *run = json_array_get (runs, i);
    assert_keys (run, "heads,d_k,seed,curve,loss,right,seconds");
    json_t *curve = json_object_get (run, "curve");
    json_t *last = json_array_get (curve, json_array_size (curve) - 1);
    g_assert_cmpfloat (get_number (last, "loss"), ==, get_number (run, "loss"));
    g_assert_cmpfloat (get_number (last, "step"), ==, 40);
    g_assert_cmpfloat (get_number (run, "loss"), <, get_number (json_array_get (curve, 0), "loss"));
  }
  json_decref (answer);
}

/* The same bytes twice; another pair is another picture; what does not fit is refused. */
static void
test_several_figure (void)
{
  g_auto (Run) first = RUN ("lab --text @ --several --figure - --format svg --head 2", TEXT);
  g_auto (Run) again = RUN ("lab --text @ --several --figure - --format svg --head 2", TEXT);
  g_auto (Run) other =
      RUN ("lab --text @ --several --figure - --format svg --head 2 --head-b 3", TEXT);
  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpint (other.status, ==, 0);
  g_assert_cmpstr (first.out, ==, again.out);
  g_assert_cmpstr (first.out, !=, other.out);
  g_assert_nonnull (strstr (other.out, "side by side: heads 2 and 3"));
  g_auto (Run) refused = RUN ("lab --text @ --several --figure - --format svg --head-b 99", TEXT);
  g_assert_cmpint (refused.status, ==, 2);
  g_assert_nonnull (strstr (refused.err, "--head-b 99"));
}

/* The head that is marked need not be one of the two. */
static void
test_several_mark (void)
{
  static const char *const command =
      "lab --text @ --several --figure - --format svg --head 2 --head-b 3 --mark @";
  g_auto (Run) same = RUN (command, TEXT, "2");
  g_auto (Run) plain =
      RUN ("lab --text @ --several --figure - --format svg --head 2 --head-b 3", TEXT);
  g_auto (Run) other = RUN (command, TEXT, "5");
  g_assert_cmpint (other.status, ==, 0);
  g_assert_cmpstr (same.out, ==, plain.out);
  g_assert_nonnull (strstr (other.out, "side by side: heads 2 and 3; marked: head 5"));
  g_auto (Run) refused = RUN (command, TEXT, "99");
  g_assert_cmpint (refused.status, ==, 2);
  g_assert_nonnull (strstr (refused.err, "--mark 99"));
  g_auto (Run) alone = RUN ("lab --text @ --several --mark 2", TEXT);
  g_assert_cmpint (alone.status, ==, 2);
}

/* Each finding has its numbers and a sentence; a name that is none is refused with those that are.
 */
static void
test_finding (void)
{
  static const char *const names[] = {"michel", "voita", "clark", "kovaleva", "debate"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    json_t *answer = ASK ("lab --text @ --finding @", TEXT, names[i]);
    g_assert_cmpstr (json_string_value (json_object_get (answer, "finding")), ==, names[i]);
    g_assert_true (json_is_boolean (json_object_get (answer, "shown")));
    const char *sentence = json_string_value (json_object_get (answer, "sentence"));
    g_assert_nonnull (sentence);
    const char *begin = json_is_true (json_object_get (answer, "shown")) ? "It shows here"
                                                                         : "It does not show here";
    g_assert_true (g_str_has_prefix (sentence, begin));
    json_decref (answer);
  }
  g_auto (Run) refused = RUN ("lab --text @ --finding nobody", TEXT);
  g_assert_cmpint (refused.status, ==, 2);
  g_assert_nonnull (strstr (refused.err, "michel, voita, clark, kovaleva and debate"));
  g_auto (Run) layer = RUN ("lab --text @ --finding clark --layer 2", TEXT);
  g_assert_cmpint (layer.status, ==, 2);
  g_assert_nonnull (strstr (layer.err, "--layer is not for --finding"));
}

/* Each two heads once, with the distance of the table. */
static void
test_several_csv (void)
{
  json_t *answer = ASK ("lab --text @ --several --layer 2", TEXT);
  json_t *table = json_object_get (answer, "distances");
  const size_t n = json_array_size (table);
  g_auto (Run) run = RUN ("lab --text @ --several --layer 2 --format csv", TEXT);
  g_auto (GStrv) lines = g_strsplit (run.out, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "layer,head,other_head,distance");
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + n * (n - 1) / 2 + 1);
  for (size_t i = 1; i <= n * (n - 1) / 2; i++) {
    g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);
    const size_t a = g_ascii_strtoull (cells[1], NULL, 10) - 1;
    const size_t b = g_ascii_strtoull (cells[2], NULL, 10) - 1;
    g_assert_cmpuint (a, <, b);
    g_assert_cmpstr (cells[0], ==, "2");
    /* 9 digits each */
    g_assert_cmpfloat_with_epsilon (
        g_ascii_strtod (cells[3], NULL),
        json_number_value (json_array_get (json_array_get (table, a), b)), 1e-8);
  }
  g_auto (Run) refused = RUN ("lab --text @ --several --format gif", TEXT);
  g_assert_cmpint (refused.status, ==, 2);
  json_decref (answer);
}

/* The nearest and the farthest two are those of the table, and each row of weights sums to 1. */
static void
test_several (void)
{
  json_t *answer = ASK ("lab --text @ --several --layer 2", TEXT);
  assert_keys (answer,
               "layer,heads,most_alike,most_different,pairs_not_compared,distances,one_head");
  json_t *table = json_object_get (answer, "distances");
  const size_t n = json_array_size (table);
  g_assert_cmpfloat (get_number (answer, "heads"), ==, (double)n);
  g_assert_cmpfloat (get_number (answer, "pairs_not_compared"), ==, 0);
  double least = INFINITY, most = 0;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      const double distance = json_number_value (json_array_get (json_array_get (table, a), b));
      if (a == b)
        g_assert_cmpfloat (distance, ==, 0);
      else
        least = MIN (least, distance);
      most = MAX (most, distance);
    }
  g_assert_cmpfloat (get_number (json_object_get (answer, "most_alike"), "distance"), ==, least);
  g_assert_cmpfloat (get_number (json_object_get (answer, "most_different"), "distance"), ==, most);
  json_t *one = json_object_get (answer, "one_head"), *row;
  size_t i;
  g_assert_cmpfloat (get_number (one, "lost"), >, 0);
  json_array_foreach (json_object_get (one, "weights"), i, row)
  {
    double sum = 0;
    for (size_t k = 0; k < json_array_size (row); k++)
      sum += json_number_value (json_array_get (row, k));
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
  }
  g_assert_cmpuint (i, >, 3);
  json_decref (answer);
}

/* A chart is the same bytes each time, and tells what makes it. */
static void
test_chart (void)
{
  static const char *const command = "lab --train 1,4 --seeds 2 --steps 20 --format svg";
  g_auto (Run) first = RUN (command);
  g_auto (Run) second = RUN (command);
  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpstr (first.out, ==, second.out);
  g_assert_nonnull (strstr (first.out, "headscope-cli lab --train 1,4 --seeds 2 --steps 20"));
  g_auto (Run) csv = RUN ("lab --train 1,4 --seeds 2 --steps 20 --format csv");
  g_assert_true (
      g_str_has_prefix (csv.out, "heads,d_k,seed,step,loss,previous,first,marked\n1,32,1,0,"));
  static const char *const looks = "lab --train 1,4 --seeds 2 --steps 20 --palette screen-dark "
                                   "--font-size 14 --font Sans --width-px 700";
  g_autofree char *looked = g_strconcat (looks, " --format svg", NULL);
  g_auto (Run) dark = RUN (looked);
  g_assert_cmpint (dark.status, ==, 0);
  g_assert_nonnull (strstr (dark.out, looks)); /* … and what it looks like */
  g_auto (Run) refused = RUN ("lab --train 1 --steps 1 --seeds 1 --format gif");
  g_assert_cmpint (refused.status, ==, 2);
}

/* A training that ends early has the first points of the whole one, in the order they are made, and
 * its picture tells so. */
static void
test_points (void)
{
  g_auto (Run) whole = RUN ("lab --train 1,4 --seeds 2 --steps 20 --format csv");
  g_auto (Run) all = RUN ("lab --train 1,4 --seeds 2 --steps 20 --points 999 --format csv");
  g_assert_cmpstr (whole.out, ==, all.out);
  g_auto (GStrv) lines = g_strsplit (whole.out, "\n", -1);
  const guint n_points = (g_strv_length (lines) - 2) / 4; /* of a run; a head, and an empty line */
  g_autofree char *line =
      g_strdup_printf ("lab --train 1,4 --seeds 2 --steps 20 --points %u --format ", n_points + 1);
  g_autofree char *as_csv = g_strconcat (line, "csv", NULL);
  g_auto (Run) csv = RUN (as_csv);
  g_assert_cmpint (csv.status, ==, 0);
  g_auto (GStrv) some = g_strsplit (csv.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (some), ==, 1 + n_points + 1 + 1);
  for (guint i = 0; i <= n_points; i++) /* one head's first seed */
    g_assert_cmpstr (some[i], ==, lines[i]);
  g_assert_cmpstr (some[n_points + 1], ==, lines[2 * n_points + 1]); /* four heads', begun */
  g_autofree char *as_svg = g_strconcat (line, "svg", NULL);
  g_auto (Run) svg = RUN (as_svg);
  g_autofree char *told = g_strdup_printf (" --steps 20 --points %u", n_points + 1);
  g_assert_nonnull (strstr (svg.out, told));
}

/* The summary is that of the runs: nine digits each. */
static void
test_summary (void)
{
  json_t *answer = ASK ("lab --train 2,16 --seeds 3 --steps 30");
  json_t *runs = json_object_get (answer, "runs");
  json_t *summary = json_object_get (answer, "summary");
  double means[2];
  for (size_t i = 0; i < 2; i++) {
    json_t *loss = json_object_get (json_array_get (summary, i), "loss");
    double sum = 0;
    for (size_t seed = 0; seed < 3; seed++)
      sum += get_number (json_array_get (runs, 3 * i + seed), "loss");
    means[i] = sum / 3;
    g_assert_cmpfloat_with_epsilon (get_number (loss, "mean"), means[i], 1e-8);
    g_assert_cmpfloat (get_number (loss, "least"), <=, get_number (loss, "mean"));
    g_assert_cmpfloat (get_number (loss, "mean"), <=, get_number (loss, "most"));
  }
  g_assert_cmpfloat (get_number (answer, "best"), ==, means[0] <= means[1] ? 2 : 16);
  json_decref (answer);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/lab/count", test_count);
  g_test_add_func ("/lab/indivisible", test_indivisible);
  g_test_add_func ("/lab/step", test_step);
  g_test_add_func ("/lab/cells", test_cells);
  g_test_add_func ("/lab/time", test_time);
  g_test_add_func ("/lab/measured", test_measured);
  g_test_add_func ("/lab/measured-refused", test_measured_refused);
  g_test_add_func ("/lab/figure", test_figure);
  g_test_add_func ("/lab/figure-usage", test_figure_usage);
  g_test_add_func ("/lab/train", test_train);
  g_test_add_func ("/lab/points", test_points);
  g_test_add_func ("/lab/summary", test_summary);
  g_test_add_func ("/lab/chart", test_chart);
  g_test_add_func ("/lab/finding", test_finding);
  g_test_add_func ("/lab/several", test_several);
  g_test_add_func ("/lab/several-figure", test_several_figure);
  g_test_add_func ("/lab/several-mark", test_several_mark);
  g_test_add_func ("/lab/several-csv", test_several_csv);
  return cli_test_run ();
}
