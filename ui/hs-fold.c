/* SPDX-License-Identifier: MIT */
/* A container that folds its side child under the main one when it becomes narrow. */
#include "hs-fold.h"

#define SPACING 12
#define USUAL_SHARE 2.4

struct _HsFold {
  GtkWidget parent_instance;

  GtkWidget *main;
  GtkWidget *side;
  int threshold;
  double share;         /* the side child goes this often into what is not folded */
  double natural_share; /* as wide as it likes it goes this often into what gives it that; or 0 */
  double folded_aspect;
};

G_DEFINE_FINAL_TYPE (HsFold, hs_fold, GTK_TYPE_WIDGET)

enum {
  PROP_0,
  PROP_MAIN,
  PROP_SIDE,
  PROP_THRESHOLD,
  PROP_SHARE,
  PROP_NATURAL_SHARE,
  PROP_FOLDED_ASPECT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_fold_new (void)
{
  return g_object_new (HS_TYPE_FOLD, NULL);
}

static bool
visible (GtkWidget *child)
{
  return child != NULL && gtk_widget_should_layout (child);
}

static GtkSizeRequestMode
hs_fold_get_request_mode (GtkWidget *widget G_GNUC_UNUSED)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

typedef struct {
  int min, nat;
} Extent;

static Extent
measure_child (GtkWidget *child, GtkOrientation orientation, int for_size)
{
  Extent extent = {0, 0};

  if (visible (child))
    gtk_widget_measure (child, orientation, for_size, &extent.min, &extent.nat, NULL, NULL);
  return extent;
}

/* px from which both stand side by side. */
static int
get_threshold (HsFold *self)
{
  const int side = measure_child (self->side, GTK_ORIENTATION_HORIZONTAL, -1).min;

  return MAX (self->threshold, (int)(self->share * side));
}

/* Returns: the side child's width beside the main one, where both have @width. */
static int
find_side_width (HsFold *self, int width)
{
  const Extent side = measure_child (self->side, GTK_ORIENTATION_HORIZONTAL, -1);

  return self->natural_share > 0 && width >= self->natural_share * side.nat ? side.nat : side.min;
}

/* The main child's height where the side child is under it. */
static Extent
measure_folded (HsFold *self, int width)
{
  Extent extent = measure_child (self->main, GTK_ORIENTATION_VERTICAL, width);

  if (width > 0)
    extent.min = MAX (extent.min, (int)(width * self->folded_aspect));
  extent.nat = MAX (extent.nat, extent.min);
  return extent;
}

static void
hs_fold_measure (GtkWidget *widget,
                 GtkOrientation orientation,
                 int for_size,
                 int *minimum,
                 int *natural,
                 int *minimum_baseline,
                 int *natural_baseline)
{
  HsFold *self = HS_FOLD (widget);
  const bool both = visible (self->main) && visible (self->side);
  const int gap = both ? SPACING : 0;

  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    const Extent main = measure_child (self->main, orientation, -1);
    const Extent side = measure_child (self->side, orientation, -1);

    *minimum = MAX (main.min, side.min); /* folded */
    *natural = main.nat + gap + side.nat;
  } else if (both && (for_size < 0 || for_size >= get_threshold (self))) {
    const int width = find_side_width (self, for_size);
    const Extent side = measure_child (self->side, orientation, width);
    const Extent main =
        measure_child (self->main, orientation, for_size < 0 ? -1 : for_size - gap - width);

    *minimum = MAX (main.min, side.min);
    *natural = MAX (main.nat, side.nat);
  } else {
    const Extent side = measure_child (self->side, orientation, for_size);
    const Extent main =
        both ? measure_folded (self, for_size) : measure_child (self->main, orientation, for_size);

    /* the side child's own scrolling is not wanted here: it gets all it would like */
    *minimum = main.min + gap + side.nat;
    *natural = main.nat + gap + side.nat;
  }
}

static void
allocate (GtkWidget *child, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation){x, y, width, height}, -1);
}

static void
hs_fold_size_allocate (GtkWidget *widget, int width, int height, int baseline G_GNUC_UNUSED)
{
  HsFold *self = HS_FOLD (widget);
  const bool rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  if (!visible (self->main) || !visible (self->side)) {
    if (visible (self->main))
      allocate (self->main, 0, 0, width, height);
    if (visible (self->side))
      allocate (self->side, 0, 0, width, height);
  } else if (width >= get_threshold (self)) {
    const int side = find_side_width (self, width);

    allocate (self->main, rtl ? side + SPACING : 0, 0, width - side - SPACING, height);
    allocate (self->side, rtl ? 0 : width - side, 0, side, height);
  } else {
    const Extent side = measure_child (self->side, GTK_ORIENTATION_VERTICAL, width);
    const Extent main = measure_folded (self, width);
    const int above = MAX (height - SPACING - side.nat, main.min);

    allocate (self->main, 0, 0, width, above);
    allocate (self->side, 0, above + SPACING, width, MAX (height - above - SPACING, side.min));
  }
}

