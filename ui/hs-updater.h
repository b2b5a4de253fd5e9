/* SPDX-License-Identifier: MIT */
/* Keeps what a session shows up to date with what it asks.
 *
 * Watches the side's text, pair, model and attention and the session's view; runs what is needed in
 * the engine (newest wins) and publishes. One head of a text of usual length, or a layer of a short
 * one, is computed at once on the main thread, so that the next frame has it. */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"

G_BEGIN_DECLS

#define HS_TYPE_UPDATER (hs_updater_get_type ())
G_DECLARE_FINAL_TYPE (HsUpdater, hs_updater, HS, UPDATER, GObject)

HsUpdater *hs_updater_new (HsEngine *engine, HsSession *session);

/* Loads a model, "demo" or a folder, and makes it the session's. While there is none, nor a file's
 * weights, the session's state tells how it goes; else what is there goes on working, side A's
 * "coming" and "progress" tell, and where it fails everything is as before and the signal
 * "load-failed" says why by a GError. A lens that cannot be had leaves what is shown likewise, and
 * signal "lens-failed" tells. */
void hs_updater_load (HsUpdater *self, const char *name);

/* Says which model is to be loaded once one is needed. */
void hs_updater_set_name (HsUpdater *self, const char *name);

/* Stops a load beside what is there; all stays as it is. */
void hs_updater_stop_load (HsUpdater *self);

/**
 * hs_updater_open_attention:
 * @wish: copied
 *
 * Reads a file of weights and shows it; how it goes is told as of hs_updater_load(). The signal
 * "attention-opened" tells by an HsAttention. Where it fails everything is as it was, and the
 * signal "attention-failed" tells by a GError.
 */
void hs_updater_open_attention (HsUpdater *self, const HsAttentionWish *wish);

/* The same for side B, whose own properties tell how it goes. */
void hs_updater_open_attention_b (HsUpdater *self, const HsAttentionWish *wish);

/* Shows a file's weights at once as side B, in the place of whatever that had. */
void hs_updater_show_attention_b (HsUpdater *self, HsAttention *attention);

/* Shows a file's weights at once, and loads no model any more; model and texts stay what they are.
 * NULL goes back to them, and loads the model first where there is none. */
void hs_updater_show_attention (HsUpdater *self, HsAttention *attention);

/* Makes a model the session's that another one has loaded by this name. */
void hs_updater_use (HsUpdater *self, const char *name, AttnModel *model);

/* Returns: (transfer none): where it runs. */
HsEngine *hs_updater_peek_engine (HsUpdater *self);

/* Returns: (nullable) (transfer none): the name of the session's model, or of the one asked for
 * while there is none: what the next start should begin with. */
const char *hs_updater_peek_name (HsUpdater *self);

/* Likewise for side B; "" and NULL for the model of side A. */
void hs_updater_use_b (HsUpdater *self, const char *name, AttnModel *model);

/* Stops loading the model or file that side B asked for; everything stays as it is. */
void hs_updater_stop_b (HsUpdater *self);

/* Stops the run that is under way, or the load of the first model; the session is FAILED then, with
 * "Stopped." for a message. */
void hs_updater_stop (HsUpdater *self);

/* Tries again after a failure or a stop. */
void hs_updater_retry (HsUpdater *self);

G_END_DECLS
