/* SPDX-License-Identifier: MIT */
/* Shows a text and copies it. */
#include "hs-about.h"

#include "hs-build.h"
#include "hs-dialog-keys.h"

#include <glib/gi18n.h>

struct _HsAbout {
  GtkWindow parent_instance;

  GtkImage *logo;
  GtkLabel *name;
  GtkTextBuffer *diagnostics;
  GtkWidget *copy;
  GtkLabel *copied;
};

G_DEFINE_FINAL_TYPE (HsAbout, hs_about, GTK_TYPE_WINDOW)

static void
copy_cb (HsAbout *self)
{
  g_autofree char *text = NULL;

  g_object_get (self->diagnostics, "text", &text, NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_label_set_text (self->copied, _ ("It is in the clipboard"));
}

static void
hs_about_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ABOUT);
  G_OBJECT_CLASS (hs_about_parent_class)->dispose (object);
}

static void
hs_about_class_init (HsAboutClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_about_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-about.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAbout, logo);
  gtk_widget_class_bind_template_child (widget_class, HsAbout, name);
  gtk_widget_class_bind_template_child (widget_class, HsAbout, diagnostics);
  gtk_widget_class_bind_template_child (widget_class, HsAbout, copy);
  gtk_widget_class_bind_template_child (widget_class, HsAbout, copied);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
  hs_dialog_keys_add (widget_class);
}

static void
hs_about_init (HsAbout *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_image_set_from_icon_name (self->logo, HS_APP_ID);
  gtk_label_set_text (self->name, "Headscope " HS_VERSION);
  /* the name would come twice, once with the underscore of its mnemonic */
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->copy), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

GtkWidget *
hs_about_new (GtkWindow *parent, const char *diagnostics)
{
  HsAbout *self = g_object_new (HS_TYPE_ABOUT, "transient-for", parent, "modal", TRUE, NULL);

  gtk_text_buffer_set_text (self->diagnostics, diagnostics, -1);
  gtk_window_set_focus (GTK_WINDOW (self), self->copy);
  return GTK_WIDGET (self);
}
