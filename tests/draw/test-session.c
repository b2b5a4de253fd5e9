/* SPDX-License-Identifier: MIT */
/* Session files: every field comes back, and whatever else stands in such a file is a sentence. */
#include "attn-draw/session.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define VIEW_SIZE 336 /* bytes of the view up to its strings, with the target that none keeps */

static AttnDrawSession *
load_text (const char *text, GError **error)
{
  return attn_draw_session_load_bytes (text, strlen (text), "/some/place/s.headscope", error);
}

static AttnDrawSession *
load_good (const char *text)
{
  GError *error = NULL;
  AttnDrawSession *session = load_text (text, &error);
  g_assert_no_error (error);
  return session;
}

static void
assert_equal_sides (const AttnDrawSessionSide *a, const AttnDrawSessionSide *b)
{
  g_assert_cmpstr (a->model, ==, b->model);
  g_assert_cmpstr (a->model_name, ==, b->model_name);
  g_assert_cmpstr (a->weights_sha256, ==, b->weights_sha256);
  g_assert_cmpstr (a->text, ==, b->text);
  g_assert_cmpstr (a->pair, ==, b->pair);
  g_assert_cmpuint (a->max_tokens, ==, b->max_tokens);
}

static void
assert_equal_views (const AttnDrawView *a, const AttnDrawView *b)
{
  g_assert_cmpuint (a->kind, ==, b->kind);
  g_assert_cmpuint (a->layer, ==, b->layer);
  g_assert_cmpuint (a->head, ==, b->head);
  g_assert_cmpuint (a->layer_b, ==, b->layer_b);
  g_assert_cmpuint (a->head_b, ==, b->head_b);
  g_assert_cmpuint (a->range, ==, b->range);
  g_assert_true (a->range_max == b->range_max); /* the very number */
  g_assert_cmpuint (a->scale, ==, b->scale);
  g_assert_true (attn_arrangement_equal (&a->arrangement, &b->arrangement));
  g_assert_cmpuint (a->crop.first_query, ==, b->crop.first_query);
  g_assert_cmpuint (a->crop.n_queries, ==, b->crop.n_queries);
  g_assert_cmpuint (a->crop.first_key, ==, b->crop.first_key);
  g_assert_cmpuint (a->crop.n_keys, ==, b->crop.n_keys);
  g_assert_true (a->hides_values == b->hides_values);
  g_assert_cmpuint (a->color_map, ==, b->color_map);
  g_assert_cmpuint (a->palette, ==, b->palette);
  g_assert_cmpstr (a->font_family, ==, b->font_family);
  g_assert_true (a->font_size_pt == b->font_size_pt);
  g_assert_true (a->width_px == b->width_px);
  g_assert_true (a->max_height_px == b->max_height_px);
  g_assert_cmpuint (a->n_columns, ==, b->n_columns);
  g_assert_true (a->map_px == b->map_px);
  g_assert_true (a->has_pin == b->has_pin);
  g_assert_cmpuint (a->pin_query, ==, b->pin_query);
  g_assert_cmpuint (a->pin_key, ==, b->pin_key);
  g_assert_true ((a->words == NULL) == (b->words == NULL));
}

static void
assert_round_trip (const AttnDrawSession *session)
{
  g_autofree char *json = attn_draw_session_dup_json (session);
  g_autoptr (AttnDrawSession) again = load_good (json);
  g_assert_cmpuint (again->warnings->len, ==, 0);
  assert_equal_sides (&session->a, &again->a);
  assert_equal_sides (&session->b, &again->b);
  assert_equal_views (session->view, again->view);
  g_assert_cmpuint (session->format, ==, again->format);
  g_assert_true (session->scale == again->scale);
  g_assert_cmpuint (session->page.size, ==, again->page.size);
  g_assert_true (session->page.landscape == again->page.landscape);
  g_assert_cmpstr (session->language, ==, again->language);
  g_assert_true (session->magnification == again->magnification);
  g_autofree char *second = attn_draw_session_dup_json (again);
  g_assert_cmpstr (json, ==, second);
}

