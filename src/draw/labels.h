/* SPDX-License-Identifier: MIT */
/* Token labels along one side of a panel: how large, how turned, which of them. */
#pragma once

#include "text.h"

#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnDrawLabels AttnDrawLabels;

/* Rows or columns [first, end). */
typedef struct {
  size_t first, end;
} AttnDrawSpan;

typedef struct {
  double size_px;
  double angle;      /* 0, slanted or a quarter turn, negative = counter-clockwise; see
                      * attn_draw_labels_get_angle() */
  size_t stride;     /* every stride-th label is shown … */
  size_t pin_margin; /* … but none this near to the pinned one */
  double max_length; /* px along the text */
  double up, down;   /* px the texts reach over and under their middle line */
  double length;     /* px of the longest label shown, at most max_length */
  bool is_thinned;   /* some label is missing */
} AttnDrawLabelPlan;

typedef struct {
  double pitch;      /* px from one token to the next */
  double max_length; /* px along the text */
  size_t min_stride;
  double max_size; /* px */
  bool turns;      /* labels may be slanted or stand upright */
  bool slants;     /* there is room for slanted labels on the right */
} AttnDrawLabelRoom;

/**
 * attn_draw_labels_new:
 * @fonts: borrowed; must live as long
 * @maps:  borrowed likewise
 * @pin:   index of the pinned token; G_MAXSIZE for none
 * @drawn: the tokens that have a row or column in the picture
 *
 * All labels count when room is planned, so that it stays the same whichever are drawn.
 */
AttnDrawLabels *attn_draw_labels_new (
    AttnDrawFonts *fonts, AttnMaps *maps, AttnSide side, size_t pin, AttnDrawSpan drawn);
void attn_draw_labels_free (AttnDrawLabels *labels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawLabels, attn_draw_labels_free)

/* Returns: how many tokens are drawn, and which. */
size_t attn_draw_labels_get_n (const AttnDrawLabels *labels);
AttnDrawSpan attn_draw_labels_get_drawn (const AttnDrawLabels *labels);

/* Chooses the largest labels that do not touch; thins them out where even the smallest would. */
AttnDrawLabelPlan attn_draw_labels_plan (AttnDrawLabels *labels, const AttnDrawLabelRoom *room);

bool attn_draw_labels_is_pinned (const AttnDrawLabels *labels, size_t token);
bool attn_draw_labels_is_shown (const AttnDrawLabels *labels,
                                const AttnDrawLabelPlan *plan,
                                size_t token);

/* Returns: the turn of one label: the plan's, but that a single wide character (of Chinese, say)
 * stands as it is read. */
double
attn_draw_labels_get_angle (AttnDrawLabels *labels, const AttnDrawLabelPlan *plan, size_t token);

/* Returns: (transfer none): the label of @token, not longer than @max_length px. */
PangoLayout *attn_draw_labels_shape (AttnDrawLabels *labels,
                                     const AttnDrawLabelPlan *plan,
                                     size_t token,
                                     double max_length);

/* Returns: px from a label's top down to its middle line, half the height of a capital over the
 * baseline: lines of any script look aligned along it. */
double attn_draw_labels_get_middle (const AttnDrawExtents *extents, double size_px);
