/* SPDX-License-Identifier: MIT */
/* A pull reader of JSON text in memory. */
#include "json-scan.h"

#include <string.h>

enum { MAX_DEPTH = 100 };

static bool
fail (AttnJsonScan *scan, const char *fault)
{
  if (scan->fault == NULL)
    scan->fault = fault;
  return false;
}

static char
peek_byte (const AttnJsonScan *scan)
{
  return scan->at < scan->n ? scan->text[scan->at] : '\0';
}

char
attn_json_scan_peek (AttnJsonScan *scan)
{
  while (scan->at < scan->n && memchr (" \t\n\r", scan->text[scan->at], 4) != NULL)
    scan->at++;
  return peek_byte (scan);
}

bool
attn_json_scan_take (AttnJsonScan *scan, char c, const char *or_else)
{
  if (attn_json_scan_peek (scan) != c || scan->at >= scan->n)
    return fail (scan, scan->at >= scan->n ? "the end of the text" : or_else);
  scan->at++;
  return true;
}

bool
attn_json_scan_next_item (AttnJsonScan *scan, char close, bool *first, bool *done)
{
  *done = attn_json_scan_peek (scan) == close;
  if (*done)
    scan->at++;
  else if (!*first && !attn_json_scan_take (scan, ',', "no comma or closing bracket"))
    return false;
  *first = false;
  return true;
}

static bool
scan_hex4 (AttnJsonScan *scan, gunichar *unit)
{
  *unit = 0;
  for (size_t i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (peek_byte (scan));
    if (digit < 0)
      return fail (scan, "\\u without four hexadecimal digits");
    *unit = *unit << 4 | (gunichar)digit;
    scan->at++;
  }
  return true;
}

