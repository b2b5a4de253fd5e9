/* SPDX-License-Identifier: MIT */
/* Keeps the view compare up to date: loads model B, runs text B and draws A, B and A − B.
 *
 * Texts B follow texts A until they are made others, and the model is A's until another one is
 * asked for. A failure of B takes nothing from A. A lens that does not fit both gives way; signal
 * "lens-failed" (const GError *) tells why. */
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

/* Gives side B a model that somebody has loaded by this name; NULL and "" for side A's. */
void hs_comparer_use (HsComparer *self, const char *name, AttnModel *model);

/* Reads a file of weights for side B. */
void hs_comparer_open_attention (HsComparer *self, const HsAttentionWish *wish);

/* Shows a file's weights that are there as side B. */
void hs_comparer_show_attention (HsComparer *self, HsAttention *attention);

/* Stops loading model or file B, if it is under way: side B keeps the one it has. */
void hs_comparer_stop_load (HsComparer *self);

G_END_DECLS
