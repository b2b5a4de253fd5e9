/* SPDX-License-Identifier: MIT */
/* Where pieces of a text stand once it is shaped and wrapped, in any direction of writing. */
#include "prose.h"

#include <math.h>

#define TOUCH_PX 0.01 /* two spots so near are one */

typedef struct {
  size_t start, end;
} Trimmed;

typedef struct {
  const AttnDrawPassage *passage;
  GArray *spots;    /* AttnDrawSpot */
  size_t line;      /* spots from this one on are of the line that is gone through */
  Trimmed *trimmed; /* [n_pieces] */
} Finder;

static const AttnDrawPiece *
peek_piece (const AttnDrawPassage *passage, size_t index)
{
  return &g_array_index (passage->pieces, AttnDrawPiece, index);
}

/* Bytes [start, end) of a piece without the blanks at its ends; of nothing but blanks all. */
static Trimmed
trim (const AttnDrawPassage *passage, const AttnDrawPiece *piece)
{
  Trimmed trimmed = {piece->end, piece->start};
  size_t length = 0;

  for (size_t at = piece->start; at < piece->end; at += length) {
    const char *character = passage->text + at;
    length = (size_t)g_utf8_skip[(guchar)*character];
    if (g_unichar_isspace (g_utf8_get_char (character)))
      continue;
    trimmed.start = MIN (trimmed.start, at);
    trimmed.end = at + length;
  }
  return trimmed.start < trimmed.end ? trimmed : (Trimmed){piece->start, piece->end};
}

/* Pieces [first, first + n) have a part in bytes [start, end) of the text. */
static size_t
find_pieces (const AttnDrawPassage *passage, size_t start, size_t end, size_t *first)
{
  size_t low = 0, high = passage->pieces->len, n = 0;

  while (low < high) {
    size_t middle = (low + high) / 2;
    if (peek_piece (passage, middle)->end <= start)
      low = middle + 1;
    else
      high = middle;
  }
  while (low + n < passage->pieces->len && peek_piece (passage, low + n)->start < end)
    n++;
  *first = low;
  return n;
}

/* Adds a part of a piece, to the piece's last part in the line where the two touch. */
static void
add_spot (Finder *finder, size_t piece, AttnDrawRect rect)
{
  for (size_t i = finder->spots->len; i-- > finder->line;) {
    AttnDrawSpot *spot = &g_array_index (finder->spots, AttnDrawSpot, i);
    double left = MIN (spot->rect.x, rect.x);
    double right = MAX (spot->rect.x + spot->rect.width, rect.x + rect.width);
    if (spot->piece != piece || right - left > spot->rect.width + rect.width + TOUCH_PX)
      continue;
    spot->rect.x = left;
    spot->rect.width = right - left;
    return;
  }
  AttnDrawSpot spot = {piece, rect};
  g_array_append_val (finder->spots, spot);
}

/* Shares a character's width among the pieces it is part of, the first one where writing begins. */
static void
share_character (Finder *finder, size_t byte, AttnDrawRect rect, bool is_leftward)
{
  size_t end = byte + (size_t)g_utf8_skip[(guchar)finder->passage->text[byte]];
  size_t first, n = find_pieces (finder->passage, byte, end, &first);

  for (size_t i = 0; i < n; i++) {
    AttnDrawRect slice = rect;
    slice.width = rect.width / (double)n;
    slice.x = rect.x + slice.width * (double)(is_leftward ? n - 1 - i : i);
    const Trimmed *trimmed = &finder->trimmed[first + i];
    if (byte < trimmed->end && end > trimmed->start)
      add_spot (finder, first + i, slice);
  }
}

GArray *
attn_draw_prose_find_spots (const AttnDrawPassage *passage,
                            PangoLayout *shaped,
                            double up,
                            double down)
{
  g_autofree Trimmed *trimmed = g_new (Trimmed, passage->pieces->len + 1);
  Finder finder = {passage, g_array_new (FALSE, FALSE, sizeof (AttnDrawSpot)), 0, trimmed};
  PangoLayoutIter *iter = pango_layout_get_iter (shaped);
  int last_baseline = -1;

  for (guint i = 0; i < passage->pieces->len; i++)
    trimmed[i] = trim (passage, peek_piece (passage, i));
  do {
    PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
    int baseline = pango_layout_iter_get_baseline (iter);
    PangoRectangle box;
    if (run == NULL)
      continue; /* a line's end */
    if (baseline != last_baseline)
      finder.line = finder.spots->len;
    last_baseline = baseline;
    pango_layout_iter_get_char_extents (iter, &box);
    AttnDrawRect rect = {box.x / (double)PANGO_SCALE, baseline / (double)PANGO_SCALE - up,
                         box.width / (double)PANGO_SCALE, up + down};
    share_character (&finder, (size_t)pango_layout_iter_get_index (iter), rect,
                     run->item->analysis.level % 2 == 1);
  } while (pango_layout_iter_next_char (iter));
  pango_layout_iter_free (iter);
  return finder.spots;
}
