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

/* The four properties of a GtkScrollable: they get the numbers from @first_id on. */
void hs_picture_scroll_install (GObjectClass *klass, guint first_id);

/* @index: number of the property less @first_id; @widget is drawn anew when an adjustment's value
 * changes. Returns: whether it is one of the four. */
gboolean hs_picture_scroll_get_property (const HsPictureScroll *self, guint index, GValue *value);
gboolean hs_picture_scroll_set_property (HsPictureScroll *self,
                                         guint index,
                                         const GValue *value,
                                         GtkWidget *widget);

/* Lets go of the adjustments. */
void hs_picture_scroll_clear (HsPictureScroll *self);

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
