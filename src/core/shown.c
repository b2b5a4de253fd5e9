/* SPDX-License-Identifier: MIT */
/* Names and values of others inside our messages. */
#include "unicode.h"

#include "attn/quote.h"

#include <stdbool.h>

enum {
  SHOWN_CHARACTERS = 400,
  SHOWN_HALF = 198,
};

char *
attn_file_dup_shown (const char *text, size_t n)
{
  /* ends are enough; this keeps a name of a megabyte from being copied whole */
  enum { KEEP = 4 * SHOWN_CHARACTERS };
  g_autoptr (GString) joined = g_string_new (NULL);
  if (n > 2 * KEEP) {
    g_string_append_len (joined, text, KEEP);
    g_string_append_len (joined, text + n - KEEP, KEEP);
  } else {
    g_string_append_len (joined, text, (gssize)n);
  }
  g_autofree char *valid = g_utf8_make_valid (joined->str, (gssize)joined->len);

  GString *shown = g_string_new (NULL);
  glong length = g_utf8_strlen (valid, -1);
  glong index = 0;
  for (char *p = valid; *p != '\0'; p = g_utf8_next_char (p), index++) {
    if (length > SHOWN_CHARACTERS && index == SHOWN_HALF)
      g_string_append (shown, " … ");
    if (length > SHOWN_CHARACTERS && index >= SHOWN_HALF && index < length - SHOWN_HALF)
      continue;
    gunichar c = g_utf8_get_char (p);
    if (g_unichar_isspace (c))
      c = ' ';
    else if (g_unichar_iscntrl (c) || attn_char_turns_direction (c))
      c = 0xFFFD;
    g_string_append_unichar (shown, c);
  }
  return g_string_free (shown, FALSE);
}
