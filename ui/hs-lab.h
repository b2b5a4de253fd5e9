/* SPDX-License-Identifier: MIT */
/* The lab: seen while the session is in it, made when it is first opened. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB (hs_lab_get_type ())
G_DECLARE_FINAL_TYPE (HsLab, hs_lab, HS, LAB, HsPanel)

/* Shows the session's page of the lab; another page is made when it is first opened. */
GtkWidget *hs_lab_new (HsSession *session);

/* Returns: (nullable) (transfer none): the page that is open, as its table's function made it. */
GtkWidget *hs_lab_peek_page (HsLab *self);

#define HS_TYPE_LAB_SWITCH (hs_lab_switch_get_type ())
G_DECLARE_FINAL_TYPE (HsLabSwitch, hs_lab_switch, HS, LAB_SWITCH, HsPanel)

/* A button for each page of the lab, over the action view.lab-page. */
GtkWidget *hs_lab_switch_new (HsSession *session);

G_END_DECLS
