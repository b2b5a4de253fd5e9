/* SPDX-License-Identifier: MIT */
/* Growing lists whose memory may be refused: the text decides how long they get. */
#include "char-text.h"

static bool
grow (void **block, size_t *n_allocated, size_t element_size)
{
  size_t n = MAX (*n_allocated * 2, 256);
  void *grown = g_try_realloc_n (*block, n, element_size);
  if (grown == NULL)
    return false;
  *block = grown;
  *n_allocated = n;
  return true;
}

void
attn_char_text_grow (AttnCharText *text)
{
  void *block = text->chars;
  text->too_long |= text->limit > 0 && text->n >= text->limit;
  text->failed |= text->too_long;
  if (!text->failed)
    text->failed = !grow (&block, &text->n_allocated, sizeof (AttnChar));
  text->chars = block;
}

void
attn_piece_list_grow (AttnPieceList *list)
{
  void *block = list->pieces;
  if (!list->failed)
    list->failed = !grow (&block, &list->n_allocated, sizeof (AttnPiece));
  list->pieces = block;
}

void
attn_words_grow (AttnWords *words)
{
  void *block = words->stretches;
  if (!words->failed)
    words->failed = !grow (&block, &words->n_allocated, sizeof (AttnStretch));
  words->stretches = block;
}

void *
attn_scratch_get (AttnScratch *scratch, size_t n_bytes)
{
  if (n_bytes <= scratch->n_bytes)
    return scratch->block;
  g_free (scratch->block);
  n_bytes = MAX (n_bytes, MIN (2 * scratch->n_bytes, (size_t)1 << 20)); /* words grow longer */
  scratch->block = g_try_malloc (n_bytes);
  scratch->n_bytes = scratch->block == NULL ? 0 : n_bytes;
  return scratch->block;
}

void
attn_char_text_decode (AttnCharText *text, const char *utf8, size_t n_bytes)
{
  const char *at = utf8, *end = utf8 + n_bytes;
  while (at < end) {
    const char *next = at + g_utf8_skip[(unsigned char)*at];
    attn_char_text_append (text, g_utf8_get_char (at), (guint32)(at - utf8),
                           (guint32)(next - utf8));
    at = next;
  }
}

void
attn_char_text_clear (AttnCharText *text)
{
  g_free (text->chars);
  *text = (AttnCharText){0};
}

void
attn_piece_list_clear (AttnPieceList *list)
{
  g_free (list->pieces);
  *list = (AttnPieceList){0};
}

void
attn_words_clear (AttnWords *words)
{
  attn_char_text_clear (&words->text);
  g_free (words->stretches);
  *words = (AttnWords){0};
}

void
attn_scratch_clear (AttnScratch *scratch)
{
  g_free (scratch->block);
  *scratch = (AttnScratch){0};
}