/* As one reads, the main child first: GTK goes by the middles of children, and a low side child
 * would come before. */
static gboolean
hs_fold_focus (GtkWidget *widget, GtkDirectionType direction)
{
  HsFold *self = HS_FOLD (widget);
  const bool back = direction == GTK_DIR_TAB_BACKWARD;
  GtkWidget *const order[] = {back ? self->side : self->main, back ? self->main : self->side};

  if (direction != GTK_DIR_TAB_FORWARD && !back)
    return GTK_WIDGET_CLASS (hs_fold_parent_class)->focus (widget, direction);
  for (size_t i = order[1] != NULL && gtk_widget_get_focus_child (widget) == order[1] ? 1 : 0;
       i < G_N_ELEMENTS (order); i++)
    if (order[i] != NULL && gtk_widget_child_focus (order[i], direction))
      return TRUE;
  return FALSE;
}

static void
replace_child (HsFold *self, GtkWidget **place, GtkWidget *child)
{
  g_clear_pointer (place, gtk_widget_unparent);
  *place = child;
  if (child != NULL)
    gtk_widget_set_parent (child, GTK_WIDGET (self));
}

static void
hs_fold_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsFold *self = HS_FOLD (object);

  switch (id) {
  case PROP_MAIN:
    g_value_set_object (value, self->main);
    break;
  case PROP_SIDE:
    g_value_set_object (value, self->side);
    break;
  case PROP_THRESHOLD:
    g_value_set_int (value, self->threshold);
    break;
  case PROP_SHARE:
    g_value_set_double (value, self->share);
    break;
  case PROP_NATURAL_SHARE:
    g_value_set_double (value, self->natural_share);
    break;
  case PROP_FOLDED_ASPECT:
    g_value_set_double (value, self->folded_aspect);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

/* Returns: whether @place was another. */
static bool
replace_number (HsFold *self, double *place, double number)
{
  if (*place == number)
    return false;
  *place = number;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return true;
}

static void
hs_fold_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsFold *self = HS_FOLD (object);

  switch (id) {
  case PROP_MAIN:
    replace_child (self, &self->main, g_value_get_object (value));
    break;
  case PROP_SIDE:
    replace_child (self, &self->side, g_value_get_object (value));
    break;
  case PROP_THRESHOLD:
    if (self->threshold == g_value_get_int (value))
      return;
    self->threshold = g_value_get_int (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  case PROP_SHARE:
    if (!replace_number (self, &self->share, g_value_get_double (value)))
      return;
    break;
  case PROP_NATURAL_SHARE:
    if (!replace_number (self, &self->natural_share, g_value_get_double (value)))
      return;
    break;
  case PROP_FOLDED_ASPECT:
    if (!replace_number (self, &self->folded_aspect, g_value_get_double (value)))
      return;
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_fold_dispose (GObject *object)
{
  HsFold *self = HS_FOLD (object);

  g_clear_pointer (&self->main, gtk_widget_unparent);
  g_clear_pointer (&self->side, gtk_widget_unparent);
  G_OBJECT_CLASS (hs_fold_parent_class)->dispose (object);
}

static void
hs_fold_class_init (HsFoldClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hs_fold_get_property;
  object_class->set_property = hs_fold_set_property;
  object_class->dispose = hs_fold_dispose;
  widget_class->get_request_mode = hs_fold_get_request_mode;
  widget_class->measure = hs_fold_measure;
  widget_class->size_allocate = hs_fold_size_allocate;
  widget_class->focus = hs_fold_focus;

  props[PROP_MAIN] = g_param_spec_object ("main", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_SIDE] = g_param_spec_object ("side", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_THRESHOLD] = g_param_spec_int ("threshold", NULL, NULL, 0, G_MAXINT, 0, flags);
  props[PROP_SHARE] = g_param_spec_double ("share", NULL, NULL, 1, 100, USUAL_SHARE, flags);
  props[PROP_NATURAL_SHARE] = g_param_spec_double ("natural-share", NULL, NULL, 0, 100, 0, flags);
  props[PROP_FOLDED_ASPECT] = g_param_spec_double ("folded-aspect", NULL, NULL, 0, 10, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_fold_init (HsFold *self)
{
  self->threshold = 720;
  self->share = USUAL_SHARE;
}
