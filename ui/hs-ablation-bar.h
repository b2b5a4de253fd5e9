/* SPDX-License-Identifier: MIT */
/* What is asked on the page where heads are switched off: how, which, and of what loss. */
#pragma once

#include "hs-ablation-work.h"
#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_ABLATION_BAR (hs_ablation_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsAblationBar, hs_ablation_bar, HS, ABLATION_BAR, HsPanel)

/* What came of it, which some of its choices depend on. @found, @each: (nullable): borrowed until
 * the next call */
void hs_ablation_bar_set_found (HsAblationBar *self,
                                const HsAblationFound *found,
                                const HsAblationEach *each);

/* The session's switches. Returns: (transfer full) (nullable): NULL without a model. */
AttnHeadGates *hs_ablation_dup_gates (HsSession *session);

/* Consumes @gates, which become the session's. */
void hs_ablation_set_gates (HsSession *session, AttnHeadGates *gates);

G_END_DECLS
