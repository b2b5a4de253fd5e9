/* SPDX-License-Identifier: MIT */
/* How much every head changed from side A to side B, in one immutable parcel. */
#pragma once

#include "attn/align.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; made on another thread, read on the main thread. */
typedef struct {
  AttnMaps *a, *b;       /* referenced: what was compared */
  AttnRanked ranked;     /* what was set against what … */
  size_t layer, head;    /* … and A's head, for ATTN_RANKED_ONE_HEAD */
  AttnHeadChange *heads; /* [n] owned: the most changed first; NULL where A and B … */
  size_t n;              /* … have no token in common */
} HsChanges;

#define HS_TYPE_CHANGES (hs_changes_get_type ()) /* boxed HsChanges */
GType hs_changes_get_type (void) G_GNUC_CONST;

/* Returns: changes of @a to @b (both referenced) that are not computed yet, to be filled by who
 * made them; for hs_changes_unref(). */
HsChanges *hs_changes_new (AttnMaps *a, AttnMaps *b, size_t layer, size_t head);

/* Returns: whether the same numbers come of both. */
bool hs_changes_are_of (const HsChanges *changes, const HsChanges *other);

HsChanges *hs_changes_ref (HsChanges *changes);
void hs_changes_unref (HsChanges *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsChanges, hs_changes_unref)

G_END_DECLS
