/* SPDX-License-Identifier: MIT */
/* The page where heads are switched off: the switches, and what the model loses. */
#pragma once

#include "hs-ablation-curves.h"
#include "hs-ablation-work.h"
#include "hs-ask.h"
#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_ABLATION (hs_ablation_get_type ())
G_DECLARE_FINAL_TYPE (HsAblation, hs_ablation, HS, ABLATION, HsPanel)

GtkWidget *hs_ablation_new (HsSession *session);

/* Returns: (nullable) (transfer none): what is shown, every head removed in turn, and a head's
 * weights before and after. */
const HsAblationFound *hs_ablation_peek_found (HsAblation *self);
const HsAblationEach *hs_ablation_peek_each (HsAblation *self);
AttnDrawAblationWeights *hs_ablation_peek_weights (HsAblation *self);

/* Returns: (nullable) (transfer none): heads removed more and more. */
const HsAblationCurves *hs_ablation_peek_curves (HsAblation *self);

/* As its buttons do. */
void hs_ablation_start (HsAblation *self);
void hs_ablation_stop (HsAblation *self);

/* Asks for a name by @ask (hs_ask_by_chooser()) and saves the figure as "png", "svg" or "pdf", or
 * its numbers as "csv" or "json". */
void hs_ablation_save (HsAblation *self, const char *format, HsAsk ask);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_ablation_dup_command (HsAblation *self);

G_END_DECLS
