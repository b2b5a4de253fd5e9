/* SPDX-License-Identifier: MIT */
/* In place of the text: which file is shown, and the ways to its tokens and back to the text. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_ATTENTION_PANEL (hs_attention_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsAttentionPanel, hs_attention_panel, HS, ATTENTION_PANEL, HsPanel)

/* Hidden while side A shows no file. Its buttons activate "win.attention-tokens" and
 * "win.leave-attention"; the keyboard's focus goes to the first. */
GtkWidget *hs_attention_panel_new (HsSession *session);

/* In a small window: where the file is stands in a tooltip. */
void hs_attention_panel_set_tight (HsAttentionPanel *self, bool tight);

G_END_DECLS
