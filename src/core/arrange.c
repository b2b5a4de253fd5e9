/* SPDX-License-Identifier: MIT */
/* Maps put together to be looked at: the steps in their order. */
#include "attn/arrange.h"

#include "arrange-steps.h"

/* Goes on with the maps that a step made of @maps; false where it failed. */
static bool
take_step (AttnMaps **maps, AttnMaps *made)
{
  if (made == NULL)
    return false;
  attn_maps_unref (*maps);
  *maps = made;
  return true;
}

AttnMaps *
attn_maps_arrange (AttnMaps *maps,
                   const AttnArrangement *arrangement,
                   const AttnWordList *words,
                   AttnPool *pool,
                   GError **error)
{
  g_return_val_if_fail (maps != NULL && arrangement != NULL, NULL);
  g_autoptr (AttnMaps) made = attn_maps_ref (maps);
  if (arrangement->combine != ATTN_COMBINE_NONE &&
      !take_step (&made, attn_maps_combine (made, arrangement, pool, error)))
    return NULL;
  if (arrangement->unit != ATTN_UNIT_TOKENS &&
      !take_step (&made, attn_maps_group (made, arrangement->unit, words, error)))
    return NULL;
  if ((arrangement->part != ATTN_PART_ALL || arrangement->hide != ATTN_HIDE_NOTHING) &&
      !take_step (&made, attn_maps_select (made, arrangement->part, arrangement->hide, error)))
    return NULL;
  if ((arrangement->renormalise || arrangement->keep != ATTN_KEEP_ALL) &&
      !take_step (&made, attn_maps_adjust_rows (made, arrangement)))
    return NULL;
  return g_steal_pointer (&made);
}
