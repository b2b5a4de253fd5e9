/* SPDX-License-Identifier: MIT */
/* A queue of downloads, of which one runs. */
#include "hs-downloads.h"

#include "attn-hub/name.h"

#include <string.h>

#define UNFINISHED "unfinished-downloads"

struct _HsDownloads {
  GObject parent_instance;

  HsModels *models;
  GSettings *settings; /* nullable */
  GListStore *list;
  bool is_stopped;
};

G_DEFINE_FINAL_TYPE (HsDownloads, hs_downloads, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* Returns: (nullable) (transfer none). */
static HsDownload *
peek (HsDownloads *self, guint index)
{
  g_autoptr (HsDownload) download = g_list_model_get_item (G_LIST_MODEL (self->list), index);

  return download; /* the list keeps it */
}

static guint
count (HsDownloads *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->list));
}

/* The oldest in this state is the last. Returns: (nullable) (transfer none). */
static HsDownload *
find_oldest (HsDownloads *self, HsDownloadState state)
{
  for (guint i = count (self); i > 0; i--)
    if (hs_download_get_state (peek (self, i - 1)) == state)
      return peek (self, i - 1);
  return NULL;
}

HsDownload *
hs_downloads_peek_running (HsDownloads *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);
  return find_oldest (self, HS_DOWNLOAD_RUNNING);
}

HsDownload *
hs_downloads_peek_paused (HsDownloads *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);
  return find_oldest (self, HS_DOWNLOAD_PAUSED);
}

HsDownload *
hs_downloads_peek_news (HsDownloads *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);

  for (guint i = 0; i < count (self); i++)
    if (hs_download_is_news (peek (self, i)))
      return peek (self, i);
  return NULL;
}

static bool
is_unfinished (HsDownloadState state)
{
  return state == HS_DOWNLOAD_QUEUED || state == HS_DOWNLOAD_RUNNING || state == HS_DOWNLOAD_PAUSED;
}

HsDownload *
hs_downloads_find_unfinished (HsDownloads *self, const char *repo)
{
  const gsize n = strlen (repo);

  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);

  for (guint i = 0; i < count (self); i++) {
    const char *name = hs_download_peek_name (peek (self, i));

    if (is_unfinished (hs_download_get_state (peek (self, i))) && strncmp (name, repo, n) == 0 &&
        (name[n] == '\0' || name[n] == '@')) /* a revision follows */
      return peek (self, i);
  }
  return NULL;
}

static void
remember (HsDownloads *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) now = NULL, before = NULL;

  if (self->settings == NULL)
    return;
  for (guint i = 0; i < count (self); i++)
    if (is_unfinished (hs_download_get_state (peek (self, i))))
      g_strv_builder_add (names, hs_download_peek_name (peek (self, i)));
  now = g_strv_builder_end (names);
  before = g_settings_get_strv (self->settings, UNFINISHED);
  if (!g_strv_equal ((const char *const *)now, (const char *const *)before))
    g_settings_set_strv (self->settings, UNFINISHED, (const char *const *)now);
}

static void
run_next (HsDownloads *self)
{
  HsDownload *next = find_oldest (self, HS_DOWNLOAD_QUEUED);

  if (next != NULL && hs_downloads_peek_running (self) == NULL && !self->is_stopped)
    hs_download_run (next);
}

static void
changed_cb (HsDownloads *self, HsDownload *download)
{
  const HsDownloadState state = hs_download_get_state (download);

  if (state != HS_DOWNLOAD_RUNNING)
    remember (self);
  if (state == HS_DOWNLOAD_DONE || state == HS_DOWNLOAD_PAUSED || state == HS_DOWNLOAD_FAILED)
    hs_models_refresh (self->models); /* what has arrived is there */
  if (state == HS_DOWNLOAD_DONE || state == HS_DOWNLOAD_FAILED)
    g_signal_emit (self, signals[SIGNAL_ENDED], 0, download);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  if (state == HS_DOWNLOAD_QUEUED || hs_downloads_peek_running (self) == NULL)
    run_next (self);
}

