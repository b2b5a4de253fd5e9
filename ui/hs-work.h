/* SPDX-License-Identifier: MIT */
/* Work for another thread that has nothing to do with running a model: writing files, hashing. */
#pragma once

#include "hs-report.h"

#include <gio/gio.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* On the other thread. @job: the work's own copy of what it needs; @report: for hs_report_tell().
 * Returns: (transfer full): the result, or NULL with @error. */
typedef gpointer (*HsWorkFunc) (gpointer job, HsReport *report, GError **error);

/* The job is freed on the other thread, before the callback; a result that nobody wants on any
 * thread. So neither may hold an object of the window. */
typedef struct {
  HsWorkFunc func;
  GDestroyNotify free_job, free_result;
  bool writes; /* what it leaves behind must not be half of it: the end waits for it */
} HsWorkClass;

/**
 * hs_work_start:
 * @klass:       static
 * @job:         consumed
 * @cancellable: (nullable): the report asks it; a work that was stopped gives an error
 * @progress:    (nullable): not called any more once @callback was
 * @callback:    on the main thread
 */
void hs_work_start (const HsWorkClass *klass,
                    gpointer job,
                    GCancellable *cancellable,
                    HsReportFunc progress,
                    gpointer progress_data,
                    GAsyncReadyCallback callback,
                    gpointer user_data);

/* How many threads a work may use for a pool of its own, as attn_pool_new() takes it; 0 at first.
 * Main thread. */
void hs_work_set_n_threads (size_t n_threads);
size_t hs_work_get_n_threads (void);

/* Returns: (transfer full): the result, or NULL with @error. */
gpointer hs_work_finish (GAsyncResult *result, GError **error);

/* Runs the main loop until every work has called back; the program does so before it ends, so that
 * no thread is in the core while it is taken down. Who started one stops it before. */
void hs_work_drain (void);

/* Likewise for the end of the program, which a file that never answers (of a network that is gone,
 * of the kernel) must not keep: works that only read or compute are waited for @patience_ms at
 * most. Returns: false when some are left, whose threads go on; nothing they use may be freed. */
bool hs_work_drain_for (guint patience_ms);

G_END_DECLS
