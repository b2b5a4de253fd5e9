/* SPDX-License-Identifier: MIT */
/* Follows the download that runs; else tells of one that ended unseen, or waits. */
#include "hs-downloads-button.h"

#include <glib/gi18n.h>

struct _HsDownloadsButton {
  GtkButton parent_instance;

  HsDownloads *downloads; /* nullable */
  GtkProgressBar *progress;
  GtkLabel *news;
};

G_DEFINE_FINAL_TYPE (HsDownloadsButton, hs_downloads_button, GTK_TYPE_BUTTON)

static const char *
peek_news (HsDownload *download)
{
  switch (hs_download_get_state (download)) {
  case HS_DOWNLOAD_DONE:
    return _ ("Model downloaded");
  case HS_DOWNLOAD_PAUSED:
    return _ ("Download paused");
  default:
    return _ ("Download failed");
  }
}

/* What is to be told while none runs. */
static HsDownload *
peek_other (HsDownloads *downloads)
{
  HsDownload *news = hs_downloads_peek_news (downloads);

  return news != NULL ? news : hs_downloads_peek_paused (downloads);
}

static void
update (HsDownloadsButton *self)
{
  HsDownload *running = hs_downloads_peek_running (self->downloads);
  HsDownload *shown = running != NULL ? running : peek_other (self->downloads);
  g_autofree char *told = NULL, *status = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), shown != NULL);
  if (shown == NULL)
    return;
  gtk_progress_bar_set_fraction (self->progress, hs_download_get_fraction (shown));
  gtk_widget_set_visible (GTK_WIDGET (self->progress), running != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->news), running == NULL);
  gtk_label_set_text (self->news, peek_news (shown));
  told = running != NULL
             ? g_strdup_printf (_ ("Downloading %s"), hs_download_peek_name (shown))
             : g_strdup_printf ("%s: %s", hs_download_peek_name (shown), peek_news (shown));
  status = hs_download_dup_status (shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, told, -1);
  g_free (g_steal_pointer (&told));
  told = g_strdup_printf ("%s\n%s", hs_download_peek_name (shown), status);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), told);
}

void
hs_downloads_button_set_downloads (HsDownloadsButton *self, HsDownloads *downloads)
{
  g_return_if_fail (HS_IS_DOWNLOADS_BUTTON (self) && self->downloads == NULL);

  self->downloads = g_object_ref (downloads);
  g_signal_connect_object (downloads, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
hs_downloads_button_dispose (GObject *object)
{
  g_clear_object (&HS_DOWNLOADS_BUTTON (object)->downloads);
  /* the template would take the child from the button, which lets go of it, too */
  gtk_button_set_child (GTK_BUTTON (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_DOWNLOADS_BUTTON);
  G_OBJECT_CLASS (hs_downloads_button_parent_class)->dispose (object);
}

static void
hs_downloads_button_class_init (HsDownloadsButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_downloads_button_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-downloads-button.ui");
  gtk_widget_class_bind_template_child (widget_class, HsDownloadsButton, progress);
  gtk_widget_class_bind_template_child (widget_class, HsDownloadsButton, news);
}

static void
hs_downloads_button_init (HsDownloadsButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
