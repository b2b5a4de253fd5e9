/* SPDX-License-Identifier: MIT */
/* Progress on its way from a worker to the main thread, and the question whether to go on. */
#pragma once

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Shared by the worker and the main loop. */
typedef struct HsReport HsReport;

/* @fraction: 0 … 1 */
typedef void (*HsReportFunc) (double fraction, gpointer data);

/* @cancellable, @func: (nullable). Returns: (transfer full): for hs_report_unref(). */
HsReport *hs_report_new (GCancellable *cancellable, HsReportFunc func, gpointer data);

void hs_report_unref (HsReport *report);

/* The core tells 0 … 1 of each piece of work: the next one is @share of the whole … */
void hs_report_begin_stage (HsReport *report, double share);

/* … or all that is left. */
void hs_report_begin_rest (HsReport *report);

/* An AttnProgressFunc for the worker, with the report for its data: at most one notification is
 * under way. Returns: whether to go on. */
bool hs_report_tell (double fraction, void *report);

/* On the main thread: the function is not called any more. */
void hs_report_end (HsReport *report);

G_END_DECLS
