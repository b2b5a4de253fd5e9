/* SPDX-License-Identifier: MIT */
/* Questions to other threads, one at a time, and what they answered. */
#include "hs-ablation-answers.h"

#define SHORT_TEXT 128 /* tokens: a head's weights of so many are computed at once */

struct HsAblationAnswers {
  GtkWidget *page; /* borrowed */
  void (*changed) (GtkWidget *page);

  HsAblationFound *found;           /* owned; nullable */
  AttnDrawAblationWeights *weights; /* nullable: of it */
  HsAblationEach *each;             /* owned; nullable: of it, or else not shown */
  gint64 each_us;
  HsAblationCurves *curves; /* owned; nullable: likewise */
  gint64 curves_us;

  GCancellable *cancellable; /* nullable: of the question that is worked on … */
  AttnTrace *trace;          /* … referenced, nullable: which text's … */
  AttnAblationAsked asked;   /* … and what; */
  size_t layer, head;        /* whose weights are wanted, and … */
  GCancellable *looking;     /* … nullable: while they are computed */
};

HsAblationAnswers *
hs_ablation_answers_new (GtkWidget *page, void (*changed) (GtkWidget *page))
{
  HsAblationAnswers *self = g_new0 (HsAblationAnswers, 1);

  self->page = page;
  self->changed = changed;
  self->asked = (AttnAblationAsked)ATTN_ABLATION_ASKED;
  return self;
}

static void
drop (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static void
set_trace (HsAblationAnswers *self, AttnTrace *trace)
{
  if (trace != NULL)
    attn_trace_ref (trace);
  g_clear_pointer (&self->trace, attn_trace_unref);
  self->trace = trace;
}

/* A question without its answer is to be asked again. */
void
hs_ablation_answers_stop (HsAblationAnswers *self)
{
  if (self->cancellable != NULL)
    set_trace (self, NULL);
  drop (&self->cancellable);
  drop (&self->looking);
}

void
hs_ablation_answers_free (HsAblationAnswers *self)
{
  hs_ablation_answers_stop (self);
  hs_ablation_found_free (self->found);
  attn_draw_ablation_weights_unref (self->weights);
  hs_ablation_each_free (self->each);
  hs_ablation_curves_free (self->curves);
  g_clear_pointer (&self->trace, attn_trace_unref);
  attn_ablation_asked_clear (&self->asked);
  g_free (self);
}

/* ---- a head's weights ---- */

/* Returns: whether the weights that are wanted are there, or there are none to be had. */
static bool
has_weights (const HsAblationAnswers *self)
{
  const HsAblationFound *found = self->found;

  if (found == NULL || found->off == NULL)
    return true;
  return self->weights != NULL &&
         attn_draw_ablation_weights_are_of (self->weights, found->clean->task->clean,
                                            found->off->trace, self->layer, self->head);
}

static void
take_weights (HsAblationAnswers *self, AttnDrawAblationWeights *weights)
{
  attn_draw_ablation_weights_unref (self->weights);
  self->weights = weights;
}

static void
looked_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  HsAblationAnswers *self = data;
  g_autoptr (GtkWidget) page = self->page;
  g_autoptr (AttnDrawAblationWeights) weights = hs_ablation_look_finish (result, NULL);

  if (self->looking != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->looking);
  if (weights == NULL)
    return;
  take_weights (self, g_steal_pointer (&weights));
  self->changed (page);
}

/* A short text's weights are there at once. */
static void
look (HsAblationAnswers *self)
{
  const HsAblationFound *found = self->found;

  drop (&self->looking);
  if (has_weights (self))
    return;
  AttnTrace *clean = found->clean->task->clean;
  if (attn_trace_get_n_tokens (clean) <= SHORT_TEXT) {
    take_weights (
        self, attn_draw_ablation_weights_new (clean, found->off->trace, self->layer, self->head));
    return;
  }
  self->looking = g_cancellable_new ();
  g_object_ref (self->page);
  hs_ablation_look_async (clean, found->off->trace, self->layer, self->head, self->looking,
                          looked_cb, self);
}

