/* SPDX-License-Identifier: MIT */
/* Side B while another view than compare is shown: a session keeps it all the same. */
#pragma once

#include "hs-session.h"

#include "attn-draw/session.h"

G_BEGIN_DECLS

typedef struct _HsKeptSide HsKeptSide;

/* Returns: (nullable): what B is now, for hs_kept_side_unref(); NULL where it is as A. */
HsKeptSide *hs_kept_side_new (HsSession *session);
HsKeptSide *hs_kept_side_ref (HsKeptSide *self);
void hs_kept_side_unref (HsKeptSide *self);

/* Writes it into a session's file. Any thread; the first time its weights are hashed. */
void hs_kept_side_put (const HsKeptSide *self, AttnDrawSessionSide *side);

/* Returns: (transfer full): what a command or a file calls @model. */
char *hs_kept_side_dup_name (AttnModel *model);

G_END_DECLS
