/* SPDX-License-Identifier: MIT */
/* Times the frames of every view, from inside, and prints them as JSON. */
#pragma once

#include "hs-window.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * hs_view_benchmark_start:
 * @window: not yet on screen
 * @done:   set to TRUE once the times are printed; the application then quits
 *
 * Waits for the first picture, then for that of all layers, and goes through the phases of
 * hs-view-phases.h, a step before each frame. A frame's time is from the step to the end of what
 * GTK does for it; its CPU time that of the main thread. Prints {"tokens","layers","heads",
 * "all_layers_ms","all_layers_cpu_ms","frames":{NAME:{"cpu_ms":{"p50","p95","max"},"wall_ms":{…}}},
 * "rss_mb","renderer"}; all layers' CPU time is of all threads.
 */
void hs_view_benchmark_start (HsWindow *window, GApplication *application, gboolean *done);

G_END_DECLS
