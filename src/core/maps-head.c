/* SPDX-License-Identifier: MIT */
/* Maps that are one head of other maps, as often as wanted. */
#include "attn/align.h"

typedef struct {
  AttnMaps *maps;
  size_t layer, head;
} HeadSource;

static bool
head_source_compute (void *source,
                     size_t layer G_GNUC_UNUSED,
                     size_t head G_GNUC_UNUSED,
                     float *weights,
                     GError **error)
{
  const HeadSource *self = source;
  return attn_maps_compute (self->maps, self->layer, self->head, weights, error);
}

static const char *
head_source_peek_label (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_label (((const HeadSource *)source)->maps, side, index);
}

static const char *
head_source_peek_piece (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_piece (((const HeadSource *)source)->maps, side, index);
}

static bool
head_source_get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  return attn_maps_get_origin (((const HeadSource *)source)->maps, side, index, origin);
}

static void
head_source_get_visible (
    void *source, size_t layer G_GNUC_UNUSED, size_t query, size_t *first, size_t *end)
{
  const HeadSource *self = source;
  attn_maps_get_visible (self->maps, self->layer, query, first, end);
}

static AttnTrace *
head_source_peek_trace (void *source)
{
  return attn_maps_peek_trace (((const HeadSource *)source)->maps);
}

static AttnTokens *
head_source_peek_tokens (void *source, AttnSide side)
{
  return attn_maps_peek_tokens (((const HeadSource *)source)->maps, side);
}

static void
head_source_free (void *source)
{
  HeadSource *self = source;
  attn_maps_unref (self->maps);
  g_free (self);
}

AttnMaps *
attn_maps_new_head (AttnMaps *maps, size_t layer, size_t head, size_t n_layers, size_t n_heads)
{
  g_return_val_if_fail (layer < attn_maps_get_n_layers (maps), NULL);
  g_return_val_if_fail (head < attn_maps_get_n_heads (maps), NULL);
  AttnMapsClass klass = {
      .n_layers = n_layers,
      .n_heads = n_heads,
      .n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY),
      .n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY),
      .compute = head_source_compute,
      .peek_label = head_source_peek_label,
      .peek_piece = head_source_peek_piece,
      .get_origin = head_source_get_origin,
      .get_visible = head_source_get_visible,
      .peek_trace = head_source_peek_trace,
      .peek_tokens = head_source_peek_tokens,
      .free = head_source_free,
  };
  HeadSource *source = g_new (HeadSource, 1);
  *source = (HeadSource){attn_maps_ref (maps), layer, head};
  return attn_maps_new (&klass, source);
}
