/* SPDX-License-Identifier: MIT */
/* How many heads can go, on the page on heads that are off: measured on another thread, shown and
 * saved. */
#pragma once

#include "hs-figure-save.h"
#include "hs-measuring.h"
#include "hs-session.h"

#include "attn-draw/pruning.h"
#include "attn/ablation.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Owned by who has it. */
typedef struct {
  AttnAblationClean *clean; /* referenced: of this */
  AttnPruning *pruning;     /* nullable: not measured yet */
  gint64 elapsed_us;
} HsAblationCurves;

/* Returns: (transfer full): without curves yet: a job for hs_ablation_measure_curves(). */
HsAblationCurves *hs_ablation_curves_new (AttnAblationClean *clean);

void hs_ablation_curves_free (HsAblationCurves *curves);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAblationCurves, hs_ablation_curves_free)

/* HsMeasuringClass.measure; the state is an HsAblationCurves of its own. */
gpointer hs_ablation_measure_curves (gpointer job,
                                     AttnPool *pool,
                                     HsMeasuringReport *report,
                                     GError **error);

/* Returns: what the figure is made of, but for its width. @pruning: (nullable) */
AttnDrawPruning hs_ablation_curves_get (HsSession *session, const AttnPruning *pruning);

/* @file: written but for its title. Returns: false where the session shows nothing. */
bool hs_ablation_curves_file_init (HsFigureFile *file,
                                   HsSession *session,
                                   const HsAblationCurves *curves);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_ablation_curves_dup_command (HsSession *session, const HsAblationCurves *curves);

G_END_DECLS
