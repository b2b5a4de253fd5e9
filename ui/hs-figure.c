/* SPDX-License-Identifier: MIT */
/* The figure is painted once into pixels; pointing at it draws outlines on top of them. */
#include "hs-figure.h"

#include "hs-cursor-keys.h"
#include "hs-pixels.h"

#include <math.h>

#define HOVER_LINE 1.0F
#define MOST_WIDTH 32767 /* px */

struct _HsFigure {
  GtkWidget parent_instance;

  char *label, *value; /* value nullable */
  HsFigureMaker make;  /* nullable */
  gpointer make_data;
  AttnDrawFigure *figure; /* nullable: of made_width */
  int made_width;         /* -1: it has to be made */
  int least_width;
  HsPixels *pixels; /* nullable: the figure's, for … */
  int pixels_scale; /* … this scale factor */
  gboolean is_hovered;
  gboolean is_told; /* that something is: until "hovered" says that nothing is any more */
  AttnDrawFigureHit hovered;
  AttnDrawRect *marks; /* [n_marks] owned */
  size_t n_marks;
};

G_DEFINE_FINAL_TYPE (HsFigure, hs_figure, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_LABEL, PROP_VALUE, N_PROPS };
enum { SIGNAL_PICKED, SIGNAL_HOVERED, SIGNAL_MOVED, SIGNAL_ACTIVATED, N_SIGNALS };

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

GtkWidget *
hs_figure_new (const char *label)
{
  return g_object_new (HS_TYPE_FIGURE, "label", label, NULL);
}

void
hs_figure_set_maker (HsFigure *self, HsFigureMaker make, gpointer data)
{
  g_return_if_fail (HS_IS_FIGURE (self));
  self->make = make;
  self->make_data = data;
  hs_figure_renew (self);
}

static void
set_hovered (HsFigure *self, const AttnDrawFigureHit *hit)
{
  const gboolean is_hovered = hit != NULL;
  if (self->is_hovered == is_hovered && self->is_told == is_hovered &&
      (!is_hovered || (hit->item == self->hovered.item && hit->row == self->hovered.row &&
                       hit->column == self->hovered.column)))
    return;
  self->is_hovered = self->is_told = is_hovered;
  self->hovered = is_hovered ? *hit : (AttnDrawFigureHit){0};
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, self->hovered.id, (guint)self->hovered.row,
                 (guint)self->hovered.column);
}

