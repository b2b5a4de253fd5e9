/* SPDX-License-Identifier: MIT */
/* A row of toggle buttons and a menu button, of which one is seen. */
#include "hs-switch.h"

#include "hs-children.h"

#include <stdbool.h>

struct _HsSwitch {
  GtkWidget parent_instance;

  GtkWidget *row; /* nullable */
  GtkWidget *menu;
  GtkWidget *chosen; /* the menu button's label */
};

G_DEFINE_FINAL_TYPE (HsSwitch, hs_switch, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_ROW, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_switch_new (GtkWidget *row)
{
  return g_object_new (HS_TYPE_SWITCH, "row", row, NULL);
}

GtkWidget *
hs_switch_new_toggle (const char *label,
                      const char *tooltip,
                      const char *action,
                      const char *target)
{
  GtkWidget *toggle = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", label, "tooltip-text", tooltip,
                                    "action-name", action, NULL);

  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (toggle), g_variant_new_string (target));
  /* else GTK 4.8 would read the tooltip for it */
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return toggle;
}

static void
hs_switch_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size G_GNUC_UNUSED,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  HsSwitch *self = HS_SWITCH (widget);
  int row = 0;

  gtk_widget_measure (self->menu, orientation, -1, minimum, natural, NULL, NULL);
  if (self->row != NULL)
    gtk_widget_measure (self->row, orientation, -1, NULL, &row, NULL, NULL);
  *natural = MAX (*natural, row);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural;
  *minimum_baseline = *natural_baseline = -1;
}

/* Also for those who do not look at the screen. */
static void
set_seen (GtkWidget *child, bool seen)
{
  if (gtk_widget_get_child_visible (child) == seen)
    return;
  gtk_widget_set_child_visible (child, seen);
  gtk_accessible_update_state (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_STATE_HIDDEN, !seen, -1);
}

static void
hs_switch_size_allocate (GtkWidget *widget, int width, int height, int baseline G_GNUC_UNUSED)
{
  HsSwitch *self = HS_SWITCH (widget);
  int row = 0;

  if (self->row == NULL)
    return;
  gtk_widget_measure (self->row, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &row, NULL, NULL);
  const bool has_room = width >= row;
  set_seen (self->row, has_room);
  set_seen (self->menu, !has_room);
  gtk_widget_size_allocate (has_room ? self->row : self->menu,
                            &(GtkAllocation){0, 0, width, height}, -1);
}

/* ---- the menu ---- */

static const char *
peek_label (GtkWidget *toggle)
{
  return gtk_button_get_label (GTK_BUTTON (toggle));
}

/* Made when it is opened, of what is in the row by then. */
static void
make_menu_cb (GtkMenuButton *button, gpointer data)
{
  HsSwitch *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (GtkWidget *toggle = gtk_widget_get_first_child (self->row); toggle != NULL;
       toggle = gtk_widget_get_next_sibling (toggle)) {
    g_autoptr (GMenuItem) item = g_menu_item_new (peek_label (toggle), NULL);

    g_menu_item_set_action_and_target_value (
        item, gtk_actionable_get_action_name (GTK_ACTIONABLE (toggle)),
        gtk_actionable_get_action_target_value (GTK_ACTIONABLE (toggle)));
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
toggled_cb (GtkToggleButton *toggle, HsSwitch *self)
{
  GtkWidget *inside = gtk_widget_get_first_child (self->menu);

  if (!gtk_toggle_button_get_active (toggle))
    return;
  gtk_label_set_text (GTK_LABEL (self->chosen), peek_label (GTK_WIDGET (toggle)));
  gtk_widget_set_tooltip_text (self->menu, peek_label (GTK_WIDGET (toggle)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  peek_label (GTK_WIDGET (toggle)), -1);
}

static void
set_row (HsSwitch *self, GtkWidget *row)
{
  g_clear_pointer (&self->row, gtk_widget_unparent);
  self->row = row;
  if (row == NULL)
    return;
  gtk_widget_insert_before (row, GTK_WIDGET (self), self->menu);
  for (GtkWidget *toggle = gtk_widget_get_first_child (row); toggle != NULL;
       toggle = gtk_widget_get_next_sibling (toggle)) {
    g_signal_connect_object (toggle, "toggled", G_CALLBACK (toggled_cb), self, 0);
    toggled_cb (GTK_TOGGLE_BUTTON (toggle), self);
  }
}

/* ---- object ---- */

static void
hs_switch_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ROW)
    g_value_set_object (value, HS_SWITCH (object)->row);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_switch_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id != PROP_ROW) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  set_row (HS_SWITCH (object), g_value_get_object (value));
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_switch_dispose (GObject *object)
{
  HsSwitch *self = HS_SWITCH (object);

  self->row = NULL;
  hs_children_unparent (GTK_WIDGET (object));
  G_OBJECT_CLASS (hs_switch_parent_class)->dispose (object);
}

static void
hs_switch_class_init (HsSwitchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_switch_get_property;
  object_class->set_property = hs_switch_set_property;
  object_class->dispose = hs_switch_dispose;
  widget_class->measure = hs_switch_measure;
  widget_class->size_allocate = hs_switch_size_allocate;

  props[PROP_ROW] =
      g_param_spec_object ("row", NULL, NULL, GTK_TYPE_WIDGET,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "pageswitch");
}

static void
hs_switch_init (HsSwitch *self)
{
  self->chosen = g_object_new (GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 4,
                               "xalign", 0.0, NULL);
  self->menu =
      g_object_new (GTK_TYPE_MENU_BUTTON, "always-show-arrow", TRUE, "child", self->chosen, NULL);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  set_seen (self->menu, false);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->menu), make_menu_cb, self, NULL);
}
