/* SPDX-License-Identifier: MIT */
/* Maps that are one head of other maps, as often as wanted. */
#include "maps-derived.h"

#include "attn/align.h"

typedef struct {
  AttnDerivedMaps over;
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
  return attn_maps_compute (self->over.maps, self->layer, self->head, weights, error);
}

static void
head_source_get_visible (
    void *source, size_t layer G_GNUC_UNUSED, size_t query, size_t *first, size_t *end)
{
  const HeadSource *self = source;
  attn_maps_get_visible (self->over.maps, self->layer, query, first, end);
}

AttnMaps *
attn_maps_new_head (AttnMaps *maps, size_t layer, size_t head, size_t n_layers, size_t n_heads)
{
  g_return_val_if_fail (layer < attn_maps_get_n_layers (maps), NULL);
  g_return_val_if_fail (head < attn_maps_get_n_heads (maps), NULL);
  HeadSource *source = g_new (HeadSource, 1);
  *source = (HeadSource){{attn_maps_ref (maps)}, layer, head};
  AttnMapsClass klass = attn_derived_maps_make_class (&source->over);
  klass.n_layers = n_layers;
  klass.n_heads = n_heads;
  klass.compute = head_source_compute;
  klass.get_visible = head_source_get_visible;
  return attn_maps_new (&klass, source);
}
