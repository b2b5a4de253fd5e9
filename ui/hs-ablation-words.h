/* SPDX-License-Identifier: MIT */
/* What the page on heads that are off says of what is pointed at. */
#pragma once

#include "hs-ablation-work.h"
#include "hs-session.h"

#include "attn-draw/ablation.h"

G_BEGIN_DECLS

/* Returns: (transfer full): "layer 3, head 4 is off · removing it alone: +0.0300 …". @each:
 * (nullable) */
char *hs_ablation_dup_head (HsSession *session,
                            const HsAblationFound *found,
                            const HsAblationEach *each,
                            size_t layer,
                            size_t head);

/* Returns: (transfer full): a weight of map @which: 0 before, 1 after, 2 the difference. @weights:
 * (nullable): none yet */
char *hs_ablation_dup_weight (const HsAblationFound *found,
                              const AttnDrawAblationWeights *weights,
                              guint which,
                              size_t query,
                              size_t key);

G_END_DECLS
