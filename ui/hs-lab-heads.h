/* SPDX-License-Identifier: MIT */
/* A layer's heads, compared on another thread: one comparison at a time, and what there was stays
 * until there is another. */
#pragma once

#include "attn/heads.h"

#include <glib-object.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define HS_TYPE_LAB_HEADS (hs_lab_heads_get_type ())
G_DECLARE_FINAL_TYPE (HsLabHeads, hs_lab_heads, HS, LAB_HEADS, GObject)

/* Signal "changed": a comparison is over. */
HsLabHeads *hs_lab_heads_new (void);

/* A layer that was compared, or is being compared, is not compared again. One that was asked for
 * meanwhile is next; what the one before gives is there all the same, so that something moves while
 * one types.
 *
 * @trace: (nullable): of none nothing is there any more */
void hs_lab_heads_ask (HsLabHeads *self, AttnTrace *trace, size_t layer);

/* Nobody waits for it any more: what runs is stopped, and nothing is told of it. */
void hs_lab_heads_stop (HsLabHeads *self);

/* Returns: whether what was asked for is on its way. */
bool hs_lab_heads_is_working (HsLabHeads *self);

/* Returns: (nullable) (transfer none): the heads; those of before while others are on their way. */
AttnLayerHeads *hs_lab_heads_peek (HsLabHeads *self);

/* Returns: (nullable) (transfer none): why there are no heads, in words for people. */
const char *hs_lab_heads_peek_failure (HsLabHeads *self);

G_END_DECLS
