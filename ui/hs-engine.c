/* SPDX-License-Identifier: MIT */
/* Runs the core in task threads and brings answers and progress to the main thread. */
#include "hs-engine.h"

#include "hs-errors.h"
#include "hs-work.h"

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
  guint n_jobs;     /* tasks whose callback has not come yet, and borrowers; main thread only */
};

G_DEFINE_FINAL_TYPE (HsEngine, hs_engine, G_TYPE_OBJECT)

/* A request's own copy. */
typedef struct {
  HsEngine *engine; /* unowned: the task that waits on the main thread keeps it */
  char *name;       /* model to load; only for load tasks */
  bool loading, has_first;
  AttnMaps *maps;
  HsAttention *attention;
  AttnModel *model;
  char *text;
  char *pair;
  size_t max_tokens;
  AttnDrawView *view;
  HsReport *report; /* unowned: while it runs */
} Job;

static Job *
job_new (HsEngine *self, const HsRequest *request)
{
  Job *job = g_new0 (Job, 1);

  job->engine = self;
  job->max_tokens = self->max_tokens;
  if (request == NULL)
    return job;
  job->has_first = true;
  job->maps = request->maps != NULL ? attn_maps_ref (request->maps) : NULL;
  job->attention = request->attention != NULL ? hs_attention_ref (request->attention) : NULL;
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

  g_clear_pointer (&job->maps, attn_maps_unref);
  g_clear_pointer (&job->attention, hs_attention_unref);
  g_clear_pointer (&job->model, attn_model_unref);
  g_clear_pointer (&job->view, attn_draw_view_free);
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

/* Panels for @answer->maps, with the view clamped to them; a lens that does not fit, and an
 * arrangement that leaves nothing, are answers, too. */
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
  if (answer->panels != NULL || hs_error_is_of_view (answer->refusal, view))
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
  answer->max_tokens = job->max_tokens;
  answer->attention = job->attention != NULL ? hs_attention_ref (job->attention) : NULL;
  if (!add_panels (self, job, answer, error))
    return NULL;
  answer->elapsed_us = g_get_monotonic_time () - start;
  return g_steal_pointer (&answer);
}

static gpointer
run_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;

  job->report = report;
  return job->maps != NULL ? run_panels (job->engine, job, error)
                           : run_text (job->engine, job, error);
}

typedef struct {
  AttnModel *model;
  HsAnswer *first; /* nullable */
} Loaded;

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;

  g_clear_pointer (&loaded->model, attn_model_unref);
  g_clear_pointer (&loaded->first, hs_answer_unref);
  g_free (loaded);
}

static gpointer
load_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  g_autofree char *folder = attn_hub_find_model (job->name, error);
  Loaded *loaded;

  job->report = report;
  hs_report_begin_stage (report, 0.85);
  if (folder == NULL)
    return NULL;
  job->model = attn_model_load (folder, job->engine->pool, hs_report_tell, report, error);
  if (job->model == NULL)
    return NULL;
  loaded = g_new0 (Loaded, 1);
  loaded->model = attn_model_ref (job->model);
  if (job->has_first)
    loaded->first = run_text (job->engine, job, NULL);
  return loaded;
}

/* ---- there and back ---- */

static void
unref_answer (gpointer answer)
{
  hs_answer_unref (answer);
}

static const HsWorkClass run_work = {run_in_thread, job_free, unref_answer};
static const HsWorkClass load_work = {load_in_thread, job_free, loaded_free};

/* The thread is through with the engine when this is called. */
static void
done_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  const HsWorkClass *klass = g_task_get_task_data (task);
  GError *error = NULL;
  gpointer found = hs_work_finish (result, &error);

  if (found != NULL)
    g_task_return_pointer (task, found, klass->free_result);
  else
    g_task_return_error (task, error);
}

/* Consumes @job. The task has the engine for its source, so it stays on the main thread: one that a
 * thread runs may be let go of there last, and the engine would end on that thread. */
static void
start (HsEngine *self,
       const HsWorkClass *klass,
       Job *job,
       GCancellable *cancellable,
       HsEngineProgress progress,
       gpointer progress_data,
       GTask *task)
{
  self->n_jobs++;
  g_task_set_task_data (task, (gpointer)(guintptr)klass, NULL);
  hs_work_start (klass, job, cancellable, progress, progress_data, done_cb, task);
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
  GTask *task;

  g_return_if_fail (HS_IS_ENGINE (self));
  g_return_if_fail (request != NULL && (request->maps != NULL || request->model != NULL));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, hs_engine_run_async);
  start (self, &run_work, job_new (self, request), cancellable, progress, progress_data, task);
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

static void
end_job (HsEngine *self)
{
  self->n_jobs--;
  fit_pool (self);
}

HsAnswer *
hs_engine_run_finish (HsEngine *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  end_job (self);
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
  GTask *task;
  Job *job;

  g_return_if_fail (HS_IS_ENGINE (self));

  job = job_new (self, first);
  g_clear_pointer (&job->model, attn_model_unref);
  job->loading = true;
  job->name = g_strdup (name);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, hs_engine_load_async);
  start (self, &load_work, job, cancellable, progress, progress_data, task);
}

AttnModel *
hs_engine_load_finish (HsEngine *self, GAsyncResult *result, HsAnswer **answer, GError **error)
{
  AttnModel *model;
  Loaded *loaded;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  end_job (self);
  loaded = g_task_propagate_pointer (G_TASK (result), error);
  if (loaded == NULL)
    return NULL;
  model = g_steal_pointer (&loaded->model);
  *answer = g_steal_pointer (&loaded->first);
  loaded_free (loaded);
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

AttnPool *
hs_engine_borrow_pool (HsEngine *self)
{
  g_return_val_if_fail (HS_IS_ENGINE (self), NULL);
  self->n_jobs++;
  return self->pool;
}

void
hs_engine_return_pool (HsEngine *self)
{
  g_return_if_fail (HS_IS_ENGINE (self) && self->n_jobs > 0);
  end_job (self);
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