/* After "\u": one code point, from one unit or a surrogate pair. */
static bool
scan_code_point (AttnJsonScan *scan, gunichar *c)
{
  if (!scan_hex4 (scan, c))
    return false;
  if (*c < 0xD800 || *c > 0xDFFF)
    return true;
  gunichar low = 0;
  bool paired = *c < 0xDC00 && scan->at + 1 < scan->n && scan->text[scan->at] == '\\' &&
                scan->text[scan->at + 1] == 'u';
  if (!paired)
    return fail (scan, "half of a surrogate pair");
  scan->at += 2;
  if (!scan_hex4 (scan, &low))
    return false;
  if (low < 0xDC00 || low > 0xDFFF)
    return fail (scan, "half of a surrogate pair");
  *c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

/* After the backslash, where the character has to go nowhere. */
static bool
skip_escape (AttnJsonScan *scan)
{
  gunichar c = 0;
  char code = peek_byte (scan);
  if (code == '\0' || strchr ("\"\\/bfnrtu", code) == NULL)
    return fail (scan, "an unknown escape in a string");
  scan->at++;
  return code != 'u' || scan_code_point (scan, &c);
}

static bool
skip_string (AttnJsonScan *scan)
{
  if (!attn_json_scan_take (scan, '"', "no string"))
    return false;
  while (scan->at < scan->n) {
    char c = scan->text[scan->at++];
    if (c == '"')
      return true;
    if ((unsigned char)c < 0x20)
      return fail (scan, "a control character in a string");
    if (c == '\\' && !skip_escape (scan))
      return false;
  }
  return fail (scan, "the end of the text inside a string");
}

/* After the backslash: writes the character at @out, never more bytes than were read. */
static bool
scan_escape (AttnJsonScan *scan, size_t *out)
{
  static const char codes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char code = peek_byte (scan);
  if (code == 'u') {
    gunichar c = 0;
    scan->at++;
    if (!scan_code_point (scan, &c))
      return false;
    *out += (size_t)g_unichar_to_utf8 (c, scan->text + *out);
    return true;
  }
  const char *found = code == '\0' ? NULL : strchr (codes, code);
  if (found == NULL)
    return fail (scan, "an unknown escape in a string");
  scan->text[(*out)++] = values[found - codes];
  scan->at++;
  return true;
}

bool
attn_json_scan_string (AttnJsonScan *scan, const char **text, size_t *n)
{
  if (!attn_json_scan_take (scan, '"', "no string"))
    return false;
  size_t begin = scan->at;
  size_t out = begin;
  while (scan->at < scan->n) {
    char c = scan->text[scan->at++];
    if (c == '"') {
      /* out is at most the quote's place, which is behind us */
      scan->text[out] = '\0';
      *text = scan->text + begin;
      *n = out - begin;
      return true;
    }
    if (c == '\\') {
      if (!scan_escape (scan, &out))
        return false;
    } else if ((unsigned char)c < 0x20) {
      return fail (scan, "a control character in a string");
    } else {
      scan->text[out++] = c;
    }
  }
  return fail (scan, "the end of the text inside a string");
}

static bool
scan_digits (AttnJsonScan *scan)
{
  if (!g_ascii_isdigit (peek_byte (scan)))
    return fail (scan, "no number");
  while (g_ascii_isdigit (peek_byte (scan)))
    scan->at++;
  return true;
}

/* Refuses 007, as JSON does. */
static bool
scan_whole_part (AttnJsonScan *scan)
{
  size_t begin = scan->at;
  if (!scan_digits (scan))
    return false;
  if (scan->text[begin] == '0' && scan->at > begin + 1)
    return fail (scan, "a number that begins with 0");
  return true;
}

bool
attn_json_scan_u64 (AttnJsonScan *scan, guint64 *value)
{
  char first = attn_json_scan_peek (scan);
  if (first == '-')
    return fail (scan, "a negative number");
  if (!g_ascii_isdigit (first))
    return fail (scan, "no number");
  size_t begin = scan->at;
  if (!scan_whole_part (scan))
    return false;
  char next = peek_byte (scan);
  if (next == '.' || next == 'e' || next == 'E')
    return fail (scan, "a number with a fraction or exponent");
  guint64 sum = 0;
  for (size_t i = begin; i < scan->at; i++)
    if (!g_uint64_checked_mul (&sum, sum, 10) ||
        !g_uint64_checked_add (&sum, sum, (guint64)(scan->text[i] - '0')))
      return fail (scan, "a number of 2^64 or more");
  *value = sum;
  return true;
}

static bool
skip_number (AttnJsonScan *scan)
{
  if (peek_byte (scan) == '-')
    scan->at++;
  if (!scan_whole_part (scan))
    return false;
  if (peek_byte (scan) == '.') {
    scan->at++;
    if (!scan_digits (scan))
      return false;
  }
  if (peek_byte (scan) == 'e' || peek_byte (scan) == 'E') {
    scan->at++;
    if (peek_byte (scan) == '+' || peek_byte (scan) == '-')
      scan->at++;
    return scan_digits (scan);
  }
  return true;
}

bool
attn_json_scan_double (AttnJsonScan *scan, double *value)
{
  char first = attn_json_scan_peek (scan);
  size_t begin = scan->at;
  if (first != '-' && !g_ascii_isdigit (first))
    return fail (scan, "no number");
  if (!skip_number (scan))
    return false;
  *value = g_ascii_strtod (scan->text + begin, NULL);
  return true;
}

static bool
skip_word (AttnJsonScan *scan, const char *word)
{
  size_t n = strlen (word);
  if (scan->n - scan->at < n || memcmp (scan->text + scan->at, word, n) != 0)
    return fail (scan, "a word that is not true, false or null");
  scan->at += n;
  return true;
}

static bool skip_value (AttnJsonScan *scan, size_t depth);

static bool
skip_container (AttnJsonScan *scan, char close, size_t depth)
{
  if (depth >= MAX_DEPTH)
    return fail (scan, "values nested deeper than 100 levels");
  scan->at++;
  bool first = true, done = false;
  while (attn_json_scan_next_item (scan, close, &first, &done) && !done) {
    if (close == '}' && (!skip_string (scan) || !attn_json_scan_take (scan, ':', "no colon")))
      return false;
    if (!skip_value (scan, depth + 1))
      return false;
  }
  return done;
}

static bool
skip_value (AttnJsonScan *scan, size_t depth)
{
  switch (attn_json_scan_peek (scan)) {
  case '{':
    return skip_container (scan, '}', depth);
  case '[':
    return skip_container (scan, ']', depth);
  case '"':
    return skip_string (scan);
  case 't':
    return skip_word (scan, "true");
  case 'f':
    return skip_word (scan, "false");
  case 'n':
    return skip_word (scan, "null");
  default:
    return scan->at >= scan->n ? fail (scan, "the end of the text") : skip_number (scan);
  }
}

bool
attn_json_scan_skip (AttnJsonScan *scan)
{
  return skip_value (scan, 0);
}

bool
attn_json_scan_end (AttnJsonScan *scan)
{
  attn_json_scan_peek (scan);
  if (scan->at < scan->n)
    scan->fault = "text behind the object";
  return scan->at == scan->n;
}
