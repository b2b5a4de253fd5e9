/* SPDX-License-Identifier: MIT */
/* Which list of words is used, and a button to choose one. */
#pragma once

#include "hs-ask.h"
#include "hs-panel.h"

G_BEGIN_DECLS

/* Property "session". It is sensitive while words are shown. */
#define HS_TYPE_WORDS_ROW (hs_words_row_get_type ())
G_DECLARE_FINAL_TYPE (HsWordsRow, hs_words_row, HS, WORDS_ROW, HsPanel)

/* A seam for tests, which put their own in place of the file chooser. */
void hs_words_row_set_ask (HsWordsRow *self, HsAsk ask);

G_END_DECLS
