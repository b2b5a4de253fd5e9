/* SPDX-License-Identifier: MIT */
/* Lines of widgets, each of its natural width, as many to a line as fit. */
#include "hs-wrap-layout.h"

struct _HsWrapLayout {
  GtkLayoutManager parent_instance;

  int spacing;
  gboolean last_at_end, even;
  int even_width; /* while lines are set: of every child; 0 for each its own */
};

G_DEFINE_FINAL_TYPE (HsWrapLayout, hs_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

enum { PROP_0, PROP_SPACING, PROP_LAST_AT_END, PROP_EVEN, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkLayoutManager *
hs_wrap_layout_new (void)
{
  return g_object_new (HS_TYPE_WRAP_LAYOUT, NULL);
}

static GtkSizeRequestMode
hs_wrap_layout_get_request_mode (GtkLayoutManager *manager G_GNUC_UNUSED,
                                 GtkWidget *widget G_GNUC_UNUSED)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static GtkWidget *
next_visible (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
last_visible (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_last_child (widget);

  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_prev_sibling (child);
  return child;
}

/* A child is as wide as it likes, but never wider than a line. */
static int
measure_width (GtkWidget *child, int line_width)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return MAX (MIN (natural, line_width), minimum);
}

/* Returns: of each of as many children as fit beside each other, all as wide as the widest likes.
 */
static int
find_even_width (HsWrapLayout *self, GtkWidget *widget, int line_width)
{
  int n = 0, widest = 1;

  for (GtkWidget *child = next_visible (gtk_widget_get_first_child (widget)); child != NULL;
       child = next_visible (gtk_widget_get_next_sibling (child))) {
    widest = MAX (widest, measure_width (child, line_width));
    n++;
  }
  const int fit = CLAMP ((line_width + self->spacing) / (widest + self->spacing), 1, MAX (n, 1));
  return MAX ((line_width - (fit - 1) * self->spacing) / fit, widest);
}

static int
get_width (const HsWrapLayout *self, GtkWidget *child, int line_width)
{
  return self->even_width > 0 ? self->even_width : measure_width (child, line_width);
}

static int
measure_height (GtkWidget *child, int width)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

/* Children of one line: from @first up to @end, which is on the next. */
typedef struct {
  GtkWidget *first, *end;
  int width, height;
  int n_expanding; /* which share what the line leaves */
} Line;

/* As many children as fit, but at least one; not @last, which has a place of its own. */
static Line
measure_line (HsWrapLayout *self, GtkWidget *first, GtkWidget *last, int width)
{
  Line line = {.first = first, .end = first};

  while (line.end != NULL && line.end != last) {
    const int child_width = get_width (self, line.end, width);
    const int more = (line.width > 0 ? self->spacing : 0) + child_width;

    if (line.width > 0 && line.width + more > width)
      break;
    line.width += more;
    line.height = MAX (line.height, measure_height (line.end, child_width));
    line.n_expanding += gtk_widget_compute_expand (line.end, GTK_ORIENTATION_HORIZONTAL);
    line.end = next_visible (gtk_widget_get_next_sibling (line.end));
  }
  return line;
}

typedef struct {
  GtkWidget *widget;
  int width, y;
} Place;

/* @x from where lines begin, which is at the right where one reads from there. */
static void
place_child (const Place *place, GtkWidget *child, int x, int width, int height)
{
  const bool rtl = gtk_widget_get_direction (place->widget) == GTK_TEXT_DIR_RTL;
  const int left = rtl ? place->width - x - width : x;

  gtk_widget_size_allocate (child, &(GtkAllocation){left, place->y, width, height}, -1);
}

static void
place_line (HsWrapLayout *self, const Line *line, const Place *place, int room)
{
  int spare = MAX (room - line->width, 0), n_expanding = line->n_expanding, x = 0;

  for (GtkWidget *child = line->first; child != line->end;
       child = next_visible (gtk_widget_get_next_sibling (child))) {
    int width = get_width (self, child, place->width);

    if (self->even_width == 0 && gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL)) {
      const int more = spare / n_expanding--;
      width += more;
      spare -= more;
    }
    place_child (place, child, x, width, line->height);
    x += width + self->spacing;
  }
}

/* Sets all children in lines of @width; moves them there when @place. Returns: the height. The last
 * child stands at the end of the first line that has room for it. */
static int
set_lines (HsWrapLayout *self, GtkWidget *widget, int width, bool place)
{
  GtkWidget *child = next_visible (gtk_widget_get_first_child (widget));
  GtkWidget *last = self->last_at_end ? last_visible (widget) : NULL;
  const int last_width = last != NULL ? measure_width (last, width) : 0;
  bool has_last = last == NULL;

  self->even_width = self->even ? find_even_width (self, widget, width) : 0;
  Place at = {widget, width, 0};

  while (child != NULL && (child != last || !has_last)) {
    Line line = measure_line (self, child, last, width);
    const int gap = line.width > 0 ? self->spacing : 0;
    const bool takes_last = !has_last && line.width + gap + last_width <= width;

    if (child == last || takes_last)
      line.height = MAX (line.height, measure_height (last, last_width));
    if (place)
      place_line (self, &line, &at, width - (takes_last ? gap + last_width : 0));
    if (place && (child == last || takes_last))
      place_child (&at, last, width - last_width, last_width, line.height);
    has_last |= child == last || takes_last;
    child = line.end;
    at.y += line.height + self->spacing;
  }
  return MAX (at.y - self->spacing, 0);
}

static void
hs_wrap_layout_measure (GtkLayoutManager *manager,
                        GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  HsWrapLayout *self = HS_WRAP_LAYOUT (manager);
  GtkWidget *child = next_visible (gtk_widget_get_first_child (widget));
  int widest = 0, sum = 0;

  *minimum_baseline = *natural_baseline = -1;
  for (; child != NULL; child = next_visible (gtk_widget_get_next_sibling (child))) {
    int child_min, child_nat;

    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &child_min, &child_nat, NULL, NULL);
    widest = MAX (widest, child_min);
    sum += child_nat + (sum > 0 ? self->spacing : 0);
  }
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = widest;
    *natural = sum;
  } else {
    *minimum = *natural = set_lines (self, widget, for_size < 0 ? sum : for_size, false);
  }
}

