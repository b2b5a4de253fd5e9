/* SPDX-License-Identifier: MIT */
/* Where the time of one forward pass goes, stage by stage. */
#pragma once

#include "attn/config.h"
#include "attn/run.h"

#include <glib.h>

typedef struct {
  AttnStage stage; /* the one under way; ATTN_STAGE_END before the first and after the last */
  gint64 since;    /* when it began, µs */
  gint64 us[ATTN_STAGE_END + 1];
} BenchProfile;

/* Begins to measure: to be called just before the run. */
void bench_profile_start (BenchProfile *profile);

/* The run's AttnStageFunc; @data is the profile. */
void bench_profile_enter (AttnStage stage, void *data);

/* Ends the last stage: to be called just after the run. */
void bench_profile_stop (BenchProfile *profile);

gint64 bench_profile_get_total_us (const BenchProfile *profile);

/* Appends the answer's "profile"; bench_profile_help tells its form. */
void bench_profile_append (GString *json,
                           const BenchProfile *profile,
                           const AttnConfig *config,
                           size_t n_tokens);

extern const char bench_profile_help[];

/* Appends milliseconds with the three decimals that the clock gives. */
void bench_append_ms (GString *json, double ms);

/* Appends 10⁹ floating-point operations a second. */
void bench_append_gflops (GString *json, double flops, double ms);
