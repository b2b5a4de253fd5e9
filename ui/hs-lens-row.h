/* SPDX-License-Identifier: MIT */
/* A button that says through which lens one looks, and a list of all of them. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LENS_ROW (hs_lens_row_get_type ())
G_DECLARE_FINAL_TYPE (HsLensRow, hs_lens_row, HS, LENS_ROW, HsPanel)

/* Returns: (transfer none): the check button of a lens; insensitive where the lens does not fit
 * what is opened, which its second line gives the reason of. For tests. */
GtkWidget *hs_lens_row_peek_choice (HsLensRow *self, AttnLens lens);

/* Returns: (nullable) (transfer full): why the lens does not fit what the session has opened, in
 * the window's language; NULL where it does. */
char *hs_lens_row_dup_reason (HsSession *session, AttnLens lens);

G_END_DECLS
