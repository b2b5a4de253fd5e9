/* SPDX-License-Identifier: MIT */
/* Maps of some rows and columns: a part of a sentence pair, without tokens that are hidden. */
#include "arrange-steps.h"
#include "maps-derived.h"
#include "maps-private.h"
#include "punctuation.h"

#include "attn/error.h"

enum { N_SIDES = 2 };

typedef struct {
  AttnDerivedMaps over;
  size_t *kept[N_SIDES]; /* by AttnSide: [n] indexes, ascending */
  size_t n[N_SIDES];
} Selected;

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Selected *self = source;
  g_autofree float *from = attn_maps_try_new_weights (self->over.maps, error);
  if (from == NULL || !attn_maps_compute (self->over.maps, layer, head, from, error))
    return false;
  size_t n_from_keys = attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY);
  size_t n_keys = self->n[ATTN_SIDE_KEY];
  for (size_t query = 0; query < self->n[ATTN_SIDE_QUERY]; query++) {
    const float *row = from + self->kept[ATTN_SIDE_QUERY][query] * n_from_keys;
    for (size_t key = 0; key < n_keys; key++)
      weights[query * n_keys + key] = row[self->kept[ATTN_SIDE_KEY][key]];
  }
  return true;
}

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  const Selected *self = source;
  return attn_maps_peek_label (self->over.maps, side, self->kept[side][index]);
}

static const char *
peek_piece (void *source, AttnSide side, size_t index)
{
  const Selected *self = source;
  return attn_maps_peek_piece (self->over.maps, side, self->kept[side][index]);
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  const Selected *self = source;
  return attn_maps_get_origin (self->over.maps, side, self->kept[side][index], origin);
}

/* Returns: how many of the kept keys stand before @key. */
static size_t
count_before (const Selected *self, size_t key)
{
  size_t low = 0, high = self->n[ATTN_SIDE_KEY];
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (self->kept[ATTN_SIDE_KEY][middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const Selected *self = source;
  attn_maps_get_visible (self->over.maps, layer, self->kept[ATTN_SIDE_QUERY][query], first, end);
  *first = count_before (self, *first);
  *end = count_before (self, *end);
}

static void
selected_free (void *source)
{
  Selected *self = source;
  for (size_t side = 0; side < N_SIDES; side++)
    g_free (self->kept[side]);
  attn_derived_maps_free (self);
}

/* Which of the two texts a side of @part is of; -1 for both. */
static int
find_sequence (AttnPart part, AttnSide side)
{
  switch (part) {
  case ATTN_PART_A_TO_A:
    return 0;
  case ATTN_PART_B_TO_B:
    return 1;
  case ATTN_PART_A_TO_B:
    return side == ATTN_SIDE_QUERY ? 0 : 1;
  case ATTN_PART_B_TO_A:
    return side == ATTN_SIDE_QUERY ? 1 : 0;
  case ATTN_PART_ALL:
  default:
    return -1;
  }
}

static void
keep_side (Selected *self, AttnSide side, AttnPart part, unsigned hide)
{
  const AttnTokens *tokens = attn_maps_peek_tokens (self->over.maps, side);
  size_t n = attn_maps_get_n (self->over.maps, side);
  int sequence = find_sequence (part, side);
  self->kept[side] = g_new (size_t, n);
  for (size_t i = 0; i < n; i++) {
    AttnOrigin origin;
    attn_maps_get_origin (self->over.maps, side, i, &origin);
    bool front = origin.special && origin.first == 0;
    bool hidden =
        (sequence >= 0 && origin.sequence != sequence) || ((hide & ATTN_HIDE_CLS) != 0 && front) ||
        ((hide & ATTN_HIDE_SEP) != 0 && origin.special && !front) ||
        ((hide & ATTN_HIDE_PUNCTUATION) != 0 && attn_origin_is_punctuation (&origin, tokens));
    if (!hidden)
      self->kept[side][self->n[side]++] = i;
  }
}

static void
refuse_empty (const AttnTokens *tokens, AttnPart part, unsigned hide, GError **error)
{
  bool needs_pair = part != ATTN_PART_ALL && part != ATTN_PART_A_TO_A;
  if (needs_pair && attn_tokens_peek_text (tokens, 1, NULL) == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "part %s of a sentence pair: there is no second text", attn_part_peek_name (part));
  else
    g_set_error (
        error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%s%s%s: of %zu tokens nothing is left to show",
        hide != ATTN_HIDE_NOTHING ? "hidden tokens" : "",
        hide != ATTN_HIDE_NOTHING && part != ATTN_PART_ALL ? ", " : "",
        part != ATTN_PART_ALL ? "a part of the sentence pair" : "", attn_tokens_get_n (tokens));
}

AttnMaps *
attn_maps_select (AttnMaps *maps, AttnPart part, unsigned hide, GError **error)
{
  bool of_text = part != ATTN_PART_ALL;
  if (!attn_maps_check_tokens (maps, of_text,
                               of_text ? "a part of the sentence pair" : "hidden tokens", error))
    return NULL;
  Selected *self = g_new0 (Selected, 1);
  self->over.maps = attn_maps_ref (maps);
  keep_side (self, ATTN_SIDE_QUERY, part, hide);
  keep_side (self, ATTN_SIDE_KEY, part, hide);
  if (self->n[ATTN_SIDE_QUERY] == 0 || self->n[ATTN_SIDE_KEY] == 0) {
    AttnSide empty = self->n[ATTN_SIDE_KEY] == 0 ? ATTN_SIDE_KEY : ATTN_SIDE_QUERY;
    selected_free (self);
    refuse_empty (attn_maps_peek_tokens (maps, empty), part, hide, error);
    return NULL;
  }
  AttnMapsClass klass = attn_derived_maps_make_class (&self->over);
  klass.n_queries = self->n[ATTN_SIDE_QUERY];
  klass.n_keys = self->n[ATTN_SIDE_KEY];
  klass.compute = compute;
  klass.peek_label = peek_label;
  klass.peek_piece = peek_piece;
  klass.get_origin = get_origin;
  klass.get_visible = get_visible;
  klass.free = selected_free;
  return attn_maps_new (&klass, self);
}
