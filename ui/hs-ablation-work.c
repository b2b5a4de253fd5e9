/* SPDX-License-Identifier: MIT */
/* Runs with heads off, on other threads. */
#include "hs-ablation-work.h"

#include "hs-work.h"

#include "attn/error.h"

/* ---- what is found at once ---- */

void
hs_ablation_found_free (HsAblationFound *found)
{
  if (found == NULL)
    return;
  attn_trace_unref (found->trace);
  attn_ablation_asked_clear (&found->asked);
  attn_ablation_clean_unref (found->clean);
  attn_ablation_off_unref (found->off);
  attn_draw_ablation_weights_unref (found->weights);
  g_clear_pointer (&found->importance, attn_importance_free);
  g_clear_error (&found->fault);
  g_free (found);
}

typedef struct {
  HsAblationFound *found; /* to be filled: it may have the clean run already */
  size_t layer, head;     /* that are looked at */
  size_t n_threads;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  hs_ablation_found_free (job->found);
  g_free (job);
}

static bool
is_cancelled (const GError *error)
{
  return g_error_matches (error, ATTN_ERROR, ATTN_ERROR_CANCELLED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The first fault is what is told; what else is asked for may be had all the same. */
static void
note_fault (HsAblationFound *found, GError *fault)
{
  if (found->fault == NULL)
    found->fault = fault;
  else
    g_error_free (fault);
}

static bool
find_importance (HsAblationFound *found, AttnPool *pool, HsReport *report, GError **error)
{
  const AttnImportanceOptions options = {pool, hs_report_tell, report};
  GError *fault = NULL;

  found->importance = attn_importance_new (found->clean->task, &options, &fault);
  if (fault == NULL)
    return true;
  if (is_cancelled (fault)) {
    g_propagate_error (error, fault);
    return false;
  }
  note_fault (found, fault);
  return true;
}

/* The run with heads off, and what the head that is looked at does in it. */
static void
find_off (const Job *job, AttnPool *pool)
{
  HsAblationFound *found = job->found;
  GError *fault = NULL;

  found->off = attn_ablation_off_new (found->clean, &found->asked, pool, &fault);
  if (fault != NULL)
    note_fault (found, fault);
  if (found->off != NULL && job->layer < found->clean->n_layers &&
      job->head < found->clean->n_heads)
    found->weights = attn_draw_ablation_weights_new (found->clean->task->clean, found->off->trace,
                                                     job->layer, job->head);
}

static gpointer
find_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  HsAblationFound *found = job->found;
  const AttnAblationAsked *asked = &found->asked;
  g_autoptr (AttnPool) pool = attn_pool_new (job->n_threads);
  const AttnImportanceOptions options = {pool, hs_report_tell, report};

  hs_report_begin_rest (report);
  if (!attn_progress_tell (hs_report_tell, report, 0, error))
    return NULL;
  if (found->clean == NULL)
    found->clean = attn_ablation_clean_new (attn_trace_peek_model (found->trace),
                                            attn_trace_peek_tokens (found->trace), asked, NULL, 0,
                                            &options, &found->fault);
  if (found->fault != NULL && is_cancelled (found->fault)) {
    g_propagate_error (error, g_steal_pointer (&found->fault));
    return NULL;
  }
  if (found->clean != NULL && asked->off != NULL && *asked->off != '\0')
    find_off (job, pool);
  if (found->clean != NULL && asked->importance && found->importance == NULL &&
      !find_importance (found, pool, report, error))
    return NULL;
  return g_steal_pointer (&job->found);
}

static void
free_found (gpointer found)
{
  hs_ablation_found_free (found);
}

/* Returns: whether both ask for the same of the text as it is. */
static bool
have_same_clean (const AttnAblationAsked *a, const AttnAblationAsked *b)
{
  return g_strcmp0 (a->labels, b->labels) == 0 && a->n_draws == b->n_draws && a->seed == b->seed;
}

AttnImportance *
hs_ablation_dup_importance (const AttnImportance *importance)
{
  const size_t n_bytes = importance->n_layers * importance->n_heads * sizeof (double);
  AttnImportance *copy = g_new (AttnImportance, 1);

  *copy = (AttnImportance){
      importance->n_layers, importance->n_heads, g_memdup2 (importance->gradient, n_bytes),
      g_memdup2 (importance->importance, n_bytes), g_memdup2 (importance->importance_l2, n_bytes)};
  return copy;
}

void
hs_ablation_find_async (const HsAblationQuestion *question,
                        const HsAblationFound *known,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  static const HsWorkClass klass = {find_in_thread, job_free, free_found, false};
  const AttnAblationAsked *asked = question->asked;
  Job *job = g_new (Job, 1);

  *job =
      (Job){g_new0 (HsAblationFound, 1), question->layer, question->head, hs_work_get_n_threads ()};
  job->found->trace = attn_trace_ref (question->trace);
  attn_ablation_asked_set (&job->found->asked, asked);
  if (known != NULL && known->clean != NULL && known->trace == question->trace &&
      have_same_clean (&known->asked, asked)) {
    job->found->clean = attn_ablation_clean_ref (known->clean);
    if (known->importance != NULL && asked->importance)
      job->found->importance = hs_ablation_dup_importance (known->importance);
  }
  hs_work_start (&klass, job, cancellable, NULL, NULL, callback, user_data);
}

HsAblationFound *
hs_ablation_find_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}

