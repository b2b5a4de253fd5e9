/* SPDX-License-Identifier: MIT */
/* Compares an item of the list with what the windows have loaded and what is being fetched. */
#include "hs-model-use.h"

#include <glib/gi18n.h>

bool
hs_model_use_is_of_side (HsModelItem *item, HsSide *side)
{
  AttnModel *model = hs_side_peek_model (side);
  const char *folder = model != NULL ? attn_model_peek_folder (model) : NULL;

  return g_strcmp0 (folder, hs_model_item_peek_entry (item)->folder) == 0;
}

static bool
is_of_window (HsModelItem *item, HsWindow *window)
{
  HsSession *session = hs_window_peek_session (window);

  return hs_model_use_is_of_side (item, hs_session_peek_side (session)) ||
         hs_model_use_is_of_side (item, hs_session_peek_side_b (session));
}

bool
hs_model_use_is_open (HsModelItem *item, HsWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  bool found = is_of_window (item, window);

  for (GList *each = application != NULL ? gtk_application_get_windows (application) : NULL;
       each != NULL; each = each->next)
    found |= HS_IS_WINDOW (each->data) && is_of_window (item, each->data);
  return found;
}

/* Of a model that is whole, another download brings another revision. */
static char *
dup_download (HsModelItem *item, HsDownloads *downloads)
{
  const AttnHubEntry *entry = hs_model_item_peek_entry (item);
  HsDownload *download = entry->repo != NULL && entry->state == ATTN_HUB_PARTIAL
                             ? hs_downloads_find_unfinished (downloads, entry->repo)
                             : NULL;
  const HsDownloadState state =
      download != NULL ? hs_download_get_state (download) : HS_DOWNLOAD_DONE;

  if (state == HS_DOWNLOAD_RUNNING)
    return g_strdup_printf (_ ("downloading, %d %%"),
                            (int)(100 * hs_download_get_fraction (download)));
  if (state == HS_DOWNLOAD_QUEUED)
    return g_strdup (_ ("waits to be downloaded"));
  if (state == HS_DOWNLOAD_PAUSED)
    return g_strdup (_ ("download paused"));
  return NULL;
}

char *
hs_model_use_dup (HsModelItem *item, HsWindow *window, HsDownloads *downloads)
{
  HsSession *session = hs_window_peek_session (window);

  if (hs_model_use_is_of_side (item, hs_session_peek_side (session)))
    return g_strdup (_ ("✓ open here"));
  if (hs_model_use_is_of_side (item, hs_session_peek_side_b (session)))
    return g_strdup (_ ("✓ open here as B"));
  return dup_download (item, downloads);
}
