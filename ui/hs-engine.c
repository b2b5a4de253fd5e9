/* SPDX-License-Identifier: MIT */
/* Runs the core in task threads and brings answers and progress to the main thread. */
#include "hs-engine.h"

#include "hs-errors.h"
#include "hs-report.h"

#include "attn-hub/store.h"
#include "attn/error.h"
#include "attn/run.h"

#define N_GUESSES 5

struct _HsEngine {
  GObject parent_instance;

  AttnPool *pool;
  GMutex run_lock; /* two passes at once would share the cores and both be late */
  size_t max_tokens;
  size_t n_threads; /* wanted; 0 for as many as cores */
  guint n_jobs;     /* tasks whose callback has not come yet; main thread only */
};

G_DEFINE_FINAL_TYPE (HsEngine, hs_engine, G_TYPE_OBJECT)

/* A request's own copy. */
typedef struct {
  char *name; /* model to load; only for load tasks */
  bool loading, has_first;
  HsAnswer *first;
  AttnMaps *maps;
  AttnModel *model;
  char *text;
  char *pair;
  size_t max_tokens;
  AttnDrawView *view;
  HsReport *report;
} Job;

static Job *
job_new (const HsRequest *request, size_t max_tokens, HsReport *report)
{
  Job *job = g_new0 (Job, 1);

  job->report = report;
  job->max_tokens = max_tokens;
  if (request == NULL)
    return job;
  job->has_first = true;
  job->maps = request->maps != NULL ? attn_maps_ref (request->maps) : NULL;
  job->model = request->model != NULL ? attn_model_ref (request->model) : NULL;
  job->text = g_strdup (request->text);
  job->pair = g_strdup (request->pair);
  job->view = attn_draw_view_copy (request->view);
  return job;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->first, hs_answer_unref);
  g_clear_pointer (&job->maps, attn_maps_unref);
  g_clear_pointer (&job->model, attn_model_unref);
  g_clear_pointer (&job->view, attn_draw_view_free);
  g_clear_pointer (&job->report, hs_report_unref);
  g_free (job->name);
  g_free (job->text);
  g_free (job->pair);
  g_free (job);
}

static AttnTrace *
run_model (HsEngine *self, Job *job, GError **error)
{
  const AttnRunOptions options = {self->pool, hs_report_tell, job->report};
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (job->model);
  const AttnTokenizerInput input = {
      .text = job->text,
      .text_length = strlen (job->text),
      .pair = job->pair,
      .pair_length = job->pair != NULL ? strlen (job->pair) : 0,
      .max_tokens = MIN (attn_model_get_max_tokens (job->model), job->max_tokens),
  };
  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, error);

  if (tokens == NULL)
    return NULL;
  return attn_model_run (job->model, tokens, &options, error);
}

/* Panels for @answer->maps, with the view clamped to them; an arrangement that leaves nothing is an
 * answer, too. */
static bool
add_panels (HsEngine *self, Job *job, HsAnswer *answer, GError **error)
{
  AttnDrawView *view = job->view;

  view->layer = MIN (view->layer, attn_maps_get_n_layers (answer->maps) - 1);
  view->head = MIN (view->head, attn_maps_get_n_heads (answer->maps) - 1);
  attn_arrangement_limit_heads (&view->arrangement, attn_maps_get_n_heads (answer->maps));
  answer->view = attn_draw_view_copy (view);
  if (view->kind == ATTN_DRAW_COMPARE)
    return true; /* its panels are of two answers */
  hs_report_begin_rest (job->report);
  answer->panels = attn_draw_panels_new (view, answer->maps, self->pool, hs_report_tell,
                                         job->report, &answer->refusal);
  if (answer->panels != NULL || hs_error_is_of_arrangement (answer->refusal, &view->arrangement))
    return true;
  g_propagate_error (error, g_steal_pointer (&answer->refusal));
  return false;
}

static HsAnswer *
run_text (HsEngine *self, Job *job, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->run_lock);
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (HsAnswer) answer = hs_answer_new ();
  g_autoptr (AttnTrace) trace = NULL;

  hs_report_begin_stage (job->report, job->loading ? 0.1 : 0.8);
  if (!attn_progress_tell (hs_report_tell, job->report, 0, error))
    return NULL; /* a newer run took over while this one waited */
  trace = run_model (self, job, error);
  if (trace == NULL)
    return NULL;
  answer->max_tokens = job->max_tokens;
  answer->maps = attn_maps_new_from_trace (trace);
  if (!add_panels (self, job, answer, error))
    return NULL;
  if (attn_model_has_lm_head (job->model)) {
    answer->predictions = attn_trace_predict (trace, N_GUESSES, self->pool, error);
    if (answer->predictions == NULL)
      return NULL;
  }
  answer->elapsed_us = g_get_monotonic_time () - start;
  return g_steal_pointer (&answer);
}

static HsAnswer *
run_panels (HsEngine *self, Job *job, GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (HsAnswer) answer = hs_answer_new ();

  answer->maps = attn_maps_ref (job->maps);
  if (!add_panels (self, job, answer, error))
    return NULL;
  answer->elapsed_us = g_get_monotonic_time () - start;
  return g_steal_pointer (&answer);
}

static void
unref_answer (gpointer answer)
{
  hs_answer_unref (answer);
}

