/* SPDX-License-Identifier: MIT */
/* What is odd about the opened model or file, told above the picture until it is dismissed. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_WARNING_STRIP (hs_warning_strip_get_type ())
G_DECLARE_FINAL_TYPE (HsWarningStrip, hs_warning_strip, HS, WARNING_STRIP, HsPanel)

/**
 * hs_warning_strip_new:
 *
 * The first of the side's warnings, in the core's words, and a button that counts the others and
 * activates "win.show-warnings". Hidden where there are none, and once dismissed until
 * another model or file is opened.
 */
GtkWidget *hs_warning_strip_new (HsSession *session);

G_END_DECLS
