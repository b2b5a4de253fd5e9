/* SPDX-License-Identifier: MIT */
/* The view of the text itself: which piece of it each token, word or character is. */
#pragma once

#include "attn-draw/layout.h"

#include <glib.h>
#include <pango/pango.h>

#include <stdbool.h>
#include <stddef.h>

/* A unit in the text that is shown. */
typedef struct {
  size_t unit;
  size_t start, end; /* bytes of the passage's text */
  bool is_chip;      /* one character that is not drawn holds its place; its label is a chip's */
} AttnDrawPiece;

/* One paragraph: a text of the pair as it was typed, with what the template put around it. */
typedef struct {
  char *text;     /* UTF-8, without U+0000 and control characters that cannot be drawn */
  GArray *pieces; /* AttnDrawPiece by start; they may share characters */
} AttnDrawPassage;

typedef struct {
  GArray *units;       /* AttnDrawUnit in reading order */
  GPtrArray *passages; /* AttnDrawPassage */
  float *means;        /* [n_keys] mean of each column */
} AttnDrawProse;

#define ATTN_DRAW_CHIP_CHARACTER "\ufffc"

/* @panels: one, exact. Maps of no text become a row of chips: of queries and keys where they
 * differ.
 */
AttnDrawProse *attn_draw_prose_new (AttnDrawPanels *panels);
void attn_draw_prose_free (AttnDrawProse *prose);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawProse, attn_draw_prose_free)

/* Where (a part of) a piece stands. */
typedef struct {
  size_t piece;
  AttnDrawRect rect; /* from the passage's top left */
} AttnDrawSpot;

/**
 * attn_draw_prose_find_spots:
 * @shaped: the passage's text
 * @up,@down: px a spot reaches over and under a line's baseline
 *
 * A piece has a spot in each line it reaches into, and more where writing turns its direction
 * within it; pieces of one character share its width evenly. Blanks at a piece's ends do not count.
 *
 * Returns: (transfer full): AttnDrawSpot, line by line, for g_array_unref().
 */
GArray *attn_draw_prose_find_spots (const AttnDrawPassage *passage,
                                    PangoLayout *shaped,
                                    double up,
                                    double down);

/* Returns: (transfer full): the label of what @unit is. */
char *attn_draw_prose_dup_label (AttnMaps *maps, const AttnDrawUnit *unit);
