/* SPDX-License-Identifier: MIT */
/* Which words are right at a text's masks. */
#pragma once

#include "attn/ablation.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @labels: (nullable): as AttnAblationAsked has them; NULL for the model's best guesses */
typedef void (*HsAblationLabelsFunc) (const char *labels, gpointer data);

/* Returns: a popover with the model's guesses at each mask and a field for other words; @chosen is
 * called once some are chosen. */
GtkWidget *
hs_ablation_labels_new (AttnAblationClean *clean, HsAblationLabelsFunc chosen, gpointer data);

/* Returns: (transfer full): the words that are right now, as people read them. */
char *hs_ablation_labels_dup (const AttnAblationClean *clean);

G_END_DECLS
