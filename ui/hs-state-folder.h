/* SPDX-License-Identifier: MIT */
/* Where the windows' states are kept, and whose they are.
 *
 * Several runs of the program may share a home. Each takes a number by locking NUMBER.lock; the
 * files NUMBER-WINDOW.state are its windows'. Files of runs that are gone become those of the next
 * run that starts. */
#pragma once

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct HsStateFolder HsStateFolder;

/**
 * hs_state_folder_open:
 * @path: made when it is not there
 *
 * Returns: (transfer full): the folder, or NULL with @error where it can be neither written nor
 *   read. Where it can only be read its files are listed, and writing them will fail.
 * Test: tests/ui/test-keeper.c
 */
HsStateFolder *hs_state_folder_open (const char *path, GError **error);

/* Lets other runs have the number. */
void hs_state_folder_free (HsStateFolder *self);

/* Returns: (transfer full) (element-type filename): states left by earlier runs, oldest window
 * first, each listed once. */
GPtrArray *hs_state_folder_list (HsStateFolder *self);

/* Returns: (transfer full): a path for one more window. */
char *hs_state_folder_dup_new (HsStateFolder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsStateFolder, hs_state_folder_free)

G_END_DECLS
