/* SPDX-License-Identifier: MIT */
/* The lab's page on what papers measured about heads. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_RESEARCH (hs_lab_research_get_type ())
G_DECLARE_FINAL_TYPE (HsLabResearch, hs_lab_research, HS, LAB_RESEARCH, HsPanel)

GtkWidget *hs_lab_research_new (HsSession *session);

G_END_DECLS
