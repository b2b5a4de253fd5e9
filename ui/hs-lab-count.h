/* SPDX-License-Identifier: MIT */
/* The lab's page on head counts: what d_model and the number of heads fix, and what they leave. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_COUNT (hs_lab_count_get_type ())
G_DECLARE_FINAL_TYPE (HsLabCount, hs_lab_count, HS, LAB_COUNT, HsPanel)

/* Begins with the shape of the opened model and the length of its text. */
GtkWidget *hs_lab_count_new (HsSession *session);

G_END_DECLS
