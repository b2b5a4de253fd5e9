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
 * The first of the side's warnings, and a button that counts the others and shows them. Hidden
 * where there are none, and once dismissed until another model or file is opened.
 */
GtkWidget *hs_warning_strip_new (HsSession *session);

/* In a small window one line has to do until all is asked for. */
void hs_warning_strip_set_compact (HsWarningStrip *self, bool is_compact);

G_END_DECLS