/* A value other than the default in every field. */
static void
fill_view (AttnDrawView *view)
{
  view->kind = ATTN_DRAW_LAYERS;
  view->layer = 2;
  view->head = 4;
  view->layer_b = 3;
  view->head_b = 1;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 1.0 / 3;
  view->scale = ATTN_DRAW_SCALE_RANK;
  view->arrangement = (AttnArrangement){
      .combine = ATTN_COMBINE_MAX,
      .combine_layers = true,
      .unit = ATTN_UNIT_WORDS,
      .part = ATTN_PART_B_TO_A,
      .hide = ATTN_HIDE_CLS | ATTN_HIDE_PUNCTUATION,
      .renormalise = true,
      .keep = ATTN_KEEP_TOP,
      .threshold = 0.1,
      .n_top = 7,
  };
  attn_head_set_put (&view->arrangement.heads, 0, true);
  attn_head_set_put (&view->arrangement.heads, 63, true);
  attn_head_set_put (&view->arrangement.heads, 64, true);
  attn_head_set_put (&view->arrangement.heads, ATTN_HEAD_SET_MAX - 1, true);
  view->crop = (AttnDrawCrop){1, 2, 3, 4};
  view->hides_values = true;
  view->color_map = ATTN_DRAW_COLOR_MAP_GREY;
  view->palette = ATTN_DRAW_PALETTE_SCREEN_DARK;
  g_free (view->font_family);
  view->font_family = g_strdup ("Noto \"Sans\" 中文");
  view->font_size_pt = 10.1;
  view->width_px = 1234.5;
  view->max_height_px = 567.25;
  view->n_columns = 5;
  view->map_px = 43.5;
  view->has_pin = true;
  view->pin_query = 0;
  view->pin_key = G_MAXSIZE;
}

static void
test_round_trip (void)
{
  g_autoptr (AttnDrawSession) session = attn_draw_session_new ();
  assert_round_trip (session);

  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  fill_view (view);
  AttnDrawPicture picture = {
      .view = view,
      .model = "/models/\"a\\b\"",
      .model_name = "名字",
      .weights_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      .text = "two\nlines\t\xf0\x9f\x99\x82 \x01\x7f </script>",
      .pair = "",
      .max_tokens = 512,
      .language = "zh_CN",
      .format = ATTN_DRAW_PDF,
      .scale = 0.1 + 0.2,
      .page = {ATTN_DRAW_PAGE_LETTER, true},
  };
  g_autoptr (AttnDrawSession) full = attn_draw_session_new_from_picture (&picture);
  full->magnification = 2.75;
  assert_round_trip (full);
  AttnDrawPicture back = attn_draw_session_to_picture (full);
  assert_equal_views (view, back.view);
  g_assert_cmpstr (back.model, ==, picture.model);
  g_assert_cmpstr (back.text, ==, picture.text);
  g_assert_cmpstr (back.pair, ==, "");
  g_assert_cmpstr (back.language, ==, "zh_CN");
  g_assert_cmpuint (back.page.size, ==, ATTN_DRAW_PAGE_LETTER);
}

/* The other side of a comparison is there in that view alone. */
static void
test_compared (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model_name = "demo",
      .text = "one",
      .model_b = "/models/other",
      .model_name_b = "other",
      .weights_sha256_b = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      .text_b = "two",
      .pair_b = "three",
      .scale = 1,
  };
  g_autoptr (AttnDrawSession) alone = attn_draw_session_new_from_picture (&picture);
  g_assert_null (alone->b.text);
  assert_round_trip (alone);
  view->kind = ATTN_DRAW_COMPARE;
  g_autoptr (AttnDrawSession) compared = attn_draw_session_new_from_picture (&picture);
  assert_round_trip (compared);
  AttnDrawPicture back = attn_draw_session_to_picture (compared);
  g_assert_cmpstr (back.model_b, ==, "/models/other");
  g_assert_cmpstr (back.model_name_b, ==, "other");
  g_assert_cmpstr (back.weights_sha256_b, ==, picture.weights_sha256_b);
  g_assert_cmpstr (back.text_b, ==, "two");
  g_assert_cmpstr (back.pair_b, ==, "three");
}

