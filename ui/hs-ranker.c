/* SPDX-License-Identifier: MIT */
/* What is shown decides what is ranked; the newest wins. */
#include "hs-ranker.h"

#include "hs-work.h"

#include "attn/error.h"

struct _HsRanker {
  GObject parent_instance;

  HsEngine *engine;
  HsSession *session;
  GCancellable *work; /* identity of what is under way; NULL for nothing */
  HsChanges *wanted;  /* (nullable): of what was asked for last, not computed */
};

G_DEFINE_FINAL_TYPE (HsRanker, hs_ranker, G_TYPE_OBJECT)

typedef struct {
  HsChanges *wanted;
  AttnPool *pool; /* borrowed */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  hs_changes_unref (job->wanted);
  g_free (job);
}

static void
unref_changes (gpointer changes)
{
  hs_changes_unref (changes);
}

/* Two texts without a common token are an answer, too. */
static gpointer
rank_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Job *job = data;
  const HsChanges *wanted = job->wanted;
  g_autoptr (HsChanges) changes =
      hs_changes_new (wanted->a, wanted->b, wanted->layer, wanted->head);
  g_autoptr (GError) own = NULL;

  changes->heads = attn_rank_compared (changes->a, changes->b, changes->layer, changes->head,
                                       job->pool, hs_report_tell, report, &changes->n, &own);
  if (changes->heads != NULL || g_error_matches (own, ATTN_ERROR, ATTN_ERROR_SHAPE))
    return g_steal_pointer (&changes);
  g_propagate_error (error, g_steal_pointer (&own));
  return NULL;
}

typedef struct {
  HsRanker *self;   /* referenced */
  HsEngine *engine; /* referenced: whose pool is borrowed */
  GCancellable *identity;
} Wait;

static void
ranked_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  Wait *wait = data;
  g_autoptr (HsRanker) self = wait->self;
  g_autoptr (HsEngine) engine = wait->engine;
  g_autoptr (GCancellable) identity = wait->identity;
  g_autoptr (HsChanges) changes = hs_work_finish (result, NULL);

  g_free (wait);
  hs_engine_return_pool (engine);
  if (identity != self->work)
    return; /* something newer, or the window was closed */
  g_clear_object (&self->work);
  hs_session_set_changes (self->session, changes); /* NULL where there was no memory for them */
}

static void
forget (HsRanker *self)
{
  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
  g_clear_pointer (&self->wanted, hs_changes_unref);
}

static void
start (HsRanker *self)
{
  static const HsWorkClass klass = {rank_in_thread, job_free, unref_changes};
  Job *job = g_new (Job, 1);
  Wait *wait = g_new (Wait, 1);

  self->work = g_cancellable_new ();
  *job = (Job){hs_changes_ref (self->wanted), hs_engine_borrow_pool (self->engine)};
  *wait = (Wait){g_object_ref (self), g_object_ref (self->engine), g_object_ref (self->work)};
  hs_work_start (&klass, job, self->work, NULL, NULL, ranked_cb, wait);
}

/* Those of an older text stay until there are new ones: nothing blinks while one types. */
static void
shown_changed_cb (HsRanker *self)
{
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);
  const AttnDrawView *view = hs_session_peek_view (self->session);
  AttnMaps *b = panels != NULL ? attn_draw_panels_peek_source_b (panels) : NULL;
  g_autoptr (HsChanges) wanted = NULL;

  if (b == NULL || view->lens != ATTN_LENS_RAW) { /* it ranks weights */
    forget (self);
    hs_session_set_changes (self->session, NULL);
    return;
  }
  wanted = hs_changes_new (attn_draw_panels_peek_source (panels), b, view->layer, view->head);
  if (self->wanted != NULL && hs_changes_are_of (wanted, self->wanted))
    return;
  forget (self);
  self->wanted = g_steal_pointer (&wanted);
  start (self);
}

HsRanker *
hs_ranker_new (HsEngine *engine, HsSession *session)
{
  HsRanker *self = g_object_new (HS_TYPE_RANKER, NULL);

  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::view", G_CALLBACK (shown_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
hs_ranker_dispose (GObject *object)
{
  HsRanker *self = HS_RANKER (object);

  forget (self);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  G_OBJECT_CLASS (hs_ranker_parent_class)->dispose (object);
}

static void
hs_ranker_class_init (HsRankerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_ranker_dispose;
}

static void
hs_ranker_init (HsRanker *self G_GNUC_UNUSED)
{
}
