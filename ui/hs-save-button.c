/* SPDX-License-Identifier: MIT */
/* A menu button: GTK's own cannot be derived from. */
#include "hs-save-button.h"

#include "hs-accessible.h"
#include "hs-children.h"

struct _HsSaveButton {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (HsSaveButton, hs_save_button, GTK_TYPE_WIDGET)

GtkWidget *
hs_save_button_new (void)
{
  return g_object_new (HS_TYPE_SAVE_BUTTON, NULL);
}

static void
hs_save_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_SAVE_BUTTON);
  hs_children_unparent (GTK_WIDGET (object));
  G_OBJECT_CLASS (hs_save_button_parent_class)->dispose (object);
}

static void
hs_save_button_class_init (HsSaveButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_save_button_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-save-button.ui");
}

static void
hs_save_button_init (HsSaveButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
}
