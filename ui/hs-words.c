/* SPDX-License-Identifier: MIT */
/* One reading at a time counts: the one that began last. */
#include "hs-words.h"

#define NEWEST "hs-words-newest" /* the session's GCancellable of the reading that counts */

static void
unref_list (gpointer list)
{
  attn_word_list_unref (list);
}

static void
load_thread (GTask *task,
             gpointer session G_GNUC_UNUSED,
             gpointer path,
             GCancellable *cancellable G_GNUC_UNUSED)
{
  GError *error = NULL;
  AttnWordList *list = attn_word_list_load (path, &error);

  if (list != NULL)
    g_task_return_pointer (task, list, unref_list);
  else
    g_task_return_error (task, error);
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
log_cb (GObject *session, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  if (!hs_words_load_finish (HS_SESSION (session), result, &error) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("The list of words is left out: %s", error->message);
}

void
hs_words_load_async (HsSession *session,
                     const char *path,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GCancellable *cancellable = g_cancellable_new ();

  g_return_if_fail (HS_IS_SESSION (session));
  g_return_if_fail (path != NULL);

  set_newest (session, cancellable);
  task = g_task_new (session, cancellable, callback != NULL ? callback : log_cb, user_data);
  g_task_set_source_tag (task, hs_words_load_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_thread);
}

bool
hs_words_load_finish (HsSession *session, GAsyncResult *result, GError **error)
{
  AttnWordList *list;

  g_return_val_if_fail (g_task_is_valid (result, session), false);

  if (g_object_get_data (G_OBJECT (session), NEWEST) == g_task_get_cancellable (G_TASK (result)))
    g_object_set_data (G_OBJECT (session), NEWEST, NULL);
  list = g_task_propagate_pointer (G_TASK (result), error);
  if (list == NULL)
    return false;
  hs_session_set_words (session, list);
  attn_word_list_unref (list);
  return true;
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
