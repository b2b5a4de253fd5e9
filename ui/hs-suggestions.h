/* SPDX-License-Identifier: MIT */
/* Models that are suggested, and what each is good for. */
#pragma once

#include "attn-hub/fetch.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer none) (nullable): a plain word on it, translated; NULL where there is none. */
const char *hs_suggestion_peek_use (const char *name);

/* Returns: (transfer floating): a row for a list; the row's name is the model's. */
GtkWidget *hs_suggestion_row_new (const AttnHubSuggestion *suggestion);

/* Whether the row says that the model need not be downloaded. */
void hs_suggestion_row_set_here (GtkWidget *row, bool is_here);

G_END_DECLS
