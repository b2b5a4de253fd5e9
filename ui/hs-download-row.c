/* SPDX-License-Identifier: MIT */
/* Follows a download; its one button is what the state allows. */
#include "hs-download-row.h"

#include <glib/gi18n.h>

struct _HsDownloadRow {
  GtkListBoxRow parent_instance;

  HsDownloads *downloads;
  HsDownload *download;
  GtkLabel *name;
  GtkProgressBar *progress;
  GtkLabel *status;
  GtkButton *action;
  GtkWidget *remove;
};

G_DEFINE_FINAL_TYPE (HsDownloadRow, hs_download_row, GTK_TYPE_LIST_BOX_ROW)

enum { SIGNAL_OPEN, SIGNAL_LEAVE, SIGNAL_STOPPED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* Returns: (nullable): what the button does now. */
static const char *
peek_action (HsDownloadState state)
{
  switch (state) {
  case HS_DOWNLOAD_PLANNED:
    return _ ("Download");
  case HS_DOWNLOAD_QUEUED:
  case HS_DOWNLOAD_RUNNING:
    return _ ("Pause");
  case HS_DOWNLOAD_PAUSED:
    return _ ("Resume");
  case HS_DOWNLOAD_DONE:
    return _ ("Open");
  case HS_DOWNLOAD_FAILED:
    return _ ("Try again");
  case HS_DOWNLOAD_PLANNING:
    break;
  }
  return NULL;
}

/* Of several rows a screen reader tells whose button it is. */
static void
name_button (GtkWidget *button, const char *does, const char *name)
{
  g_autofree char *both = g_strdup_printf ("%s: %s", does, name);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, both, -1);
}

static bool
asks_server (HsDownloadState state)
{
  return state == HS_DOWNLOAD_PLANNED || state == HS_DOWNLOAD_PAUSED || state == HS_DOWNLOAD_FAILED;
}

/* Who sees the row sees how the download ended. */
static void
note_seen (HsDownloadRow *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    hs_download_note_seen (self->download);
}

static void
update (HsDownloadRow *self)
{
  const HsDownloadState state = hs_download_get_state (self->download);
  const bool runs = state == HS_DOWNLOAD_RUNNING || state == HS_DOWNLOAD_QUEUED;
  const bool is_offline =
      hs_models_peek_places (hs_downloads_peek_models (self->downloads))->is_offline;
  const char *name = hs_download_peek_name (self->download), *action = peek_action (state);
  g_autofree char *status = hs_download_dup_status (self->download);
  const char *removes =
      runs || state == HS_DOWNLOAD_PLANNING ? _ ("Stop") : _ ("Take off the list");

  gtk_label_set_text (self->status, status != NULL ? status : "");
  note_seen (self);
  gtk_progress_bar_set_fraction (self->progress, hs_download_get_fraction (self->download));
  gtk_widget_set_visible (GTK_WIDGET (self->progress), runs || state == HS_DOWNLOAD_PAUSED);
  gtk_widget_set_visible (GTK_WIDGET (self->action), action != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->action), !is_offline || !asks_server (state));
  if (action != NULL && g_strcmp0 (gtk_button_get_label (self->action), action) != 0) {
    gtk_button_set_label (self->action, action);
    name_button (GTK_WIDGET (self->action), action, name);
  }
  if (g_strcmp0 (gtk_widget_get_tooltip_text (self->remove), removes) != 0) {
    gtk_widget_set_tooltip_text (self->remove, removes);
    name_button (self->remove, removes, name);
  }
}

static void
action_cb (HsDownloadRow *self)
{
  switch (hs_download_get_state (self->download)) {
  case HS_DOWNLOAD_PLANNED:
  case HS_DOWNLOAD_PAUSED:
  case HS_DOWNLOAD_FAILED:
    hs_downloads_start (self->downloads, self->download);
    break;
  case HS_DOWNLOAD_QUEUED:
  case HS_DOWNLOAD_RUNNING:
    hs_downloads_pause (self->downloads, self->download);
    break;
  case HS_DOWNLOAD_DONE:
    g_signal_emit (self, signals[SIGNAL_OPEN], 0, hs_download_peek_folder (self->download));
    break;
  case HS_DOWNLOAD_PLANNING:
    break;
  }
}

/* Whether something is left in the cache of a download that did not end. */
static bool
has_arrived (HsDownload *download)
{
  const HsDownloadState state = hs_download_get_state (download);

  return (state == HS_DOWNLOAD_RUNNING || state == HS_DOWNLOAD_PAUSED) &&
         hs_download_get_fraction (download) > 0;
}

static void
remove_cb (HsDownloadRow *self)
{
  g_autoptr (HsDownload) download = g_object_ref (self->download);

  if (gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    g_signal_emit (self, signals[SIGNAL_LEAVE], 0);
  if (has_arrived (download))
    g_signal_emit (self, signals[SIGNAL_STOPPED], 0, hs_download_peek_name (download));
  hs_downloads_remove (self->downloads, download);
}

static void
hs_download_row_dispose (GObject *object)
{
  HsDownloadRow *self = HS_DOWNLOAD_ROW (object);

  g_clear_object (&self->download);
  g_clear_object (&self->downloads);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_DOWNLOAD_ROW);
  G_OBJECT_CLASS (hs_download_row_parent_class)->dispose (object);
}

static void
hs_download_row_class_init (HsDownloadRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_download_row_dispose;
  signals[SIGNAL_OPEN] = g_signal_new ("open", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_LEAVE] = g_signal_new ("leave", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOPPED] = g_signal_new ("stopped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-download-row.ui");
  gtk_widget_class_bind_template_child (widget_class, HsDownloadRow, name);
  gtk_widget_class_bind_template_child (widget_class, HsDownloadRow, progress);
  gtk_widget_class_bind_template_child (widget_class, HsDownloadRow, status);
  gtk_widget_class_bind_template_child (widget_class, HsDownloadRow, action);
  gtk_widget_class_bind_template_child (widget_class, HsDownloadRow, remove);
  gtk_widget_class_bind_template_callback (widget_class, action_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_cb);
}

static void
hs_download_row_init (HsDownloadRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hs_download_row_new (HsDownloads *downloads, HsDownload *download)
{
  HsDownloadRow *self = g_object_new (HS_TYPE_DOWNLOAD_ROW, NULL);

  self->downloads = g_object_ref (downloads);
  self->download = g_object_ref (download);
  gtk_label_set_text (self->name, hs_download_peek_name (download));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  hs_download_peek_name (download), -1);
  g_signal_connect_object (download, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (note_seen), NULL);
  update (self);
  return GTK_WIDGET (self);
}
