/* SPDX-License-Identifier: MIT */
/* Reading a list of words for a session, away from the main thread. */
#pragma once

#include "hs-session.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Called on the main thread. @error: (nullable): ATTN_ERROR, or G_IO_ERROR_CANCELLED where a newer
 * list took over. */
typedef void (*HsWordsDone) (HsSession *session, const GError *error, gpointer data);

/**
 * hs_words_load_async:
 * @path: as attn_word_list_load() takes it
 * @done: (nullable): without it an error is logged
 *
 * The list becomes the session's, unless another one was asked for meanwhile.
 */
void hs_words_load_async (HsSession *session, const char *path, HsWordsDone done, gpointer data);

/* Returns: whether a list is on its way to the session. */
bool hs_words_is_loading (HsSession *session);

/* Lets go of the session's list, and of one that is being read. */
void hs_words_clear (HsSession *session);

G_END_DECLS