void
hs_figure_renew (HsFigure *self)
{
  g_return_if_fail (HS_IS_FIGURE (self));
  self->made_width = -1;
  set_hovered (self, NULL); /* the items have other places */
  hs_figure_set_marks (self, NULL, 0);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
hs_figure_set_marks (HsFigure *self, const AttnDrawRect *rects, size_t n)
{
  g_return_if_fail (HS_IS_FIGURE (self));
  if (n == 0 && self->n_marks == 0)
    return;
  g_free (self->marks);
  self->marks = n > 0 ? g_memdup2 (rects, n * sizeof *rects) : NULL;
  self->n_marks = n;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hs_figure_set_least_width (HsFigure *self, int width)
{
  g_return_if_fail (HS_IS_FIGURE (self));
  if (self->least_width == width)
    return;
  self->least_width = width;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* The figure of this width; NULL for none. */
static AttnDrawFigure *
ensure (HsFigure *self, int width)
{
  if (self->made_width == width)
    return self->figure;
  g_clear_pointer (&self->figure, attn_draw_figure_unref);
  g_clear_pointer (&self->pixels, hs_pixels_unref);
  self->is_hovered = FALSE; /* its items have other places */
  self->n_marks = 0;
  self->figure = self->make != NULL && width > 0 ? self->make (width, self->make_data) : NULL;
  self->made_width = width;
  return self->figure;
}

AttnDrawFigure *
hs_figure_peek (HsFigure *self)
{
  g_return_val_if_fail (HS_IS_FIGURE (self), NULL);
  return ensure (self, gtk_widget_get_width (GTK_WIDGET (self)));
}

bool
hs_figure_is_painted (HsFigure *self)
{
  g_return_val_if_fail (HS_IS_FIGURE (self), false);
  return self->pixels != NULL && self->made_width == gtk_widget_get_width (GTK_WIDGET (self));
}

/* ---- drawing ---- */

static HsPixels *
paint_pixels (AttnDrawFigure *figure, int scale)
{
  const size_t width = (size_t)(ceil (attn_draw_figure_get_width (figure)) * scale);
  const size_t height = (size_t)(ceil (attn_draw_figure_get_height (figure)) * scale);
  HsPixels *pixels = hs_pixels_new (width, height);
  size_t stride;
  uint32_t *data = hs_pixels_get_data (pixels, &stride);
  cairo_surface_t *surface =
      cairo_image_surface_create_for_data ((unsigned char *)data, CAIRO_FORMAT_RGB24, (int)width,
                                           (int)height, (int)(stride * sizeof *data));
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  attn_draw_figure_paint (figure, cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  return pixels;
}

static void
append_outline (GtkSnapshot *snapshot, const AttnDrawRect *rect, const GdkRGBA *color)
{
  const GskRoundedRect outline = GSK_ROUNDED_RECT_INIT (
      (float)rect->x - HOVER_LINE, (float)rect->y - HOVER_LINE, (float)rect->width + 2 * HOVER_LINE,
      (float)rect->height + 2 * HOVER_LINE);
  const float widths[] = {HOVER_LINE, HOVER_LINE, HOVER_LINE, HOVER_LINE};
  const GdkRGBA colors[] = {*color, *color, *color, *color};
  gtk_snapshot_append_border (snapshot, &outline, widths, colors);
}

/* The cell the pointer is on, and what goes with it. */
static void
draw_hover (HsFigure *self, GtkSnapshot *snapshot)
{
  const AttnDrawFigureHit *hit = &self->hovered;
  GdkRGBA color;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  for (size_t i = 0; i < self->n_marks; i++)
    append_outline (snapshot, &self->marks[i], &color);
  if (!self->is_hovered || hit->item >= attn_draw_figure_get_n_items (self->figure))
    return;
  const AttnDrawRect cell = attn_draw_figure_place (self->figure, hit->item, hit->row, hit->column);
  append_outline (snapshot, &cell, &color);
}

static void
hs_figure_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HsFigure *self = HS_FIGURE (widget);
  const HsScreen screen = hs_screen_of (widget);
  AttnDrawFigure *figure = ensure (self, gtk_widget_get_width (widget));
  if (figure == NULL)
    return;
  if (self->pixels == NULL || self->pixels_scale != screen.scale_factor) {
    g_clear_pointer (&self->pixels, hs_pixels_unref);
    self->pixels = paint_pixels (figure, screen.scale_factor);
    self->pixels_scale = screen.scale_factor;
  }
  const graphene_rect_t rect =
      GRAPHENE_RECT_INIT (0, 0, (float)ceil (attn_draw_figure_get_width (figure)),
                          (float)ceil (attn_draw_figure_get_height (figure)));
  hs_pixels_append (self->pixels, snapshot, &screen, &rect);
  draw_hover (self, snapshot);
}

static GtkSizeRequestMode
hs_figure_get_request_mode (GtkWidget *widget G_GNUC_UNUSED)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hs_figure_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  HsFigure *self = HS_FIGURE (widget);
  *minimum_baseline = *natural_baseline = -1;
  *minimum = *natural = self->least_width;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  /* without a width, or with one that no screen has, there is nothing to go by: as it is now */
  const bool is_width = for_size >= 0 && for_size <= MOST_WIDTH;
  AttnDrawFigure *figure = is_width ? ensure (self, for_size) : self->figure;
  *natural = figure != NULL ? (int)ceil (attn_draw_figure_get_height (figure)) : 0;
  *minimum = is_width ? *natural : 0;
}

/* ---- input ---- */

static bool
pick (HsFigure *self, double x, double y, AttnDrawFigureHit *hit)
{
  return self->figure != NULL && attn_draw_figure_pick (self->figure, x, y, hit);
}

static void
motion_cb (HsFigure *self, double x, double y)
{
  AttnDrawFigureHit hit;
  const bool is_on = pick (self, x, y, &hit);
  set_hovered (self, is_on ? &hit : NULL);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_on ? "pointer" : NULL);
}

static void
leave_cb (HsFigure *self)
{
  set_hovered (self, NULL);
}

typedef struct {
  GtkAdjustment *adjustment; /* borrowed */
  double value;
} Scrolled;

/* Taking the focus would scroll a high figure's top into view, away from under the pointer. */
void
hs_figure_take_keys (HsFigure *self)
{
  g_return_if_fail (HS_IS_FIGURE (self));
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (Scrolled));

  for (GtkWidget *each = GTK_WIDGET (self); each != NULL; each = gtk_widget_get_parent (each))
    if (GTK_IS_SCROLLED_WINDOW (each)) {
      GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (each));
      const Scrolled scrolled = {adjustment, gtk_adjustment_get_value (adjustment)};
      g_array_append_val (before, scrolled);
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  for (guint i = 0; i < before->len; i++) {
    const Scrolled *scrolled = &g_array_index (before, Scrolled, i);
    gtk_adjustment_set_value (scrolled->adjustment, scrolled->value);
  }
}

