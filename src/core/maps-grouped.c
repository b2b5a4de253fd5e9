/* SPDX-License-Identifier: MIT */
/* Maps of characters or words, made of maps of tokens. */
#include "arrange-steps.h"
#include "maps-derived.h"
#include "maps-private.h"
#include "units.h"

#include "attn/error.h"

#include <string.h>

enum { N_SIDES = 2 };

typedef struct {
  AttnDerivedMaps over;
  AttnUnits *units[N_SIDES]; /* by AttnSide */
} Grouped;

/* To a unit: its tokens' columns, each shared out evenly among the token's units. */
static void
add_columns (const Grouped *self, const float *from, float *to)
{
  const AttnUnits *units = self->units[ATTN_SIDE_KEY];
  size_t n = attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY);
  memset (to, 0, units->n * sizeof *to);
  for (size_t key = 0; key < n; key++) {
    float share = from[key] / (float)units->count[key];
    for (size_t i = 0; i < units->count[key]; i++)
      to[units->first[key] + i] += share;
  }
}

static void
add_row (float *row, const float *other, size_t n)
{
  for (size_t i = 0; i < n; i++)
    row[i] += other[i];
}

/* From a unit: the mean of its tokens' rows. @counts: [n units] written */
static void
group (const Grouped *self, const float *from, float *row, size_t *counts, float *weights)
{
  const AttnUnits *queries = self->units[ATTN_SIDE_QUERY];
  size_t n_keys = self->units[ATTN_SIDE_KEY]->n;
  size_t n_from_queries = attn_maps_get_n (self->over.maps, ATTN_SIDE_QUERY);
  size_t n_from_keys = attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY);
  memset (weights, 0, queries->n * n_keys * sizeof *weights);
  memset (counts, 0, queries->n * sizeof *counts);
  for (size_t query = 0; query < n_from_queries; query++) {
    add_columns (self, from + query * n_from_keys, row);
    for (size_t i = 0; i < queries->count[query]; i++) {
      size_t unit = queries->first[query] + i;
      add_row (weights + unit * n_keys, row, n_keys);
      counts[unit]++;
    }
  }
  for (size_t unit = 0; unit < queries->n; unit++)
    if (counts[unit] > 1)
      for (size_t key = 0; key < n_keys; key++)
        weights[unit * n_keys + key] /= (float)counts[unit];
}

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Grouped *self = source;
  g_autofree float *from = attn_maps_try_new_weights (self->over.maps, error);
  if (from == NULL || !attn_maps_compute (self->over.maps, layer, head, from, error))
    return false;
  g_autofree float *row = g_new (float, self->units[ATTN_SIDE_KEY]->n);
  g_autofree size_t *counts = g_new (size_t, self->units[ATTN_SIDE_QUERY]->n);
  group (self, from, row, counts, weights);
  return true;
}

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  const Grouped *self = source;
  const AttnUnitOf *unit = &self->units[side]->of[index];
  return unit->label != NULL ? unit->label
                             : attn_maps_peek_label (self->over.maps, side, unit->first);
}

static const char *
peek_piece (void *source, AttnSide side, size_t index)
{
  const Grouped *self = source;
  const AttnUnitOf *unit = &self->units[side]->of[index];
  return unit->label != NULL ? unit->label
                             : attn_maps_peek_piece (self->over.maps, side, unit->first);
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  const Grouped *self = source;
  const AttnUnitOf *unit = &self->units[side]->of[index];
  AttnOrigin last;
  if (!attn_maps_get_origin (self->over.maps, side, unit->first, origin) ||
      !attn_maps_get_origin (self->over.maps, side, unit->first + unit->n - 1, &last))
    return false;
  origin->n = last.first + last.n - origin->first;
  origin->start = unit->start;
  origin->end = unit->end;
  return true;
}

/* A unit sees what any of its tokens sees. */
static void
get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const Grouped *self = source;
  const AttnUnitOf *unit = &self->units[ATTN_SIDE_QUERY]->of[query];
  const AttnUnits *keys = self->units[ATTN_SIDE_KEY];
  *first = keys->n;
  *end = 0;
  for (size_t token = unit->first; token < unit->first + unit->n; token++) {
    size_t token_first, token_end;
    attn_maps_get_visible (self->over.maps, layer, token, &token_first, &token_end);
    if (token_first >= token_end)
      continue;
    *first = MIN (*first, keys->first[token_first]);
    *end = MAX (*end, keys->first[token_end - 1] + keys->count[token_end - 1]);
  }
  *first = MIN (*first, *end);
}

static void
grouped_free (void *source)
{
  Grouped *self = source;
  for (size_t side = 0; side < N_SIDES; side++)
    attn_units_free (self->units[side]);
  attn_derived_maps_free (self);
}

static AttnUnits *
make_units (AttnMaps *maps, AttnSide side, AttnUnit unit, const AttnWordList *words, GError **error)
{
  size_t n = attn_maps_get_n (maps, side);
  g_autofree size_t *indexes = g_new (size_t, n);
  for (size_t i = 0; i < n; i++) {
    AttnOrigin origin;
    attn_maps_get_origin (maps, side, i, &origin);
    indexes[i] = origin.first;
  }
  return attn_units_new (unit, attn_maps_peek_tokens (maps, side), indexes, n, words, error);
}

AttnMaps *
attn_maps_group (AttnMaps *maps, AttnUnit unit, const AttnWordList *words, GError **error)
{
  bool of_text = unit != ATTN_UNIT_WORDS;
  if (!attn_maps_check_tokens (maps, of_text, of_text ? "characters" : "words", error))
    return NULL;
  Grouped *self = g_new0 (Grouped, 1);
  self->over.maps = attn_maps_ref (maps);
  for (size_t side = 0; side < N_SIDES; side++) {
    self->units[side] = make_units (maps, (AttnSide)side, unit, words, error);
    if (self->units[side] == NULL) {
      grouped_free (self);
      return NULL;
    }
  }
  AttnMapsClass klass = attn_derived_maps_make_class (&self->over);
  klass.n_queries = self->units[ATTN_SIDE_QUERY]->n;
  klass.n_keys = self->units[ATTN_SIDE_KEY]->n;
  klass.compute = compute;
  klass.peek_label = peek_label;
  klass.peek_piece = peek_piece;
  klass.get_origin = get_origin;
  klass.get_visible = get_visible;
  klass.free = grouped_free;
  return attn_maps_new (&klass, self);
}
