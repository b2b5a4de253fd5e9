/* SPDX-License-Identifier: MIT */
/* headscope-cli on attention of another program: round trips, every view, sessions, comparisons. */
#include "cli-run.h"
#include "test-util.h"

#include "attn-draw/session.h"
#include "attn/attn.h"

#include <math.h>
#include <string.h>

#define TEXT "I love attention heads"

/* Fails unless the command goes well; nothing is asked of stderr. */
#define DO(words, ...) \
  G_STMT_START \
  { \
    g_auto (Run) run_ = RUN (words, __VA_ARGS__); \
    if (run_.status != 0) \
      g_error ("%s: exit %d: %s", words, run_.status, run_.err); \
  } \
  G_STMT_END

static char *
load (const char *name, gsize *n)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;
  g_file_get_contents (path, &bytes, n, &error);
  g_assert_no_error (error);
  return bytes;
}

static void
assert_same_files (const char *a, const char *b)
{
  gsize n_a = 0, n_b = 0;
  g_autofree char *left = load (a, &n_a);
  g_autofree char *right = load (b, &n_b);
  g_assert_cmpmem (left, n_a, right, n_b);
}

static void
write_file (const char *name, const char *bytes, gssize n)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  g_file_set_contents (path, bytes, n, &error);
  g_assert_no_error (error);
}

/* A file of 2 × 3 × 2 weights: one layer of two heads, three queries, two keys. */
static void
write_cross (const char *name, float last)
{
  const float weights[] = {1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 0, 1, 0.5f, 0.5f, 0.125f, last};
  g_autoptr (GString) bytes = g_string_new (NULL);
  const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 2)}\n";
  g_string_append_len (bytes, "\x93NUMPY\x01\x00", 8);
  g_string_append_c (bytes, (char)strlen (header));
  g_string_append_c (bytes, 0);
  g_string_append (bytes, header);
  g_string_append_len (bytes, (const char *)weights, sizeof weights);
  write_file (name, bytes->str, (gssize)bytes->len);
}

/* What this program wrote and reads again are the very same numbers. */
static void
test_round_trip (void)
{
  static const char *const formats[] = {"npy", "npz", "safetensors"};
  DO ("attention --text @ --format npy -o first.npy", TEXT);
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    DO ("attention --text @ --format @ -o all", TEXT, formats[i]);
    DO ("attention --attention all --format npy -o again.npy");
    assert_same_files ("first.npy", "again.npy");
    DO ("attention --attention again.npy --format @ --layer 2 --head 3 -o one", formats[i]);
    DO ("attention --attention one --layer 1 --head 1 --format npy -o one.npy");
    DO ("attention --text @ --format npy --layer 2 --head 3 -o wanted.npy", TEXT);
    assert_same_files ("wanted.npy", "one.npy");
  }
}

/* Tokens come back from both formats that have a place for them. */
static void
test_tokens_come_back (void)
{
  static const char *const formats[] = {"npz", "safetensors"};
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    DO ("attention --text @ --format @ -o tokens", TEXT, formats[i]);
    json_t *info = ASK ("info --attention tokens");
    json_t *tokens = json_object_get (info, "tokens");
    g_assert_cmpstr (json_string_value (json_array_get (tokens, 0)), ==, "[CLS]");
    g_assert_cmpstr (json_string_value (json_array_get (tokens, 1)), ==, "i");
    json_decref (info);
  }
}

/* Tokens that NPZ keeps; what JSON says of where the numbers are from. */
static void
test_answers (void)
{
  DO ("attention --text @ --format npz -o m.npz", TEXT);
  json_t *info = ASK ("info --attention m.npz --hash");
  assert_keys (info, "name,format,array,dtype,shape,layers,heads,queries,keys,sha256,tokens,"
                     "warnings");
  g_assert_cmpstr (json_string_value (json_object_get (info, "format")), ==, "npz");
  g_assert_cmpint (get_int (info, "layers"), ==, 4);
  json_t *tokens = json_object_get (info, "tokens");
  g_assert_cmpstr (json_string_value (json_array_get (tokens, 0)), ==, "[CLS]");
  json_t *answer = ASK ("attention --attention m.npz --layer 1 --head 1");
  json_t *about = json_object_get (answer, "about");
  assert_keys (about, "program,attention,array,file_sha256,layer,head");
  g_assert_cmpstr (json_string_value (json_object_get (about, "file_sha256")), ==,
                   json_string_value (json_object_get (info, "sha256")));
  g_assert_true (json_equal (json_object_get (answer, "tokens"), tokens));
  json_decref (answer);
  json_decref (info);
}

