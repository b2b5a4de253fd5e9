/* SPDX-License-Identifier: MIT */
/* Bounds around JSON files, and the pull reader of headers. */
#include "file.h"
#include "json-scan.h"
#include "model-folder.h"

#include "attn/error.h"
#include "attn/json.h"

#include <math.h>
#include <string.h>

static json_t *
load (const char *text, GError **error)
{
  return attn_json_load_bytes (text, strlen (text), "a/b.json", error);
}

static void
assert_refused (const char *text, size_t n, const char *const *names)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_json_load_bytes (text, n, "a/b.json", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, "a/b.json: "));
  test_sentence_check (error->message, names);
}

static void
test_loads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root =
      load ("\xEF\xBB\xBF {\"a\\\\\": \"[[{\\\"\", \"nul\": \"x\\u0000y\", \"id\": "
            "1000000000000000019884624838656}\n",
            &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_string_value (json_object_get (root, "a\\")), ==, "[[{\"");
  g_assert_cmpuint (json_string_length (json_object_get (root, "nul")), ==, 3);
  g_assert_cmpfloat (json_number_value (json_object_get (root, "id")), ==, 1e30);
}

static void
test_refuses (void)
{
  const struct {
    const char *text;
    size_t n;
    const char *names[4]; /* NULL-terminated */
  } rows[] = {
      {"", 0, {"empty"}},
      {"\xEF\xBB\xBF", 3, {"empty"}},
      {"[]", 2, {"array", "object"}},
      {"7", 1, {"JSON"}},
      {"{\"a\": 1", 7, {"JSON", "line 1"}},
      {"{\"a\": 1}x", 9, {"JSON"}},
      {"{\"a\": NaN}", 10, {"JSON", "NaN", "\"a\""}},
      {"{\"size\": 1, \"size\": 2}", 22, {"duplicate", "size"}},
      {"{\"a\\u0000b\": 1}", 15, {"NUL"}},
      {"{\"a\": \"\xFF\"}", 10, {"UTF-8", "0xFF"}},
      {"{\"a\": \"\xED\xA0\x80\"}", 12, {"UTF-8"}},
      {"{\"a\": \"\\ud800\"}", 15, {"JSON"}},
      {"{\"a\": \0 1}", 10, {"NUL", "byte 6"}},
      {"{\"a\": 'x'}", 10, {"JSON"}},
      {"{\"a\": 01}", 9, {"JSON"}},
      {"{\"a\": \x1b[1m}", 11, {"JSON", "\uFFFD"}}, /* the parser's words hold the character */
      {"\\", 1, {"JSON"}},
      {"\"\\", 2, {"JSON"}},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_refused (rows[i].text, rows[i].n, rows[i].names);
}

static char *
nest (size_t depth)
{
  GString *text = g_string_new ("{\"x\":");
  for (size_t i = 1; i < depth; i++)
    g_string_append_c (text, '[');
  for (size_t i = 1; i < depth; i++)
    g_string_append_c (text, ']');
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  g_autofree char *deepest = nest (100);
  g_autofree char *too_deep = nest (101);
  g_autofree char *far_too_deep = nest (1000000);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = load (deepest, &error);
  g_assert_no_error (error);
  assert_refused (too_deep, strlen (too_deep), (const char *[]){"deeper", "100", NULL});
  assert_refused (far_too_deep, strlen (far_too_deep), (const char *[]){"deeper", NULL});
}

static void
test_file (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "x.json", "{\"a\": 1}", 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = attn_json_load_file (path, 8, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (json_number_value (json_object_get (root, "a")), ==, 1);
  g_assert_null (attn_json_load_file (path, 7, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_sentence_check (error->message, (const char *[]){"x.json", "8 bytes", "7", NULL});
  g_clear_error (&error);
  g_assert_null (attn_json_load_file (folder, 8, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_folder_remove (folder);
}

static void
test_fields (void)
{
  g_autoptr (json_t) root =
      load ("{\"n\": 512.0, \"half\": 0.5, \"yes\": true, \"s\": \"x\", \"cut\": \"x\\u0000y\", "
            "\"none\": null, \"minus\": -3}",
            NULL);
  g_autoptr (GError) error = NULL;
  size_t size = 99;
  double number = 99;
  bool flag = false;
  const char *text = "untouched";

  g_assert_true (attn_json_get_size (root, "n", 1, 512, 7, &size, "p", &error));
  g_assert_cmpuint (size, ==, 512);
  g_assert_true (attn_json_get_size (root, "none", 1, 512, 7, &size, "p", &error));
  g_assert_cmpuint (size, ==, 7);
  g_assert_true (attn_json_get_size (root, "missing", 1, 512, 8, &size, "p", &error));
  g_assert_cmpuint (size, ==, 8);
  g_assert_true (attn_json_get_double (root, "half", 2, &number, "p", &error));
  g_assert_cmpfloat (number, ==, 0.5);
  g_assert_true (attn_json_get_bool (root, "yes", false, &flag, "p", &error));
  g_assert_true (flag);
  g_assert_true (attn_json_get_string (root, "s", NULL, &text, "p", &error));
  g_assert_cmpstr (text, ==, "x");
  g_assert_true (attn_json_get_string (root, "missing", NULL, &text, "p", &error));
  g_assert_null (text);

  size = 99;
  g_assert_false (attn_json_get_size (root, "n", 1, 511, 7, &size, "p", &error));
  g_assert_cmpstr (error->message, ==, "p: n: found 512, wanted a whole number from 1 to 511");
  g_clear_error (&error);
  g_assert_false (attn_json_get_size (root, "minus", 0, G_MAXSIZE, 7, &size, "p", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (attn_json_get_size (root, "half", 0, 9, 7, &size, "p", &error));
  g_assert_cmpstr (error->message, ==, "p: half: found 0.5, wanted a whole number from 0 to 9");
  g_clear_error (&error);
  g_assert_cmpuint (size, ==, 99);
  g_assert_false (attn_json_get_double (root, "s", 2, &number, "p", &error));
  g_assert_cmpstr (error->message, ==, "p: s: found the string \"x\", wanted a number");
  g_clear_error (&error);
  g_assert_false (attn_json_get_bool (root, "n", false, &flag, "p", &error));
  g_assert_cmpstr (error->message, ==, "p: n: found 512, wanted true or false");
  g_clear_error (&error);
  g_assert_false (attn_json_get_string (root, "cut", NULL, &text, "p", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
}

static AttnJsonScan
scan_text (char *text)
{
  return (AttnJsonScan){.text = text, .n = strlen (text)};
}

static void
test_scan_string (void)
{
  const struct {
    const char *text, *wanted;
    size_t n;
  } rows[] = {
      {"\"\"", "", 0},
      {" \t\r\n\"plain é\"", "plain é", 8},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
      {"\"\\u0041\\u00e9\\u20ac\\uD83D\\ude00\"", "Aé€😀", 10},
      {"\"a\\u0000b\"", "a", 3},
      {"\"\\ud800\"", NULL, 0},
      {"\"\\ud800x\"", NULL, 0},
      {"\"\\ud800\\u0041\"", NULL, 0},
      {"\"\\udc00\\ud800\"", NULL, 0},
      {"\"\\u12\"", NULL, 0},
      {"\"\\u12", NULL, 0},
      {"\"\\x\"", NULL, 0},
      {"\"\\", NULL, 0},
      {"\"a\nb\"", NULL, 0},
      {"\"open", NULL, 0},
      {"bare", NULL, 0},
      {"", NULL, 0},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *copy = g_strdup (rows[i].text);
    AttnJsonScan scan = scan_text (copy);
    const char *text = NULL;
    size_t n = 0;
    bool good = attn_json_scan_string (&scan, &text, &n);
    g_assert_cmpint (good, ==, rows[i].wanted != NULL);
    g_assert_cmpint (good, ==, scan.fault == NULL);
    if (!good)
      continue;
    g_assert_cmpstr (text, ==, rows[i].wanted);
    g_assert_cmpuint (n, ==, rows[i].n);
    g_assert_cmpuint (scan.at, ==, scan.n);
  }
}

static void
test_scan_u64 (void)
{
  const struct {
    const char *text;
    bool good;
    guint64 value;
  } rows[] = {
      {"0", true, 0},
      {" 9007199254740993,", true, 9007199254740993},
      {"18446744073709551615", true, G_MAXUINT64},
      {"18446744073709551616", false, 0},
      {"99999999999999999999999999", false, 0},
      {"007", false, 0},
      {"-1", false, 0},
      {"4.0", false, 0},
      {"4e1", false, 0},
      {"\"4\"", false, 0},
      {"", false, 0},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *copy = g_strdup (rows[i].text);
    AttnJsonScan scan = scan_text (copy);
    guint64 value = 1;
    g_assert_cmpint (attn_json_scan_u64 (&scan, &value), ==, rows[i].good);
    if (rows[i].good)
      g_assert_cmpuint (value, ==, rows[i].value);
  }
}

static void
test_scan_skip (void)
{
  const char *good[] = {"{}",
                        "[]",
                        " [ ] ",
                        "true",
                        "false",
                        "null",
                        "0",
                        "-0.5e+10",
                        "1E5",
                        "\"x\"",
                        "{\"a\": [1, {\"b\": null}, \"\\u00e9\"], \"c\": {}}"};
  const char *bad[] = {"",        "{",     "[",        "]",   "{]",  "[1,]", "[,1]",       "[1 2]",
                       "{\"a\"}", "{a:1}", "{\"a\":}", "tru", "nul", "+1",   ".5",         "5.",
                       "1e",      "1e+",   "--1",      "01",  "\"",  "{,}",  "{\"a\":1,}", "[true"};
  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autofree char *copy = g_strdup (good[i]);
    AttnJsonScan scan = scan_text (copy);
    g_assert_true (attn_json_scan_skip (&scan));
    attn_json_scan_peek (&scan);
    g_assert_cmpuint (scan.at, ==, scan.n);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *copy = g_strdup (bad[i]);
    AttnJsonScan scan = scan_text (copy);
    bool skipped = attn_json_scan_skip (&scan);
    if (skipped)
      g_error ("skipped %s", bad[i]);
    g_assert_nonnull (scan.fault);
  }
  g_autofree char *deepest = nest (100);
  g_autofree char *too_deep = nest (101);
  AttnJsonScan scan = scan_text (deepest);
  g_assert_true (attn_json_scan_skip (&scan));
  scan = scan_text (too_deep);
  g_assert_false (attn_json_scan_skip (&scan));
}

static void
test_shown (void)
{
  g_autofree char *plain = attn_file_dup_shown ("naïve 的", 10);
  g_assert_cmpstr (plain, ==, "naïve 的");
  g_autofree char *odd = attn_file_dup_shown ("a\0b\x1b[1m\xFF\n", 9);
  g_assert_cmpstr (odd, ==, "a\uFFFDb\uFFFD[1m\uFFFD ");
  const char turned[] = "a\u202Eb\u2066c\u200D\u2028";
  g_autofree char *straight = attn_file_dup_shown (turned, strlen (turned));
  g_assert_cmpstr (straight, ==, "a\uFFFDb\uFFFDc\u200D ");
  g_autofree char *long_text = g_strnfill (1 << 20, 'x');
  g_autofree char *cut = attn_file_dup_shown (long_text, 1 << 20);
  g_assert_cmpint (g_utf8_strlen (cut, -1), ==, 399);
  g_assert_nonnull (strstr (cut, "x … x"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/loads", test_loads);
  g_test_add_func ("/json/refuses", test_refuses);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/file", test_file);
  g_test_add_func ("/json/fields", test_fields);
  g_test_add_func ("/json/scan/string", test_scan_string);
  g_test_add_func ("/json/scan/u64", test_scan_u64);
  g_test_add_func ("/json/scan/skip", test_scan_skip);
  g_test_add_func ("/json/shown", test_shown);
  return g_test_run ();
}
