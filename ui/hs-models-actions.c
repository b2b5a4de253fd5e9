/* SPDX-License-Identifier: MIT */
/* One dialog of models a window, made when it is first asked for. */
#include "hs-models-actions.h"

#include "hs-models-dialog.h"

#define MODELS "hs-models-actions"

/* Lives as long as the window. */
typedef struct {
  HsWindow *window; /* unowned */
  HsModels *models;
  GtkWidget *dialog; /* nullable, weak */
} Actions;

static void
actions_free (gpointer data)
{
  Actions *self = data;

  g_clear_weak_pointer (&self->dialog);
  g_object_unref (self->models);
  g_free (self);
}

static void
models_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  Actions *self = data;

  (void)action;
  (void)value;
  if (self->dialog == NULL)
    g_set_weak_pointer (&self->dialog, hs_models_dialog_new (self->window, self->models));
  gtk_window_present (GTK_WINDOW (self->dialog));
}

GtkWidget *
hs_models_actions_peek_dialog (HsWindow *window)
{
  Actions *self = g_object_get_data (G_OBJECT (window), MODELS);

  return self != NULL ? self->dialog : NULL;
}

void
hs_models_actions_add (HsWindow *window, HsModels *models)
{
  static const GActionEntry entries[] = {{.name = "models", .activate = models_cb}};
  Actions *self = g_new0 (Actions, 1);

  self->window = window;
  self->models = g_object_ref (models);
  g_object_set_data_full (G_OBJECT (window), MODELS, self, actions_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
}