static void
test_views (void)
{
  static const char *const views[] = {"heatmap", "heads", "layers", "lines", "text"};
  static const char *const languages[] = {"en", "zh_TW"};
  write_cross ("cross.npy", 0.875f);
  for (size_t i = 0; i < G_N_ELEMENTS (views); i++)
    for (size_t l = 0; l < G_N_ELEMENTS (languages); l++) {
      g_auto (Run) run = RUN ("render --attention cross.npy --token-list @ --key-list @ --view @ "
                              "--lang @ --format svg -o -",
                              "爱 🙂 שלום", "x y", views[i], languages[l]);
      g_assert_cmpstr (run.err, ==, "");
      g_assert_cmpint (run.status, ==, 0);
      g_assert_nonnull (strstr (run.out, "; attention: cross.npy, [2, 3, 2] of &lt;f4; file: "
                                         "SHA-256 "));
      g_assert_nonnull (strstr (run.out, "; queries: 爱 🙂 שלום; keys: x y;"));
    }
  DO ("render --attention cross.npy --combine mean --top-keys 1 --renormalise -o mean.pdf");
}

/* The title and the rows of a picture, where one list or two name the tokens. */
static void
test_names (void)
{
  write_cross ("cross.npy", 0.875f);
  g_auto (Run) words = RUN ("render --attention cross.npy --token-list @ --key-list @ --unit words "
                            "--format svg -o -",
                            "un ##aff ,", "x y");
  g_assert_cmpstr (words.err, ==, "");
  g_assert_nonnull (strstr (words.out, "between words"));
  g_auto (Run) no_marks =
      RUN ("render --attention cross.npy --token-list @ --key-list @ --unit words "
           "-o a.png",
           "un aff ,", "x y");
  g_assert_cmpint (no_marks.status, ==, 0);
  g_assert_nonnull (strstr (no_marks.err, "no token of cross.npy has a mark of words"));
  g_auto (Run) hidden = RUN ("render --attention cross.npy --token-list @ --key-list @ "
                             "--hide cls,sep,punctuation --renormalise --format svg -o -",
                             "<s> a .", "b </s>");
  g_assert_cmpstr (hidden.err, ==, "");
  g_assert_nonnull (strstr (hidden.out, "without &lt;s&gt;, &lt;/s&gt; and punctuation"));
  g_assert_nonnull (strstr (hidden.out, "rows renormalised"));
  json_t *answer = ASK ("attention --attention cross.npy --token-list @ --key-list @ --unit words "
                        "--hide punctuation --layer 1 --head 1",
                        "un ##aff ,", "x y");
  assert_keys (answer, "about,arrangement,queries,keys,maps");
  json_t *queries = json_object_get (answer, "queries");
  g_assert_cmpuint (json_array_size (queries), ==, 1);
  g_assert_cmpstr (json_string_value (json_array_get (queries, 0)), ==, "unaff");
  json_t *map = json_array_get (json_object_get (answer, "maps"), 0);
  json_t *row = json_array_get (json_object_get (map, "weights"), 0);
  g_assert_cmpfloat (json_number_value (json_array_get (row, 0)), ==, 0.75); /* exact in f32 */
  g_assert_cmpfloat (json_number_value (json_array_get (row, 1)), ==, 0.25);
  json_decref (answer);
}

/* A model's own words and what is hidden of its text are those of its tokens' names alone. */
static void
test_same_as_text (void)
{
  static const char *const how[] = {"--unit words", "--hide cls,sep,punctuation --renormalise",
                                    "--unit words --hide cls,sep --renormalise --combine mean"};
  DO ("attention --text @ --format safetensors -o all", TEXT ", unaffable.");
  for (size_t i = 0; i < G_N_ELEMENTS (how); i++) {
    g_autofree char *of_text =
        g_strconcat ("attention --text @ --format npy -o a.npy ", how[i], NULL);
    g_autofree char *of_file =
        g_strconcat ("attention --attention all --format npy -o b.npy ", how[i], NULL);
    DO (of_text, TEXT ", unaffable.");
    DO (of_file);
    assert_same_files ("a.npy", "b.npy");
  }
}

/* The exit status and a part of the sentence. */
static void
assert_refused (const char *words, const char *value, const char *has)
{
  g_auto (Run) run = RUN (words, value);
  g_assert_cmpint (run.status, ==, 1);
  if (strstr (run.err, has) == NULL)
    g_error ("%s: wanted \"%s\": %s", words, has, run.err);
}

