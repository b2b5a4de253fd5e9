/* SPDX-License-Identifier: MIT */
/* headscope-cli lab: each option with each form does something, or is refused by its name. */
#include "cli-run.h"

#include <stdbool.h>
#include <string.h>

/* A form is a letter in the options' lists. */
static const struct {
  char letter;
  const char *words;
} forms[] = {
    {'h', "lab --d-model 48 --heads 3"},
    {'t', "lab --d-model 48 --time 1,3 --tokens 8 --repeat 2"},
    {'T', "lab --d-model 48 --time 1,3 --tokens 8 --repeat 2 --format svg"},
    {'m', "lab --measured times.json"},
    {'M', "lab --measured times.json --format svg"},
    {'s', "lab --text abc --step scores"},
    {'f', "lab --text abc --figure - --format svg"},
    {'v', "lab --text abc --several"},
    {'V', "lab --text abc --several --figure - --format svg"},
    {'c', "lab --text abc --code pseudo"},
    {'d', "lab --text abc --finding clark"},
    {'r', "lab --train 1,4 --seeds 2 --steps 20"},
    {'R', "lab --train 1,4 --seeds 2 --steps 20 --format svg"},
};

/* One that asks for another form is told with the forms that are there. */
static const struct {
  const char *option, *value;
  const char *forms;      /* that have it */
  bool may_be_the_answer; /* what comes out may be the same as without */
} options[] = {
    {"--model", "demo", "sfvVcd", true},
    {"--pair", "de", "sfvVcd", false},
    {"--max-tokens", "2", "sfvVcd", false},
    {"--layer", "2", "sfvVc", false},
    {"--head", "2", "sfVc", false},
    {"--cell", "1,1", "sf", false},
    {"--follow", "1", "fV", false},
    {"--head-b", "3", "V", false},
    {"--mark", "3", "TMV", false},
    {"--lang", "zh_TW", "TMfVcdR", false},
    {"--scale", "2", "TMfVR", false},
    {"--width-px", "700", "TMfVR", false},
    {"--font-size", "12", "TMfVR", false},
    {"--font", "Serif", "TMfVR", false},
    {"--palette", "screen-dark", "TMfVR", false},
    {"--colormap", "magma", "fV", false},
    {"--layers", "7", "h", false},
    {"--tokens", "9", "h", false},
    {"--format", "csv", "tmvr", false},
    {"--format", "json", "htmsvdr", true},
    {"--format", "gif", "", false},
    {"--threads", "1", "htTmMsfvVcdrR", true},
};

/* What leads to another form, and which forms it is refused by. */
static const struct {
  const char *option, *value, *forms;
} leading[] = {
    {"--d-model", "48", "mMsfvVcdrR"},
    {"--heads", "3", "tTmMsfvVcdrR"},
    {"--time", "1,3", "mMsfvVcdhrR"},
    {"--repeat", "2", "hmMsfvVcdrR"},
    {"--text", "abc", "htTmMrR"},
    {"--file", "x.txt", "htTmMrR"},
    {"--step", "weights", "htTmMvVcdrR"},
    {"--figure", "x.svg", "htTmMcdrR"},
    {"--code", "c", "htTmMsfvVdrR"},
    {"--several", NULL, "htTmMscdrR"},
    {"--finding", "voita", "htTmMsfvVcrR"},
    {"--train", "1,4", "htTmMsfvVcd"},
    {"--measured", "times.json", "htTsfvVcdrR"},
    {"--seeds", "2", "htTmMsfvVcd"},
    {"--steps", "20", "htTmMsfvVcd"},
    {"--points", "3", "htTmMsfvVcd"},
};

/* Times to draw from. */
static void
write_times (void)
{
  static const char times[] =
      "{\"d_model\":48,\"tokens\":8,\"threads\":1,\"kernel\":\"k\",\"times\":["
      "{\"heads\":1,\"runs\":2,\"median_ms\":1,\"low_ms\":1,\"high_ms\":2},"
      "{\"heads\":3,\"runs\":2,\"median_ms\":2,\"low_ms\":1,\"high_ms\":3}]}";
  g_autofree char *path = in_folder ("times.json");
  g_assert_true (g_file_set_contents (path, times, -1, NULL));
}

static bool
holds (const char *words, const char *option)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  return g_strv_contains ((const char *const *)parts, option);
}

static void
assert_refused (const char *words, const char *option)
{
  g_auto (Run) run = RUN (words);
  if (run.status != 2 || strstr (run.err, option) == NULL || run.out_length > 0)
    g_error ("%s: exit %d, wanted 2 and a sentence with %s: %s", words, run.status, option,
             run.err);
}

static void
test_each_with_each (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_auto (Run) plain = RUN (forms[i].words);
    g_assert_cmpint (plain.status, ==, 0);
    for (size_t k = 0; k < G_N_ELEMENTS (options); k++) {
      if (holds (forms[i].words, options[k].option))
        continue;
      g_autofree char *words =
          g_strjoin (" ", forms[i].words, options[k].option, options[k].value, NULL);
      if (strchr (options[k].forms, forms[i].letter) == NULL) {
        assert_refused (words, options[k].option);
        continue;
      }
      g_auto (Run) run = RUN (words);
      if (run.status != 0)
        g_error ("%s: exit %d: %s", words, run.status, run.err);
      if (!options[k].may_be_the_answer && g_str_equal (run.out, plain.out))
        g_error ("%s: %s changes nothing", words, options[k].option);
    }
  }
}

