/* SPDX-License-Identifier: MIT */
/* Keeps the session's heads up to date: the maps of the shown layer, for a strip beside a heat map.
 */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define HS_TYPE_HEADS_FEEDER (hs_heads_feeder_get_type ())
G_DECLARE_FINAL_TYPE (HsHeadsFeeder, hs_heads_feeder, HS, HEADS_FEEDER, GObject)

/**
 * hs_heads_feeder_new:
 * @engine,@session: referenced
 *
 * Works on the engine's threads whenever "wants-heads" is set, a heat map is shown and its layer
 * has other heads; what is computed never keeps the picture waiting.
 */
HsHeadsFeeder *hs_heads_feeder_new (HsEngine *engine, HsSession *session);

G_END_DECLS
