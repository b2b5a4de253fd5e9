/* SPDX-License-Identifier: MIT */
/* Ctrl+C that ends long work in an orderly way. */
#pragma once

#include <gio/gio.h>

/* From now on SIGINT and SIGTERM cancel @stop; a second one ends the program at once. To be called
 * before other threads are started. */
void cli_interrupt_stops (GCancellable *stop);
