/* SPDX-License-Identifier: MIT */
/* Texts that stood for a while, models and attention files that were loaded, listed for all
 * windows.
 */
#pragma once

#include "hs-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define HS_RECENT_MAX_TEXTS 20
#define HS_RECENT_MAX_MODELS 10 /* and of attention files */
#define HS_RECENT_STAND_MS \
  3000 /* how long a text has to stand; what is merely typed over does not */

#define HS_TYPE_RECENT (hs_recent_get_type ())
G_DECLARE_FINAL_TYPE (HsRecent, hs_recent, HS, RECENT, GObject)

/* Keys "keeps-recent", "recent-texts", "recent-models" and "recent-attentions" of @settings. Test:
 * tests/ui/test-recent.c */
HsRecent *hs_recent_new (GSettings *settings);

/* Lists what the session shows from now on. */
void hs_recent_watch (HsRecent *self, HsSession *session);

/* The newest first, each once; @pair: (nullable). Blank and very long ones are not listed. */
void hs_recent_add_text (HsRecent *self, const char *text, const char *pair);
void hs_recent_add_model (HsRecent *self, const char *folder);
void hs_recent_add_attention (HsRecent *self, const HsAttentionPlace *place);

/* Adds what the menus need: "forget-model" (a folder, or an attention file) takes one off the list,
 * "clear-recent" empties the lists, "check-recent" looks, on another thread, which folders are
 * still there. */
void hs_recent_add_actions (HsRecent *self, GActionMap *map);

/* Returns: (transfer none): follows the lists. Its items activate "win.show-text" with two strings
 * (the second one empty for none), "win.load-model", "win.load-attention" with three or, for what
 * is not there, "app.forget-model" with a string, and "app.clear-recent". */
GMenuModel *hs_recent_peek_menu (HsRecent *self);

/* Returns: (transfer none): the models alone, likewise; its items activate "win.model-b" with a
 * string. */
GMenuModel *hs_recent_peek_models_b (HsRecent *self);

G_END_DECLS