static void
test_refused (void)
{
  write_cross ("cross.npy", 0.875f);
  assert_refused ("render --attention cross.npy -o a.png --token-list @", "a b c",
                  "found 3 tokens, wanted 3 queries and 2 keys for cross.npy");
  assert_refused ("render --attention cross.npy --key-list c -o a.png --token-list @", "a b",
                  "found 2 queries and 1 keys");
  static const char *const of_texts[][2] = {{"--unit", "characters"}, {"--part", "a-b"}};
  for (size_t i = 0; i < G_N_ELEMENTS (of_texts); i++) {
    g_autofree char *words =
        g_strdup_printf ("render --attention cross.npy -o a.png %s @", of_texts[i][0]);
    g_autofree char *told = g_strdup_printf ("--attention and %s %s exclude each other: a file",
                                             of_texts[i][0], of_texts[i][1]);
    g_auto (Run) run = RUN (words, of_texts[i][1]);
    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.err, told));
  }
  assert_refused ("render -o a.png --attention @", "none.npy", "none.npy");
  g_auto (Run) noted = RUN ("render --attention cross.npy -o a.png");
  g_assert_cmpint (noted.status, ==, 0);
  g_assert_nonnull (strstr (noted.err, "queries and keys are numbers"));
  write_cross ("odd.npy", 2);
  g_auto (Run) odd = RUN ("info --attention odd.npy");
  g_assert_cmpint (odd.status, ==, 0);
  g_assert_nonnull (strstr (odd.err, "1 of 6 rows does not sum to 1"));
}

/* JSON has no infinities and no NaN; what stands there tells which it is, in every command. */
static void
test_not_finite (void)
{
  static const struct {
    float weight;
    const char *json, *csv;
  } cases[] = {{(float)INFINITY, "Infinity", "inf"},
               {-(float)INFINITY, "-Infinity", "-inf"},
               {(float)NAN, "NaN", "nan"}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    write_cross ("odd.npy", cases[i].weight);
    g_auto (Run) run = RUN ("attention --attention odd.npy --layer 1 --head 2");
    json_t *answer = json_loads (run.out, 0, NULL);
    json_t *map = json_array_get (json_object_get (answer, "maps"), 0);
    json_t *row = json_array_get (json_object_get (map, "weights"), 2);
    g_assert_cmpstr (json_string_value (json_array_get (row, 1)), ==, cases[i].json);
    g_assert_cmpfloat (json_number_value (json_array_get (row, 0)), ==, 0.125); /* exact in f32 */
    json_decref (answer);
    g_auto (Run) csv = RUN ("attention --attention odd.npy --layer 1 --head 2 --format csv");
    g_autofree char *end = g_strdup_printf (",%s\n", cases[i].csv);
    g_assert_true (g_str_has_suffix (csv.out, end));
    write_cross ("b.npy", 0.5f);
    g_auto (Run) both = RUN ("compare --attention odd.npy --attention-b b.npy --layer 1 --head 2");
    json_t *compared = json_loads (both.out, 0, NULL);
    row = json_array_get (json_object_get (compared, "difference"), 2);
    g_assert_cmpstr (json_string_value (json_array_get (row, 1)), ==, cases[i].json);
    json_decref (compared);
  }
}

/* Two files, and two heads of one. */
static void
test_compare (void)
{
  write_cross ("a.npy", 0.875f);
  write_cross ("b.npy", 0.625f);
  g_auto (Run) run = RUN ("compare --attention a.npy --attention-b b.npy --token-list @ "
                          "--key-list @ --layer 1 --head 2",
                          "a b c", "x y");
  g_assert_cmpint (run.status, ==, 0);
  json_t *answer = json_loads (run.out, 0, NULL);
  json_t *row = json_array_get (json_object_get (answer, "difference"), 2);
  g_assert_cmpfloat (json_number_value (json_array_get (row, 1)), ==, 0.25); /* exact in f32 */
  assert_keys (json_object_get (answer, "a"), "attention,queries,keys,layer,head");
  json_decref (answer);
  DO ("render --attention a.npy --attention-b b.npy --view compare -o c.svg");
  DO ("render --attention a.npy --view compare --head 1 --head-b 2 -o d.svg");
  gsize n = 0;
  g_autofree char *picture = load ("c.svg", &n);
  g_assert_nonnull (strstr (picture, "; compared with attention: b.npy"));
}

