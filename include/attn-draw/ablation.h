/* SPDX-License-Identifier: MIT */
/* The figure on heads that are off: the switches as a map of effects, guesses and loss before and
 * after, the ranking, importance beside it, and a head's map before and after. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"
#include "attn-draw/view.h"
#include "attn/ablation.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What is picked in it. */
typedef enum {
  ATTN_DRAW_ABLATION_HEAD = 1, /* a head's switch; row is the layer, column the head, from 0 */
  ATTN_DRAW_ABLATION_LAYER,    /* a layer's name; row */
  ATTN_DRAW_ABLATION_COLUMN,   /* a head's number; column */
  ATTN_DRAW_ABLATION_RANKED,   /* a head of the ranking or of the importances; as the switch */
  ATTN_DRAW_ABLATION_MAP,      /* the map before; after and the difference have this and 1, 2; row
                                  is the query, column the key */
} AttnDrawAblationId;

/* One head's weights before and after, which take a while for a long text. Immutable, counted, and
 * of any thread. */
typedef struct _AttnDrawAblationWeights AttnDrawAblationWeights;

/**
 * attn_draw_ablation_weights_new:
 * @clean, @off: runs of the same text with all heads and with some off; referenced
 *
 * Returns: (transfer full) (nullable): for attn_draw_ablation_weights_unref(); NULL where there is
 *   no memory for three maps, or the runs are not of as many tokens.
 * Test: tests/draw/test-ablation.c
 */
AttnDrawAblationWeights *
attn_draw_ablation_weights_new (AttnTrace *clean, AttnTrace *off, size_t layer, size_t head);

AttnDrawAblationWeights *attn_draw_ablation_weights_ref (AttnDrawAblationWeights *weights);
void attn_draw_ablation_weights_unref (AttnDrawAblationWeights *weights);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawAblationWeights, attn_draw_ablation_weights_unref)

/* Returns: whether they are of these very runs and this head. */
bool attn_draw_ablation_weights_are_of (const AttnDrawAblationWeights *weights,
                                        const AttnTrace *clean,
                                        const AttnTrace *off,
                                        size_t layer,
                                        size_t head);

/* @which: 0 for before, 1 for after, 2 for before − after. Returns: the weight, or NaN outside. */
double attn_draw_ablation_weights_get (const AttnDrawAblationWeights *weights,
                                       size_t which,
                                       size_t query,
                                       size_t key);

/* What a figure is made of; pointers are borrowed and read at once. */
typedef struct {
  AttnDrawFigureStyle style;
  double width; /* px there are */
  AttnAblationNumbers numbers;
  AttnDrawAblationWeights *weights; /* (nullable): whose head's the maps are; else of layer, head */
  const AttnHeadGates *gates;       /* (nullable): which heads are off, also before numbers tell */
  size_t layer, head;               /* whose map is shown */
  AttnDrawTranslate translate;      /* NULL for English */
  void *translate_data;
} AttnDrawAblation;

/**
 * attn_draw_ablation_new:
 *
 * Returns: (transfer full): a figure as wide as asked, for attn_draw_figure_unref(). Effects share
 *   one range around 0, and so do differences of a map.
 * Test: tests/draw/test-ablation.c
 */
AttnDrawFigure *attn_draw_ablation_new (const AttnDrawAblation *ablation);

/* Returns: (transfer full): one line that says what the figure is of. */
char *attn_draw_ablation_dup_title (const AttnDrawAblation *ablation);

/* Returns: (transfer full): what the loss is the loss of, and who chose that, in a sentence. */
char *attn_draw_ablation_dup_task (const AttnDrawAblation *ablation);

/* Returns: (transfer full): "+0.785", with a real minus sign, and no sign at all where every digit
 * is 0. */
char *attn_draw_ablation_dup_signed (double value, int decimals);

/* Returns: (transfer full): the loss with all heads, and with some off. */
char *attn_draw_ablation_dup_losses (const AttnDrawAblation *ablation);

/* As attn_draw_several_write(). Test: tests/cli/test-ablate.c */
GBytes *attn_draw_ablation_write (const AttnDrawAblation *ablation,
                                  const AttnDrawPicture *picture,
                                  GError **error);

/**
 * attn_draw_ablation_dup_command:
 * @path: (nullable): of the picture; without one the line prints the numbers
 *
 * Returns: (transfer full): the shell line of headscope-cli ablate that makes the same.
 * Test: tests/ui/test-ablation.c: it makes the very same bytes.
 */
char *attn_draw_ablation_dup_command (const AttnAblationAsked *asked,
                                      const AttnDrawAblation *ablation,
                                      const AttnDrawPicture *picture,
                                      const char *path);

G_END_DECLS
