/* SPDX-License-Identifier: MIT */
/* Asks what the rows and columns of a file of weights are called, and which of its arrays is meant.
 */
#pragma once

#include "hs-ask.h"
#include "hs-attention.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_TOKENS_DIALOG (hs_tokens_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HsTokensDialog, hs_tokens_dialog, HS, TOKENS_DIALOG, GtkWindow)

/**
 * hs_tokens_dialog_new:
 * @attention: referenced; the names it has are there to be changed
 *
 * A modal window. Names are typed or pasted, one a line, as a JSON list, or on a single line with
 * spaces between them, and how many there are is told beside how many are needed; keys have a list
 * of their own where they need one, or where it is wished. The signal "chosen" gives the path of a
 * file of tokens, or NULL for none; "array-chosen" the name of another array. Whoever acts on them
 * closes the dialog, or tells what is wrong.
 */
GtkWidget *hs_tokens_dialog_new (GtkWindow *parent, HsAttention *attention);

/* Says why what was chosen cannot be had, and lets the person go on. */
void hs_tokens_dialog_tell (HsTokensDialog *self, const char *sentence);

/* How it asks for a file; tests put their own in place of the chooser. */
void hs_tokens_dialog_set_ask (HsTokensDialog *self, HsAsk ask);

G_END_DECLS
