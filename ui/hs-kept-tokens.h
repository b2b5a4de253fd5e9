/* SPDX-License-Identifier: MIT */
/* Typed names of queries and keys, kept in a file, so that a command can name them. */
#pragma once

#include "attn/labels.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Writes @labels into a file of the user's data that is called by what is in it; the same names are
 * written once. Any thread. Returns: (transfer full): the file's path, or NULL with @error. */
char *hs_kept_tokens_save (AttnLabels *labels, GError **error);

/* Returns: whether a path is of such a file. */
bool hs_kept_tokens_is_kept (const char *path);

/* The same on another thread. */
void hs_kept_tokens_save_async (AttnLabels *labels, GAsyncReadyCallback callback, gpointer data);

/* Returns: as hs_kept_tokens_save(). */
char *hs_kept_tokens_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
