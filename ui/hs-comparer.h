/* SPDX-License-Identifier: MIT */
/* Keeps the view compare up to date: runs text B and draws A, B and A − B.
 *
 * Text B follows text A until it is made another one. A failure of B takes nothing from A. */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"

G_BEGIN_DECLS

#define HS_TYPE_COMPARER (hs_comparer_get_type ())
G_DECLARE_FINAL_TYPE (HsComparer, hs_comparer, HS, COMPARER, GObject)

HsComparer *hs_comparer_new (HsEngine *engine, HsSession *session);

/* While the view compare is asked for and side A has an answer: shows it, or waits for B. */
void hs_comparer_update (HsComparer *self);

/* Nothing is waited for any more; what was said about B is taken back. */
void hs_comparer_leave (HsComparer *self);

G_END_DECLS
