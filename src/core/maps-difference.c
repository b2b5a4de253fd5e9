/* SPDX-License-Identifier: MIT */
/* Maps that are A − B over the tokens both have. */
#include "attn/align.h"
#include "attn/error.h"

typedef struct {
  AttnMaps *a, *b;
  AttnAlignment *queries, *keys;
} Difference;

static AttnAlignment *
get_alignment (const Difference *self, AttnSide side)
{
  return side == ATTN_SIDE_QUERY ? self->queries : self->keys;
}

/* Where pair @index of a side stands in A. */
static size_t
find_in_a (const Difference *self, AttnSide side, size_t index)
{
  size_t a, b;
  attn_alignment_get (get_alignment (self, side), index, &a, &b);
  return a;
}

/* Pairs rise in A and in B, so those that both queries see follow one another. */
static void
find_visible (const Difference *self, size_t layer, size_t query, size_t *first, size_t *end)
{
  size_t n_keys = attn_alignment_get_n (self->keys);
  size_t query_a, query_b, first_a, end_a, first_b, end_b, key_a, key_b;

  attn_alignment_get (self->queries, query, &query_a, &query_b);
  attn_maps_get_visible (self->a, layer, query_a, &first_a, &end_a);
  attn_maps_get_visible (self->b, layer, query_b, &first_b, &end_b);
  *first = *end = 0;
  for (size_t key = 0; key < n_keys; key++) {
    attn_alignment_get (self->keys, key, &key_a, &key_b);
    if (key_a >= end_a || key_b >= end_b)
      break;
    *end = key + 1;
    if (key_a < first_a || key_b < first_b)
      *first = *end;
  }
}

static void
difference_get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  find_visible (source, layer, query, first, end);
}

static void
subtract_row (const Difference *self,
              const AttnMap *a,
              const AttnMap *b,
              size_t layer,
              size_t query,
              float *row)
{
  size_t n_keys = attn_alignment_get_n (self->keys);
  size_t query_a, query_b, first, end;

  attn_alignment_get (self->queries, query, &query_a, &query_b);
  find_visible (self, layer, query, &first, &end);
  const float *row_a = a->weights + query_a * a->n_keys;
  const float *row_b = b->weights + query_b * b->n_keys;
  for (size_t key = 0; key < n_keys; key++) {
    size_t key_a, key_b;
    attn_alignment_get (self->keys, key, &key_a, &key_b);
    row[key] = key >= first && key < end ? row_a[key_a] - row_b[key_b] : 0;
  }
}

static bool
difference_compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Difference *self = source;
  size_t n_keys = attn_alignment_get_n (self->keys);
  g_autoptr (AttnMap) a = attn_maps_dup_map (self->a, layer, head, error);
  g_autoptr (AttnMap) b = a == NULL ? NULL : attn_maps_dup_map (self->b, layer, head, error);

  if (b == NULL)
    return false;
  for (size_t query = 0; query < attn_alignment_get_n (self->queries); query++)
    subtract_row (self, a, b, layer, query, weights + query * n_keys);
  return true;
}

static const char *
difference_peek_label (void *source, AttnSide side, size_t index)
{
  const Difference *self = source;
  return attn_maps_peek_label (self->a, side, find_in_a (self, side, index));
}

static const char *
difference_peek_piece (void *source, AttnSide side, size_t index)
{
  const Difference *self = source;
  return attn_maps_peek_piece (self->a, side, find_in_a (self, side, index));
}

static bool
difference_get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  const Difference *self = source;
  return attn_maps_get_origin (self->a, side, find_in_a (self, side, index), origin);
}

static void
difference_free (void *source)
{
  Difference *self = source;
  attn_maps_unref (self->a);
  attn_maps_unref (self->b);
  attn_alignment_unref (self->queries);
  attn_alignment_unref (self->keys);
  g_free (self);
}

static bool
check_shapes (AttnMaps *a, AttnMaps *b, AttnAlignment *queries, AttnAlignment *keys, GError **error)
{
  size_t n_layers[] = {attn_maps_get_n_layers (a), attn_maps_get_n_layers (b)};
  size_t n_heads[] = {attn_maps_get_n_heads (a), attn_maps_get_n_heads (b)};

  if (n_layers[0] != n_layers[1] || n_heads[0] != n_heads[1]) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "A has %zu layers of %zu heads, B %zu of %zu: they cannot be compared one by one",
                 n_layers[0], n_heads[0], n_layers[1], n_heads[1]);
    return false;
  }
  if (attn_alignment_get_n (queries) == 0 || attn_alignment_get_n (keys) == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "A and B have no %s in common, so there is no A − B",
                 attn_alignment_get_n (queries) > 0 ? "key"
                 : attn_alignment_get_n (keys) > 0  ? "query"
                                                    : "token");
    return false;
  }
  return true;
}

AttnMaps *
attn_maps_new_aligned_difference (
    AttnMaps *a, AttnMaps *b, AttnAlignment *queries, AttnAlignment *keys, GError **error)
{
  if (!check_shapes (a, b, queries, keys, error))
    return NULL;
  AttnMapsClass klass = {
      .n_layers = attn_maps_get_n_layers (a),
      .n_heads = attn_maps_get_n_heads (a),
      .n_queries = attn_alignment_get_n (queries),
      .n_keys = attn_alignment_get_n (keys),
      .compute = difference_compute,
      .peek_label = difference_peek_label,
      .peek_piece = difference_peek_piece,
      .get_origin = difference_get_origin,
      .get_visible = difference_get_visible,
      .free = difference_free,
  };
  Difference *source = g_new (Difference, 1);
  *source = (Difference){
      .a = attn_maps_ref (a),
      .b = attn_maps_ref (b),
      .queries = attn_alignment_ref (queries),
      .keys = attn_alignment_ref (keys),
  };
  return attn_maps_new (&klass, source);
}

AttnMaps *
attn_maps_new_difference (AttnMaps *a, AttnMaps *b, GError **error)
{
  g_autoptr (AttnAlignment) queries = attn_alignment_new (a, b, ATTN_SIDE_QUERY, error);
  g_autoptr (AttnAlignment) keys =
      queries == NULL ? NULL : attn_alignment_new (a, b, ATTN_SIDE_KEY, error);

  return keys == NULL ? NULL : attn_maps_new_aligned_difference (a, b, queries, keys, error);
}
