/* SPDX-License-Identifier: MIT */
/* Maps whose one head is the mean or the largest of several heads, of one layer or of all. */
#include "arrange-steps.h"

#include "attn/error.h"

typedef struct {
  AttnMaps *maps;
  AttnCombine combine;
  bool layers; /* all of them are combined */
  size_t n_heads;
  size_t heads[]; /* [n_heads] ascending */
} Combined;

/* NaN is passed on. */
static void
take_larger (float *weights, const float *other, size_t n)
{
  for (size_t i = 0; i < n; i++) { /* without a branch, so that it is done in vectors */
    float a = weights[i], b = other[i];
    weights[i] = (b > a) | (b != b) ? b : a;
  }
}

static void
add (float *weights, const float *other, size_t n)
{
  for (size_t i = 0; i < n; i++)
    weights[i] += other[i];
}

static bool
compute (void *source, size_t layer, size_t head G_GNUC_UNUSED, float *weights, GError **error)
{
  const Combined *self = source;
  size_t n =
      attn_maps_get_n (self->maps, ATTN_SIDE_QUERY) * attn_maps_get_n (self->maps, ATTN_SIDE_KEY);
  size_t first = self->layers ? 0 : layer;
  size_t end = self->layers ? attn_maps_get_n_layers (self->maps) : layer + 1;
  if (!attn_maps_compute (self->maps, first, self->heads[0], weights, error))
    return false;
  g_autofree float *other = attn_maps_try_new_weights (self->maps, error);
  if (other == NULL)
    return false;
  for (size_t l = first; l < end; l++)
    for (size_t h = l == first ? 1 : 0; h < self->n_heads; h++) {
      if (!attn_maps_compute (self->maps, l, self->heads[h], other, error))
        return false;
      if (self->combine == ATTN_COMBINE_MAX)
        take_larger (weights, other, n);
      else
        add (weights, other, n);
    }
  if (self->combine == ATTN_COMBINE_MEAN)
    for (size_t i = 0; i < n; i++)
      weights[i] /= (float)(self->n_heads * (end - first));
  return true;
}

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_label (((Combined *)source)->maps, side, index);
}

static const char *
peek_piece (void *source, AttnSide side, size_t index)
{
  return attn_maps_peek_piece (((Combined *)source)->maps, side, index);
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  return attn_maps_get_origin (((Combined *)source)->maps, side, index, origin);
}

static void
get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const Combined *self = source;
  attn_maps_get_visible (self->maps, layer, query, first, end);
  for (size_t l = 1; self->layers && l < attn_maps_get_n_layers (self->maps); l++) {
    size_t layer_first, layer_end;
    attn_maps_get_visible (self->maps, l, query, &layer_first, &layer_end);
    *first = MIN (*first, layer_first);
    *end = MAX (*end, layer_end);
  }
}

static AttnTrace *
peek_trace (void *source)
{
  return attn_maps_peek_trace (((Combined *)source)->maps);
}

static void
combined_free (void *source)
{
  Combined *self = source;
  attn_maps_unref (self->maps);
  g_free (self);
}

/* Refuses a chosen head that is not there: it would be missing without a word. */
static bool
check_heads (const AttnHeadSet *heads, size_t n_heads, GError **error)
{
  for (size_t head = n_heads; head < ATTN_HEAD_SET_MAX; head++)
    if (!attn_head_set_is_empty (heads) && attn_head_set_has (heads, head)) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                   "heads to combine: head %zu was chosen, a layer has heads 1 to %zu", head + 1,
                   n_heads);
      return false;
    }
  return true;
}

AttnMaps *
attn_maps_combine (AttnMaps *maps, const AttnArrangement *arrangement, GError **error)
{
  size_t n_heads = attn_maps_get_n_heads (maps);
  if (!check_heads (&arrangement->heads, n_heads, error))
    return NULL;
  Combined *self = g_malloc (sizeof *self + n_heads * sizeof (size_t));
  *self = (Combined){.maps = attn_maps_ref (maps),
                     .combine = arrangement->combine,
                     .layers = arrangement->combine_layers};
  for (size_t head = 0; head < n_heads; head++)
    if (attn_head_set_has (&arrangement->heads, head))
      self->heads[self->n_heads++] = head;
  AttnMapsClass klass = {
      .n_layers = self->layers ? 1 : attn_maps_get_n_layers (maps),
      .n_heads = 1,
      .n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY),
      .n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY),
      .compute = compute,
      .peek_label = peek_label,
      .peek_piece = peek_piece,
      .get_origin = get_origin,
      .get_visible = get_visible,
      .peek_trace = peek_trace,
      .free = combined_free,
  };
  return attn_maps_new (&klass, self);
}
