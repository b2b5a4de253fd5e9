/* SPDX-License-Identifier: MIT */
/* The lab's page on training: are more heads better? Measured while one looks. */
#pragma once

#include "hs-panel.h"

#include "attn/experiment.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_TRAIN (hs_lab_train_get_type ())
G_DECLARE_FINAL_TYPE (HsLabTrain, hs_lab_train, HS, LAB_TRAIN, HsPanel)

GtkWidget *hs_lab_train_new (HsSession *session);

/* As its buttons do. */
void hs_lab_train_start (HsLabTrain *self);
void hs_lab_train_stop (HsLabTrain *self);

/* Returns: whether a measurement is under way. */
gboolean hs_lab_train_is_running (HsLabTrain *self);

/* Returns: (nullable) (transfer none): what was measured last, so far. */
const AttnExperiment *hs_lab_train_peek_experiment (HsLabTrain *self);

/* Returns: (transfer full): sentences on what an experiment measured, whatever that is. */
char *hs_lab_train_dup_finding (const AttnExperiment *experiment);

G_END_DECLS
