/* SPDX-License-Identifier: MIT */
/* What the page on heads that are off shows: its figure, what is said of it, and what a click in it
 * does. */
#pragma once

#include "hs-ablation-curves.h"
#include "hs-ablation-work.h"
#include "hs-cursor.h"
#include "hs-session.h"

#include "attn-draw/ablation.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* All of it borrowed. */
typedef struct {
  HsSession *session;
  const HsAblationFound *found;     /* with its clean run */
  const HsAblationEach *each;       /* (nullable): of the same */
  AttnDrawAblationWeights *weights; /* (nullable): likewise */
  const HsAblationCurves *curves;   /* (nullable): likewise */
} HsAblationShown;

/* Returns: (transfer full): the figure, as wide as asked; no map is computed for it. */
AttnDrawFigure *hs_ablation_shown_make (const HsAblationShown *shown, double width);

/* Returns: (transfer full): what is said of an item of the figure; of the head that is chosen where
 * there is none, with the id 0. */
char *
hs_ablation_shown_dup_reading (const HsAblationShown *shown, guint id, guint row, guint column);

/* Returns: (transfer full): the chosen head and the losses, for those who do not see the figure. */
char *hs_ablation_shown_dup_value (const HsAblationShown *shown);

/* An item was clicked, or the chosen head's switch pressed. */
void hs_ablation_shown_pick (const HsAblationShown *shown, guint id, guint row, guint column);
void hs_ablation_shown_activate (const HsAblationShown *shown);

/* An arrow key: another head is chosen. Returns: whether there are any. */
bool hs_ablation_shown_move (const HsAblationShown *shown, HsMove move);

G_END_DECLS
