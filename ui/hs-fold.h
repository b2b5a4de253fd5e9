/* SPDX-License-Identifier: MIT */
/* Two children side by side where there is room, one under the other where there is not. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_FOLD (hs_fold_get_type ())
G_DECLARE_FINAL_TYPE (HsFold, hs_fold, HS, FOLD, GtkWidget)

/* Properties "main" and "side" (GtkWidget): side is as narrow as it can be, main takes what is
 * left. Property "threshold" (int, px): from this width on they stand side by side, if it is also
 * "share" (double, 2.4) times the side child's. Property "folded-aspect" (double): when folded,
 * main is at least this many times as high as wide. */
GtkWidget *hs_fold_new (void);

G_END_DECLS
