/* SPDX-License-Identifier: MIT */
/* Times the frames of all layers, from inside, and prints them as JSON. */
#pragma once

#include "hs-window.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * hs_view_benchmark_start:
 * @window: not yet on screen
 * @done:   set to TRUE once the times are printed; the application then quits
 *
 * Waits for the first picture, then shows all layers, makes their maps larger and smaller, scrolls
 * and points at them, and at last points at the heat map; a frame for each step. A frame's time is
 * from the step to the end of what GTK does for it; its CPU time that of the main thread. Prints
 * {"tokens","layers","heads","all_layers_ms","zoom":{"median_ms","max_ms","max_cpu_ms"},"scroll",
 * "hover","choose","heatmap_hover","rss_mb","renderer"}.
 */
void hs_view_benchmark_start (HsWindow *window, GApplication *application, gboolean *done);

G_END_DECLS
