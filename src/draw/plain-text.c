/* SPDX-License-Identifier: MIT */
/* Small work on people's text: making it one visible line, cutting it, filling in numbers. */
#include "plain-text.h"

#include "attn-draw/view.h"
#include "attn/number.h"

#include <pango/pango.h>

#include <math.h>
#include <string.h>

#define LABEL_MAX_CHARACTERS 48
#define LABEL_MAX_BYTES ((size_t)64 * LABEL_MAX_CHARACTERS)
#define MAX_MARKS 4 /* combining marks shown on one character */

/* g_utf8_next_char() without its cast, which loses const. */
static const char *
next_character (const char *p)
{
  return p + g_utf8_skip[(guchar)*p];
}

/* Reads a place for an argument at @p (behind the percent sign).
 *
 * Returns: bytes read, 0 when this is no such place; @number is 0 when the place has none. */
static size_t
scan_place (const char *p, size_t *number)
{
  const char *start = p;

  *number = 0;
  if (g_ascii_isdigit (p[0]) && p[1] == '$') {
    *number = (size_t)(p[0] - '0');
    p += 2;
  }
  if (p[0] == 's')
    return (size_t)(p + 1 - start);
  if (p[0] == 'z' && p[1] == 'u')
    return (size_t)(p + 2 - start);
  return 0;
}

char *
attn_draw_fill (const char *format, const char *const *arguments, size_t n_arguments)
{
  GString *text = g_string_new (NULL);
  size_t n_used = 0;

  for (const char *p = format; *p != '\0'; p++) {
    size_t number = 0;
    size_t length = *p == '%' ? scan_place (p + 1, &number) : 0;
    if (length > 0) {
      size_t index = number > 0 ? number - 1 : n_used++;
      if (index < n_arguments)
        g_string_append (text, arguments[index]);
      p += length;
    } else {
      g_string_append_c (text, *p);
      if (p[0] == '%' && p[1] == '%')
        p++;
    }
  }
  return g_string_free (text, FALSE);
}

char *
attn_draw_format_string (const char *format, const char *argument)
{
  return attn_draw_fill (format, &argument, 1);
}

char *
attn_draw_cut (const char *text, size_t max_characters)
{
  /* A character has seldom more than 8 code points; what is longer is cut there. */
  const size_t max_points = 8 * max_characters;
  const char *end = text;
  size_t n_points = 0;
  while (*end != '\0' && n_points < max_points) {
    end = next_character (end);
    n_points++;
  }
  g_autofree PangoLogAttr *attrs = g_new0 (PangoLogAttr, n_points + 1);
  pango_get_log_attrs (text, (int)(end - text), -1, pango_language_from_string ("en"), attrs,
                       (int)n_points + 1);

  size_t n_characters = 0;
  const char *p = text;
  const char *cut = text; /* behind the last character that leaves room for the ellipsis */
  for (size_t i = 0; i < n_points; i++, p = next_character (p)) {
    if (!attrs[i].is_cursor_position)
      continue;
    if (n_characters + 1 == max_characters)
      cut = p;
    n_characters++;
  }
  if (n_characters <= max_characters && *end == '\0')
    return g_strdup (text);
  if (n_characters < max_characters)
    cut = end;
  g_autofree char *head = g_strndup (text, (size_t)(cut - text));
  return g_strconcat (g_strchomp (head), "…", NULL);
}

/* Whether @c takes no room of its own and could turn or hide its neighbours. */
static bool
is_invisible (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);
  bool joins = c == 0x200c || c == 0x200d; /* spelling and emoji need them */
  return type == G_UNICODE_CONTROL || (type == G_UNICODE_FORMAT && !joins);
}

static bool
is_blank (gunichar c)
{
  return g_unichar_isspace (c) || c == 0x2028 || c == 0x2029 || c == 0x85;
}

bool
attn_draw_keeps_mark (size_t *n_marks, gunichar c)
{
  if (g_unichar_ismark (c))
    return ++*n_marks <= MAX_MARKS;
  if (g_unichar_type (c) != G_UNICODE_FORMAT)
    *n_marks = 0;
  return true;
}

char *
attn_draw_one_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);
  size_t n_marks = 0;
  bool blank = false;

  for (const char *p = valid; *p != '\0'; p = next_character (p)) {
    gunichar c = g_utf8_get_char (p);
    if (is_blank (c)) {
      blank = true;
    } else if (!is_invisible (c)) {
      if (!attn_draw_keeps_mark (&n_marks, c))
        continue;
      if (blank && line->len > 0)
        g_string_append_c (line, ' ');
      blank = false;
      g_string_append_unichar (line, c);
    }
  }
  return g_string_free (line, FALSE);
}

/* Appends what stands for @c in a label when @c itself would not be seen; false when it would. */
static bool
append_sign (GString *label, gunichar c)
{
  if (c == '\n')
    g_string_append (label, "↵");
  else if (c == '\t')
    g_string_append (label, "⇥");
  else if (c == ' ')
    g_string_append (label, "␣");
  else if (is_blank (c) || is_invisible (c))
    g_string_append_printf (label, "U+%04X", c);
  else
    return false;
  return true;
}

char *
attn_draw_visible_label (const char *piece)
{
  /* A shown character may need many bytes, but not more than this. */
  size_t n_bytes = strnlen (piece, LABEL_MAX_BYTES);
  while (n_bytes == LABEL_MAX_BYTES && n_bytes > 0 && ((guchar)piece[n_bytes] & 0xc0) == 0x80)
    n_bytes--;
  g_autofree char *start = g_strndup (piece, n_bytes);
  g_autofree char *valid = g_utf8_make_valid (start, -1);
  g_autoptr (GString) label = g_string_new (NULL);
  size_t n_marks = 0;

  for (const char *p = valid; *p != '\0'; p = next_character (p)) {
    gunichar c = g_utf8_get_char (p);
    if (!attn_draw_keeps_mark (&n_marks, c))
      continue;
    if (label->len == 0 && g_unichar_ismark (c))
      g_string_append (label, "◌");
    if (!append_sign (label, c))
      g_string_append_unichar (label, c);
  }
  if (label->len == 0)
    g_string_append (label, "∅");
  return attn_draw_cut (label->str, LABEL_MAX_CHARACTERS);
}

/* Whether @text holds a character written from right to left: Hebrew, Arabic and their like. */
static bool
has_right_to_left (const char *text)
{
  for (const char *p = text; *p != '\0'; p = next_character (p)) {
    gunichar c = g_utf8_get_char (p);
    if ((c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfdff) || (c >= 0xfe70 && c < 0xfeff) ||
        (c >= 0x10800 && c <= 0x10fff) || (c >= 0x1e800 && c <= 0x1efff))
      return true;
  }
  return false;
}

char *
attn_draw_isolate (const char *text)
{
  return has_right_to_left (text) ? g_strconcat ("\u2068", text, "\u2069", NULL) : g_strdup (text);
}

bool
attn_draw_text_stands (const char *text)
{
  return g_unichar_iswide (g_utf8_get_char (text)) && g_utf8_strlen (text, -1) == 1;
}

char *
attn_draw_dup_number (double value, int decimals)
{
  char number[ATTN_NUMBER_SIZE];
  attn_number_format_fixed (number, value, decimals);
  if (isinf (value))
    return g_strdup (value < 0 ? "−∞" : "∞");
  return number[0] == '-' ? g_strconcat ("−", number + 1, NULL) : g_strdup (number);
}
