/* SPDX-License-Identifier: MIT */
/* The lab's first page: the steps of the chosen head, one after the other, with the numbers of the
 * text, and the arithmetic of any of them. */
#pragma once

#include "hs-ask.h"
#include "hs-figure.h"
#include "hs-panel.h"

#include "attn/steps.h"

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_LAB_PIPELINE (hs_lab_pipeline_get_type ())
G_DECLARE_FINAL_TYPE (HsLabPipeline, hs_lab_pipeline, HS, LAB_PIPELINE, HsPanel)

/* Follows the session's pinned query; picking a number pins its row. */
GtkWidget *hs_lab_pipeline_new (HsSession *session);

/* The step that is told of; of one the family has not, the next one that there is. */
AttnStep hs_lab_pipeline_get_step (HsLabPipeline *self);
void hs_lab_pipeline_set_step (HsLabPipeline *self, AttnStep step);

/* Begins to go through the steps, or ends it; does nothing where there are none. */
void hs_lab_pipeline_play (HsLabPipeline *self);

/* Asks for a name by @ask (hs_ask_by_chooser()) and saves the figure as "png", "svg" or "pdf", or
 * the step's numbers as "csv" or "json". */
void hs_lab_pipeline_save (HsLabPipeline *self, const char *format, HsAsk ask);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_lab_pipeline_dup_command (HsLabPipeline *self);

/* Returns: whether the answer to what is asked for now is on the screen. */
bool hs_lab_pipeline_is_shown (HsLabPipeline *self);

/* Returns: (transfer none): what is on screen. */
HsFigure *hs_lab_pipeline_peek_figure (HsLabPipeline *self);

G_END_DECLS
