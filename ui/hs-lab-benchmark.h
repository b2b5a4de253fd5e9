/* SPDX-License-Identifier: MIT */
/* A benchmark of the lab's first page: how long it takes to open, and to show another step or head.
 */
#pragma once

#include "hs-window.h"

G_BEGIN_DECLS

/**
 * hs_lab_benchmark_start:
 * @done: set once everything was measured
 *
 * Opens the lab as its key does, once the picture is complete, then goes through steps and heads
 * and at last between the lab and the picture, and prints one line of JSON: "open", "step", "head"
 * and "reopen", each with p50, p95 and max of "cpu_ms" (of the main thread, from the key to the end
 * of the frame that shows it) and "wall_ms". Then the application quits.
 */
void hs_lab_benchmark_start (HsWindow *window, GApplication *application, gboolean *done);

G_END_DECLS
