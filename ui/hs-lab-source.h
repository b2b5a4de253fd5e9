/* SPDX-License-Identifier: MIT */
/* What pages of the lab are about: the run of the session's text, or why there is none. */
#pragma once

#include "hs-session.h"

#include "attn-draw/figure.h"
#include "attn/trace.h"

G_BEGIN_DECLS

/* Returns: (nullable) (transfer none): the newest run of side A's text; NULL where a file of
 * weights is shown, or nothing ran. */
AttnTrace *hs_lab_peek_trace (HsSession *session);

/* Returns: (transfer full): why there is no trace, translated. */
char *hs_lab_dup_reason (HsSession *session);

/* Returns: what figures are drawn with in the window, as its pictures are; borrowed from the
 * session's view. */
AttnDrawFigureStyle hs_lab_get_style (HsSession *session);

G_END_DECLS