/* ---- questions ---- */

/* Returns: whether it can be answered of the same text only in part: what is shown stays, and the
 * reason is told. */
static bool
is_refused (const HsAblationAnswers *self, const HsAblationFound *found)
{
  return found->clean == NULL && self->found != NULL && self->found->trace == found->trace;
}

static void
take_found (HsAblationAnswers *self, HsAblationFound *found)
{
  hs_ablation_found_free (self->found);
  self->found = found;
  take_weights (self, g_steal_pointer (&found->weights));
  look (self);
}

static void
found_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  HsAblationAnswers *self = data;
  g_autoptr (GtkWidget) page = self->page;
  g_autoptr (HsAblationFound) found = hs_ablation_find_finish (result, NULL);

  if (self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return; /* another question has been asked since */
  g_clear_object (&self->cancellable);
  if (found == NULL)
    return;
  if (is_refused (self, found)) {
    g_clear_error (&self->found->fault);
    self->found->fault = g_steal_pointer (&found->fault);
  } else {
    take_found (self, g_steal_pointer (&found));
  }
  self->changed (page);
}

static void
forget (HsAblationAnswers *self)
{
  hs_ablation_answers_stop (self);
  set_trace (self, NULL);
  g_clear_pointer (&self->found, hs_ablation_found_free);
  take_weights (self, NULL);
}

void
hs_ablation_answers_ask (HsAblationAnswers *self, const HsAblationQuestion *question)
{
  self->layer = question->layer;
  self->head = question->head;
  if (question->trace == NULL) {
    forget (self);
    return;
  }
  self->asked.figure = question->asked->figure; /* which show what there is, and ask nothing new */
  self->asked.curves = question->asked->curves;
  if (question->trace == self->trace && attn_ablation_asked_equal (question->asked, &self->asked)) {
    look (self);
    return;
  }
  drop (&self->cancellable);
  set_trace (self, question->trace);
  attn_ablation_asked_set (&self->asked, question->asked);
  self->cancellable = g_cancellable_new ();
  g_object_ref (self->page);
  hs_ablation_find_async (question, self->found, self->cancellable, found_cb, self);
}

void
hs_ablation_answers_note (HsAblationAnswers *self, const AttnAblationAsked *asked)
{
  attn_ablation_asked_set (&self->asked, asked);
}

bool
hs_ablation_answers_are_waited_for (const HsAblationAnswers *self)
{
  return self->cancellable != NULL;
}

/* ---- answers ---- */

const HsAblationFound *
hs_ablation_answers_peek_found (const HsAblationAnswers *self)
{
  return self->found;
}

AttnDrawAblationWeights *
hs_ablation_answers_peek_weights (const HsAblationAnswers *self)
{
  return self->weights;
}

const HsAblationEach *
hs_ablation_answers_peek_each (const HsAblationAnswers *self)
{
  return self->each != NULL && self->found != NULL &&
                 hs_ablation_each_is_of (self->each, self->found->clean, &self->found->asked)
             ? self->each
             : NULL;
}

void
hs_ablation_answers_take_each (HsAblationAnswers *self, HsAblationEach *each)
{
  hs_ablation_each_free (self->each);
  self->each = each;
  self->each_us = each->elapsed_us;
}

gint64
hs_ablation_answers_get_each_us (const HsAblationAnswers *self)
{
  return self->each_us;
}

const HsAblationCurves *
hs_ablation_answers_peek_curves (const HsAblationAnswers *self)
{
  return self->curves != NULL && self->found != NULL && self->curves->clean == self->found->clean
             ? self->curves
             : NULL;
}

void
hs_ablation_answers_take_curves (HsAblationAnswers *self, HsAblationCurves *curves)
{
  hs_ablation_curves_free (self->curves);
  self->curves = curves;
  self->curves_us = curves->elapsed_us;
}

gint64
hs_ablation_answers_get_curves_us (const HsAblationAnswers *self)
{
  return self->curves_us;
}
