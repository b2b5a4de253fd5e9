/* SPDX-License-Identifier: MIT */
/* The reading of the lab's pages. */
#pragma once

#include "hs-session.h"

G_BEGIN_DECLS

/* Returns: (nullable) (transfer full): what the pointer is on in the page that is open, else what
 * is picked in it, in words; NULL for nothing. */
char *hs_lab_dup_reading (HsSession *session);

G_END_DECLS
