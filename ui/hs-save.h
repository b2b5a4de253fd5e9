/* SPDX-License-Identifier: MIT */
/* Files that are made and written on another thread, whole or not at all. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* On the other thread. @source: what the file is of. Returns: (transfer full): the file's bytes, or
 * NULL with @error. */
typedef GBytes *(*HsSaveFunc) (gpointer source, GError **error);

/* See HsWorkClass for what a source may hold. */
typedef struct {
  HsSaveFunc make;
  GDestroyNotify free_source;
} HsSaveClass;

/* @klass: static. @source: consumed. */
void hs_save_async (const HsSaveClass *klass,
                    gpointer source,
                    const char *path,
                    GAsyncReadyCallback callback,
                    gpointer user_data);

/* Writes @bytes, which are there already. */
void hs_save_bytes_async (GBytes *bytes,
                          const char *path,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/* Returns: (transfer full): the path written, or NULL with ATTN_ERROR. */
char *hs_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
