/* SPDX-License-Identifier: MIT */
/* Makes pieces readable: bytes become characters again, what has no shape gets one. */
#include "piece-text.h"

#include "byte-level.h"

#include <string.h>

/* Spelling and emoji need the joiners. */
static bool
has_no_shape (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
  case G_UNICODE_SPACE_SEPARATOR:
    return true;
  case G_UNICODE_FORMAT:
    return c != 0x200C && c != 0x200D;
  default:
    return false;
  }
}

static void
append_char (GString *out, gunichar c)
{
  if (c == ' ')
    g_string_append (out, "␣");
  else if (c == '\n')
    g_string_append (out, "↵");
  else if (c == '\t')
    g_string_append (out, "⇥");
  else if (has_no_shape (c))
    g_string_append_printf (out, "U+%04X", c);
  else
    g_string_append_unichar (out, c);
}

/* The bytes a piece stands for; NULL when a character of it stands for none. */
static char *
dup_bytes (const char *piece, size_t *n_bytes)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  for (const char *at = piece; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
    int byte = attn_byte_level_get_byte (g_utf8_get_char (at));
    if (byte < 0)
      return NULL;
    g_string_append_c (bytes, (char)byte);
  }
  *n_bytes = bytes->len;
  return g_string_free (g_steal_pointer (&bytes), FALSE);
}

static void
append_bytes (GString *out, const char *bytes, size_t n_bytes)
{
  for (const char *at = bytes, *end = bytes + n_bytes; at < end;) {
    gunichar c = *at == '\0' ? 0 : g_utf8_get_char_validated (at, end - at);
    bool whole = c != (gunichar)-1 && c != (gunichar)-2;
    if (whole) {
      append_char (out, c);
      at += g_utf8_skip[(guchar)*at];
    } else {
      g_string_append_printf (out, "<%02X>", (unsigned)(guchar)*at++);
    }
  }
}

char *
attn_piece_text_dup (const char *text, size_t n_bytes)
{
  GString *out = g_string_sized_new (n_bytes + 1);
  append_bytes (out, text, n_bytes);
  return g_string_free (out, FALSE);
}

/* SentencePiece's name of a byte: <0xE4> */
static bool
names_byte (const char *piece)
{
  return strlen (piece) == 6 && g_str_has_prefix (piece, "<0x") && g_ascii_isxdigit (piece[3]) &&
         g_ascii_isxdigit (piece[4]) && piece[5] == '>';
}

static void
append_text (GString *out, const char *piece, const AttnPieceAlphabet *alphabet)
{
  size_t n_bytes = 0;
  g_autofree char *bytes = alphabet->by_bytes ? dup_bytes (piece, &n_bytes) : NULL;
  if (bytes != NULL) {
    append_bytes (out, bytes, n_bytes);
    return;
  }
  if (names_byte (piece)) {
    g_string_append_printf (out, "<%.2s>", piece + 3);
    return;
  }
  for (const char *at = piece; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
    gunichar c = g_utf8_get_char (at);
    append_char (out, c == alphabet->space ? ' ' : c);
  }
}

/* Most pieces of most vocabularies are what they look like. */
static bool
is_plain (const char *piece, const AttnPieceAlphabet *alphabet)
{
  for (const char *at = piece; *at != '\0'; at++)
    if ((guchar)*at <= ' ' || (guchar)*at >= 0x7F)
      return false;
  return piece[0] != '<' || alphabet->by_bytes;
}

const char **
attn_piece_texts_new (const AttnVocab *vocab,
                      const AttnPieceAlphabet *alphabet,
                      GHashTable *registered,
                      GStringChunk *chunk)
{
  static const AttnPieceAlphabet as_it_is = {0};
  size_t n = attn_vocab_get_n (vocab);
  const char **texts = g_new0 (const char *, n);
  g_autoptr (GString) text = g_string_new (NULL);
  for (size_t id = 0; id < n; id++) {
    const char *piece = attn_vocab_peek (vocab, (int32_t)id);
    if (piece == NULL || is_plain (piece, alphabet))
      continue;
    bool found = registered != NULL && g_hash_table_contains (registered, piece);
    g_string_truncate (text, 0);
    append_text (text, piece, found ? &as_it_is : alphabet);
    if (!g_str_equal (text->str, piece))
      texts[id] = g_string_chunk_insert (chunk, text->str);
  }
  return texts;
}
