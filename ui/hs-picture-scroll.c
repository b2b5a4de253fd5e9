/* SPDX-License-Identifier: MIT */
/* Adjustments that are there or not. */
#include "hs-picture-scroll.h"

#include <math.h>

#define STEP_PX 48
#define PAGE_SHARE 0.9 /* of what is seen: something stays to hold on to */

/* The properties of a GtkScrollable, from the number that the first of them was given. */
static const char *const names[] = {"hadjustment", "vadjustment", "hscroll-policy",
                                    "vscroll-policy"};

void
hs_picture_scroll_install (GObjectClass *klass, guint first_id)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_class_override_property (klass, first_id + i, names[i]);
}

gboolean
hs_picture_scroll_get_property (const HsPictureScroll *self, guint index, GValue *value)
{
  if (index >= G_N_ELEMENTS (names))
    return FALSE;
  if (index < G_N_ELEMENTS (self->adjustments))
    g_value_set_object (value, self->adjustments[index]);
  else
    g_value_set_enum (value, (gint)self->policies[index - G_N_ELEMENTS (self->adjustments)]);
  return TRUE;
}

static void
set_adjustment (HsPictureScroll *self, guint side, GtkAdjustment *adjustment, GtkWidget *widget)
{
  if (adjustment == self->adjustments[side])
    return;
  if (self->adjustments[side] != NULL)
    g_clear_signal_handler (&self->handlers[side], self->adjustments[side]);
  g_clear_object (&self->adjustments[side]);
  if (adjustment == NULL)
    return;
  self->adjustments[side] = g_object_ref_sink (adjustment);
  self->handlers[side] = g_signal_connect_swapped (adjustment, "value-changed",
                                                   G_CALLBACK (gtk_widget_queue_draw), widget);
}

gboolean
hs_picture_scroll_set_property (HsPictureScroll *self,
                                guint index,
                                const GValue *value,
                                GtkWidget *widget)
{
  if (index >= G_N_ELEMENTS (names))
    return FALSE;
  if (index < G_N_ELEMENTS (self->adjustments))
    set_adjustment (self, index, g_value_get_object (value), widget);
  else
    self->policies[index - G_N_ELEMENTS (self->adjustments)] =
        (GtkScrollablePolicy)g_value_get_enum (value);
  return TRUE;
}

void
hs_picture_scroll_clear (HsPictureScroll *self)
{
  for (guint side = 0; side < G_N_ELEMENTS (self->adjustments); side++)
    set_adjustment (self, side, NULL, NULL);
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
