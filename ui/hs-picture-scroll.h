/* SPDX-License-Identifier: MIT */
/* Where a scrollable widget is scrolled to: its two adjustments and how they follow its content. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All zero is a widget that nothing scrolls. Arrays go by GtkOrientation. */
typedef struct {
  GtkAdjustment *adjustments[2]; /* nullable */
  gulong handlers[2];
  GtkScrollablePolicy policies[2];
} HsPictureScroll;

/* @adjustment: (nullable): that @widget is drawn anew for. Returns: whether it is another one. */
gboolean hs_picture_scroll_set (HsPictureScroll *self,
                                GtkOrientation side,
                                GtkAdjustment *adjustment,
                                GtkWidget *widget);

/* px of all there is, and of what is seen of it; both at least 0. What is at the start stays there
 * as far as it can. */
void hs_picture_scroll_configure (HsPictureScroll *self,
                                  GtkOrientation side,
                                  double content,
                                  double page);

/* Returns: how many whole px are left out at the start, so that textures stay sharp. */
int hs_picture_scroll_get (const HsPictureScroll *self, GtkOrientation side);

void hs_picture_scroll_to (HsPictureScroll *self, GtkOrientation side, double value);

/* As little as needed for what is from @start on, @length px long, to be seen. */
void
hs_picture_scroll_reveal (HsPictureScroll *self, GtkOrientation side, double start, double length);

G_END_DECLS
