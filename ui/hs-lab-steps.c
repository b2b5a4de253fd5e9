/* SPDX-License-Identifier: MIT */
/* One work at a time; steps that are there already are used again for another example. */
#include "hs-lab-steps.h"

#include "hs-work.h"

struct _HsLabSteps {
  GObject parent_instance;

  GCancellable *work;   /* (nullable): identity of what is under way */
  AttnTrace *asked_of;  /* (nullable): referenced: the newest question's */
  HsLabQuestion asked;  /* its trace is asked_of */
  AttnDrawSteps *steps; /* nullable */
  AttnDrawExample *example;
  HsLabQuestion answered;
};

G_DEFINE_FINAL_TYPE (HsLabSteps, hs_lab_steps, G_TYPE_OBJECT)

static guint changed_signal;

HsLabSteps *
hs_lab_steps_new (void)
{
  return g_object_new (HS_TYPE_LAB_STEPS, NULL);
}

AttnDrawSteps *
hs_lab_steps_peek (HsLabSteps *self)
{
  g_return_val_if_fail (HS_IS_LAB_STEPS (self), NULL);
  return self->steps;
}

AttnDrawExample *
hs_lab_steps_peek_example (HsLabSteps *self)
{
  g_return_val_if_fail (HS_IS_LAB_STEPS (self), NULL);
  return self->example;
}

const HsLabQuestion *
hs_lab_steps_peek_answered (HsLabSteps *self)
{
  g_return_val_if_fail (HS_IS_LAB_STEPS (self), NULL);
  return &self->answered;
}

/* ---- on the other thread ---- */

typedef struct {
  HsLabQuestion question;
  AttnTrace *trace;     /* referenced */
  AttnDrawSteps *steps; /* (nullable): of the same head: referenced */
} Job;

typedef struct {
  HsLabQuestion question;
  AttnDrawSteps *steps;
  AttnDrawExample *example;
} Answer;

static void
job_free (gpointer data)
{
  Job *job = data;

  attn_trace_unref (job->trace);
  g_clear_pointer (&job->steps, attn_draw_steps_unref);
  g_free (job);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  if (answer == NULL)
    return;
  g_clear_pointer (&answer->steps, attn_draw_steps_unref);
  g_clear_pointer (&answer->example, attn_draw_example_unref);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

/* A text that has changed may have fewer rows, another family other steps. */
static void
settle (HsLabQuestion *question, AttnDrawSteps *steps)
{
  while (question->step + 1 < ATTN_N_STEPS && attn_draw_steps_peek (steps, question->step) == NULL)
    question->step++;
  if (attn_draw_steps_peek (steps, question->step) == NULL)
    question->step = ATTN_STEP_SUM;
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, question->step);
  if (question->row >= matrix->n_rows || question->column >= matrix->n_columns)
    question->has_cell = false;
  if (question->row >= matrix->n_rows)
    question->has_row = false;
  if (!question->has_row && !question->has_cell)
    question->row = attn_draw_steps_find_row (steps);
}

static gpointer
answer_in_thread (gpointer data, HsReport *report G_GNUC_UNUSED, GError **error)
{
  const Job *job = data;
  g_autoptr (Answer) answer = g_new0 (Answer, 1);
  HsLabQuestion *question = &answer->question;

  *question = job->question;
  if (question->is_open &&
      !attn_draw_steps_choose_head (job->trace, &question->layer, &question->head, error))
    return NULL;
  answer->steps = job->steps != NULL
                      ? attn_draw_steps_ref (job->steps)
                      : attn_draw_steps_new (job->trace, question->layer, question->head, error);
  if (answer->steps == NULL)
    return NULL;
  settle (question, answer->steps);
  answer->example =
      question->has_cell
          ? attn_draw_example_new (answer->steps, question->step, question->row, question->column,
                                   error)
          : attn_draw_example_new_usual (answer->steps, question->step, question->row, error);
  return answer->example != NULL ? g_steal_pointer (&answer) : NULL;
}