/* Who adds a field to the view is told to add it to the session's table and to this test too; only
 * what a page has of the whole is not kept. */
static void
test_complete (void)
{
  if (sizeof (void *) != 8) {
    g_test_skip ("the view's size is known for 64 bits");
    return;
  }
  g_assert_cmpuint (offsetof (AttnDrawView, strings), ==, VIEW_SIZE);
}

/* Each name is the one that the command line takes, and all of them come back. */
static void
test_names (void)
{
  for (unsigned map = 0; map < ATTN_DRAW_N_COLOR_MAPS; map++)
    for (unsigned kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_COMPARE; kind++) {
      g_autoptr (AttnDrawSession) session = attn_draw_session_new ();
      session->view->color_map = (AttnDrawColorMap)map;
      session->view->kind = (AttnDrawKind)kind;
      session->view->palette = (AttnDrawPalette)(kind % 3);
      session->view->arrangement.combine = (AttnCombine)(kind % 3);
      session->view->arrangement.unit = (AttnUnit)(kind % 3);
      session->view->arrangement.part = (AttnPart)(kind % 5);
      session->page.size = (AttnDrawPageSize)(kind % ATTN_DRAW_N_PAGE_SIZES);
      session->format = (AttnDrawFormat)(kind % 3);
      assert_round_trip (session);
      g_autofree char *json = attn_draw_session_dup_json (session);
      const char *names[] = {
          attn_draw_color_map_peek_name (session->view->color_map),
          attn_draw_kind_peek_name (session->view->kind),
          attn_draw_palette_peek_name (session->view->palette),
          attn_combine_peek_name (session->view->arrangement.combine),
          attn_unit_peek_name (session->view->arrangement.unit),
          attn_part_peek_name (session->view->arrangement.part),
          attn_draw_page_size_peek_name (session->page.size),
          attn_draw_format_peek_name (session->format),
      };
      for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *quoted = g_strdup_printf (": \"%s\"", names[i]);
        g_assert_nonnull (strstr (json, quoted));
      }
    }
}

#define HEAD "{\"format\":\"headscope-session\",\"version\":1"

/* What is missing has a new session's value. */
static void
test_short (void)
{
  g_autoptr (AttnDrawSession) fresh = attn_draw_session_new ();
  static const char *const texts[] = {
      HEAD "}",
      HEAD ",\"a\":{},\"view\":{},\"export\":{}}",
      HEAD ",\"a\":null,\"view\":{\"kind\":null,\"pin\":null,\"pin\\u0020\":null},\"program\":7}",
      "\xef\xbb\xbf" HEAD "}",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (AttnDrawSession) session = load_good (texts[i]);
    assert_equal_sides (&fresh->a, &session->a);
    assert_equal_views (fresh->view, session->view);
    g_assert_true (session->scale == fresh->scale);
    g_assert_cmpuint (session->warnings->len, ==, i == 2 ? 1 : 0);
  }
}

/* Older files name the part of the whole that is drawn, which always was all of it. */
static void
test_former (void)
{
  g_autoptr (AttnDrawSession) session = load_good (
      HEAD ",\"view\":{\"first_layer\":2,\"n_layers\":3,\"first_head\":1,\"n_heads\":0}}");
  g_autofree char *json = attn_draw_session_dup_json (session);
  g_assert_cmpuint (session->warnings->len, ==, 0);
  g_assert_cmpuint (session->view->first_layer + session->view->n_layers, ==, 0);
  g_assert_null (strstr (json, "n_layers"));
}

