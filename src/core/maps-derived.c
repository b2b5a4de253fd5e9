/* SPDX-License-Identifier: MIT */
/* What maps made of other maps have in common: whatever they do not change is asked there. */
#include "maps-derived.h"

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_label (((const AttnDerivedMaps *)source)->maps, side, index);
}

static const char *
peek_piece (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_piece (((const AttnDerivedMaps *)source)->maps, side, index);
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  return attn_maps_get_origin (((const AttnDerivedMaps *)source)->maps, side, index, origin);
}

static void
get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  attn_maps_get_visible (((const AttnDerivedMaps *)source)->maps, layer, query, first, end);
}

static AttnTrace *
peek_trace (void *source)
{
  return attn_maps_peek_trace (((const AttnDerivedMaps *)source)->maps);
}

static AttnTokens *
peek_tokens (void *source, AttnSide side)
{
  return attn_maps_peek_tokens (((const AttnDerivedMaps *)source)->maps, side);
}

void
attn_derived_maps_free (void *source)
{
  AttnDerivedMaps *self = source;
  attn_maps_unref (self->maps);
  g_free (self);
}

AttnMapsClass
attn_derived_maps_make_class (const AttnDerivedMaps *source)
{
  return (AttnMapsClass){
      .n_layers = attn_maps_get_n_layers (source->maps),
      .n_heads = attn_maps_get_n_heads (source->maps),
      .n_queries = attn_maps_get_n (source->maps, ATTN_SIDE_QUERY),
      .n_keys = attn_maps_get_n (source->maps, ATTN_SIDE_KEY),
      .peek_label = peek_label,
      .peek_piece = peek_piece,
      .get_origin = get_origin,
      .get_visible = get_visible,
      .peek_trace = peek_trace,
      .peek_tokens = peek_tokens,
      .free = attn_derived_maps_free,
  };
}