/* A file of one head says which one it was where its format has a place for that. */
static void
test_which_head (void)
{
  static const char *const formats[] = {"npz", "safetensors"};
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree char *made = g_strdup_printf (
        "attention --text @ --layer 2 --head 3 --format %s -o one.%s", formats[i], formats[i]);
    g_autofree char *whole = g_strdup_printf ("attention --text @ --layer 4 --format %s -o all.%s",
                                              formats[i], formats[i]);
    g_autofree char *draw = g_strdup_printf ("render --attention one.%s -o one.svg", formats[i]);
    g_autofree char *again = g_strdup_printf ("render --attention all.%s -o all.svg", formats[i]);
    DO (made, TEXT);
    DO (whole, TEXT);
    g_auto (Run) run = RUN (draw);
    g_assert_nonnull (
        strstr (run.err, "layer 1, head 1 of this file was exported from layer 2, head 3"));
    g_auto (Run) layer = RUN (again);
    g_assert_nonnull (strstr (layer.err, "layer 1 of this file was exported from layer 4"));
  }
  DO ("attention --text @ --format npz -o model.npz", TEXT);
  g_auto (Run) silent = RUN ("render --attention model.npz -o model.svg");
  g_assert_cmpstr (silent.err, ==, "");
}

/* A session of a picture, and its command, make its very bytes. */
static void
test_session (void)
{
  write_cross ("a.npy", 0.875f);
  write_cross ("b.npy", 0.625f);
  write_file ("t.json", "{\"queries\": [\"a\", \"b\", \"c\"], \"keys\": [\"x\", \"y\"]}", -1);
  g_autofree char *a = in_folder ("a.npy");
  g_autofree char *b = in_folder ("b.npy");
  g_autofree char *tokens = in_folder ("t.json");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .arrays = {.attention = a, .tokens = tokens},
      .arrays_b = {.attention = b, .token_list = "it's b c", .key_list = "x y"},
      .format = ATTN_DRAW_SVG,
      .scale = 1,
  };
  for (int compares = 0; compares < 2; compares++) {
    view->kind = compares ? ATTN_DRAW_COMPARE : ATTN_DRAW_HEATMAP;
    view->head = 1;
    g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
    g_autofree char *path = in_folder ("s.headscope");
    g_autoptr (GError) error = NULL;
    g_assert_true (attn_draw_session_save (session, path, &error));
    g_autofree char *json = attn_draw_session_dup_json (session);
    g_assert_null (strstr (json, "\"model\""));
    DO ("render --session s.headscope -o session.svg");
    g_autofree char *out = in_folder ("command.svg");
    g_autofree char *command = attn_draw_picture_dup_command (&picture, out);
    g_assert_true (g_str_has_prefix (command, "headscope-cli "));
    g_autofree char *line = g_strconcat (peek_program (), command + strlen ("headscope-cli"), NULL);
    int status = -1;
    g_assert_true (g_spawn_command_line_sync (line, NULL, NULL, &status, &error));
    g_assert_cmpint (status, ==, 0);
    assert_same_files ("session.svg", "command.svg");
  }
}

/* A file that has fewer heads than its session names: the last is shown, as in the window, and it
 * is said; an option is refused as ever. */
static void
test_session_of_fewer (void)
{
  write_cross ("a.npy", 0.875f);
  g_autofree char *a = in_folder ("a.npy");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const AttnDrawPicture picture = {
      .view = view, .arrays = {.attention = a}, .format = ATTN_DRAW_SVG, .scale = 1};
  g_autofree char *path = in_folder ("s.headscope");
  view->layer = 3;
  view->head = 4;
  view->layer_b = 2;
  for (int compares = 0; compares < 2; compares++) {
    view->kind = compares ? ATTN_DRAW_COMPARE : ATTN_DRAW_HEATMAP;
    g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
    g_assert_true (attn_draw_session_save (session, path, NULL));
    g_auto (Run) run = RUN ("render --session s.headscope -o fewer.svg");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.err, "s.headscope: view: layer: found 4, but the last is 1 now"));
    g_assert_nonnull (strstr (run.err, "head: found 5, but the last is 2 now"));
    g_assert_true ((strstr (run.err, "layer_b: found 3") != NULL) == compares);
    g_auto (Run) told = RUN ("render --session s.headscope --layer 2 -o fewer.svg");
    g_assert_cmpint (told.status, ==, 2);
    g_assert_nonnull (strstr (told.err, "--layer 2: a.npy has layers 1 to 1"));
  }
}