/* ---- a head's weights ---- */

typedef struct {
  AttnTrace *clean, *off; /* referenced */
  size_t layer, head;
} Looking;

static void
looking_free (gpointer data)
{
  Looking *looking = data;

  attn_trace_unref (looking->clean);
  attn_trace_unref (looking->off);
  g_free (looking);
}

static gpointer
look_in_thread (gpointer data, HsReport *report G_GNUC_UNUSED, GError **error)
{
  const Looking *looking = data;
  AttnDrawAblationWeights *weights =
      attn_draw_ablation_weights_new (looking->clean, looking->off, looking->layer, looking->head);

  if (weights == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for the maps of a head");
  return weights;
}

static void
free_weights (gpointer weights)
{
  attn_draw_ablation_weights_unref (weights);
}

void
hs_ablation_look_async (AttnTrace *clean,
                        AttnTrace *off,
                        size_t layer,
                        size_t head,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  static const HsWorkClass klass = {look_in_thread, looking_free, free_weights, false};
  Looking *looking = g_new (Looking, 1);

  *looking = (Looking){attn_trace_ref (clean), attn_trace_ref (off), layer, head};
  hs_work_start (&klass, looking, cancellable, NULL, NULL, callback, user_data);
}

AttnDrawAblationWeights *
hs_ablation_look_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}

/* ---- each in turn ---- */

HsAblationEach *
hs_ablation_each_new (AttnAblationClean *clean, const AttnAblationAsked *asked)
{
  HsAblationEach *each = g_new0 (HsAblationEach, 1);

  each->clean = attn_ablation_clean_ref (clean);
  attn_ablation_asked_set (&each->asked, asked);
  return each;
}

void
hs_ablation_each_free (HsAblationEach *each)
{
  if (each == NULL)
    return;
  attn_ablation_clean_unref (each->clean);
  attn_ablation_asked_clear (&each->asked);
  g_free (each->losses);
  g_free (each);
}

bool
hs_ablation_each_is_of (const HsAblationEach *each,
                        const AttnAblationClean *clean,
                        const AttnAblationAsked *asked)
{
  return each->clean == clean && each->asked.kind == asked->kind &&
         (asked->kind != ATTN_ABLATE_PATCH || g_strcmp0 (each->asked.patch, asked->patch) == 0);
}

static bool
told_cb (double fraction, void *report)
{
  return hs_measuring_tell (report, NULL, fraction);
}

gpointer
hs_ablation_measure_each (gpointer data, AttnPool *pool, HsMeasuringReport *report, GError **error)
{
  const HsAblationEach *job = data;
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (HsAblationEach) each = hs_ablation_each_new (job->clean, &job->asked);

  each->losses = attn_ablation_compute_each (job->clean, &job->asked, pool, told_cb, report, error);
  each->elapsed_us = g_get_monotonic_time () - start;
  return each->losses != NULL ? g_steal_pointer (&each) : NULL;
}
