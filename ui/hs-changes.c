/* SPDX-License-Identifier: MIT */
/* How much every head changed from side A to side B, in one immutable parcel. */
#include "hs-changes.h"

HsChanges *
hs_changes_new (AttnMaps *a, AttnMaps *b, size_t layer, size_t head)
{
  HsChanges *changes = g_atomic_rc_box_new0 (HsChanges);

  changes->a = attn_maps_ref (a);
  changes->b = attn_maps_ref (b);
  changes->ranked = attn_ranked_choose (a, b);
  changes->layer = layer;
  changes->head = head;
  return changes;
}

bool
hs_changes_are_of (const HsChanges *changes, const HsChanges *other)
{
  return changes->a == other->a && changes->b == other->b &&
         (changes->ranked == ATTN_RANKED_SAME_HEADS ||
          (changes->layer == other->layer && changes->head == other->head));
}

HsChanges *
hs_changes_ref (HsChanges *changes)
{
  return g_atomic_rc_box_acquire (changes);
}

static void
changes_clear (gpointer data)
{
  HsChanges *changes = data;

  attn_maps_unref (changes->a);
  attn_maps_unref (changes->b);
  g_free (changes->heads);
}

void
hs_changes_unref (HsChanges *changes)
{
  g_atomic_rc_box_release_full (changes, changes_clear);
}

G_DEFINE_BOXED_TYPE (HsChanges, hs_changes, hs_changes_ref, hs_changes_unref)
