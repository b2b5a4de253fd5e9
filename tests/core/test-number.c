/* SPDX-License-Identifier: MIT */
/* Numbers and quoted text: every digit, whatever the locale. */
#include "attn/names.h"
#include "attn/number.h"
#include "attn/quote.h"

#include <locale.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
assert_number (double value, AttnNumberStyle style, const char *wanted)
{
  char buffer[ATTN_NUMBER_SIZE];
  g_assert_cmpstr (attn_number_format (buffer, value, style), ==, wanted);
}

static void
test_format (void)
{
  assert_number (0.0, ATTN_NUMBER_JSON, "0");
  assert_number (1.0, ATTN_NUMBER_JSON, "1");
  assert_number ((double)0.1f, ATTN_NUMBER_JSON, "0.100000001");
  assert_number (1e-30, ATTN_NUMBER_JSON, "1e-30");
  assert_number (-1234567890.0, ATTN_NUMBER_JSON, "-1.23456789e+09");
  assert_number (NAN, ATTN_NUMBER_JSON, "\"NaN\"");
  assert_number (INFINITY, ATTN_NUMBER_JSON, "\"Infinity\"");
  assert_number (-INFINITY, ATTN_NUMBER_JSON, "\"-Infinity\"");
  assert_number (NAN, ATTN_NUMBER_CSV, "nan");
  assert_number (INFINITY, ATTN_NUMBER_CSV, "inf");
  assert_number (-INFINITY, ATTN_NUMBER_CSV, "-inf");
}

/* Nine significant digits bring every f32 back to the bit; denormals and extremes included. */
static void
test_round_trip (void)
{
  char buffer[ATTN_NUMBER_SIZE];
  for (int i = 0; i < 100000; i++) {
    guint32 bits = (guint32)g_test_rand_int ();
    float value, back;
    memcpy (&value, &bits, sizeof value);
    if (!isfinite (value))
      continue;
    attn_number_format (buffer, (double)value, ATTN_NUMBER_JSON);
    g_assert_cmpuint (strlen (buffer), <, ATTN_NUMBER_SIZE);
    back = (float)g_ascii_strtod (buffer, NULL);
    g_assert_cmpmem (&back, sizeof back, &value, sizeof value);
  }
  attn_number_format (buffer, -DBL_MAX, ATTN_NUMBER_JSON);
  g_assert_cmpuint (strlen (buffer), <, ATTN_NUMBER_SIZE);
}

static void
assert_fixed (double value, int decimals, const char *wanted)
{
  char buffer[ATTN_NUMBER_SIZE];
  g_assert_cmpstr (attn_number_format_fixed (buffer, value, decimals), ==, wanted);
}

static void
test_fixed (void)
{
  assert_fixed (0.23136, 4, "0.2314");
  assert_fixed (1.0, 4, "1.0000");
  assert_fixed (-0.00001, 4, "0.0000");
  assert_fixed (-0.5, 0, "0");
  assert_fixed (-1.5, 1, "-1.5");
  assert_fixed (12345.0, 0, "12345");
  assert_fixed (NAN, 4, "nan");
  assert_fixed (-INFINITY, 4, "-inf");
}

static void
test_locale (void)
{
  const char *commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  for (size_t i = 0; i < G_N_ELEMENTS (commas); i++)
    if (setlocale (LC_NUMERIC, commas[i]) != NULL) {
      assert_number (0.5, ATTN_NUMBER_JSON, "0.5");
      assert_fixed (0.5, 2, "0.50");
      setlocale (LC_NUMERIC, "C");
      return;
    }
  g_test_skip ("no locale with a decimal comma is installed");
}

static void
assert_json (const char *text, size_t length, const char *wanted)
{
  g_autoptr (GString) out = g_string_new (NULL);
  attn_quote_json (out, text, length);
  g_assert_cmpstr (out->str, ==, wanted);
}

static void
test_quote_json (void)
{
  assert_json ("", 0, "\"\"");
  assert_json ("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
  assert_json ("\n\r\t\x01\x7f", 5, "\"\\n\\r\\t\\u0001\\u007f\"");
  assert_json ("a\0b", 3, "\"a\\u0000b\"");
  assert_json ("猫🙂é", strlen ("猫🙂é"), "\"猫🙂é\"");
  assert_json ("a\xff\xe7\x8c", 4, "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void
assert_csv (const char *text, const char *wanted)
{
  g_autoptr (GString) out = g_string_new (NULL);
  attn_quote_csv (out, text);
  g_assert_cmpstr (out->str, ==, wanted);
}

static void
test_quote_csv (void)
{
  assert_csv ("plain", "plain");
  assert_csv ("", "");
  assert_csv (",", "\",\"");
  assert_csv ("\"", "\"\"\"\"");
  assert_csv ("a\nb", "\"a\nb\"");
}

static void
test_names (void)
{
  static const char *const names[] = {"mean", "max"};
  g_assert_cmpuint (attn_name_find ("mean", names, 2), ==, 0);
  g_assert_cmpuint (attn_name_find ("MAX", names, 2), ==, 1);
  g_assert_cmpuint (attn_name_find ("ma", names, 2), ==, 2);
  g_assert_cmpuint (attn_name_find ("", names, 2), ==, 2);
  g_assert_cmpuint (attn_name_find ("max", names, 1), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/format", test_format);
  g_test_add_func ("/number/round-trip", test_round_trip);
  g_test_add_func ("/number/fixed", test_fixed);
  g_test_add_func ("/number/locale", test_locale);
  g_test_add_func ("/quote/json", test_quote_json);
  g_test_add_func ("/quote/csv", test_quote_csv);
  g_test_add_func ("/names/find", test_names);
  return g_test_run ();
}
