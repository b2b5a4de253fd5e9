/* SPDX-License-Identifier: MIT */
/* The figure on how many heads can go: loss and accuracy against the share that is removed, what
 * each layer means for that, and importance against true effect. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"
#include "attn-draw/view.h"
#include "attn/ablation.h"
#include "attn/pruning.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What a point of the figure is of. */
typedef enum {
  ATTN_DRAW_PRUNING_NONE,
  ATTN_DRAW_PRUNING_LOSS,     /* of an order of removal, at a point */
  ATTN_DRAW_PRUNING_ACCURACY, /* likewise */
  ATTN_DRAW_PRUNING_LAYER,    /* all of it off, or the mean of one head off */
  ATTN_DRAW_PRUNING_HEAD,     /* importance against effect */
} AttnDrawPruningPart;

/* What a figure is made of; pointers are borrowed and read at once. */
typedef struct {
  AttnDrawFigureStyle style;
  double width;                /* px there are */
  const AttnPruning *pruning;  /* (nullable): nothing is measured yet, and the figure says so */
  size_t layer, head;          /* the head that is marked among all */
  AttnDrawTranslate translate; /* NULL for English */
  void *translate_data;
} AttnDrawPruning;

/**
 * attn_draw_pruning_new:
 *
 * Returns: (transfer full): a figure as wide as asked, for attn_draw_figure_unref(). Of a
 * sentence's vector there is no accuracy, and without importance there is nothing to compare
 * effects with: those plots are left out. Test: tests/draw/test-pruning.c
 */
AttnDrawFigure *attn_draw_pruning_new (const AttnDrawPruning *pruning);

/* @id: as a hit of the figure has it. Returns: what it is of. */
AttnDrawPruningPart attn_draw_pruning_find_part (const AttnPruning *pruning, unsigned id);

/* Returns: (transfer full): what a point says, where @row and @column are as a hit has them; "" for
 * no point. */
char *attn_draw_pruning_dup_point (const AttnDrawPruning *pruning,
                                   unsigned id,
                                   size_t row,
                                   size_t column);

/* Returns: (transfer full): one line that says what the figure is of. */
char *attn_draw_pruning_dup_title (const AttnDrawPruning *pruning);

/* Returns: (transfer full): a line for each order: where it falls. */
char *attn_draw_pruning_dup_falls (const AttnDrawPruning *pruning);

/* As attn_draw_several_write(). Test: tests/cli/test-prune.c */
GBytes *attn_draw_pruning_write (const AttnDrawPruning *pruning,
                                 const AttnDrawPicture *picture,
                                 GError **error);

/**
 * attn_draw_pruning_dup_command:
 * @asked: labels, draws and seed
 * @path:  (nullable): of the picture; without one the line prints the numbers
 *
 * Returns: (transfer full): the shell line of headscope-cli prune-curve that makes the same.
 * Test: tests/ui/test-ablation.c: it makes the very same bytes.
 */
char *attn_draw_pruning_dup_command (const AttnAblationAsked *asked,
                                     const AttnDrawPruning *pruning,
                                     const AttnDrawPicture *picture,
                                     const char *path);

G_END_DECLS
