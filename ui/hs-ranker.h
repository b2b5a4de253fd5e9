/* SPDX-License-Identifier: MIT */
/* Keeps the session's changes up to date: how much each head differs between the two sides that the
 * view compare shows. */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"

G_BEGIN_DECLS

#define HS_TYPE_RANKER (hs_ranker_get_type ())
G_DECLARE_FINAL_TYPE (HsRanker, hs_ranker, HS, RANKER, GObject)

/* Works on another thread whenever a comparison is shown, and never keeps the picture waiting.
 * @engine,@session: referenced. */
HsRanker *hs_ranker_new (HsEngine *engine, HsSession *session);

G_END_DECLS
