/* SPDX-License-Identifier: MIT */
/* The newest state of a measurement on its way from a worker to the main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct HsLive HsLive;

/* Returns: (transfer full): for hs_live_unref(), by any thread. @free_state: of what is put in. */
HsLive *hs_live_new (GDestroyNotify free_state);

HsLive *hs_live_ref (HsLive *live);
void hs_live_unref (HsLive *live);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsLive, hs_live_unref)

/* @state: consumed; takes the place of one that nobody has taken. */
void hs_live_put (HsLive *live, gpointer state);

/* Returns: (transfer full) (nullable): the newest, if there is one since the last time. */
gpointer hs_live_take (HsLive *live);

G_END_DECLS
