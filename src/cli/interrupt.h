/* SPDX-License-Identifier: MIT */
/* Ctrl+C, and a terminal that is closed, end long work in an orderly way. */
#pragma once

#include <gio/gio.h>

/* From now on SIGINT, SIGTERM and SIGHUP, as far as they are not ignored, cancel @stop; a second
 * one ends the program at once. To be called before other threads are started. */
void cli_interrupt_stops (GCancellable *stop);

/* For the program's end, when the work was stopped and everything is told: where a signal stopped
 * it, the program dies of that signal. Returns where none did. Test: tests/cli/test-fetch.c */
void cli_interrupt_end (void);