static void
seen_cb (HsDownloads *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static HsDownload *
add (HsDownloads *self, const char *name)
{
  g_autoptr (HsDownload) download = hs_download_new (hs_models_peek_places (self->models), name);

  g_signal_connect_object (download, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (download, "seen", G_CALLBACK (seen_cb), self, G_CONNECT_SWAPPED);
  g_list_store_insert (self->list, 0, download);
  return download; /* the list keeps it */
}

static HsDownload *
find_name (HsDownloads *self, const char *name)
{
  for (guint i = 0; i < count (self); i++)
    if (g_str_equal (hs_download_peek_name (peek (self, i)), name))
      return peek (self, i);
  return NULL;
}

bool
hs_downloads_look_up (HsDownloads *self, const char *text, GError **error)
{
  g_autoptr (AttnHubName) parsed = attn_hub_name_parse (text, error);
  g_autofree char *name = NULL;
  HsDownload *download;

  g_return_val_if_fail (HS_IS_DOWNLOADS (self), false);

  if (parsed == NULL)
    return false;
  name = attn_hub_name_dup_text (parsed);
  download = find_name (self, name);
  if (download == NULL) {
    download = add (self, name);
  } else {
    const HsDownloadState state = hs_download_get_state (download);
    if (state != HS_DOWNLOAD_FAILED && state != HS_DOWNLOAD_DONE)
      return true;
  }
  hs_download_plan (download);
  return true;
}

void
hs_downloads_start (HsDownloads *self, HsDownload *download)
{
  const HsDownloadState state = hs_download_get_state (download);

  g_return_if_fail (HS_IS_DOWNLOADS (self));

  if (state == HS_DOWNLOAD_PLANNED || state == HS_DOWNLOAD_PAUSED || state == HS_DOWNLOAD_FAILED)
    hs_download_queue (download);
}

void
hs_downloads_pause (HsDownloads *self, HsDownload *download)
{
  g_return_if_fail (HS_IS_DOWNLOADS (self));
  hs_download_pause (download);
}

void
hs_downloads_remove (HsDownloads *self, HsDownload *download)
{
  guint index;

  g_return_if_fail (HS_IS_DOWNLOADS (self));

  if (!g_list_store_find (self->list, download, &index))
    return;
  g_signal_handlers_disconnect_by_func (download, changed_cb, self);
  /* the list shows what is left once it has stopped */
  g_signal_connect_object (download, "changed", G_CALLBACK (hs_models_refresh), self->models,
                           G_CONNECT_SWAPPED);
  hs_download_pause (download);
  g_list_store_remove (self->list, index);
  remember (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  run_next (self);
}

void
hs_downloads_stop (HsDownloads *self)
{
  g_return_if_fail (HS_IS_DOWNLOADS (self));

  self->is_stopped = true;
  for (guint i = 0; i < count (self); i++)
    hs_download_pause (peek (self, i));
}

GListModel *
hs_downloads_peek_list (HsDownloads *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);
  return G_LIST_MODEL (self->list);
}

HsModels *
hs_downloads_peek_models (HsDownloads *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOADS (self), NULL);
  return self->models;
}

static void
hs_downloads_finalize (GObject *object)
{
  HsDownloads *self = HS_DOWNLOADS (object);

  g_clear_object (&self->list);
  g_clear_object (&self->models);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hs_downloads_parent_class)->finalize (object);
}

static void
hs_downloads_class_init (HsDownloadsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_downloads_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, HS_TYPE_DOWNLOAD);
}

static void
hs_downloads_init (HsDownloads *self)
{
  self->list = g_list_store_new (HS_TYPE_DOWNLOAD);
}

HsDownloads *
hs_downloads_new (HsModels *models, GSettings *settings)
{
  HsDownloads *self = g_object_new (HS_TYPE_DOWNLOADS, NULL);
  g_auto (GStrv) unfinished = NULL;

  self->models = g_object_ref (models);
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  unfinished = settings != NULL ? g_settings_get_strv (settings, UNFINISHED) : NULL;
  for (guint i = unfinished != NULL ? g_strv_length (unfinished) : 0; i > 0; i--)
    add (self, unfinished[i - 1]);
  return self;
}
