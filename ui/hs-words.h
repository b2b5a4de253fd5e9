/* SPDX-License-Identifier: MIT */
/* Reading a list of words for a session, away from the main thread. */
#pragma once

#include "hs-session.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_words_load_async:
 * @path: as attn_word_list_load() takes it
 *
 * The list becomes the session's, unless another one was asked for meanwhile. @callback may be
 * NULL; an error is logged then.
 */
void hs_words_load_async (HsSession *session,
                          const char *path,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/* Returns: false with @error: ATTN_ERROR, or G_IO_ERROR_CANCELLED where a newer list took over. */
bool hs_words_load_finish (HsSession *session, GAsyncResult *result, GError **error);

/* Returns: whether a list is on its way to the session. */
bool hs_words_is_loading (HsSession *session);

/* Lets go of the session's list, and of one that is being read. */
void hs_words_clear (HsSession *session);

G_END_DECLS
