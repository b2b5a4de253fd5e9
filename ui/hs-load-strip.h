/* SPDX-License-Identifier: MIT */
/* A strip that tells how loading a model goes while the one before works on, with a button that
 * activates "win.stop-model". Invisible when nothing loads, and for what takes no time. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LOAD_STRIP (hs_load_strip_get_type ())
G_DECLARE_FINAL_TYPE (HsLoadStrip, hs_load_strip, HS, LOAD_STRIP, HsPanel)

GtkWidget *hs_load_strip_new (HsSession *session);

G_END_DECLS
