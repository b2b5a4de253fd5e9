/* SPDX-License-Identifier: MIT */
/* The newest progress value, and at most one idle source that brings it. */
#include "hs-report.h"

struct HsReport {
  GMutex lock;
  double fraction;
  double base, span; /* worker only: where the present stage stands in the whole */
  bool scheduled;
  GCancellable *cancellable; /* nullable */
  HsReportFunc func;         /* main thread only; NULL once the work is over */
  gpointer data;
};

HsReport *
hs_report_new (GCancellable *cancellable, HsReportFunc func, gpointer data)
{
  HsReport *report = g_atomic_rc_box_new0 (HsReport);

  g_mutex_init (&report->lock);
  report->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  report->func = func;
  report->data = data;
  return report;
}

static void
clear_report (gpointer data)
{
  HsReport *report = data;

  g_mutex_clear (&report->lock);
  g_clear_object (&report->cancellable);
}

void
hs_report_unref (HsReport *report)
{
  g_atomic_rc_box_release_full (report, clear_report);
}

static void
unref_cb (gpointer report)
{
  hs_report_unref (report);
}

static gboolean
tell_main_thread_cb (gpointer data)
{
  HsReport *report = data;
  double fraction;

  g_mutex_lock (&report->lock);
  fraction = report->fraction;
  report->scheduled = false;
  g_mutex_unlock (&report->lock);
  if (report->func != NULL && !g_cancellable_is_cancelled (report->cancellable))
    report->func (fraction, report->data);
  return G_SOURCE_REMOVE;
}

void
hs_report_begin_stage (HsReport *report, double share)
{
  report->base += report->span;
  report->span = share;
}

void
hs_report_begin_rest (HsReport *report)
{
  hs_report_begin_stage (report, 1 - report->base - report->span);
}

bool
hs_report_tell (double fraction, void *data)
{
  HsReport *report = data;
  bool schedule;

  g_mutex_lock (&report->lock);
  report->fraction = report->base + fraction * report->span;
  schedule = !report->scheduled;
  report->scheduled = true;
  g_mutex_unlock (&report->lock);
  if (schedule)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, tell_main_thread_cb, g_atomic_rc_box_acquire (report),
                     unref_cb);
  return !g_cancellable_is_cancelled (report->cancellable);
}

void
hs_report_end (HsReport *report)
{
  report->func = NULL;
}