/* A session whose tokens are gone, or not as many any more, is drawn with numbers, as the window
 * shows it, and it is said; an option is refused as ever. */
static void
test_session_without_tokens (void)
{
  static const struct {
    const char *tokens, *has;
  } cases[] = {{NULL, "warning: gone.json was left out: "},
               {"[\"a\"]", "warning: gone.json was left out: it has 1 name\n"},
               {"{\"queries\": [\"a\"], \"keys\": [\"x\", \"y\"]}",
                "gone.json was left out: it has names for 1 × 2, queries × keys"}};
  write_cross ("a.npy", 0.875f);
  g_autofree char *a = in_folder ("a.npy");
  g_autofree char *tokens = in_folder ("gone.json");
  g_autofree char *path = in_folder ("s.headscope");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const AttnDrawPicture picture = {.view = view,
                                   .arrays = {.attention = a, .tokens = tokens},
                                   .format = ATTN_DRAW_SVG,
                                   .scale = 1};
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
  g_assert_true (attn_draw_session_save (session, path, NULL));
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    if (cases[i].tokens != NULL)
      write_file ("gone.json", cases[i].tokens, -1);
    g_auto (Run) run = RUN ("render --session s.headscope -o numbered.svg");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.err, cases[i].has));
    g_auto (Run) told = RUN ("render --session s.headscope --tokens gone.json -o told.svg");
    g_assert_cmpint (told.status, !=, 0);
  }
}

/* Likewise with what is pinned and zoomed. */
static void
test_session_of_fewer_tokens (void)
{
  write_cross ("a.npy", 0.875f);
  g_autofree char *a = in_folder ("a.npy");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const AttnDrawPicture picture = {
      .view = view, .arrays = {.attention = a}, .format = ATTN_DRAW_SVG, .scale = 1};
  g_autofree char *path = in_folder ("s.headscope");
  view->has_pin = true;
  view->pin_query = 1;
  view->pin_key = 2; /* there are three rows and two columns */
  view->crop = (AttnDrawCrop){.first_query = 2, .n_queries = 2};
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
  g_assert_true (attn_draw_session_save (session, path, NULL));
  g_auto (Run) run = RUN ("render --session s.headscope -o fewer.svg");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err,
                            "s.headscope: view: pin: key: found 2, but there are columns 0 "
                            "to 1 now; it is not pinned"));
  g_assert_nonnull (strstr (run.err, "crop: found rows up to 4"));
  DO ("render --attention a.npy --pin-query 1 -o wanted.svg");
  g_auto (Run) told = RUN ("render --session s.headscope --pin-key 2 -o fewer.svg");
  g_assert_cmpint (told.status, ==, 2);
}

/* Heads that are combined, of which some are gone: not what anybody typed, so no usage is told. */
static void
test_session_of_fewer_combined (void)
{
  write_cross ("a.npy", 0.875f); /* two heads */
  g_autofree char *a = in_folder ("a.npy");
  g_autofree char *path = in_folder ("s.headscope");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const AttnDrawPicture picture = {
      .view = view, .arrays = {.attention = a}, .format = ATTN_DRAW_SVG, .scale = 1};
  view->arrangement.combine = ATTN_COMBINE_MEAN;
  attn_head_set_put (&view->arrangement.heads, 1, true);
  attn_head_set_put (&view->arrangement.heads, 98, true);
  for (int compares = 0; compares < 2; compares++) {
    view->kind = compares ? ATTN_DRAW_COMPARE : ATTN_DRAW_HEATMAP;
    g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
    g_assert_true (attn_draw_session_save (session, path, NULL));
    g_auto (Run) run = RUN ("render --session s.headscope -o fewer.svg");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.err, "s.headscope: view: arrangement: heads: found 99, but the "
                                       "last is 2 now; it is left out"));
    g_auto (Run) told = RUN ("render --session s.headscope --heads 99 -o fewer.svg");
    g_assert_cmpint (told.status, ==, 2);
    /* what was typed is checked, and what was not is still forgiven */
    view->head = 30;
    g_autoptr (AttnDrawSession) half = attn_draw_session_new_from_picture (&picture);
    g_assert_true (attn_draw_session_save (half, path, NULL));
    g_auto (Run) mixed = RUN ("render --session s.headscope --layer 1 -o fewer.svg");
    g_assert_cmpint (mixed.status, ==, 0);
    g_assert_nonnull (strstr (mixed.err, "view: head: found 31, but the last is 2 now"));
    view->head = 0;
  }
}

