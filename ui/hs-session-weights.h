/* SPDX-License-Identifier: MIT */
/* Other weights under the same name as when a session was saved: that is said, not refused. */
#pragma once

#include "hs-session-file.h"
#include "hs-status-line.h"

G_BEGIN_DECLS

/* Hashes what was loaded for @side on another thread, and says so on @status_line where the session
 * was made with other weights. Nothing is done where a hash is not known. */
void hs_session_weights_check (HsStatusLine *status_line,
                               const AttnDrawSessionSide *side,
                               const HsSessionModel *loaded);

G_END_DECLS
