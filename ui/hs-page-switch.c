/* SPDX-License-Identifier: MIT */
/* Two buttons of the same width, one of which may have to go. */
#include "hs-page-switch.h"

#include "hs-children.h"

struct _HsPageSwitch {
  GtkWidget parent_instance;

  GtkWidget *explore;
  GtkWidget *compare;
};

G_DEFINE_FINAL_TYPE (HsPageSwitch, hs_page_switch, GTK_TYPE_WIDGET)

static void
hs_page_switch_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size G_GNUC_UNUSED,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  HsPageSwitch *self = HS_PAGE_SWITCH (widget);
  int minima[2], naturals[2];

  gtk_widget_measure (self->explore, orientation, -1, &minima[0], &naturals[0], NULL, NULL);
  gtk_widget_measure (self->compare, orientation, -1, &minima[1], &naturals[1], NULL, NULL);
  *minimum = MAX (minima[0], minima[1]);
  *natural = MAX (naturals[0], naturals[1]);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural *= 2;
  *minimum_baseline = *natural_baseline = -1;
}

static bool
is_active (GtkWidget *button)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button));
}

static void
place (GtkWidget *button, int x, int width, int height)
{
  gtk_widget_size_allocate (button, &(GtkAllocation){x, 0, width, height}, -1);
}

static void
hs_page_switch_size_allocate (GtkWidget *widget, int width, int height, int baseline G_GNUC_UNUSED)
{
  HsPageSwitch *self = HS_PAGE_SWITCH (widget);
  const bool rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  const bool has_both = width >= natural;
  const int each = has_both ? width / 2 : width;
  gtk_widget_set_child_visible (self->explore, has_both || !is_active (self->explore));
  gtk_widget_set_child_visible (self->compare, has_both || is_active (self->explore));
  place (self->explore, has_both && rtl ? each : 0, each, height);
  place (self->compare, has_both && !rtl ? each : 0, each, height);
}

static void
hs_page_switch_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_PAGE_SWITCH);
  hs_children_unparent (GTK_WIDGET (object));
  G_OBJECT_CLASS (hs_page_switch_parent_class)->dispose (object);
}

static void
hs_page_switch_class_init (HsPageSwitchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_page_switch_dispose;
  widget_class->measure = hs_page_switch_measure;
  widget_class->size_allocate = hs_page_switch_size_allocate;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-page-switch.ui");
  gtk_widget_class_bind_template_child (widget_class, HsPageSwitch, explore);
  gtk_widget_class_bind_template_child (widget_class, HsPageSwitch, compare);
  gtk_widget_class_set_css_name (widget_class, "pageswitch");
}

static void
hs_page_switch_init (HsPageSwitch *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->explore, "toggled", G_CALLBACK (gtk_widget_queue_allocate), self);
}

GtkWidget *
hs_page_switch_new (void)
{
  return g_object_new (HS_TYPE_PAGE_SWITCH, NULL);
}
