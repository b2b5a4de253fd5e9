/* SPDX-License-Identifier: MIT */
/* Goes through the lab's steps: by buttons, slowly by itself, and by the figure's keys and clicks.
 */
#pragma once

#include "hs-figure.h"
#include "hs-lab-steps.h"
#include "hs-panel.h"

G_BEGIN_DECLS

typedef struct _HsLabGuide HsLabGuide;

typedef struct {
  GtkWidget *back, *next;
  GtkToggleButton *play;
} HsLabGuideButtons;

/* @panel: whose session's place is moved; it, @figure and the buttons are borrowed and outlive the
 * guide. @steps: those that are shown; referred to.
 *
 * Returns: (transfer full): for hs_lab_guide_free(). */
HsLabGuide *hs_lab_guide_new (HsPanel *panel,
                              HsLabSteps *steps,
                              HsFigure *figure,
                              const HsLabGuideButtons *buttons);

/* Nothing is moved any more. */
void hs_lab_guide_free (HsLabGuide *self);

/* @step is what one sees: the buttons go where there is a step. */
void hs_lab_guide_show_step (HsLabGuide *self, AttnStep step);

/* There are no steps to go through. */
void hs_lab_guide_show_nothing (HsLabGuide *self);

/* Plays or stops, where there are steps. */
void hs_lab_guide_toggle_play (HsLabGuide *self);

G_END_DECLS