static void
unref_model (gpointer model)
{
  attn_model_unref (model);
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  HsEngine *self = source;
  Job *job = data;
  GError *error = NULL;
  HsAnswer *answer =
      job->maps != NULL ? run_panels (self, job, &error) : run_text (self, job, &error);

  if (answer != NULL)
    g_task_return_pointer (task, answer, unref_answer);
  else
    g_task_return_error (task, error);
}

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable G_GNUC_UNUSED)
{
  HsEngine *self = source;
  Job *job = data;
  GError *error = NULL;
  g_autofree char *folder = attn_hub_find_model (job->name, &error);

  hs_report_begin_stage (job->report, 0.85);
  if (folder != NULL)
    job->model = attn_model_load (folder, self->pool, hs_report_tell, job->report, &error);
  if (job->model == NULL) {
    g_task_return_error (task, error);
    return;
  }
  if (job->has_first)
    job->first = run_text (self, job, NULL);
  g_task_return_pointer (task, attn_model_ref (job->model), unref_model);
}

static GTask *
task_new (
    HsEngine *self, Job *job, GCancellable *cancellable, GAsyncReadyCallback cb, gpointer data)
{
  GTask *task = g_task_new (self, cancellable, cb, data);

  g_task_set_task_data (task, job, job_free);
  self->n_jobs++;
  return task;
}

void
hs_engine_run_async (HsEngine *self,
                     const HsRequest *request,
                     GCancellable *cancellable,
                     HsEngineProgress progress,
                     gpointer progress_data,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (HS_IS_ENGINE (self));
  g_return_if_fail (request != NULL && (request->maps != NULL || request->model != NULL));

  task = task_new (
      self,
      job_new (request, self->max_tokens, hs_report_new (cancellable, progress, progress_data)),
      cancellable, callback, user_data);
  g_task_set_source_tag (task, hs_engine_run_async);
  g_task_run_in_thread (task, run_thread);
}

/* Another number of threads is taken when nobody is in the pool. */
static void
fit_pool (HsEngine *self)
{
  const size_t wanted = self->n_threads > 0 ? self->n_threads : attn_pool_count_cores ();

  if (self->n_jobs > 0 || attn_pool_get_n_threads (self->pool) == wanted)
    return;
  attn_pool_free (self->pool);
  self->pool = attn_pool_new (self->n_threads);
}

/* After this the caller hears no more of its progress. */
static Job *
end_job (HsEngine *self, GAsyncResult *result)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  self->n_jobs--;
  hs_report_end (job->report);
  fit_pool (self);
  return job;
}

HsAnswer *
hs_engine_run_finish (HsEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  end_job (self, result);
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
hs_engine_load_async (HsEngine *self,
                      const char *name,
                      const HsRequest *first,
                      GCancellable *cancellable,
                      HsEngineProgress progress,
                      gpointer progress_data,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (HS_IS_ENGINE (self));

  job = job_new (first, self->max_tokens, hs_report_new (cancellable, progress, progress_data));
  g_clear_pointer (&job->model, attn_model_unref);
  job->loading = true;
  job->name = g_strdup (name);
  task = task_new (self, job, cancellable, callback, user_data);
  g_task_set_source_tag (task, hs_engine_load_async);
  g_task_run_in_thread (task, load_thread);
}

AttnModel *
hs_engine_load_finish (HsEngine *self, GAsyncResult *result, HsAnswer **answer, GError **error)
{
  AttnModel *model;
  Job *job;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  job = end_job (self, result);
  model = g_task_propagate_pointer (G_TASK (result), error);
  if (model != NULL)
    *answer = g_steal_pointer (&job->first);
  return model;
}

void
hs_engine_drain (HsEngine *self)
{
  g_return_if_fail (HS_IS_ENGINE (self));

  while (self->n_jobs > 0)
    g_main_context_iteration (NULL, TRUE);
}

AttnPool *
hs_engine_peek_pool (HsEngine *self)
{
  g_return_val_if_fail (HS_IS_ENGINE (self), NULL);
  return self->pool;
}

bool
hs_engine_set_max_tokens (HsEngine *self, size_t max_tokens)
{
  g_return_val_if_fail (HS_IS_ENGINE (self), false);

  max_tokens = CLAMP (max_tokens, 1, HS_MOST_TOKENS);
  if (self->max_tokens == max_tokens)
    return false;
  self->max_tokens = max_tokens;
  return true;
}

void
hs_engine_set_n_threads (HsEngine *self, size_t n_threads)
{
  g_return_if_fail (HS_IS_ENGINE (self));

  self->n_threads = n_threads;
  fit_pool (self);
}

HsEngine *
hs_engine_new (void)
{
  return g_object_new (HS_TYPE_ENGINE, NULL);
}

static void
hs_engine_finalize (GObject *object)
{
  HsEngine *self = HS_ENGINE (object);

  g_clear_pointer (&self->pool, attn_pool_free);
  g_mutex_clear (&self->run_lock);
  G_OBJECT_CLASS (hs_engine_parent_class)->finalize (object);
}

static void
hs_engine_class_init (HsEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_engine_finalize;
}

static void
hs_engine_init (HsEngine *self)
{
  g_mutex_init (&self->run_lock);
  self->pool = attn_pool_new (0);
  self->max_tokens = HS_MAX_TOKENS;
}