static void
pressed_cb (HsFigure *self, int n_press G_GNUC_UNUSED, double x, double y)
{
  AttnDrawFigureHit hit;
  hs_figure_take_keys (self);
  if (pick (self, x, y, &hit))
    g_signal_emit (self, signals[SIGNAL_PICKED], 0, hit.id, (guint)hit.row, (guint)hit.column);
}

static gboolean
move_cb (GtkWidget *widget, GVariant *args, gpointer data G_GNUC_UNUSED)
{
  gboolean handled = FALSE;
  g_signal_emit (widget, signals[SIGNAL_MOVED], 0, g_variant_get_int32 (args), &handled);
  return handled;
}

static gboolean
activate_cb (GtkWidget *widget, GVariant *args G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  gboolean handled = FALSE;
  g_signal_emit (widget, signals[SIGNAL_ACTIVATED], 0, &handled);
  return handled;
}

/* ---- object ---- */

/* GTK 4.8 hands no value text of an image on, so it is the description. */
static void
update_accessible (HsFigure *self)
{
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->label != NULL ? self->label : "",
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->value != NULL ? self->value : "", -1);
}

static void
hs_figure_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsFigure *self = HS_FIGURE (object);

  switch (id) {
  case PROP_LABEL:
    g_value_set_string (value, self->label);
    break;
  case PROP_VALUE:
    g_value_set_string (value, self->value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_figure_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsFigure *self = HS_FIGURE (object);
  char **text = id == PROP_LABEL ? &self->label : &self->value;

  if (id != PROP_LABEL && id != PROP_VALUE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (g_strcmp0 (*text, g_value_get_string (value)) == 0)
    return;
  g_free (*text);
  *text = g_value_dup_string (value);
  update_accessible (self);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_figure_finalize (GObject *object)
{
  HsFigure *self = HS_FIGURE (object);

  g_clear_pointer (&self->figure, attn_draw_figure_unref);
  g_clear_pointer (&self->pixels, hs_pixels_unref);
  g_free (self->label);
  g_free (self->value);
  g_free (self->marks);
  G_OBJECT_CLASS (hs_figure_parent_class)->finalize (object);
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  static const guint activates[] = {GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter,
                                    GDK_KEY_space};

  hs_cursor_bind_keys (widget_class, HS_MOVE_PAGE_DOWN, move_cb);
  for (size_t i = 0; i < G_N_ELEMENTS (activates); i++)
    gtk_widget_class_add_binding (widget_class, activates[i], 0, activate_cb, NULL);
}

static void
add_signals (GType type)
{
  signals[SIGNAL_PICKED] = g_signal_new ("picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT);
  signals[SIGNAL_HOVERED] = g_signal_new ("hovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT);
  signals[SIGNAL_MOVED] =
      g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL,
                    NULL, G_TYPE_BOOLEAN, 1, G_TYPE_INT);
  signals[SIGNAL_ACTIVATED] =
      g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                    NULL, NULL, G_TYPE_BOOLEAN, 0);
}

static void
hs_figure_class_init (HsFigureClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_figure_get_property;
  object_class->set_property = hs_figure_set_property;
  object_class->finalize = hs_figure_finalize;
  widget_class->snapshot = hs_figure_snapshot;
  widget_class->measure = hs_figure_measure;
  widget_class->get_request_mode = hs_figure_get_request_mode;

  props[PROP_LABEL] =
      g_param_spec_string ("label", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  props[PROP_VALUE] =
      g_param_spec_string ("value", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  add_signals (G_TYPE_FROM_CLASS (klass));
  add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "figure");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
hs_figure_init (HsFigure *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->made_width = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
