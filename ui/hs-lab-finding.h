/* SPDX-License-Identifier: MIT */
/* A paper's finding, looked for on the opened model and the text of the moment: a button, what came
 * of it in words, and the way to the view that shows it. */
#pragma once

#include "hs-panel.h"

#include "attn/finding.h"

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_LAB_FINDING (hs_lab_finding_get_type ())
G_DECLARE_FINAL_TYPE (HsLabFinding, hs_lab_finding, HS, LAB_FINDING, HsPanel)

/* @session: (nullable) */
GtkWidget *hs_lab_finding_new (HsSession *session, AttnFinding finding);

AttnFinding hs_lab_finding_get_finding (HsLabFinding *self);

/* Looks, where there is a run; what it found for another text is forgotten. */
void hs_lab_finding_start (HsLabFinding *self);

bool hs_lab_finding_is_running (HsLabFinding *self);

/* Returns: (nullable) (transfer none): what was found for the text of the moment. */
const AttnFindingResult *hs_lab_finding_peek_result (HsLabFinding *self);

/* Opens the view that shows what was found. */
void hs_lab_finding_open (HsLabFinding *self);

/* Returns: (nullable) (transfer full): the line for a terminal that finds the same. */
char *hs_lab_finding_dup_command (HsLabFinding *self);

G_END_DECLS
