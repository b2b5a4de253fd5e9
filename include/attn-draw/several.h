/* SPDX-License-Identifier: MIT */
/* Why several heads: how far the heads of a layer look from each other, two of them side by side,
 * and one wide head in the place of all. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"
#include "attn-draw/view.h"
#include "attn/heads.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* What is picked in such a figure. Of a map's hit the row is a query, the column a key. */
typedef enum {
  ATTN_DRAW_SEVERAL_DISTANCE = 1, /* row and column: two heads, from 0 */
  ATTN_DRAW_SEVERAL_PAIR,         /* the left map of the pair; the right one has this and 1 */
  ATTN_DRAW_SEVERAL_ONE = ATTN_DRAW_SEVERAL_PAIR + 2, /* the one head's */
  ATTN_DRAW_SEVERAL_MAPS, /* the small map of head h has this and h as its id */
} AttnDrawSeveralId;

/* What a figure is made of; pointers are borrowed and read at once. */
typedef struct {
  AttnDrawFigureStyle style;
  const AttnLayerHeads *heads;
  double width;   /* px there are */
  size_t pair[2]; /* heads side by side, from 0; the same twice: those farthest apart */
  size_t head;    /* whose small map is marked; G_MAXSIZE for none */
  size_t query;   /* that is followed through all maps; G_MAXSIZE for none */
  AttnDrawTranslate translate; /* NULL for English */
  void *translate_data;
} AttnDrawSeveral;

/**
 * attn_draw_several_new:
 *
 * Returns: (transfer full): a figure as wide as asked, for attn_draw_figure_unref(). Maps share one
 *   range, 0 to 1; distances have their own, which is written below them.
 * Test: tests/draw/test-several.c
 */
AttnDrawFigure *attn_draw_several_new (const AttnDrawSeveral *several);

/* Returns: (transfer full): one line that says what the figure is of. */
char *attn_draw_several_dup_title (const AttnDrawSeveral *several);

/**
 * attn_draw_several_write:
 * @several: its width, style and translation are not read: they are @picture's
 * @picture: of its view the looks and the width; pages are left out
 *
 * Returns: (transfer full): the file's bytes for g_bytes_unref(), or NULL with @error as
 *   attn_draw_picture_write().
 * Test: tests/cli/test-lab.c
 */
GBytes *attn_draw_several_write (const AttnDrawSeveral *several,
                                 const AttnDrawPicture *picture,
                                 GError **error);

/* Returns: (transfer full): the shell line of headscope-cli that makes the same file at @path.
 *
 * Test: tests/ui/test-lab-several.c: it makes the very same bytes. */
char *attn_draw_several_dup_command (const AttnDrawSeveral *several,
                                     const AttnDrawPicture *picture,
                                     const char *path);

G_END_DECLS
