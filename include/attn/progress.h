/* SPDX-License-Identifier: MIT */
/* How long work tells its progress and asks whether to go on. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * AttnProgressFunc:
 * @fraction: 0 … 1, never falling during one piece of work
 * @data:     the caller's
 *
 * Returns: true to go on; false to stop, which the work answers with ATTN_ERROR_CANCELLED.
 *
 * Threads: called on the thread that called the working function, between layers or files.
 */
typedef bool (*AttnProgressFunc) (double fraction, void *data);

/**
 * attn_progress_tell:
 * @func: (nullable): the callback; none means "go on"
 *
 * Returns: false with ATTN_ERROR_CANCELLED in @error when the callback says stop.
 */
bool attn_progress_tell (AttnProgressFunc func, void *data, double fraction, GError **error);

G_END_DECLS
