/* SPDX-License-Identifier: MIT */
/* How long from the start of the process to the first frame with the heat map in it. */
#pragma once

#include "hs-window.h"

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

G_END_DECLS