static void
hs_wrap_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget *widget,
                         int width,
                         int height G_GNUC_UNUSED,
                         int baseline G_GNUC_UNUSED)
{
  set_lines (HS_WRAP_LAYOUT (manager), widget, width, true);
}

static void
hs_wrap_layout_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsWrapLayout *self = HS_WRAP_LAYOUT (object);

  if (id == PROP_SPACING)
    g_value_set_int (value, self->spacing);
  else if (id == PROP_LAST_AT_END)
    g_value_set_boolean (value, self->last_at_end);
  else if (id == PROP_EVEN)
    g_value_set_boolean (value, self->even);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_wrap_layout_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsWrapLayout *self = HS_WRAP_LAYOUT (object);

  if (id == PROP_SPACING && self->spacing != g_value_get_int (value))
    self->spacing = g_value_get_int (value);
  else if (id == PROP_LAST_AT_END && self->last_at_end != g_value_get_boolean (value))
    self->last_at_end = g_value_get_boolean (value);
  else if (id == PROP_EVEN && self->even != g_value_get_boolean (value))
    self->even = g_value_get_boolean (value);
  else
    return;
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_wrap_layout_class_init (HsWrapLayoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hs_wrap_layout_get_property;
  object_class->set_property = hs_wrap_layout_set_property;
  layout_class->get_request_mode = hs_wrap_layout_get_request_mode;
  layout_class->measure = hs_wrap_layout_measure;
  layout_class->allocate = hs_wrap_layout_allocate;

  props[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 12, flags);
  props[PROP_LAST_AT_END] = g_param_spec_boolean ("last-at-end", NULL, NULL, FALSE, flags);
  props[PROP_EVEN] = g_param_spec_boolean ("even", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_wrap_layout_init (HsWrapLayout *self)
{
  self->spacing = 12;
}
