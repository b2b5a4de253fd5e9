/* SPDX-License-Identifier: MIT */
/* Walks the lines of a text up to the first that is too long. */
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

size_t
hs_text_count_fitting (const char *text, size_t n_bytes, size_t n_in_line)
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

bool
hs_text_is_blank (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!g_unichar_isspace (g_utf8_get_char (text)))
      return false;
  return true;
}
