/* SPDX-License-Identifier: MIT */
/* Plans on another thread, asks, removes on another thread, reads the list anew. */
#include "hs-model-removal.h"

#include "hs-alert.h"
#include "hs-work.h"

#include "attn-draw/sentences.h"
#include "attn-hub/manage.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWindow *parent; /* (nullable): weak */
  HsModels *models;
  HsModelItem *item;
  bool is_in_use;
} Removal;

static void
removal_free (Removal *self)
{
  g_clear_weak_pointer (&self->parent);
  g_object_unref (self->models);
  g_object_unref (self->item);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Removal, removal_free)

/* ---- on another thread ---- */

typedef struct {
  char *cache;
  AttnHubName name;
  bool does; /* or only looks what it would do */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->cache);
  g_free (job->name.repo);
  g_free (job->name.revision);
  g_free (job);
}

static void
result_free (gpointer data)
{
  attn_hub_removal_clear (data);
  g_free (data);
}

static gpointer
remove_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Job *job = data;
  AttnHubRemoval *result = g_new0 (AttnHubRemoval, 1);

  (void)report;
  if (job->does ? attn_hub_remove (job->cache, &job->name, result, error)
                : attn_hub_plan_removal (job->cache, &job->name, result, error))
    return result;
  result_free (result);
  return NULL;
}

static const HsWorkClass remove_work = {remove_in_thread, job_free, result_free, .writes = true};

/* Consumes @self. */
static void
start (Removal *self, bool does, GAsyncReadyCallback done)
{
  const AttnHubEntry *entry = hs_model_item_peek_entry (self->item);
  Job *job = g_new0 (Job, 1);

  job->cache = g_strdup (hs_models_peek_places (self->models)->cache);
  job->name.repo = g_strdup (entry->repo);
  job->name.revision = g_strdup (entry->commit);
  job->does = does;
  hs_work_start (&remove_work, job, NULL, NULL, NULL, done, self);
}

/* ---- what is said ---- */

static void
say_failure (Removal *self, const GError *error)
{
  GtkWidget *alert;

  if (self->parent == NULL)
    return;
  alert = hs_alert_new (self->parent, _ ("Models"), _ ("The model could not be removed."),
                        error->message);
  g_signal_connect (alert, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

static void
removed_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Removal) self = data;
  g_autoptr (GError) error = NULL;
  AttnHubRemoval *done = hs_work_finish (result, &error);

  if (done != NULL) {
    hs_models_note_removed (self->models, hs_model_item_peek_name (self->item), done->n_bytes);
    result_free (done);
    return;
  }
  say_failure (self, error);
  hs_models_refresh (self->models); /* some may be gone even so */
}

static void
answered_cb (GtkDialog *dialog, int response, Removal *self)
{
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT)
    start (self, true, removed_cb);
  else
    removal_free (self);
}

static char *
dup_detail (const Removal *self, const AttnHubRemoval *planned)
{
  g_autofree char *bytes = g_format_size (planned->n_bytes);
  GString *detail = g_string_new (NULL);

  g_string_append_printf (detail, _ ("%s are freed."), bytes);
  if (self->is_in_use)
    attn_draw_add_sentence (detail, _ ("It is open in a window, which goes on working; opening it "
                                       "again takes another download."));
  return g_string_free (detail, FALSE);
}

/* The dialog is closed with its parent, which is no answer to have. */
static void
ask (Removal *self, const AttnHubRemoval *planned)
{
  g_autofree char *detail = dup_detail (self, planned);
  GtkWidget *dialog = gtk_message_dialog_new (
      self->parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
      GTK_BUTTONS_NONE, _ ("Remove %s from this computer?"), hs_model_item_peek_name (self->item));

  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Models"));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", detail);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Remove"), GTK_RESPONSE_ACCEPT);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_signal_connect (dialog, "response", G_CALLBACK (answered_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
planned_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Removal) self = data;
  g_autoptr (GError) error = NULL;
  gpointer planned = hs_work_finish (result, &error);

  if (planned == NULL)
    say_failure (self, error);
  else if (self->parent != NULL)
    ask (g_steal_pointer (&self), planned);
  g_clear_pointer (&planned, result_free);
}

void
hs_model_removal_ask (GtkWindow *parent, HsModels *models, HsModelItem *item, bool is_in_use)
{
  Removal *self = g_new0 (Removal, 1);

  g_set_weak_pointer (&self->parent, parent);
  self->models = g_object_ref (models);
  self->item = g_object_ref (item);
  self->is_in_use = is_in_use;
  start (self, false, planned_cb);
}
