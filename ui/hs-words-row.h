/* SPDX-License-Identifier: MIT */
/* Which list of words is used, and a button to choose one. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

/* Property "session". It is sensitive while words are shown. */
#define HS_TYPE_WORDS_ROW (hs_words_row_get_type ())
G_DECLARE_FINAL_TYPE (HsWordsRow, hs_words_row, HS, WORDS_ROW, HsPanel)

/* Asks for a file; @done gets its path, or NULL when the person changed their mind. A seam for
 * tests, which put their own in place of the file chooser. */
typedef void (*HsAskWordsDone) (char *path, gpointer data);
typedef void (*HsAskWords) (GtkWindow *parent, HsAskWordsDone done, gpointer data);
void hs_words_row_set_ask (HsWordsRow *self, HsAskWords ask);

G_END_DECLS
