/* SPDX-License-Identifier: MIT */
/* Walks a text's lines, its letters' marks and its words, up to the first that are too many. */
#include "hs-text-limit.h"

#include <glib.h>

#include <string.h>

/* @n is within the text, or at its end. */
static size_t
back_to_character (const char *text, size_t n)
{
  while (n > 0 && ((guchar)text[n] & 0xc0) == 0x80)
    n--;
  return n;
}

static size_t
count_in_lines (const char *text, size_t n_bytes, size_t n_in_line)
{
  const size_t n_most = MIN (n_bytes, HS_MAX_TEXT_BYTES);
  size_t begin = 0, room = HS_MAX_LINE_BYTES - MIN (n_in_line, HS_MAX_LINE_BYTES);

  while (begin < n_most) {
    const char *end = memchr (text + begin, '\n', n_most - begin);
    const size_t n_line = end != NULL ? (size_t)(end - text) - begin : n_most - begin;

    if (n_line > room)
      return back_to_character (text, begin + room);
    if (end == NULL)
      break;
    begin += n_line + 1;
    room = HS_MAX_LINE_BYTES;
  }
  return n_most < n_bytes ? back_to_character (text, n_most) : n_bytes;
}

/* Returns: bytes before a letter's mark that is one too many. */
static size_t
count_in_marks (const char *text, size_t n, size_t n_marks)
{
  for (size_t at = 0; at < n; at += (size_t)(g_utf8_next_char (text + at) - (text + at))) {
    const bool is_mark = (guchar)text[at] >= 0x80 && g_unichar_ismark (g_utf8_get_char (text + at));

    n_marks = is_mark ? n_marks + 1 : 0;
    if (n_marks > HS_MAX_MARKS)
      return at;
  }
  return n;
}

size_t
hs_text_count_fitting (const char *text, size_t n_bytes, HsTextPlace place)
{
  return count_in_marks (text, count_in_lines (text, n_bytes, place.n_in_line), place.n_marks);
}

size_t
hs_text_count_in_list (const char *text, size_t n_bytes, size_t n_there, size_t n_lines)
{
  const size_t room = HS_MAX_LIST_BYTES - MIN (n_there, HS_MAX_LIST_BYTES);
  const size_t n_most = n_bytes > room ? back_to_character (text, room) : n_bytes;
  size_t n = 0;

  while (n < n_most) {
    const char *end = memchr (text + n, '\n', n_most - n);

    n = end != NULL ? (size_t)(end - text) : n_most;
    if (end == NULL || n_lines++ >= HS_MAX_LIST_LINES)
      break;
    n++;
  }
  return count_in_marks (text, n, 0);
}

/* What a line may begin with, whatever ends the one before. */
static bool
is_letter (GUnicodeBreakType type)
{
  return type == G_UNICODE_BREAK_ALPHABETIC || type == G_UNICODE_BREAK_HEBREW_LETTER ||
         type == G_UNICODE_BREAK_NUMERIC;
}

/* What lines are broken between without a space. */
static bool
is_syllable (GUnicodeBreakType type)
{
  return type == G_UNICODE_BREAK_IDEOGRAPHIC || type == G_UNICODE_BREAK_HANGUL_LV_SYLLABLE ||
         type == G_UNICODE_BREAK_HANGUL_LVT_SYLLABLE;
}

bool
hs_text_has_long_word (const char *text)
{
  /* of the character before, and of the last one that was no space */
  GUnicodeBreakType before = G_UNICODE_BREAK_MANDATORY, solid = before;
  size_t n = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text)) {
    const GUnicodeBreakType type = g_unichar_break_type (g_utf8_get_char (text));
    const bool is_after_space =
        before == G_UNICODE_BREAK_SPACE && solid != G_UNICODE_BREAK_OPEN_PUNCTUATION;

    if (*text == '\n' || (is_after_space && (is_letter (type) || is_syllable (type))) ||
        (is_syllable (before) && is_syllable (type)))
      n = 0;
    if (*text != '\n' && ++n > HS_LONG_WORD)
      return true;
    before = type;
    if (type != G_UNICODE_BREAK_SPACE)
      solid = type;
  }
  return false;
}

bool
hs_text_is_blank (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!g_unichar_isspace (g_utf8_get_char (text)))
      return false;
  return true;
}
