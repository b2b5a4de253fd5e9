/* SPDX-License-Identifier: MIT */
/* What a session shows when something could not be done: why, in place of a picture. */
#pragma once

#include "hs-session.h"

G_BEGIN_DECLS

/* A model could not be loaded or run. What is pinned stays, for when it works again. */
void hs_failure_show (HsSession *session, const GError *error);

/* What a run gave cannot be drawn, mostly because the arrangement leaves nothing to see; of rows
 * that are no more nothing is pinned. Text, model and answer stay, so that another arrangement
 * shows at once. */
void hs_failure_show_refusal (HsSession *session, const GError *error);

G_END_DECLS