static void
test_unknown (void)
{
  g_autoptr (AttnDrawSession) session =
      load_good (HEAD ",\"b\\n\":1,\"a\":{\"text\":\"hi\",\"colour\":[{}]},"
                      "\"view\":{\"crop\":{\"n_cols\":3},\"head\":2}}");
  static const char *const wanted[] = {
      "/some/place/s.headscope: a: the field \"colour\" is not known and was left out",
      "/some/place/s.headscope: view: crop: the field \"n_cols\" is not known and was left out",
  };
  g_assert_cmpuint (session->warnings->len, ==, 3);
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpstr (g_ptr_array_index (session->warnings, i), ==, wanted[i]);
  g_assert_null (strchr (g_ptr_array_index (session->warnings, 2), '\n'));
  g_assert_cmpstr (session->a.text, ==, "hi");
  g_assert_cmpuint (session->view->head, ==, 1);
}

typedef struct {
  const char *text; /* after the head */
  AttnError code;
  const char *words[3]; /* the sentence holds these */
} Bad;

static const Bad bad[] = {
    {",\"a\":7}", ATTN_ERROR_FORMAT, {"a: found 7", "wanted an object"}},
    {",\"a\":{\"text\":[]}}", ATTN_ERROR_FORMAT, {"a: text: found an array", "wanted a string"}},
    {",\"a\":{\"text\":\"x\\u0000y\"}}", ATTN_ERROR_FORMAT, {"a: text", "without U+0000"}},
    {",\"a\":{\"model\":\"\"}}", ATTN_ERROR_SHAPE, {"a: model", "wanted a text of 1 to"}},
    {",\"a\":{\"max_tokens\":-1}}", ATTN_ERROR_SHAPE, {"max_tokens: found -1", "from 0 to"}},
    {",\"a\":{\"max_tokens\":1e30}}", ATTN_ERROR_SHAPE, {"max_tokens", "from 0 to 1000000000"}},
    {",\"a\":{\"weights_sha256\":\"abc\"}}", ATTN_ERROR_SHAPE, {"weights_sha256", "64 characters"}},
    {",\"a\":{\"weights_sha256\":\"zz23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
     "\"}}",
     ATTN_ERROR_SHAPE,
     {"weights_sha256", "64 hexadecimal digits"}},
    {",\"b\":{\"text\":7}}", ATTN_ERROR_FORMAT, {"b: text: found 7", "wanted a string"}},
    {",\"view\":[]}", ATTN_ERROR_FORMAT, {"view: found an array", "an object"}},
    {",\"view\":{\"kind\":\"pie\"}}",
     ATTN_ERROR_SHAPE,
     {"view: kind: found the string \"pie\"", "heatmap, heads, layers, lines, text, compare"}},
    {",\"view\":{\"kind\":3}}", ATTN_ERROR_FORMAT, {"view: kind: found 3", "one of heatmap"}},
    {",\"view\":{\"layer\":0}}", ATTN_ERROR_SHAPE, {"view: layer: found 0", "from 1 to"}},
    {",\"view\":{\"layer\":1.5}}", ATTN_ERROR_FORMAT, {"view: layer: found 1.5", "a whole number"}},
    {",\"view\":{\"range_max\":0}}", ATTN_ERROR_SHAPE, {"range_max: found 0", "1e-09 to 1e+09"}},
    {",\"view\":{\"range_max\":\"1\"}}", ATTN_ERROR_FORMAT, {"range_max", "a number"}},
    {",\"view\":{\"values\":1}}", ATTN_ERROR_FORMAT, {"values: found 1", "true or false"}},
    {",\"view\":{\"font\":\"\"}}", ATTN_ERROR_SHAPE, {"font", "wanted a text of 1 to"}},
    {",\"view\":{\"font_size_pt\":1e9}}", ATTN_ERROR_SHAPE, {"font_size_pt", "from 1 to 200"}},
    {",\"view\":{\"width_px\":1e9}}", ATTN_ERROR_SHAPE, {"width_px", "from 1 to 100000"}},
    {",\"view\":{\"pin\":{\"query\":-1}}}", ATTN_ERROR_SHAPE, {"view: pin: query: found -1"}},
    {",\"view\":{\"pin\":3}}", ATTN_ERROR_FORMAT, {"view: pin: found 3", "an object"}},
    {",\"view\":{\"arrangement\":{\"heads\":[1,257]}}}",
     ATTN_ERROR_SHAPE,
     {"view: arrangement: heads: found 257", "from 1 to 256"}},
    {",\"view\":{\"arrangement\":{\"heads\":[true]}}}",
     ATTN_ERROR_FORMAT,
     {"heads: found true", "whole numbers"}},
    {",\"view\":{\"arrangement\":{\"heads\":{}}}}", ATTN_ERROR_FORMAT, {"an array of numbers"}},
    {",\"view\":{\"arrangement\":{\"hide\":\"cls\"}}}", ATTN_ERROR_FORMAT, {"an array of names"}},
    {",\"view\":{\"arrangement\":{\"hide\":[\"all\"]}}}",
     ATTN_ERROR_SHAPE,
     {"hide: found the string \"all\"", "cls, sep, punctuation"}},
    {",\"view\":{\"arrangement\":{\"threshold\":1.01}}}", ATTN_ERROR_SHAPE, {"from 0 to 1"}},
    {",\"view\":{\"words\":\"nowhere.txt\"}}",
     ATTN_ERROR_IO,
     {"view: words: /some/place/nowhere.txt"}},
    {",\"export\":{\"scale\":0}}", ATTN_ERROR_SHAPE, {"export: scale: found 0", "0.01 to 1000"}},
    {",\"export\":{\"page\":\"a0\"}}", ATTN_ERROR_SHAPE, {"picture, a4, a5, letter"}},
    {",\"export\":{\"language\":\"de\"}}", ATTN_ERROR_SHAPE, {"en, zh_TW, zh_CN"}},
    {",\"a\":{},\"a\":{}}", ATTN_ERROR_FORMAT, {"not valid JSON", "duplicate"}},
    {"", ATTN_ERROR_FORMAT, {"not valid JSON"}},
};

