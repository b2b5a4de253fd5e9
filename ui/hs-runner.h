/* SPDX-License-Identifier: MIT */
/* The newest question wins: starting a run stops the one before, whose result is dropped even when
 * it is a good one. A stopped run raises nothing. */
#pragma once

#include "hs-engine.h"

G_BEGIN_DECLS

#define HS_TYPE_RUNNER (hs_runner_get_type ())
G_DECLARE_FINAL_TYPE (HsRunner, hs_runner, HS, RUNNER, GObject)

/* Signals, of the newest run alone: "answered" (HsAnswer *), "failed" (GError *),
 * "progress" (double 0 … 1). Property "running" (boolean, read-only). */
HsRunner *hs_runner_new (HsEngine *engine);

void hs_runner_start (HsRunner *self, const HsRequest *request);

void hs_runner_stop (HsRunner *self);

bool hs_runner_get_running (HsRunner *self);

G_END_DECLS
