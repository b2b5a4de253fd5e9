/* SPDX-License-Identifier: MIT */
/* Adjustments that are there or not. */
#include "hs-picture-scroll.h"

#include <math.h>

#define STEP_PX 48
#define PAGE_SHARE 0.9 /* of what is seen: something stays to hold on to */

gboolean
hs_picture_scroll_set (HsPictureScroll *self,
                       GtkOrientation side,
                       GtkAdjustment *adjustment,
                       GtkWidget *widget)
{
  if (adjustment == self->adjustments[side])
    return FALSE;
  if (self->adjustments[side] != NULL)
    g_clear_signal_handler (&self->handlers[side], self->adjustments[side]);
  g_clear_object (&self->adjustments[side]);
  if (adjustment == NULL)
    return TRUE;
  self->adjustments[side] = g_object_ref_sink (adjustment);
  self->handlers[side] = g_signal_connect_swapped (adjustment, "value-changed",
                                                   G_CALLBACK (gtk_widget_queue_draw), widget);
  return TRUE;
}

void
hs_picture_scroll_configure (HsPictureScroll *self,
                             GtkOrientation side,
                             double content,
                             double page)
{
  GtkAdjustment *adjustment = self->adjustments[side];
  const double upper = MAX (content, page);

  if (adjustment == NULL)
    return;
  gtk_adjustment_configure (adjustment,
                            CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - page), 0,
                            upper, STEP_PX, page * PAGE_SHARE, page);
}

int
hs_picture_scroll_get (const HsPictureScroll *self, GtkOrientation side)
{
  GtkAdjustment *adjustment = self->adjustments[side];

  return adjustment != NULL ? (int)gtk_adjustment_get_value (adjustment) : 0;
}

void
hs_picture_scroll_to (HsPictureScroll *self, GtkOrientation side, double value)
{
  if (self->adjustments[side] != NULL)
    gtk_adjustment_set_value (self->adjustments[side], round (value));
}

void
hs_picture_scroll_reveal (HsPictureScroll *self, GtkOrientation side, double start, double length)
{
  if (self->adjustments[side] != NULL)
    gtk_adjustment_clamp_page (self->adjustments[side], start, start + length);
}