/* A complaint names no option that was not typed, but as what to type. */
static void
assert_typed (const char *words, const char *err)
{
  g_autofree char *blamed = g_strndup (err, strcspn (err, ";\n"));
  g_auto (GStrv) parts = g_strsplit_set (blamed, " :", -1);
  for (size_t i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], "--") && !holds (words, parts[i]))
      g_error ("%s: %s was not typed: %s", words, parts[i], err);
}

/* What would make it another form makes neither of the two. */
static void
test_two_forms (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (leading); k++)
    for (size_t i = 0; i < G_N_ELEMENTS (forms); i++) {
      if (strchr (leading[k].forms, forms[i].letter) == NULL)
        continue;
      g_autofree char *words =
          g_strjoin (" ", forms[i].words, leading[k].option, leading[k].value, NULL);
      g_auto (Run) run = RUN (words);
      if (run.status != 2 || run.out_length > 0 ||
          (strstr (run.err, " is not for ") == NULL && strstr (run.err, "--format ") == NULL &&
           strstr (run.err, " exclude each other") == NULL))
        g_error ("%s: exit %d: %s", words, run.status, run.err);
      assert_typed (words, run.err);
    }
}

/* Every option that help tells of is tried above. */
static void
test_none_is_left_out (void)
{
  g_auto (Run) help = RUN ("lab --help");
  g_auto (GStrv) lines = g_strsplit (help.out, "\n", -1);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  for (size_t i = 0; lines[i] != NULL; i++) {
    if (!g_str_has_prefix (lines[i], "  -"))
      continue;
    char *name = lines[i] + 2;
    name[strcspn (name, " ")] = '\0';
    g_assert_true (g_hash_table_add (told, name)); /* and told of once */
    bool is_tried = g_str_equal (name, "-o") || g_str_equal (name, "--help");
    for (size_t k = 0; k < G_N_ELEMENTS (options); k++)
      is_tried = is_tried || g_str_equal (options[k].option, name);
    for (size_t k = 0; k < G_N_ELEMENTS (leading); k++)
      is_tried = is_tried || g_str_equal (leading[k].option, name);
    if (!is_tried)
      g_error ("%s is tried with no form", name);
  }
  g_assert_cmpuint (g_hash_table_size (told), >, 30);
}

/* A number that would run for days is refused with the limit, and at once. */
static void
test_limits (void)
{
  static const char *const faults[][2] = {
      {"lab --train 1 --steps 999999999", "--steps 999999999: wanted is at most 100000"},
      {"lab --train 1 --seeds 1001", "--seeds 1001: wanted is at most 1000"},
      {"lab --train 1,4,1", "--train 1,4,1: 1 stands there twice"},
      {"lab --d-model 48 --time 1 --repeat 999999999", "--repeat 999999999: wanted is at most"},
      {"lab --d-model 65536 --time 1", "--d-model 65536: wanted is at most 8192"},
      {"lab --d-model 48 --time 1 --tokens 65536", "--tokens 65536: wanted is at most 8192"},
      {"lab --text a --figure x.bmp", "--figure x.bmp: the name does not end in .png"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_auto (Run) run = RUN (faults[i][0]);
    g_assert_cmpint (run.status, ==, 2);
    if (strstr (run.err, faults[i][1]) == NULL)
      g_error ("%s: %s", faults[i][0], run.err);
  }
}

/* The width that was asked for is the picture's, or it is told what became of it. */
static void
test_width (void)
{
  static const char *const widths[] = {"200", "213", "214", "700"};
  static const char *const figures[] = {"lab --text abc --figure - --format svg --width-px",
                                        "lab --text abc --several --figure - --format svg "
                                        "--width-px",
                                        "lab --measured times.json --format svg --width-px"};
  for (size_t f = 0; f < G_N_ELEMENTS (figures); f++)
    for (size_t i = 0; i < G_N_ELEMENTS (widths); i++) {
      g_autofree char *words = g_strjoin (" ", figures[f], widths[i], NULL);
      g_auto (Run) run = RUN (words);
      g_assert_cmpint (run.status, ==, 0);
      g_autofree char *wide = g_strdup_printf (" width=\"%spx\"", widths[i]);
      const char *told = strstr (run.err, "px wide");
      const bool kept = strstr (run.out, wide) != NULL;
      if (kept != (told == NULL))
        g_error ("%s: %s", words, run.err);
      if (!kept)
        g_assert_nonnull (strstr (run.err, ": the figure is 214 px wide, as letters of 10 pt"));
      if (!kept)
        g_assert_nonnull (strstr (run.out, " width=\"214px\""));
    }
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  write_times ();
  g_test_add_func ("/lab-forms/each-with-each", test_each_with_each);
  g_test_add_func ("/lab-forms/two-forms", test_two_forms);
  g_test_add_func ("/lab-forms/none-is-left-out", test_none_is_left_out);
  g_test_add_func ("/lab-forms/limits", test_limits);
  g_test_add_func ("/lab-forms/width", test_width);
  return cli_test_run ();
}
