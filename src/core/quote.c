/* SPDX-License-Identifier: MIT */
/* JSON strings and CSV fields. */
#include "attn/quote.h"

#include <string.h>

static void
append_json_char (GString *out, gunichar c)
{
  if (c == '"' || c == '\\') {
    g_string_append_c (out, '\\');
    g_string_append_c (out, (char)c);
  } else if (c == '\n') {
    g_string_append (out, "\\n");
  } else if (c == '\r') {
    g_string_append (out, "\\r");
  } else if (c == '\t') {
    g_string_append (out, "\\t");
  } else if (c < 0x20 || c == 0x7f) {
    g_string_append_printf (out, "\\u%04x", c);
  } else {
    g_string_append_unichar (out, c);
  }
}

void
attn_quote_json (GString *out, const char *text, size_t length)
{
  const char *end = text + length;
  g_string_append_c (out, '"');
  while (text < end) {
    gunichar c = (unsigned char)*text;
    size_t n_bytes = 1;
    if (c >= 0x80) {
      c = g_utf8_get_char_validated (text, end - text);
      if (c == (gunichar)-1 || c == (gunichar)-2)
        c = 0xfffd;
      else
        n_bytes = (size_t)g_unichar_to_utf8 (c, NULL);
    }
    append_json_char (out, c);
    text += n_bytes;
  }
  g_string_append_c (out, '"');
}

void
attn_quote_csv (GString *out, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL) {
    g_string_append (out, text);
    return;
  }
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *text);
  }
  g_string_append_c (out, '"');
}
