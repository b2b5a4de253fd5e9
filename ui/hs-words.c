/* SPDX-License-Identifier: MIT */
/* One reading at a time counts: the one that began last. */
#include "hs-words.h"

#include "hs-work.h"

#define NEWEST "hs-words-newest" /* the session's GCancellable of the reading that counts */

static void
unref_list (gpointer list)
{
  attn_word_list_unref (list);
}

static gpointer
load_in_thread (gpointer path, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return attn_word_list_load (path, error);
}

/* The newest reading takes the place of the one before, which is cancelled. */
static void
set_newest (HsSession *session, GCancellable *cancellable)
{
  GCancellable *before = g_object_get_data (G_OBJECT (session), NEWEST);

  if (before != NULL)
    g_cancellable_cancel (before);
  g_object_set_data_full (G_OBJECT (session), NEWEST, cancellable, g_object_unref);
}

static void
log_trouble (HsSession *session G_GNUC_UNUSED, const GError *error, gpointer data G_GNUC_UNUSED)
{
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("The list of words is left out: %s", error->message);
}

/* Belongs to the main thread alone: no session may end on another one. */
typedef struct {
  HsSession *session; /* referenced */
  GCancellable *identity;
  HsWordsDone done;
  gpointer data;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->session);
  g_object_unref (loading->identity);
  g_free (loading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

static void
loaded_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Loading) loading = data;
  g_autoptr (GError) error = NULL;
  AttnWordList *list = hs_work_finish (result, &error);

  if (g_object_get_data (G_OBJECT (loading->session), NEWEST) == loading->identity)
    g_object_set_data (G_OBJECT (loading->session), NEWEST, NULL);
  if (list != NULL) {
    hs_session_set_words (loading->session, list);
    attn_word_list_unref (list);
  }
  loading->done (loading->session, error, loading->data);
}

void
hs_words_load_async (HsSession *session, const char *path, HsWordsDone done, gpointer data)
{
  static const HsWorkClass klass = {load_in_thread, g_free, unref_list};
  GCancellable *identity;
  Loading *loading;

  g_return_if_fail (HS_IS_SESSION (session));
  g_return_if_fail (path != NULL);

  identity = g_cancellable_new ();
  set_newest (session, identity);
  loading = g_new (Loading, 1);
  *loading = (Loading){g_object_ref (session), g_object_ref (identity),
                       done != NULL ? done : log_trouble, data};
  hs_work_start (&klass, g_strdup (path), identity, NULL, NULL, loaded_cb, loading);
}

bool
hs_words_is_loading (HsSession *session)
{
  g_return_val_if_fail (HS_IS_SESSION (session), false);
  return g_object_get_data (G_OBJECT (session), NEWEST) != NULL;
}

void
hs_words_clear (HsSession *session)
{
  g_return_if_fail (HS_IS_SESSION (session));

  set_newest (session, NULL);
  hs_session_set_words (session, NULL);
}
