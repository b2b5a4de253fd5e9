/* SPDX-License-Identifier: MIT */
/* Maps put together to be looked at: the steps in their order, and what they share. */
#include "attn/arrange.h"

#include "arrange-steps.h"

#include "attn/error.h"

AttnTokens *
attn_maps_find_tokens (AttnMaps *maps, const char *step, GError **error)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  AttnTokens *tokens = trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
  AttnOrigin origin;
  if (tokens != NULL && attn_maps_get_origin (maps, ATTN_SIDE_QUERY, 0, &origin) &&
      attn_maps_get_origin (maps, ATTN_SIDE_KEY, 0, &origin))
    return tokens;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%s: these maps come from no text", step);
  return NULL;
}

float *
attn_maps_try_new_weights (const AttnMaps *maps, GError **error)
{
  size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY), n = 0;
  float *weights = NULL;
  if (g_size_checked_mul (&n, n_queries, n_keys))
    weights = g_try_new (float, n);
  if (weights == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "a map of %zu × %zu weights: no memory for %zu bytes", n_queries, n_keys,
                 n * sizeof (float));
  return weights;
}

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
