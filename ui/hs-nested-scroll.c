/* SPDX-License-Identifier: MIT */
/* GTK leaves the wheel to the inner one alone, even where half of it is out of sight. */
#include "hs-nested-scroll.h"

#include <math.h>

static GtkAdjustment *
peek_adjustment (GtkWidget *scrolled)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
}

gboolean
hs_nested_scroll_move (GtkWidget *inner, double dy, GdkScrollUnit unit)
{
  GtkWidget *parent = gtk_widget_get_parent (inner);
  GtkWidget *outer =
      parent != NULL ? gtk_widget_get_ancestor (parent, GTK_TYPE_SCROLLED_WINDOW) : NULL;

  if (outer == NULL || (dy < 0 && gtk_adjustment_get_value (peek_adjustment (inner)) > 0))
    return FALSE;
  GtkAdjustment *adjustment = peek_adjustment (outer);
  const double before = gtk_adjustment_get_value (adjustment);
  /* a notch is as much as GTK makes it */
  const double notch = unit == GDK_SCROLL_UNIT_WHEEL
                           ? pow (gtk_adjustment_get_page_size (adjustment), 2.0 / 3.0)
                           : 1;
  gtk_adjustment_set_value (adjustment, before + dy * notch);
  return gtk_adjustment_get_value (adjustment) != before;
}

/* Ctrl and the wheel are for whoever zooms. */
static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double dx G_GNUC_UNUSED,
           double dy,
           gpointer data G_GNUC_UNUSED)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (scroll);

  if (dy == 0 || (gtk_event_controller_get_current_event_state (controller) & GDK_CONTROL_MASK))
    return FALSE;
  return hs_nested_scroll_move (gtk_event_controller_get_widget (controller), dy,
                                gtk_event_controller_scroll_get_unit (scroll));
}

static void
join (GtkWidget *scrolled, GtkPropagationPhase phase)
{
  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (scrolled));
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  gtk_event_controller_set_propagation_phase (scroll, phase);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), NULL);
  gtk_widget_add_controller (scrolled, scroll); /* the last one is the first to be asked */
}

void
hs_nested_scroll_join (GtkWidget *scrolled)
{
  join (scrolled, GTK_PHASE_CAPTURE);
}

void
hs_nested_scroll_join_after (GtkWidget *scrolled)
{
  join (scrolled, GTK_PHASE_BUBBLE);
}
