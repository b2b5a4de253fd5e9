/* SPDX-License-Identifier: MIT */
/* The newest wish counts; it waits for the figure's layout and then moves frame by frame. */
#include "hs-figure-reveal.h"

#include "hs-sticky.h"

#include <math.h>
#include <stdbool.h>

#define REVEAL "hs-figure-reveal"
#define MOVE_US 220000.0
#define MOST_WAIT 20 /* frames until the figure is as high as it is drawn */
#define AIR 10.0     /* px around what is revealed */

typedef struct {
  GArray *parts; /* of unsigned */
  guint tick;    /* of the figure; 0 once it has ended */
  guint n_waited;
  bool is_moving;
  double from, to; /* of the adjustment */
  gint64 begun_us;
} Reveal;

static void
reveal_free (gpointer data)
{
  Reveal *reveal = data;

  g_array_unref (reveal->parts);
  g_free (reveal);
}

static GtkAdjustment *
find_adjustment (GtkWidget *figure)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (figure, GTK_TYPE_SCROLLED_WINDOW);

  return scrolled != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled))
                          : NULL;
}

/* From the uppermost edge of the parts to the lowest one, px of the figure. */
static bool
find_extent (AttnDrawFigure *figure, GArray *parts, double *top, double *bottom)
{
  *top = G_MAXDOUBLE;
  *bottom = 0;
  for (guint i = 0; i < parts->len; i++) {
    const size_t item = attn_draw_figure_find_part (figure, g_array_index (parts, unsigned, i));
    if (item == G_MAXSIZE)
      continue;
    const AttnDrawRect *rect = &attn_draw_figure_peek_item (figure, item)->rect;
    *top = MIN (*top, rect->y - AIR);
    *bottom = MAX (*bottom, rect->y + rect->height + AIR);
  }
  return *bottom > 0;
}

/* Returns: whether there is somewhere to move. */
static bool
find_target (HsFigure *self, Reveal *reveal, GtkAdjustment *adjustment)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkWidget *scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  AttnDrawFigure *figure = hs_figure_peek (self);
  double top, bottom, x, y;

  if (figure == NULL || !find_extent (figure, reveal->parts, &top, &bottom) ||
      !gtk_widget_translate_coordinates (widget, scrolled, 0, 0, &x, &y))
    return false;
  const double page = gtk_adjustment_get_page_size (adjustment);
  top += y;
  bottom += y;
  const double covered = hs_sticky_get_covered (widget);
  const bool is_up = top < covered || bottom - top > page - covered;
  const double by = is_up ? top - covered : MAX (bottom - page, 0);
  const double most = gtk_adjustment_get_upper (adjustment) - page;
  reveal->from = gtk_adjustment_get_value (adjustment);
  reveal->to = CLAMP (reveal->from + by, 0, MAX (most, 0));
  return fabs (reveal->to - reveal->from) >= 1;
}

static bool
is_laid_out (HsFigure *self)
{
  AttnDrawFigure *figure = hs_figure_peek (self);

  return figure == NULL ||
         gtk_widget_get_height (GTK_WIDGET (self)) >= (int)attn_draw_figure_get_height (figure);
}

static bool
is_still (GtkWidget *widget)
{
  gboolean moves = TRUE;

  g_object_get (gtk_widget_get_settings (widget), "gtk-enable-animations", &moves, NULL);
  return !moves;
}

/* Fast at first, then slower. */
static bool
move (Reveal *reveal, GtkAdjustment *adjustment, gint64 now)
{
  const double share = MIN ((double)(now - reveal->begun_us) / MOVE_US, 1);
  const double way = 1 - pow (1 - share, 3);

  gtk_adjustment_set_value (adjustment, reveal->from + (reveal->to - reveal->from) * way);
  return share < 1;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Reveal *reveal = data;
  GtkAdjustment *adjustment = find_adjustment (widget);
  bool goes_on = adjustment != NULL;

  if (goes_on && !reveal->is_moving) {
    /* the first frame's layout comes after this, and may move the figure itself */
    const bool is_first = reveal->n_waited++ == 0;
    if (is_first || (!is_laid_out (HS_FIGURE (widget)) && reveal->n_waited < MOST_WAIT))
      return G_SOURCE_CONTINUE;
    goes_on = find_target (HS_FIGURE (widget), reveal, adjustment);
    reveal->is_moving = true;
    reveal->begun_us = gdk_frame_clock_get_frame_time (clock);
    if (goes_on && is_still (widget)) {
      gtk_adjustment_set_value (adjustment, reveal->to);
      goes_on = false;
    }
  }
  if (goes_on && move (reveal, adjustment, gdk_frame_clock_get_frame_time (clock)))
    return G_SOURCE_CONTINUE;
  reveal->tick = 0;
  return G_SOURCE_REMOVE;
}

void
hs_figure_reveal (HsFigure *figure, const unsigned *parts, size_t n)
{
  g_return_if_fail (HS_IS_FIGURE (figure));
  Reveal *before = g_object_get_data (G_OBJECT (figure), REVEAL);
  Reveal *reveal = g_new0 (Reveal, 1);

  if (before != NULL && before->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (figure), before->tick);
  reveal->parts = g_array_new (FALSE, FALSE, sizeof (unsigned));
  g_array_append_vals (reveal->parts, parts, (guint)n);
  g_object_set_data_full (G_OBJECT (figure), REVEAL, reveal, reveal_free);
  reveal->tick = gtk_widget_add_tick_callback (GTK_WIDGET (figure), tick_cb, reveal, NULL);
}
