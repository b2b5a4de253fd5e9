/* SPDX-License-Identifier: MIT */
/* Sentences over the numbers of a layer's heads. */
#include "hs-lab-several-words.h"

#include "hs-format.h"

#include "attn-draw/several.h"

#include <glib/gi18n.h>

#include <math.h>

char *
hs_lab_several_dup_distance (const AttnLayerHeads *heads, size_t a, size_t b)
{
  if (a == b)
    return g_strdup_printf (_ ("head %zu"), a + 1);
  if (isnan (heads->distances[a * heads->n_heads + b]))
    return g_strdup_printf (_ ("heads %zu and %zu: not compared, as weights are not numbers"),
                            a + 1, b + 1);
  return g_strdup_printf (_ ("heads %zu and %zu: %.4f apart"), a + 1, b + 1,
                          heads->distances[a * heads->n_heads + b]);
}

char *
hs_lab_several_dup_picked (const AttnLayerHeads *heads, const guint pair[2], size_t query)
{
  g_autofree char *distance = hs_lab_several_dup_distance (heads, pair[0], pair[1]);

  if (query >= heads->n_tokens)
    return g_steal_pointer (&distance);
  g_autofree char *token = hs_format_token (heads->maps, ATTN_SIDE_QUERY, (guint)query);
  return g_strdup_printf (_ ("%s; query “%s” is followed"), distance, token);
}

/* A cell of a map: of a head's, or of the one in the place of all. */
static char *
dup_weight (const AttnLayerHeads *heads, const char *whose, float *weights, HsCell cell)
{
  const AttnMap map = {
      .maps = heads->maps,
      .layer = heads->layer,
      .n_queries = heads->n_tokens,
      .n_keys = heads->n_tokens,
      .weights = weights,
  };
  g_autofree char *text = hs_format_cell (&map, &cell);

  return g_strdup_printf ("%s · %s", whose, text != NULL ? text : "");
}

char *
hs_lab_several_dup_cell (
    const AttnLayerHeads *heads, const guint pair[2], guint id, guint row, guint column)
{
  const size_t size = heads->n_tokens * heads->n_tokens;
  const HsCell cell = {.layer = HS_NONE, .head = HS_NONE, .query = row, .key = column};

  if (id == ATTN_DRAW_SEVERAL_DISTANCE)
    return hs_lab_several_dup_distance (heads, row, column);
  if (id == ATTN_DRAW_SEVERAL_ONE)
    return dup_weight (heads, _ ("one head"), heads->one->map->values, cell);
  const guint head = id >= ATTN_DRAW_SEVERAL_MAPS ? id - ATTN_DRAW_SEVERAL_MAPS
                                                  : pair[id - ATTN_DRAW_SEVERAL_PAIR];
  g_autofree char *whose = g_strdup_printf (_ ("head %u"), head + 1);
  return dup_weight (heads, whose, heads->weights + head * size, cell);
}

char *
hs_lab_several_dup_why (const AttnLayerHeads *heads, const AttnConfig *config)
{
  if (heads->n_heads < 2)
    return g_strdup (_ ("This model has one head in each layer, so there is nothing to compare: "
                        "each token has one way of looking."));
  return g_strdup_printf (
      _ ("A softmax gives each token one set of weights that sum to 1, so one head has one way of "
         "looking. To look at the word before, at a verb’s object and at a comma all at once takes "
         "several. This layer has %zu heads. Each reads all %zu numbers of a token through parts "
         "of "
         "W_Q, W_K and W_V of its own, %zu × %zu each, and makes %zu numbers of its own of them. "
         "So "
         "together they have as many parameters as one wide head."),
      heads->n_heads, config->d_model, config->d_model, config->d_k, config->d_k);
}