static void
assert_refused (const char *text, AttnError code, const char *const *words, size_t n_words)
{
  GError *error = NULL;
  g_assert_null (load_text (text, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  g_assert_true (g_str_has_prefix (error->message, "/some/place/s.headscope: "));
  for (size_t i = 0; i < n_words && words[i] != NULL; i++)
    if (strstr (error->message, words[i]) == NULL)
      g_error ("\"%s\" is not in: %s", words[i], error->message);
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_error_free (error);
}

static void
test_refused (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *text = g_strconcat (HEAD, bad[i].text, NULL);
    assert_refused (text, bad[i].code, bad[i].words, G_N_ELEMENTS (bad[i].words));
  }
  static const Bad others[] = {
      {"", ATTN_ERROR_FORMAT, {"empty file"}},
      {"[]", ATTN_ERROR_FORMAT, {"found a JSON array"}},
      {"{}", ATTN_ERROR_FORMAT, {"this is no session of Headscope", "headscope-session"}},
      {"{\"format\":\"other\",\"version\":1}", ATTN_ERROR_FORMAT, {"no session of Headscope"}},
      {"{\"format\":\"headscope-session\"}", ATTN_ERROR_FORMAT, {"version: found none, wanted 1"}},
      {"{\"format\":\"headscope-session\",\"version\":2}",
       ATTN_ERROR_UNSUPPORTED,
       {"version: found 2, wanted 1", "a newer Headscope"}},
      {"{\"format\":\"headscope-session\",\"version\":0.5}", ATTN_ERROR_FORMAT, {"version"}},
      {"\xff{}", ATTN_ERROR_FORMAT, {"not valid UTF-8"}},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    assert_refused (others[i].text, others[i].code, others[i].words,
                    G_N_ELEMENTS (others[i].words));
  g_autofree char *nest = g_strnfill (101, '[');
  g_autofree char *deep = g_strconcat (HEAD ",\"x\":", nest, NULL);
  assert_refused (deep, ATTN_ERROR_FORMAT, (const char *const[]){"nested deeper"}, 1);
}

/* Every prefix of a good file is refused, none crashes. */
static void
test_cut (void)
{
  g_autoptr (AttnDrawSession) session = attn_draw_session_new ();
  fill_view (session->view);
  g_autofree char *json = attn_draw_session_dup_json (session);
  size_t length = strlen (json);
  for (size_t n = 0; n + 2 < length; n++) { /* without the last brace it is no object */
    GError *error = NULL;
    g_assert_null (attn_draw_session_load_bytes (json, n, "cut", &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_error_free (error);
  }
}

static void
write_file (const char *folder, const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

/* Paths that are not absolute are looked for beside the file; bytes that are no UTF-8 survive. */
static void
test_paths (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-session-XXXXXX", NULL);
  write_file (folder, "words.txt", "圖書館 3 n\n");
  write_file (folder, "s.headscope",
              HEAD ",\"a\":{\"model\":\"../m/./x\"},\"view\":{\"words\":\"words.txt\"}}");
  g_autofree char *path = g_build_filename (folder, "s.headscope", NULL);
  g_autofree char *words = g_build_filename (folder, "words.txt", NULL);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *model = g_build_filename (parent, "m", "x", NULL);
  GError *error = NULL;
  g_autoptr (AttnDrawSession) session = attn_draw_session_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (session->a.model, ==, model);
  g_assert_cmpstr (attn_word_list_peek_path (session->view->words), ==, words);
  g_free (session->a.model);
  session->a.model = g_strdup ("/bytes/\xff\xfe one");
  g_assert_true (attn_draw_session_save (session, path, &error));
  g_autoptr (AttnDrawSession) again = attn_draw_session_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->a.model, ==, "/bytes/\xff\xfe one");
  g_assert_cmpstr (attn_word_list_peek_path (again->view->words), ==, words);
  g_assert_false (attn_draw_session_save (session, folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_unlink (words);
  g_assert_null (attn_draw_session_load (path, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, words));
  g_clear_error (&error);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A file of another kind that is named so, however large, is refused before it is read. */
static void
test_too_large (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-session-XXXXXX", NULL);
  write_file (folder, "s.headscope", "");
  g_autofree char *path = g_build_filename (folder, "s.headscope", NULL);
  g_assert_cmpint (truncate (path, (16 << 20) + 1), ==, 0);
  GError *error = NULL;
  g_assert_null (attn_draw_session_load (path, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_clear_error (&error);
  g_assert_null (attn_draw_session_load (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* No room for the new file: the old one stays, byte for byte, and nothing lies beside it. */
static void
test_full (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-session-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "s.headscope", NULL);
  g_autoptr (AttnDrawSession) session = attn_draw_session_new ();
  GError *error = NULL;
  g_assert_true (attn_draw_session_save (session, path, &error));
  g_autofree char *before = NULL;
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  struct rlimit old, small;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 200; /* bytes */
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  fill_view (session->view);
  bool saved = attn_draw_session_save (session, path, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_false (saved);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_autofree char *after = NULL;
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_fit (void)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  size_t index = 2;
  attn_draw_session_fit ("layer", 3, &index, warnings);
  g_assert_cmpuint (index, ==, 2);
  g_assert_cmpuint (warnings->len, ==, 0);
  attn_draw_session_fit ("layer", 2, &index, warnings);
  g_assert_cmpuint (index, ==, 1);
  g_assert_cmpuint (warnings->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (warnings, 0), ==,
                   "layer: found 3, but the last is 2 now; it is shown");
}

/* Where the window stands does not keep the rest from being read, the view's words do. */
static void
test_unknown_words (void)
{
  static const char *const keys[] = {"lab_page", "lab_step", "lab_pair", "lab_code"};
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autofree char *json =
        g_strdup_printf ("{\"format\":\"headscope-session\",\"version\":1,\"a\":{\"text\":\"hi\"},"
                         "\"window\":{\"lab\":true,\"%s\":\"zzz\"}}",
                         keys[i]);
    g_autofree char *wanted = g_strdup_printf (
        "/s.headscope: window: %s: the word \"zzz\" is not known and was left out", keys[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnDrawSession) session =
        attn_draw_session_load_bytes (json, strlen (json), "/s.headscope", &error);
    g_assert_no_error (error);
    g_assert_true (session->in_lab);
    g_assert_cmpint (session->lab_page, ==, ATTN_DRAW_LAB_PIPELINE);
    g_assert_cmpuint (session->warnings->len, ==, 1);
    g_assert_cmpstr (g_ptr_array_index (session->warnings, 0), ==, wanted);
  }
}

/* Chosen heads that are gone are left out; without any left all are taken. */
static void
test_fit_heads (void)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  AttnArrangement arrangement = {.combine = ATTN_COMBINE_MEAN};
  attn_draw_session_fit_heads (1, &arrangement, warnings); /* none chosen: all, however many */
  attn_head_set_put (&arrangement.heads, 1, true);
  attn_head_set_put (&arrangement.heads, 4, true);
  attn_draw_session_fit_heads (5, &arrangement, warnings);
  g_assert_cmpuint (warnings->len, ==, 0);
  attn_draw_session_fit_heads (4, &arrangement, warnings);
  g_assert_cmpuint (warnings->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (warnings, 0), ==,
                   "arrangement: heads: found 5, but the last is 4 now; it is left out");
  g_assert_true (attn_head_set_has (&arrangement.heads, 1));
  g_assert_false (attn_head_set_has (&arrangement.heads, 4));
  attn_draw_session_fit_heads (1, &arrangement, warnings);
  g_assert_cmpuint (warnings->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (warnings, 1), ==,
                   "arrangement: heads: found 2, but the last is 1 now; all are taken");
  g_assert_true (attn_head_set_is_empty (&arrangement.heads));
}

/* What is pinned or zoomed stays where it is still there, each for itself. */
static void
test_fit_place (void)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->has_pin = true;
  view->pin_query = 5;
  view->pin_key = 3;
  view->crop = (AttnDrawCrop){.first_query = 1, .n_queries = 5, .first_key = 0, .n_keys = 4};
  attn_draw_session_fit_place (6, 4, view, warnings);
  g_assert_cmpuint (warnings->len, ==, 0);
  g_assert_cmpuint (view->pin_query, ==, 5);
  g_assert_cmpuint (view->crop.n_queries, ==, 5);
  attn_draw_session_fit_place (5, 4, view, warnings);
  g_assert_cmpuint (warnings->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (warnings, 0), ==,
                   "pin: query: found 5, but there are rows 0 to 4 now; it is not pinned");
  g_assert_cmpstr (
      g_ptr_array_index (warnings, 1), ==,
      "crop: found rows up to 6 and columns up to 4, but there are 5 and 4 now; all are "
      "shown");
  g_assert_true (view->has_pin);
  g_assert_true (view->pin_query == G_MAXSIZE);
  g_assert_cmpuint (view->pin_key, ==, 3);
  g_assert_cmpuint (view->crop.n_queries, ==, 0);
  attn_draw_session_fit_place (5, 3, view, warnings);
  g_assert_cmpuint (warnings->len, ==, 3);
  g_assert_false (view->has_pin);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/fit", test_fit);
  g_test_add_func ("/session/fit-heads", test_fit_heads);
  g_test_add_func ("/session/unknown-words", test_unknown_words);
  g_test_add_func ("/session/fit-place", test_fit_place);
  g_test_add_func ("/session/round-trip", test_round_trip);
  g_test_add_func ("/session/compared", test_compared);
  g_test_add_func ("/session/complete", test_complete);
  g_test_add_func ("/session/names", test_names);
  g_test_add_func ("/session/short", test_short);
  g_test_add_func ("/session/former", test_former);
  g_test_add_func ("/session/unknown", test_unknown);
  g_test_add_func ("/session/refused", test_refused);
  g_test_add_func ("/session/cut", test_cut);
  g_test_add_func ("/session/paths", test_paths);
  g_test_add_func ("/session/too-large", test_too_large);
  g_test_add_func ("/session/full", test_full);
  return g_test_run ();
}
