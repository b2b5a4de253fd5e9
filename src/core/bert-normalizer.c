/* SPDX-License-Identifier: MIT */
/* BERT's normalisation as one stream of characters; only a run of marks is ever held back. */
#include "bert-normalizer.h"

#include "unicode.h"

enum { COMBINING_DOT_ABOVE = 0x0307, CAPITAL_I_WITH_DOT = 0x0130 };

/* A character of a canonical decomposition that waits for its place. */
typedef struct {
  gunichar c;
  guint32 combining_class;
  bool first; /* of its origin's decomposition */
} Mark;

typedef struct {
  const AttnBertNormalizer *normalizer;
  AttnCharText *out;
  GArray *marks;   /* of Mark: all since the last character of class 0 */
  GArray *origins; /* of AttnChar: what they were decomposed from */
  AttnChar last;   /* the origin of the character last written */
} Stream;

void
attn_bert_append_lower (AttnCharText *out, gunichar c, guint32 start, guint32 end)
{
  attn_char_text_append (out, attn_char_lower (c), start, end);
  if (c == CAPITAL_I_WITH_DOT)
    attn_char_text_append (out, COMBINING_DOT_ABOVE, start, end);
}

static void
write_char (Stream *stream, gunichar c, guint32 start, guint32 end)
{
  if (stream->normalizer->lower)
    attn_bert_append_lower (stream->out, c, start, end);
  else
    attn_char_text_append (stream->out, c, start, end);
}

static int
compare_marks (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  guint32 class_a = ((const Mark *)a)->combining_class;
  guint32 class_b = ((const Mark *)b)->combining_class;
  return class_a < class_b ? -1 : class_a > class_b;
}

/* Sorts the marks that wait and writes those that are no accents. Spans stay in the text's order,
 * as in the reference: sorting moves characters, not places. */
static void
flush_marks (Stream *stream)
{
  if (stream->marks->len == 0)
    return;
  g_qsort_with_data (stream->marks->data, (gint)stream->marks->len, sizeof (Mark), compare_marks,
                     NULL);
  guint n_origins = 0;
  for (guint i = 0; i < stream->marks->len; i++) {
    const Mark *mark = &g_array_index (stream->marks, Mark, i);
    if (mark->first)
      stream->last = g_array_index (stream->origins, AttnChar, n_origins++);
    if ((attn_char_get_flags (mark->c) & ATTN_CHAR_ACCENT) == 0)
      write_char (stream, mark->c, stream->last.start, stream->last.end);
  }
  g_array_set_size (stream->marks, 0);
  g_array_set_size (stream->origins, 0);
}

static void
write_decomposed (Stream *stream, const AttnChar *origin, unsigned flags)
{
  gunichar parts[ATTN_CHAR_MAX_DECOMPOSED];
  size_t n_parts = attn_char_decompose (origin->c, flags, parts);
  for (size_t i = 0; i < n_parts; i++) {
    unsigned part_flags = parts[i] == origin->c ? flags : attn_char_get_flags (parts[i]);
    if ((part_flags & ATTN_CHAR_REORDERS) != 0) {
      Mark mark = {.c = parts[i],
                   .combining_class = (guint32)g_unichar_combining_class (parts[i]),
                   .first = i == 0};
      g_array_append_val (stream->marks, mark);
      if (i == 0)
        g_array_append_val (stream->origins, *origin);
      continue;
    }
    flush_marks (stream);
    stream->last = *origin;
    if ((part_flags & ATTN_CHAR_ACCENT) == 0)
      write_char (stream, parts[i], origin->start, origin->end);
  }
}

static void
write_cleaned (Stream *stream, const AttnChar *origin, unsigned flags)
{
  if (stream->normalizer->strip_accents &&
      ((flags & (ATTN_CHAR_DECOMPOSES | ATTN_CHAR_REORDERS | ATTN_CHAR_ACCENT)) != 0)) {
    write_decomposed (stream, origin, flags);
    return;
  }
  flush_marks (stream);
  stream->last = *origin;
  write_char (stream, origin->c, origin->start, origin->end);
}

void
attn_bert_normalize (const AttnBertNormalizer *normalizer,
                     const AttnChar *chars,
                     size_t n,
                     AttnCharText *out)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_autoptr (GArray) origins = g_array_new (FALSE, FALSE, sizeof (AttnChar));
  Stream stream = {.normalizer = normalizer, .out = out, .marks = marks, .origins = origins};
  for (size_t i = 0; i < n && !out->failed; i++) {
    AttnChar at = chars[i];
    unsigned flags = attn_char_get_flags (at.c);
    if (normalizer->clean && (flags & ATTN_CHAR_CONTROL) != 0)
      continue;
    if (normalizer->clean && (flags & ATTN_CHAR_WHITE) != 0)
      at.c = ' ';
    bool apart = normalizer->split_ideographs && (flags & ATTN_CHAR_IDEOGRAPH) != 0;
    AttnChar space = {.c = ' ', .start = at.start, .end = at.end};
    if (apart)
      write_cleaned (&stream, &space, 0);
    write_cleaned (&stream, &at, flags);
    if (apart)
      write_cleaned (&stream, &space, 0);
  }
  flush_marks (&stream);
}
