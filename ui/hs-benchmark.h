/* SPDX-License-Identifier: MIT */
/* How long from the start of the process to the first frame with the heat map in it. */
#pragma once

#include "hs-window.h"

#include <time.h>

G_BEGIN_DECLS

/**
 * hs_benchmark_start:
 * @window: not yet shown
 *
 * After the first frame painted with panels, prints one line
 * {"first_picture_ms","rss_mb","renderer"} (the process's age, its peak resident size, what GTK
 * draws with) and quits the application; if the session fails, prints its detail on stderr and
 * quits. Returns: whether it went well, once the application has ended, in @done.
 */
void hs_benchmark_start (HsWindow *window, GApplication *application, gboolean *done);

/* For other benchmarks: prints why and ends when the session fails or has nothing to show. */
void hs_benchmark_quit_on_failure (HsSession *session, GApplication *application);

/* Returns: (transfer full): what GTK draws @window with, "cairo" or "gl". */
char *hs_benchmark_dup_renderer (GtkWidget *window);

/* Returns: peak resident size of the process, MB. */
double hs_benchmark_get_peak_mb (void);

/* Returns: CPU time in ms, of the calling thread (CLOCK_THREAD_CPUTIME_ID) or of all. */
double hs_benchmark_get_cpu_ms (clockid_t clock);

G_END_DECLS
