/* SPDX-License-Identifier: MIT */
/* The bar is drawn over the child, and as far down as the page is scrolled past it. */
#include "hs-sticky.h"

#define SPACING 10

struct _HsSticky {
  GtkWidget parent_instance;

  GtkWidget *bar, *child;    /* nullable until they are set */
  GtkAdjustment *adjustment; /* (nullable): referenced while it is mapped: what scrolls the page */
  guint tick;                /* 0 for none */
};

G_DEFINE_FINAL_TYPE (HsSticky, hs_sticky, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_BAR, PROP_CHILD, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_sticky_new (GtkWidget *bar, GtkWidget *child)
{
  return g_object_new (HS_TYPE_STICKY, "bar", bar, "child", child, NULL);
}

static int
measure_bar (HsSticky *self, int width)
{
  int height = 0;

  if (self->bar != NULL)
    gtk_widget_measure (self->bar, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  return height;
}

int
hs_sticky_get_covered (GtkWidget *widget)
{
  GtkWidget *sticky = gtk_widget_get_ancestor (widget, HS_TYPE_STICKY);

  return sticky != NULL ? measure_bar (HS_STICKY (sticky), gtk_widget_get_width (sticky)) : 0;
}

/* ---- places ---- */

static void
hs_sticky_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline G_GNUC_UNUSED,
                   int *natural_baseline G_GNUC_UNUSED)
{
  HsSticky *self = HS_STICKY (widget);
  GtkWidget *children[] = {self->bar, self->child};
  const gboolean is_high = orientation == GTK_ORIENTATION_VERTICAL;

  *minimum = *natural = is_high ? SPACING : 0;
  for (size_t i = 0; i < G_N_ELEMENTS (children); i++) {
    int least = 0, usual = 0;
    if (children[i] != NULL)
      gtk_widget_measure (children[i], orientation, for_size, &least, &usual, NULL, NULL);
    *minimum = is_high ? *minimum + least : MAX (*minimum, least);
    *natural = is_high ? *natural + usual : MAX (*natural, usual);
  }
}

/* Px by which the top of this is over that of what is seen. */
static int
find_hidden (HsSticky *self)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  double x, y;

  if (scrolled == NULL ||
      !gtk_widget_translate_coordinates (GTK_WIDGET (self), scrolled, 0, 0, &x, &y))
    return 0;
  return y < 0 ? (int)-y : 0;
}

static void
hs_sticky_size_allocate (GtkWidget *widget, int width, int height, int baseline G_GNUC_UNUSED)
{
  HsSticky *self = HS_STICKY (widget);
  const int bar = measure_bar (self, width);
  const int down = MIN (find_hidden (self), MAX (height - bar, 0));

  if (self->bar != NULL)
    gtk_widget_size_allocate (self->bar, &(GtkAllocation){0, down, width, bar}, -1);
  if (self->child != NULL)
    gtk_widget_size_allocate (
        self->child, &(GtkAllocation){0, bar + SPACING, width, MAX (height - bar - SPACING, 0)},
        -1);
}

static GtkSizeRequestMode
hs_sticky_get_request_mode (GtkWidget *widget G_GNUC_UNUSED)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* ---- scrolling ---- */

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  HS_STICKY (widget)->tick = 0;
  gtk_widget_queue_allocate (widget);
  return G_SOURCE_REMOVE;
}

/* Not at once: it may come while the page is laid out. */
static void
scrolled_cb (HsSticky *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
stop_watching (HsSticky *self)
{
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (self->adjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->adjustment, self);
  g_clear_object (&self->adjustment);
}

static void
hs_sticky_map (GtkWidget *widget)
{
  HsSticky *self = HS_STICKY (widget);
  GtkWidget *scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  GTK_WIDGET_CLASS (hs_sticky_parent_class)->map (widget);
  stop_watching (self);
  if (scrolled == NULL)
    return;
  self->adjustment =
      g_object_ref (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)));
  g_signal_connect_swapped (self->adjustment, "value-changed", G_CALLBACK (scrolled_cb), self);
}

static void
hs_sticky_unmap (GtkWidget *widget)
{
  stop_watching (HS_STICKY (widget));
  GTK_WIDGET_CLASS (hs_sticky_parent_class)->unmap (widget);
}

/* ---- object ---- */

/* The bar is the last of the children: over the other one. */
static void
hs_sticky_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsSticky *self = HS_STICKY (object);
  GtkWidget *widget = id == PROP_BAR || id == PROP_CHILD ? g_value_get_object (value) : NULL;

  if (id != PROP_BAR && id != PROP_CHILD) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GtkWidget **place = id == PROP_BAR ? &self->bar : &self->child;
  g_return_if_fail (*place == NULL || widget == NULL);
  if (widget == NULL)
    return;
  *place = widget;
  gtk_widget_insert_before (widget, GTK_WIDGET (self), id == PROP_BAR ? NULL : self->bar);
}

static void
hs_sticky_dispose (GObject *object)
{
  HsSticky *self = HS_STICKY (object);

  stop_watching (self);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->child, gtk_widget_unparent);
  G_OBJECT_CLASS (hs_sticky_parent_class)->dispose (object);
}

static void
hs_sticky_class_init (HsStickyClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  G_OBJECT_CLASS (klass)->set_property = hs_sticky_set_property;
  G_OBJECT_CLASS (klass)->dispose = hs_sticky_dispose;
  widget_class->measure = hs_sticky_measure;
  widget_class->size_allocate = hs_sticky_size_allocate;
  widget_class->get_request_mode = hs_sticky_get_request_mode;
  widget_class->map = hs_sticky_map;
  widget_class->unmap = hs_sticky_unmap;
  props[PROP_BAR] = g_param_spec_object ("bar", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  gtk_widget_class_set_css_name (widget_class, "sticky");
}

static void
hs_sticky_init (HsSticky *self G_GNUC_UNUSED)
{
}
