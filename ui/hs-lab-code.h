/* SPDX-License-Identifier: MIT */
/* The lab's page with the steps of the chosen head as code. */
#pragma once

#include "hs-ask.h"
#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_CODE (hs_lab_code_get_type ())
G_DECLARE_FINAL_TYPE (HsLabCode, hs_lab_code, HS, LAB_CODE, HsPanel)

/* Property "kind" (string): "pseudo", "c" or "pytorch", as attn_code_find() takes it. */
GtkWidget *hs_lab_code_new (HsSession *session);

/* How to ask for a file; hs_ask_by_chooser() at first. */
void hs_lab_code_set_ask (HsLabCode *self, HsAsk ask);

/* Returns: (nullable) (transfer full): the shell line that writes the code that is shown. */
char *hs_lab_code_dup_command (HsLabCode *self);

G_END_DECLS
