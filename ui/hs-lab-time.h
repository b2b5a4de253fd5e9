/* SPDX-License-Identifier: MIT */
/* Time of one attention block on this machine, measured for the numbers of heads of a shape. */
#pragma once

#include "hs-panel.h"

#include "attn/lab.h"
#include "attn/timing.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_TIME (hs_lab_time_get_type ())
G_DECLARE_FINAL_TYPE (HsLabTime, hs_lab_time, HS, LAB_TIME, HsPanel)

GtkWidget *hs_lab_time_new (HsSession *session);

/* What is measured next: its width and tokens; its heads are marked. */
void hs_lab_time_set_shape (HsLabTime *self, const AttnLabShape *shape);

/* As its buttons do. */
void hs_lab_time_start (HsLabTime *self);
void hs_lab_time_stop (HsLabTime *self);

gboolean hs_lab_time_is_running (HsLabTime *self);

/* Returns: (transfer none) (nullable): [@n] what was measured, so far. */
const AttnTiming *hs_lab_time_peek_timings (HsLabTime *self, size_t *n);

G_END_DECLS
