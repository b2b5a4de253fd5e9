/* SPDX-License-Identifier: MIT */
/* How long one attention block takes on this machine, with several numbers of heads.
 *
 * For: the laboratory of head counts. Not for: timing whole models.
 *
 * A block is what a model runs for a layer's attention, with the same kernels, on random numbers:
 * Q, K and V, every head from scores to mixed values, and W_O.
 *
 * Letters: T tokens, D = d_model, h heads. */
#pragma once

#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_TIMING_MAX_WIDTH 8192  /* of d_model */
#define ATTN_TIMING_MAX_TOKENS 8192 /* of tokens */
#define ATTN_TIMING_MAX_RUNS 10000  /* of measurements */

/* Start with ATTN_TIMING_OPTIONS. */
typedef struct {
  size_t d_model;  /* 1 … ATTN_TIMING_MAX_WIDTH */
  size_t n_tokens; /* 1 … ATTN_TIMING_MAX_TOKENS */
  size_t n_runs;   /* 1 … ATTN_TIMING_MAX_RUNS: measurements of each number of heads */
} AttnTimingOptions;

#define ATTN_TIMING_OPTIONS \
  { \
    .d_model = 512, .n_tokens = 128, .n_runs = 9 \
  }

/* What was measured for one number of heads. */
typedef struct {
  size_t n_heads;
  size_t n_runs;            /* so far */
  double low, median, high; /* ms; quartiles */
} AttnTiming;

/* Told on the caller's thread after each round of measurements, of which every number of heads has
 * had one more. @timings: [@n] so far; @fraction: 0 … 1. Returns: whether to go on. */
typedef bool (*AttnTimingFunc) (const AttnTiming *timings, size_t n, double fraction, void *data);

/**
 * attn_timing_run:
 * @heads:   [@n] numbers of heads that divide d_model
 * @pool:    (nullable)
 * @report:  (nullable)
 * @timings: [@n] written
 *
 * The numbers of heads take turns, so that what else the machine does meets all of them alike; a
 * first round is not counted. Blocks that take less than a fifth of a millisecond are run several
 * times for a measurement.
 *
 * A block of a large shape takes seconds: attn_pool_set_stop() of @pool ends also that at once.
 *
 * Returns: false with @error: SHAPE (an option out of its range, heads that do not divide d_model),
 *   TOO_LARGE, CANCELLED.
 * Test: tests/core/test-timing.c
 */
bool attn_timing_run (const AttnTimingOptions *options,
                      const size_t *heads,
                      size_t n,
                      AttnPool *pool,
                      AttnTimingFunc report,
                      void *report_data,
                      AttnTiming *timings,
                      GError **error);

G_END_DECLS
