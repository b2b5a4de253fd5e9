/* SPDX-License-Identifier: MIT */
/* A titled list of names with a bar and a number each, the strongest first. */
#include "hs-bar-list.h"

#include "hs-children.h"
#include "hs-label-tip.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#include <math.h>

#define DECIMALS 4
#define MOST_FIXED 1e5f
#define LEAST_CHARS 6 /* of names, where letters are large … */
#define NAME_CHARS 12 /* … and at most, so that bars have room */

struct _HsBarList {
  GtkWidget parent_instance;

  char *title;
  char *footer;
  gboolean picked;

  GtkWidget *grid;
  GtkWidget *more;
  GtkStack *labels; /* of more: as wide as the wider one, so that nothing moves */
  GPtrArray *rows;  /* Row, as many as were ever shown */
  GPtrArray *names; /* what to show, shown or not */
  GArray *values;   /* float, one a name */
};

/* The three widgets of one line; made once, filled anew for each text. */
typedef struct {
  GtkWidget *name, *bar, *number; /* owned by the grid */
} Row;

enum { PROP_0, PROP_TITLE, PROP_FOOTER, PROP_PICKED, N_PROPS };

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (HsBarList, hs_bar_list, GTK_TYPE_WIDGET)

static Row *
add_row (HsBarList *self)
{
  Row *row = g_new0 (Row, 1);
  int line = (int)self->rows->len;

  row->name = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row->name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (row->name), LEAST_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (row->name), NAME_CHARS);
  hs_label_tip_add (GTK_LABEL (row->name));

  row->bar = gtk_level_bar_new ();
  gtk_widget_set_hexpand (row->bar, TRUE);
  gtk_widget_set_valign (row->bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (row->bar, self->picked ? "picked" : "share");
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_FULL);

  row->number = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->number), 1);
  gtk_widget_add_css_class (row->number, "numeric");

  gtk_grid_attach (GTK_GRID (self->grid), row->name, 0, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row->bar, 1, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row->number, 2, line, 1, 1);
  g_ptr_array_add (self->rows, row);
  return row;
}

/* With the decimals that weights have; what is far from a weight in few digits. */
static const char *
format_value (char *number, float value)
{
  if (isinf (value))
    return value > 0 ? "∞" : "−∞";
  if (fabsf (value) >= MOST_FIXED)
    return g_ascii_formatd (number, ATTN_NUMBER_SIZE, "%.3g", (double)value);
  return attn_number_format_fixed (number, (double)value, DECIMALS);
}

static void
fill_row (Row *row, const char *name, float value, float largest)
{
  char number[ATTN_NUMBER_SIZE];
  gtk_label_set_text (GTK_LABEL (row->name), name);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (row->bar), largest > 0 && isfinite (value)
                                                         ? CLAMP ((double)(value / largest), 0, 1)
                                                         : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_label_set_text (GTK_LABEL (row->number), format_value (number, value));
}

static float
find_largest (HsBarList *self)
{
  float largest = 0; /* of the finite ones, which alone have a bar */
  for (guint i = 0; i < self->values->len; i++) {
    float value = g_array_index (self->values, float, i);
    if (isfinite (value))
      largest = MAX (largest, value);
  }
  return largest;
}

static void
show_rows (HsBarList *self)
{
  bool all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->more));
  guint n_shown = all ? self->names->len : MIN (self->names->len, HS_BAR_LIST_SHORT);
  float largest = find_largest (self);
  for (guint i = 0; i < MAX (n_shown, self->rows->len); i++) {
    Row *row = i < self->rows->len ? g_ptr_array_index (self->rows, i) : add_row (self);
    if (i < n_shown)
      fill_row (row, g_ptr_array_index (self->names, i), g_array_index (self->values, float, i),
                largest);
    gtk_widget_set_visible (row->name, i < n_shown);
    gtk_widget_set_visible (row->bar, i < n_shown);
    gtk_widget_set_visible (row->number, i < n_shown);
  }
  gtk_widget_set_visible (self->more, self->names->len > HS_BAR_LIST_SHORT);
  gtk_stack_set_visible_child_name (self->labels, all ? "fewer" : "more");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  all ? _ ("Fewer") : _ ("More"), -1);
}

static void
more_toggled_cb (HsBarList *self)
{
  show_rows (self);
}

void
hs_bar_list_set_entries (HsBarList *self, const HsBarEntry *entries, size_t n)
{
  g_return_if_fail (HS_IS_BAR_LIST (self));

  g_ptr_array_set_size (self->names, 0);
  g_array_set_size (self->values, 0);
  for (size_t i = 0; i < n; i++) {
    g_ptr_array_add (self->names, g_strdup (entries[i].name));
    g_array_append_val (self->values, entries[i].value);
  }
  show_rows (self);
}

static void
hs_bar_list_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsBarList *self = HS_BAR_LIST (object);
  switch (id) {
  case PROP_TITLE:
    g_value_set_string (value, self->title);
    break;
  case PROP_FOOTER:
    g_value_set_string (value, self->footer);
    break;
  case PROP_PICKED:
    g_value_set_boolean (value, self->picked);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
set_string (HsBarList *self, char **field, const GValue *value, GParamSpec *pspec)
{
  if (g_strcmp0 (*field, g_value_get_string (value)) == 0)
    return;
  g_free (*field);
  *field = g_value_dup_string (value);
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
hs_bar_list_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsBarList *self = HS_BAR_LIST (object);
  switch (id) {
  case PROP_TITLE:
    set_string (self, &self->title, value, pspec);
    break;
  case PROP_FOOTER:
    set_string (self, &self->footer, value, pspec);
    break;
  case PROP_PICKED:
    self->picked = g_value_get_boolean (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_bar_list_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_BAR_LIST);
  hs_children_unparent (GTK_WIDGET (object));
  G_OBJECT_CLASS (hs_bar_list_parent_class)->dispose (object);
}

static void
hs_bar_list_finalize (GObject *object)
{
  HsBarList *self = HS_BAR_LIST (object);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->names);
  g_array_unref (self->values);
  g_free (self->title);
  g_free (self->footer);
  G_OBJECT_CLASS (hs_bar_list_parent_class)->finalize (object);
}

static void
hs_bar_list_class_init (HsBarListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_bar_list_get_property;
  object_class->set_property = hs_bar_list_set_property;
  object_class->dispose = hs_bar_list_dispose;
  object_class->finalize = hs_bar_list_finalize;

  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_FOOTER] = g_param_spec_string ("footer", NULL, NULL, NULL, flags);
  props[PROP_PICKED] =
      g_param_spec_boolean ("picked", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-bar-list.ui");
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsBarList, grid);
  gtk_widget_class_bind_template_child (widget_class, HsBarList, more);
  gtk_widget_class_bind_template_child (widget_class, HsBarList, labels);
  gtk_widget_class_bind_template_callback (widget_class, more_toggled_cb);
}

static void
hs_bar_list_init (HsBarList *self)
{
  self->rows = g_ptr_array_new_with_free_func (g_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (float));
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hs_bar_list_new (void)
{
  return g_object_new (HS_TYPE_BAR_LIST, NULL);
}
