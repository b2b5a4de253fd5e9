/* SPDX-License-Identifier: MIT */
/* One work at a time; its newest state is taken a few times a second. */
#include "hs-measuring.h"

#include "hs-errors.h"
#include "hs-live.h"
#include "hs-told.h"
#include "hs-work.h"

#include "attn/error.h"

#include <glib/gi18n.h>

#define LEAST_PAUSE_US 100000 /* between two pictures of what has come */

struct HsMeasuring {
  const HsMeasuringClass *klass;
  HsWorkClass work;
  GtkWidget *page;           /* borrowed; referenced while it runs */
  HsRunStrip *strip;         /* borrowed */
  GCancellable *cancellable; /* nullable: of what runs */
  HsLive *live;              /* nullable: likewise */
  gint64 shown_us;
};

struct HsMeasuringReport {
  HsLive *live;
  HsReport *report;
};

/* What the other thread has. */
typedef struct {
  const HsMeasuringClass *klass;
  gpointer job;
  size_t n_threads;
  HsLive *live;
  GCancellable *cancellable;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  if (work->klass->free_job != NULL)
    work->klass->free_job (work->job);
  hs_live_unref (work->live);
  g_object_unref (work->cancellable);
  g_free (work);
}

static bool
is_stopped (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static gpointer
measure_in_thread (gpointer data, HsReport *report, GError **error)
{
  Work *work = data;
  g_autoptr (AttnPool) pool = attn_pool_new (work->n_threads);
  HsMeasuringReport told = {work->live, report};

  attn_pool_set_stop (pool, is_stopped, work->cancellable);
  hs_report_begin_rest (report);
  return work->klass->measure (work->job, pool, &told, error);
}

bool
hs_measuring_tell (HsMeasuringReport *report, gpointer state, double fraction)
{
  if (state != NULL)
    hs_live_put (report->live, state);
  return hs_report_tell (fraction, report->report);
}

HsMeasuring *
hs_measuring_new (const HsMeasuringClass *klass, GtkWidget *page, HsRunStrip *strip)
{
  HsMeasuring *self = g_new0 (HsMeasuring, 1);

  self->klass = klass;
  self->work =
      (HsWorkClass){measure_in_thread, .free_job = work_free, .free_result = klass->free_state};
  self->page = page;
  self->strip = strip;
  return self;
}

void
hs_measuring_free (HsMeasuring *self)
{
  if (self == NULL)
    return;
  g_warn_if_fail (self->cancellable == NULL); /* its page would be there still */
  g_free (self);
}

bool
hs_measuring_is_running (const HsMeasuring *self)
{
  return self->cancellable != NULL;
}

static void
show (HsMeasuring *self)
{
  self->klass->show (self->page);
  self->shown_us = g_get_monotonic_time ();
}

static void
take_newest (HsMeasuring *self)
{
  gpointer newest = hs_live_take (self->live);

  if (newest != NULL)
    self->klass->take (self->page, newest);
}

static void
end (HsMeasuring *self, const char *sentence)
{
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->live, hs_live_unref);
  hs_run_strip_set_running (self->strip, FALSE);
  hs_run_strip_say (self->strip, sentence);
  show (self);
}

static void
progress_cb (double fraction, gpointer data)
{
  HsMeasuring *self = data;

  if (self->cancellable == NULL) /* stopped */
    return;
  hs_run_strip_set_fraction (self->strip, fraction);
  if (g_get_monotonic_time () - self->shown_us < LEAST_PAUSE_US)
    return;
  take_newest (self);
  show (self);
}

/* Who runs, and the page that has it, which may have left its window. */
typedef struct {
  HsMeasuring *self;
  GtkWidget *page; /* referenced */
} Waiting;

/* Returns: (transfer full): what went wrong; of a text that does not fit the very reason, since the
 * model is not at fault. */
static char *
dup_fault (const GError *error)
{
  if (g_error_matches (error, ATTN_ERROR, ATTN_ERROR_SHAPE) ||
      g_error_matches (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT))
    return hs_told_dup (error->message);
  return g_strdup (hs_error_peek_sentence (error));
}

/* The one who stopped it is told at once, and may have begun another since. */
static void
measured_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autofree Waiting *waiting = data;
  g_autoptr (GtkWidget) page = waiting->page;
  g_autoptr (GError) error = NULL;
  HsMeasuring *self = waiting->self;
  gpointer state = hs_work_finish (result, &error);

  if (self->cancellable == NULL || self->cancellable != g_task_get_cancellable (G_TASK (result))) {
    if (state != NULL)
      self->klass->free_state (state);
    return;
  }
  if (state != NULL)
    self->klass->take (page, state);
  g_autofree char *fault = error != NULL ? dup_fault (error) : NULL;
  end (self, fault);
}

void
hs_measuring_start (HsMeasuring *self, gpointer job)
{
  g_return_if_fail (self->cancellable == NULL);
  Work *work = g_new (Work, 1);
  Waiting *waiting = g_new (Waiting, 1);

  self->cancellable = g_cancellable_new ();
  self->live = hs_live_new (self->klass->free_state);
  *work = (Work){self->klass, job, hs_work_get_n_threads (), hs_live_ref (self->live),
                 g_object_ref (self->cancellable)};
  *waiting = (Waiting){self, g_object_ref (self->page)};
  hs_run_strip_say (self->strip, NULL);
  hs_run_strip_set_running (self->strip, TRUE);
  show (self);
  hs_work_start (&self->work, work, self->cancellable, progress_cb, self, measured_cb, waiting);
}

void
hs_measuring_stop (HsMeasuring *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  take_newest (self);
  end (self, _ ("Stopped; what was measured until then is shown"));
}
