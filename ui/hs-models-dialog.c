/* SPDX-License-Identifier: MIT */
/* Puts the pages together and closes when a model was opened. */
#include "hs-models-dialog.h"

#include "hs-accessible.h"
#include "hs-dialog-keys.h"
#include "hs-models-get.h"
#include "hs-models-here.h"

struct _HsModelsDialog {
  GtkWindow parent_instance;

  GtkStack *pages;
  HsModelsHere *here;
  HsModelsGet *get;
};

G_DEFINE_FINAL_TYPE (HsModelsDialog, hs_models_dialog, GTK_TYPE_WINDOW)

static void
hs_models_dialog_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_MODELS_DIALOG);
  G_OBJECT_CLASS (hs_models_dialog_parent_class)->dispose (object);
}

static void
hs_models_dialog_class_init (HsModelsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_models_dialog_dispose;
  g_type_ensure (HS_TYPE_MODELS_GET);
  g_type_ensure (HS_TYPE_MODELS_HERE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-models-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HsModelsDialog, pages);
  gtk_widget_class_bind_template_child (widget_class, HsModelsDialog, here);
  gtk_widget_class_bind_template_child (widget_class, HsModelsDialog, get);
  hs_dialog_keys_add (widget_class);
}

static void
hs_models_dialog_init (HsModelsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
}

void
hs_models_dialog_show_page (HsModelsDialog *self, const char *page)
{
  g_return_if_fail (HS_IS_MODELS_DIALOG (self));

  gtk_stack_set_visible_child_name (self->pages, page);
  gtk_widget_grab_focus (gtk_stack_get_visible_child (self->pages));
}

void
hs_models_dialog_show_name (HsModelsDialog *self, const char *name)
{
  g_return_if_fail (HS_IS_MODELS_DIALOG (self));

  hs_models_dialog_show_page (self, HS_MODELS_DIALOG_GET);
  hs_models_get_set_name (self->get, name);
}

static void
incomplete_cb (HsModelsDialog *self, const char *name)
{
  hs_models_dialog_show_page (self, HS_MODELS_DIALOG_GET);
  hs_models_get_look_up (self->get, name);
}

GtkWidget *
hs_models_dialog_new (HsWindow *window, HsDownloads *downloads)
{
  HsModels *models = hs_downloads_peek_models (downloads);
  HsModelsDialog *self = g_object_new (HS_TYPE_MODELS_DIALOG, "transient-for", window,
                                       "destroy-with-parent", TRUE, NULL);

  hs_models_here_set_up (self->here, downloads, window);
  hs_models_get_set_up (self->get, downloads, window);
  g_signal_connect_object (self->here, "opened", G_CALLBACK (gtk_window_close), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->get, "opened", G_CALLBACK (gtk_window_close), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->here, "incomplete", G_CALLBACK (incomplete_cb), self,
                           G_CONNECT_SWAPPED);
  hs_models_refresh (models);
  return GTK_WIDGET (self);
}
