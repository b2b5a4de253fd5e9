/* SPDX-License-Identifier: MIT */
/* Tasks on GIO's threads, counted. */
#include "hs-work.h"

#include "hs-memory.h"

typedef struct {
  const HsWorkClass *klass;
  gpointer job;
  HsReport *report;
} Work;

/* Whose callback has not come yet, and those of them that write; main thread only. */
static guint n_works, n_writers;

static size_t n_threads_allowed; /* main thread only */

void
hs_work_set_n_threads (size_t n_threads)
{
  n_threads_allowed = n_threads;
}

size_t
hs_work_get_n_threads (void)
{
  return n_threads_allowed;
}

static void
work_free (gpointer data)
{
  Work *work = data;

  hs_report_unref (work->report);
  g_free (work);
}

static void
work_thread (GTask *task,
             gpointer source G_GNUC_UNUSED,
             gpointer data,
             GCancellable *cancellable G_GNUC_UNUSED)
{
  Work *work = data;
  GError *error = NULL;
  gpointer result = work->klass->func (work->job, work->report, &error);

  /* now: GIO's thread may hold the task beyond its callback, and what the job refers to is not to
   * end at a time that nobody can know */
  if (work->klass->free_job != NULL)
    work->klass->free_job (work->job);
  if (result != NULL)
    g_task_return_pointer (task, result, work->klass->free_result);
  else
    g_task_return_error (task, error);
  hs_memory_give_back (); /* of the work before, whose result has been replaced */
}

void
hs_work_start (const HsWorkClass *klass,
               gpointer job,
               GCancellable *cancellable,
               HsReportFunc progress,
               gpointer progress_data,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new (Work, 1);

  *work = (Work){klass, job, hs_report_new (cancellable, progress, progress_data)};
  n_works++;
  n_writers += klass->writes;
  g_task_set_source_tag (task, hs_work_start);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
}

gpointer
hs_work_finish (GAsyncResult *result, GError **error)
{
  Work *work = g_task_get_task_data (G_TASK (result));

  n_works--;
  n_writers -= work->klass->writes;
  hs_report_end (work->report);
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
hs_work_drain (void)
{
  while (n_works > 0)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
over_cb (gpointer is_over)
{
  *(bool *)is_over = true;
  return G_SOURCE_REMOVE;
}

bool
hs_work_drain_for (guint patience_ms)
{
  bool is_over = false;
  const guint timer = g_timeout_add (patience_ms, over_cb, &is_over);

  while (n_works > 0 && (!is_over || n_writers > 0))
    g_main_context_iteration (NULL, TRUE);
  if (!is_over)
    g_source_remove (timer);
  return n_works == 0;
}
