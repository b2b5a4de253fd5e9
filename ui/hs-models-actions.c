/* SPDX-License-Identifier: MIT */
/* One dialog of models a window, made when it is first asked for. */
#include "hs-models-actions.h"

#include "hs-models-dialog.h"

#define MODELS "hs-models-actions"

/* Lives as long as the window. */
typedef struct {
  HsWindow *window; /* unowned */
  HsDownloads *downloads;
  GtkWidget *dialog; /* nullable, weak */
  gulong ended_handler;
} Actions;

static void
actions_free (gpointer data)
{
  Actions *self = data;

  g_clear_weak_pointer (&self->dialog);
  g_signal_handler_disconnect (self->downloads, self->ended_handler);
  g_object_unref (self->downloads);
  g_free (self);
}

static void
show_page (Actions *self, const char *page)
{
  if (self->dialog == NULL)
    g_set_weak_pointer (&self->dialog, hs_models_dialog_new (self->window, self->downloads));
  hs_models_dialog_show_page (HS_MODELS_DIALOG (self->dialog), page);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
models_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  (void)action;
  (void)value;
  show_page (data, HS_MODELS_DIALOG_HERE);
}

static void
get_model_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  (void)action;
  (void)value;
  show_page (data, HS_MODELS_DIALOG_GET);
}

static void
get_named_model_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  Actions *self = data;

  get_model_cb (action, value, data);
  hs_models_dialog_show_name (HS_MODELS_DIALOG (self->dialog), g_variant_get_string (value, NULL));
}

static void
ended_cb (Actions *self, HsDownload *download)
{
  g_autofree char *status = NULL, *message = NULL;

  if (self->dialog != NULL)
    return; /* it tells */
  status = hs_download_dup_status (download);
  message = g_strdup_printf ("%s: %s", hs_download_peek_name (download), status);
  g_strdelimit (message, "\n", ' '); /* in one line */
  hs_window_say (self->window, message);
}

GtkWidget *
hs_models_actions_peek_dialog (HsWindow *window)
{
  Actions *self = g_object_get_data (G_OBJECT (window), MODELS);

  return self != NULL ? self->dialog : NULL;
}

void
hs_models_actions_add (HsWindow *window, HsDownloads *downloads)
{
  static const GActionEntry entries[] = {
      {.name = "models", .activate = models_cb},
      {.name = "get-model", .activate = get_model_cb},
      {.name = "get-named-model", .activate = get_named_model_cb, .parameter_type = "s"},
  };
  Actions *self = g_new0 (Actions, 1);

  self->window = window;
  self->downloads = g_object_ref (downloads);
  self->ended_handler = g_signal_connect_swapped (downloads, "ended", G_CALLBACK (ended_cb), self);
  g_object_set_data_full (G_OBJECT (window), MODELS, self, actions_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  hs_window_set_downloads (window, downloads);
}
