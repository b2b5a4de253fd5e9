/* SPDX-License-Identifier: MIT */
/* A thread that sleeps until the time has come or is of no interest any more. */
#include "deadline.h"

struct _AttnHubDeadline {
  GCancellable *stop, *cancellable;
  gulong stop_id;
  GThread *thread; /* NULL once it was waited for, or without a time */
  gint64 end_us;   /* of the monotonic clock */
  GMutex lock;     /* of what is below */
  GCond changed;
  bool is_over, has_come;
};

static void
stop_cb (GCancellable *stop G_GNUC_UNUSED, void *data)
{
  g_cancellable_cancel (data);
}

static void *
wait_cb (void *data)
{
  AttnHubDeadline *deadline = data;
  g_mutex_lock (&deadline->lock);
  while (!deadline->is_over && !deadline->has_come)
    deadline->has_come =
        !g_cond_wait_until (&deadline->changed, &deadline->lock, deadline->end_us) &&
        !deadline->is_over;
  bool has_come = deadline->has_come;
  g_mutex_unlock (&deadline->lock);
  if (has_come)
    g_cancellable_cancel (deadline->cancellable);
  return NULL;
}

AttnHubDeadline *
attn_hub_deadline_new (GCancellable *stop, unsigned timeout_s)
{
  AttnHubDeadline *deadline = g_new0 (AttnHubDeadline, 1);
  deadline->stop = g_object_ref (stop);
  deadline->cancellable = g_cancellable_new ();
  deadline->end_us = g_get_monotonic_time () + (gint64)timeout_s * G_USEC_PER_SEC;
  g_mutex_init (&deadline->lock);
  g_cond_init (&deadline->changed);
  deadline->stop_id = g_cancellable_connect (stop, G_CALLBACK (stop_cb),
                                             g_object_ref (deadline->cancellable), g_object_unref);
  if (timeout_s > 0)
    deadline->thread = g_thread_new ("deadline", wait_cb, deadline);
  return deadline;
}

GCancellable *
attn_hub_deadline_peek_cancellable (AttnHubDeadline *deadline)
{
  return deadline->cancellable;
}

bool
attn_hub_deadline_end (AttnHubDeadline *deadline)
{
  g_mutex_lock (&deadline->lock);
  deadline->is_over = true;
  g_cond_signal (&deadline->changed);
  g_mutex_unlock (&deadline->lock);
  g_clear_pointer (&deadline->thread, g_thread_join);
  return deadline->has_come;
}

void
attn_hub_deadline_free (AttnHubDeadline *deadline)
{
  if (deadline == NULL)
    return;
  attn_hub_deadline_end (deadline);
  g_cancellable_disconnect (deadline->stop, deadline->stop_id);
  g_object_unref (deadline->stop);
  g_object_unref (deadline->cancellable);
  g_cond_clear (&deadline->changed);
  g_mutex_clear (&deadline->lock);
  g_free (deadline);
}
