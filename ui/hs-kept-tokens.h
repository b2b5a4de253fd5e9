/* SPDX-License-Identifier: MIT */
/* Typed names of queries and keys, kept in a file, so that a command can name them. */
#pragma once

#include "attn/labels.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Writes @labels into a file of the user's data that is called by what is in it, on another thread;
 * the same names are written once. */
void hs_kept_tokens_save_async (AttnLabels *labels, GAsyncReadyCallback callback, gpointer data);

/* Returns: (transfer full): the file's path, or NULL with @error. */
char *hs_kept_tokens_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
