/* SPDX-License-Identifier: MIT */
/* What the lab's page on several heads says in words. */
#pragma once

#include "attn/heads.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): two heads, from 0, and how far apart they are. */
char *hs_lab_several_dup_distance (const AttnLayerHeads *heads, size_t a, size_t b);

/* @query: token that is followed; G_MAXSIZE for none.
 *
 * Returns: (transfer full): what is picked: the pair, and the query that is followed. */
char *hs_lab_several_dup_picked (const AttnLayerHeads *heads, const guint pair[2], size_t query);

/* @id: of the figure's item, as AttnDrawSeveralId has them; not 0.
 *
 * Returns: (transfer full): what a cell of it is. */
char *hs_lab_several_dup_cell (
    const AttnLayerHeads *heads, const guint pair[2], guint id, guint row, guint column);

/* Returns: (transfer full): why a model has several heads, or that this one has not. */
char *hs_lab_several_dup_why (const AttnLayerHeads *heads, const AttnConfig *config);

G_END_DECLS
