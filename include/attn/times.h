/* SPDX-License-Identifier: MIT */
/* Times of attention blocks that somebody measured, maybe elsewhere: read back from the JSON that
 * attn_times_dup_json() writes (lab-text.h), so that a picture can be drawn from them again. */
#pragma once

#include "attn/timing.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_TIMES_MAX 64            /* numbers of heads in a file */
#define ATTN_TIMES_MAX_BYTES 1048576 /* of a file */

/* What was measured with which options. */
typedef struct {
  AttnTimingOptions options;
  const AttnTiming *timings; /* [n]; (nullable) where n is 0 */
  size_t n;
  size_t n_threads;
  const char *kernel; /* attn_kernel_peek_name() of where it was measured */
} AttnTimes;

/**
 * attn_times_new_from_json:
 * @bytes: [n_bytes]
 * @path:  for messages
 *
 * Times are nine digits, as attn_timing_run() gives them: what is read is what was measured, to the
 * bit.
 *
 * Returns: (transfer full): for attn_times_free(), or NULL with @error: FORMAT, SHAPE.
 * Test: tests/core/test-times.c
 */
AttnTimes *
attn_times_new_from_json (const char *bytes, size_t n_bytes, const char *path, GError **error);

/* Only of what is new: its timings and its kernel are its own. */
void attn_times_free (AttnTimes *times);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTimes, attn_times_free)

G_END_DECLS