/* ---- on this one ---- */

typedef struct {
  HsLabSteps *self; /* referenced */
  GCancellable *identity;
} Wait;

static void
answered_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  Wait *wait = data;
  g_autoptr (HsLabSteps) self = wait->self;
  g_autoptr (GCancellable) identity = wait->identity;
  g_autoptr (Answer) answer = hs_work_finish (result, NULL);

  g_free (wait);
  if (identity != self->work)
    return; /* something newer, or nothing any more */
  g_clear_object (&self->work);
  if (answer == NULL)
    return; /* no memory for it: what is there stays */
  g_clear_pointer (&self->steps, attn_draw_steps_unref);
  g_clear_pointer (&self->example, attn_draw_example_unref);
  self->steps = g_steal_pointer (&answer->steps);
  self->example = g_steal_pointer (&answer->example);
  self->answered = answer->question;
  self->asked.step = answer->question.step; /* as it will be asked for from now on */
  self->asked.has_cell = answer->question.has_cell;
  self->asked.layer = answer->question.layer;
  self->asked.head = answer->question.head;
  self->asked.is_open = false;
  g_signal_emit (self, changed_signal, 0);
}

static bool
is_same (const HsLabQuestion *a, const HsLabQuestion *b)
{
  return a->trace == b->trace && a->is_open == b->is_open && a->layer == b->layer &&
         a->head == b->head && a->step == b->step && a->has_row == b->has_row &&
         a->has_cell == b->has_cell && (a->row == b->row || !(a->has_row || a->has_cell)) &&
         (a->column == b->column || !a->has_cell);
}

static bool
has_steps_of (HsLabSteps *self, const HsLabQuestion *question)
{
  return self->steps != NULL && !question->is_open &&
         attn_draw_steps_peek_trace (self->steps) == question->trace &&
         attn_draw_steps_get_layer (self->steps) == question->layer &&
         attn_draw_steps_get_head (self->steps) == question->head;
}

static void
stop (HsLabSteps *self)
{
  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
}

void
hs_lab_steps_ask (HsLabSteps *self, const HsLabQuestion *question)
{
  static const HsWorkClass klass = {answer_in_thread, job_free, answer_free};

  g_return_if_fail (HS_IS_LAB_STEPS (self));
  if (self->asked_of != NULL && is_same (&self->asked, question))
    return;
  stop (self);
  AttnTrace *trace = attn_trace_ref (question->trace);
  g_clear_pointer (&self->asked_of, attn_trace_unref);
  self->asked_of = trace;
  self->asked = *question;

  Job *job = g_new0 (Job, 1);
  Wait *wait = g_new (Wait, 1);
  self->work = g_cancellable_new ();
  job->question = *question;
  job->trace = attn_trace_ref (trace);
  job->steps = has_steps_of (self, question) ? attn_draw_steps_ref (self->steps) : NULL;
  *wait = (Wait){g_object_ref (self), g_object_ref (self->work)};
  hs_work_start (&klass, job, self->work, NULL, NULL, answered_cb, wait);
}

bool
hs_lab_steps_is_working (HsLabSteps *self)
{
  g_return_val_if_fail (HS_IS_LAB_STEPS (self), false);
  return self->work != NULL;
}

void
hs_lab_steps_clear (HsLabSteps *self)
{
  g_return_if_fail (HS_IS_LAB_STEPS (self));
  stop (self);
  g_clear_pointer (&self->asked_of, attn_trace_unref);
  g_clear_pointer (&self->steps, attn_draw_steps_unref);
  g_clear_pointer (&self->example, attn_draw_example_unref);
}

static void
hs_lab_steps_dispose (GObject *object)
{
  hs_lab_steps_clear (HS_LAB_STEPS (object));
  G_OBJECT_CLASS (hs_lab_steps_parent_class)->dispose (object);
}

static void
hs_lab_steps_class_init (HsLabStepsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_lab_steps_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
hs_lab_steps_init (HsLabSteps *self G_GNUC_UNUSED)
{
}
