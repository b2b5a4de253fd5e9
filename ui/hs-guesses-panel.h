/* SPDX-License-Identifier: MIT */
/* What the model would put at each [MASK]. */
#pragma once

#include "hs-panel.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_GUESSES_PANEL (hs_guesses_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsGuessesPanel, hs_guesses_panel, HS, GUESSES_PANEL, HsPanel)

/* Property "session" (HsSession): whose answer's predictions are listed, in a comparison those of
 * both sides. Hidden without any, but for a file's weights, where it says why. */
GtkWidget *hs_guesses_panel_new (HsSession *session);

G_END_DECLS
