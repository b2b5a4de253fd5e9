/* SPDX-License-Identifier: MIT */
/* Folders for files that are dragged out: each file in one of its own, so that it has its own name,
 * and none of them stays for good. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable): where a file called @name can be written, in a new folder
 * for temporary files; NULL with @error. Main thread. */
char *hs_drag_folder_dup_path (const char *name, GError **error);

/* Removes this run's folders, at its end: whoever took a file has copied it. Main thread. */
void hs_drag_folder_clean (void);

/* Removes those in @place that runs have left which ended without doing so. Any thread. */
void hs_drag_folder_clean_left (const char *place);

/* Likewise on another thread, as the program starts. @place: static */
void hs_drag_folder_begin (const char *place);

G_END_DECLS
