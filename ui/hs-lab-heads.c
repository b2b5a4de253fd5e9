/* SPDX-License-Identifier: MIT */
/* One work at a time; the newest question that is still asked is next. */
#include "hs-lab-heads.h"

#include "hs-errors.h"
#include "hs-work.h"

struct _HsLabHeads {
  GObject parent_instance;

  AttnLayerHeads *heads; /* owned; nullable */
  char *failure;         /* nullable: why there are none */
  AttnTrace *trace;      /* referenced; nullable: what they are of, or are to be of */
  size_t layer;          /* likewise */
  bool is_current;       /* the heads, the failure or the work are of these two */
  GCancellable *work;    /* nullable: what runs */
};

G_DEFINE_FINAL_TYPE (HsLabHeads, hs_lab_heads, G_TYPE_OBJECT)

static guint changed_signal;

HsLabHeads *
hs_lab_heads_new (void)
{
  return g_object_new (HS_TYPE_LAB_HEADS, NULL);
}

bool
hs_lab_heads_is_working (HsLabHeads *self)
{
  g_return_val_if_fail (HS_IS_LAB_HEADS (self), false);
  return self->trace != NULL && (self->work != NULL || !self->is_current);
}

AttnLayerHeads *
hs_lab_heads_peek (HsLabHeads *self)
{
  g_return_val_if_fail (HS_IS_LAB_HEADS (self), NULL);
  return self->heads;
}

const char *
hs_lab_heads_peek_failure (HsLabHeads *self)
{
  g_return_val_if_fail (HS_IS_LAB_HEADS (self), NULL);
  return self->failure;
}

/* ---- on the other thread ---- */

typedef struct {
  AttnTrace *trace; /* referenced */
  size_t layer, n_threads;
  GCancellable *cancellable; /* referenced */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  attn_trace_unref (job->trace);
  g_object_unref (job->cancellable);
  g_free (job);
}

static void
free_heads (gpointer heads)
{
  attn_layer_heads_unref (heads);
}

static bool
is_stopped (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static gpointer
compare_in_thread (gpointer data, HsReport *report G_GNUC_UNUSED, GError **error)
{
  const Job *job = data;
  g_autoptr (AttnPool) pool = attn_pool_new (job->n_threads);

  attn_pool_set_stop (pool, is_stopped, job->cancellable);
  return attn_layer_heads_new (job->trace, job->layer, pool, error);
}

/* ---- on this one ---- */

static void start (HsLabHeads *self);

static void
compared_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsLabHeads) self = data;
  g_autoptr (GCancellable) work = g_steal_pointer (&self->work);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnLayerHeads) heads = hs_work_finish (result, &error);

  if (g_cancellable_is_cancelled (work)) {
    start (self);
    return;
  }
  g_clear_pointer (&self->heads, attn_layer_heads_unref);
  g_clear_pointer (&self->failure, g_free);
  self->heads = g_steal_pointer (&heads);
  if (self->heads == NULL)
    self->failure = hs_error_dup_lines (error);
  start (self);
  g_signal_emit (self, changed_signal, 0);
}

/* Once what runs is over it is called again. */
static void
start (HsLabHeads *self)
{
  static const HsWorkClass klass = {compare_in_thread, job_free, free_heads};
  Job *job;

  if (self->work != NULL || self->is_current || self->trace == NULL)
    return;
  self->is_current = true;
  self->work = g_cancellable_new ();
  job = g_new (Job, 1);
  *job = (Job){attn_trace_ref (self->trace), self->layer, hs_work_get_n_threads (),
               g_object_ref (self->work)};
  hs_work_start (&klass, job, self->work, NULL, NULL, compared_cb, g_object_ref (self));
}

static void
forget (HsLabHeads *self)
{
  g_clear_pointer (&self->heads, attn_layer_heads_unref);
  g_clear_pointer (&self->failure, g_free);
}

void
hs_lab_heads_ask (HsLabHeads *self, AttnTrace *trace, size_t layer)
{
  g_return_if_fail (HS_IS_LAB_HEADS (self));

  if (trace != self->trace || layer != self->layer) {
    if (trace != NULL)
      attn_trace_ref (trace);
    g_clear_pointer (&self->trace, attn_trace_unref);
    self->trace = trace;
    self->layer = layer;
    self->is_current = false;
  }
  if (trace == NULL) {
    hs_lab_heads_stop (self);
    forget (self);
  }
  start (self);
}

void
hs_lab_heads_stop (HsLabHeads *self)
{
  g_return_if_fail (HS_IS_LAB_HEADS (self));

  if (self->work == NULL)
    return;
  g_cancellable_cancel (self->work);
  g_clear_pointer (&self->trace, attn_trace_unref); /* so nothing is next */
  self->is_current = false;
}

static void
hs_lab_heads_dispose (GObject *object)
{
  HsLabHeads *self = HS_LAB_HEADS (object);

  forget (self);
  g_clear_pointer (&self->trace, attn_trace_unref);
  G_OBJECT_CLASS (hs_lab_heads_parent_class)->dispose (object);
}

static void
hs_lab_heads_class_init (HsLabHeadsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_lab_heads_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
hs_lab_heads_init (HsLabHeads *self G_GNUC_UNUSED)
{
}
