/* SPDX-License-Identifier: MIT */
/* Keeps what a window shows in a file, so that no end of the program loses it.
 *
 * At most HS_KEEPER_DELAY_MS after the first change that is not yet on disk it is written, on
 * another thread and atomically: the file is the old one or the new one at every moment. */
#pragma once

#include "hs-session.h"
#include "hs-updater.h"

G_BEGIN_DECLS

#define HS_KEEPER_DELAY_MS 400

#define HS_TYPE_KEEPER (hs_keeper_get_type ())
G_DECLARE_FINAL_TYPE (HsKeeper, hs_keeper, HS, KEEPER, GObject)

/* Watches from here on. Returns: a keeper that writes @path. Test: tests/ui/test-keeper.c */
HsKeeper *hs_keeper_new (HsSession *session, HsUpdater *updater, const char *path);

/* Property "trouble" (string, read-only). Returns: (nullable) (transfer none): why the newest write
 * failed, in the words of the system. */
const char *hs_keeper_peek_trouble (HsKeeper *self);

/* Writes what has changed and waits for it. */
void hs_keeper_flush (HsKeeper *self);

/* Removes the file and writes no more: the window was closed for good. */
void hs_keeper_forget (HsKeeper *self);

G_END_DECLS
