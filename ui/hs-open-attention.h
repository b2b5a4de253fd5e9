/* SPDX-License-Identifier: MIT */
/* Files of attention weights in a window: opened, given tokens, left again. */
#pragma once

#include "hs-ask.h"
#include "hs-session.h"
#include "hs-status-line.h"
#include "hs-updater.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_open_attention_add:
 * @status_line: says where tokens were found
 *
 * Adds the actions "win.open-attention" and "win.open-attention-b" (ask for a file),
 * "win.load-attention" (a path, the name of an array and a path of tokens, or "" for either),
 * "win.attention-tokens" (asks what rows and columns are called) and "win.leave-attention" (back to
 * model and text). Says where tokens were found, asks for them where there are none, and says why a
 * file could not be opened.
 */
void hs_open_attention_add (GtkApplicationWindow *window,
                            HsSession *session,
                            HsUpdater *updater,
                            HsStatusLine *status_line);

/* How it asks for files; tests put their own in place of the chooser. */
void hs_open_attention_set_ask (GtkApplicationWindow *window, HsAsk ask);

/* Returns: what a chooser of such a file asks. */
HsQuestion hs_open_attention_question (void);

/* Opens a file that a person has just chosen or dropped. */
void hs_open_attention_file (GtkApplicationWindow *window, const char *path);

/**
 * hs_open_attention_tokens:
 * @labels: what the file at @path lists
 *
 * Gives them to the attention file that is shown, if they are tokens of it: a JSON file, or as many
 * lines as it has rows and columns.
 *
 * Returns: whether they are.
 */
bool
hs_open_attention_tokens (GtkApplicationWindow *window, const char *path, const AttnLabels *labels);

G_END_DECLS