/* An attention file that has moved: it is said of which session it is, and what helps does. */
static void
test_session_of_moved (void)
{
  write_cross ("there.npy", 0.875f);
  g_autofree char *path = in_folder ("s.headscope");
  g_autofree char *tokens = in_folder ("tokens.json");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const AttnDrawArrays gone = {.attention = "/gone/moved.npy", .tokens = tokens};
  AttnDrawPicture picture = {.view = view, .arrays = gone, .format = ATTN_DRAW_SVG, .scale = 1};
  write_file ("tokens.json", "{\"queries\": [\"a\", \"b\", \"c\"], \"keys\": [\"x\", \"yes\"]}",
              -1);
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
  g_assert_true (attn_draw_session_save (session, path, NULL));
  g_auto (Run) run = RUN ("render --session s.headscope -o moved.svg");
  g_assert_cmpint (run.status, ==, 1);
  g_assert_nonnull (strstr (run.err, "s.headscope: a: attention: /gone/moved.npy: "));
  g_assert_nonnull (strstr (run.err, "; say where it is now by --attention\n"));
  DO ("render --session s.headscope --attention there.npy -o moved.svg");
  DO ("render --attention there.npy --tokens tokens.json -o wanted.svg");
  assert_same_files ("moved.svg", "wanted.svg");
  write_file ("s.headscope",
              "{\"format\":\"headscope-session\",\"version\":1,\"a\":{\"attention\":\"there.npy\"},"
              "\"b\":{\"attention\":\"/gone/moved-b.npy\"},\"view\":{\"kind\":\"compare\"}}",
              -1);
  g_auto (Run) run_b = RUN ("render --session s.headscope -o moved.svg");
  g_assert_cmpint (run_b.status, ==, 1);
  g_assert_nonnull (strstr (run_b.err, "s.headscope: b: attention: /gone/moved-b.npy: "));
  g_assert_nonnull (strstr (run_b.err, "; say where it is now by --attention-b\n"));
}

/* Typed tokens that are not as many any more, and keys without them, are left out likewise. */
static void
test_session_of_fewer_typed (void)
{
  write_cross ("a.npy", 0.875f);
  write_file ("s.headscope",
              "{\"format\":\"headscope-session\",\"version\":1,\"a\":{\"attention\":\"a.npy\","
              "\"token_list\":\"one two\"}}",
              -1);
  g_auto (Run) run = RUN ("render --session s.headscope --format svg -o typed.svg");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "warning: token_list was left out: it has 2 names"));
  write_file ("s.headscope",
              "{\"format\":\"headscope-session\",\"version\":1,\"a\":{\"attention\":\"a.npy\","
              "\"key_list\":\"one two\"}}",
              -1);
  g_auto (Run) keys = RUN ("render --session s.headscope --format svg -o typed.svg");
  g_assert_cmpint (keys.status, ==, 0);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli-arrays/round-trip", test_round_trip);
  g_test_add_func ("/cli-arrays/tokens-come-back", test_tokens_come_back);
  g_test_add_func ("/cli-arrays/session-of-fewer", test_session_of_fewer);
  g_test_add_func ("/cli-arrays/session-of-fewer-tokens", test_session_of_fewer_tokens);
  g_test_add_func ("/cli-arrays/session-without-tokens", test_session_without_tokens);
  g_test_add_func ("/cli-arrays/which-head", test_which_head);
  g_test_add_func ("/cli-arrays/answers", test_answers);
  g_test_add_func ("/cli-arrays/views", test_views);
  g_test_add_func ("/cli-arrays/names", test_names);
  g_test_add_func ("/cli-arrays/same-as-text", test_same_as_text);
  g_test_add_func ("/cli-arrays/refused", test_refused);
  g_test_add_func ("/cli-arrays/not-finite", test_not_finite);
  g_test_add_func ("/cli-arrays/compare", test_compare);
  g_test_add_func ("/cli-arrays/session", test_session);
  g_test_add_func ("/cli-arrays/session-of-fewer-combined", test_session_of_fewer_combined);
  g_test_add_func ("/cli-arrays/session-of-fewer-typed", test_session_of_fewer_typed);
  g_test_add_func ("/cli-arrays/session-of-moved", test_session_of_moved);
  return cli_test_run ();
}
