/* SPDX-License-Identifier: MIT */
/* The figure of an atlas: all heads as a map, coloured by the pattern they make, and beside it the
 * passport of one of them.
 *
 * For: seeing which heads look alike, and why one is called what it is. Not for: saying what a head
 * does: a pattern is a hypothesis, and stands with the numbers it comes from. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"
#include "attn-draw/view.h"
#include "attn/atlas.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* What is picked in it. */
typedef enum {
  ATTN_DRAW_ATLAS_HEAD = 1, /* row is the layer, column the head, from 0 */
  ATTN_DRAW_ATLAS_CLASS,    /* of the legend; row is the AttnPattern */
  ATTN_DRAW_ATLAS_EXAMPLE,  /* of the head that is shown, of several texts; row is which, from 0 */
  ATTN_DRAW_ATLAS_SUREST,   /* a text likewise */
} AttnDrawAtlasId;

/* Which heads are looked for. */
typedef struct {
  unsigned pattern; /* 1 + the AttnPattern; 0 for all */
  size_t layer;     /* from 1; 0 for all */
} AttnDrawAtlasFilter;

/* What a figure is made of; pointers are borrowed and read at once. */
typedef struct {
  AttnDrawFigureStyle style;
  double width; /* px there are */
  const AttnAtlas *atlas;
  const AttnAtlasMap *map;     /* nullable: there are no distances (yet) */
  const char *texts;           /* as --texts takes it; NULL for an atlas of one text */
  const char *texts_sha256;    /* of that file; likewise */
  size_t layer, head;          /* whose passport is shown */
  AttnDrawAtlasFilter filter;  /* other heads are dim */
  AttnDrawTranslate translate; /* NULL for English */
  void *translate_data;
} AttnDrawAtlas;

/**
 * attn_draw_atlas_new:
 *
 * Returns: (transfer full): a figure as wide as asked, for attn_draw_figure_unref().
 * Test: tests/draw/test-atlas.c
 */
AttnDrawFigure *attn_draw_atlas_new (const AttnDrawAtlas *atlas);

/* Returns: (transfer full): one line that says what the figure is of. */
char *attn_draw_atlas_dup_title (const AttnDrawAtlas *atlas);

/* Returns: (transfer full): a head in one line: its pattern and the numbers that tell most. */
char *attn_draw_atlas_dup_head (const AttnDrawAtlas *atlas, size_t layer, size_t head);

/* Returns: (transfer full): the rule that made this pattern, with the numbers that it was asked of.
 */
char *attn_draw_atlas_dup_rule (const AttnDrawAtlas *atlas, const AttnPassport *passport);

/* Returns: (transfer full): what a head is called: its pattern, and of a diagonal one which. */
char *attn_draw_atlas_dup_label (const AttnDrawAtlas *atlas, const AttnPassport *passport);

/* Returns: (transfer none): a pattern's name in words, translated. */
const char *attn_draw_atlas_peek_pattern (const AttnDrawAtlas *atlas, AttnPattern pattern);

/* Returns: the colour of a pattern. */
AttnDrawColor attn_draw_atlas_get_color (const AttnDrawFigureStyle *style, AttnPattern pattern);

/**
 * attn_draw_atlas_write:
 * @picture: its text is NULL for an atlas of a file of texts
 *
 * Returns: (transfer full): the file, or NULL with @error as attn_draw_several_write().
 * Test: tests/cli/test-atlas.py
 */
GBytes *
attn_draw_atlas_write (const AttnDrawAtlas *atlas, const AttnDrawPicture *picture, GError **error);

/**
 * attn_draw_atlas_dup_command:
 * @path: of the picture
 *
 * Returns: (transfer full): the shell line of headscope-cli atlas that makes the same.
 * Test: tests/ui/test-atlas.c: it makes the very same bytes.
 */
char *attn_draw_atlas_dup_command (const AttnDrawAtlas *atlas,
                                   const AttnDrawPicture *picture,
                                   const char *path);

G_END_DECLS
