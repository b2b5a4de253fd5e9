/* SPDX-License-Identifier: MIT */
/* Loads the model that side B asks for by its name, or a file of weights, away from the main
 * thread.
 *
 * Until it is there, and where it cannot be had, everything stays as it was: the side's model, and
 * then its name again. The side's "coming", "progress" and "trouble" tell how it goes. */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"

G_BEGIN_DECLS

#define HS_TYPE_SIDE_LOADER (hs_side_loader_get_type ())
G_DECLARE_FINAL_TYPE (HsSideLoader, hs_side_loader, HS, SIDE_LOADER, GObject)

/* Serves side B of @session. Nothing is loaded before hs_side_loader_need(). */
HsSideLoader *hs_side_loader_new (HsEngine *engine, HsSession *session);

/* Somebody looks at side B: what it asks for is loaded, now and whenever it asks for another. */
void hs_side_loader_need (HsSideLoader *self);

/* Nobody does any more. A load that is under way goes on. */
void hs_side_loader_leave (HsSideLoader *self);

/* Reads a file of weights for side B, whether somebody looks at it or not. Any model that is chosen
 * afterwards takes its place. */
void hs_side_loader_open_attention (HsSideLoader *self, const HsAttentionWish *wish);

/* Shows a file's weights that are there already, in the place of whatever side B had. */
void hs_side_loader_show_attention (HsSideLoader *self, HsAttention *attention);

/* Stops a load: the side asks again for what it has. */
void hs_side_loader_stop (HsSideLoader *self);

/* Gives side B a model that somebody has loaded by this name; NULL and "" for side A's. */
void hs_side_loader_use (HsSideLoader *self, const char *name, AttnModel *model);

G_END_DECLS
