/* SPDX-License-Identifier: MIT */
/* Sums of heads over texts, and how they join. */
#include "atlas-private.h"

#include "attn/error.h"
#include "attn/mds.h"

#include <math.h>

void
attn_moments_add (AttnMoments *moments, double value)
{
  moments->n++;
  const double delta = value - moments->mean;
  moments->mean += delta / (double)moments->n;
  moments->squares += delta * (value - moments->mean);
}

void
attn_moments_join (AttnMoments *moments, const AttnMoments *other)
{
  if (other->n == 0)
    return;
  if (moments->n == 0) {
    *moments = *other;
    return;
  }
  const double n = (double)moments->n, m = (double)other->n;
  const double delta = other->mean - moments->mean;
  moments->mean += delta * (m / (n + m));
  moments->squares += other->squares + delta * delta * (n * m / (n + m));
  moments->n += other->n;
}

double
attn_moments_get_deviation (const AttnMoments *moments)
{
  return moments->n < 2 ? (double)NAN : sqrt (moments->squares / (double)(moments->n - 1));
}

AttnAtlas *
attn_atlas_new (size_t n_layers, size_t n_heads, bool with_distances)
{
  const size_t n = n_layers * n_heads;
  AttnAtlas *atlas = g_new0 (AttnAtlas, 1);
  atlas->n_layers = n_layers;
  atlas->n_heads = n_heads;
  atlas->heads = g_new0 (AttnAtlasHead, n);
  atlas->distances = with_distances ? g_new0 (double, MAX (attn_atlas_count_pairs (n), 1)) : NULL;
  return atlas;
}

void
attn_atlas_place_clear (AttnAtlasPlace *place)
{
  g_clear_pointer (&place->query_piece, g_ref_string_release);
  g_clear_pointer (&place->key_piece, g_ref_string_release);
  g_clear_pointer (&place->excerpt, g_ref_string_release);
}

void
attn_atlas_free (AttnAtlas *atlas)
{
  if (atlas == NULL)
    return;
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++) {
    AttnAtlasHead *head = &atlas->heads[i];
    for (size_t k = 0; k < head->n_examples; k++)
      attn_atlas_place_clear (&head->examples[k]);
    for (size_t k = 0; k < head->n_surest; k++)
      attn_atlas_place_clear (&head->surest[k]);
  }
  g_free (atlas->heads);
  g_free (atlas->distances);
  g_free (atlas);
}

static char *
ref_string (char *string)
{
  return string != NULL ? g_ref_string_acquire (string) : NULL;
}

/* Whether a comes before b in a list of the largest. */
static bool
is_before (const AttnAtlasPlace *a, const AttnAtlasPlace *b)
{
  if (a->value != b->value)
    return a->value > b->value;
  if (a->text != b->text)
    return a->text < b->text;
  return a->query != b->query ? a->query < b->query : a->key < b->key;
}

void
attn_atlas_insert_place (AttnAtlasPlace *places, size_t *n, size_t max, const AttnAtlasPlace *place)
{
  if (isnan (place->value))
    return;
  size_t at = 0;
  while (at < *n && is_before (&places[at], place))
    at++;
  if (at == max)
    return;
  if (*n == max)
    attn_atlas_place_clear (&places[--*n]);
  for (size_t i = *n; i > at; i--)
    places[i] = places[i - 1];
  places[at] = *place;
  places[at].query_piece = ref_string (place->query_piece);
  places[at].key_piece = ref_string (place->key_piece);
  places[at].excerpt = ref_string (place->excerpt);
  ++*n;
}

static void
join_head (AttnAtlasHead *head, const AttnAtlasHead *after)
{
  for (size_t i = 0; i < ATTN_N_PASSPORT_FIELDS; i++)
    attn_moments_join (&head->fields[i], &after->fields[i]);
  attn_moments_join (&head->importance, &after->importance);
  for (size_t i = 0; i < ATTN_N_PATTERNS; i++)
    head->classes[i] += after->classes[i];
  head->n_odd += after->n_odd;
  for (size_t i = 0; i < after->n_examples; i++)
    attn_atlas_insert_place (head->examples, &head->n_examples, ATTN_ATLAS_EXAMPLES,
                             &after->examples[i]);
  for (size_t i = 0; i < after->n_surest; i++)
    attn_atlas_insert_place (head->surest, &head->n_surest, ATTN_ATLAS_SUREST, &after->surest[i]);
}

void
attn_atlas_join (AttnAtlas *atlas, const AttnAtlas *after)
{
  const size_t n = atlas->n_layers * atlas->n_heads;
  g_return_if_fail (after->n_layers * after->n_heads == n);
  g_return_if_fail ((after->distances != NULL) == (atlas->distances != NULL));
  for (size_t i = 0; i < n; i++)
    join_head (&atlas->heads[i], &after->heads[i]);
  for (size_t i = 0; atlas->distances != NULL && i < attn_atlas_count_pairs (n); i++)
    atlas->distances[i] += after->distances[i];
  atlas->n_texts += after->n_texts;
  atlas->n_empty += after->n_empty;
  atlas->n_tokens += after->n_tokens;
}

AttnPassport
attn_atlas_get_passport (const AttnAtlas *atlas, size_t layer, size_t head)
{
  const AttnAtlasHead *own = &atlas->heads[layer * atlas->n_heads + head];
  AttnPassport passport = attn_passport_make_empty ();
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    if (own->fields[field].n > 0)
      attn_passport_set_field (&passport, field, own->fields[field].mean);
  passport.n_odd = own->n_odd;
  if (own->fields[ATTN_PASSPORT_ENTROPY].n > 0)
    passport.pattern = attn_passport_find_pattern (&passport);
  return passport;
}

double
attn_atlas_get_distance (const AttnAtlas *atlas, size_t a, size_t b)
{
  const size_t n = atlas->n_layers * atlas->n_heads, n_run = atlas->n_texts - atlas->n_empty;
  if (atlas->distances == NULL || n_run == 0)
    return (double)NAN;
  if (a == b)
    return 0;
  return atlas->distances[attn_atlas_find_pair (MIN (a, b), MAX (a, b), n)] / (double)n_run;
}

void
attn_atlas_map_free (AttnAtlasMap *map)
{
  if (map == NULL)
    return;
  g_free (map->nearest);
  g_free (map->farthest);
  g_free (map->places);
  g_free (map);
}

static void
find_neighbours (AttnAtlasMap *map, const double *distances, size_t n)
{
  for (size_t a = 0; a < n; a++) {
    size_t nearest = a == 0, farthest = a == 0;
    for (size_t b = nearest + 1; b < n; b++) {
      if (b == a)
        continue;
      if (distances[a * n + b] < distances[a * n + nearest])
        nearest = b;
      if (distances[a * n + b] > distances[a * n + farthest])
        farthest = b;
    }
    map->nearest[a] = nearest;
    map->farthest[a] = farthest;
  }
}

AttnAtlasMap *
attn_atlas_map (const AttnAtlas *atlas, GError **error)
{
  const size_t n = atlas->n_layers * atlas->n_heads;
  if (atlas->distances == NULL || atlas->n_texts == atlas->n_empty || n < 2) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "there are no distances of heads: they were left out, or there is no text or but "
                 "one head");
    return NULL;
  }
  g_autofree double *distances = g_try_new (double, n *n);
  if (distances == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu × %zu distances", n,
                 n);
    return NULL;
  }
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      distances[a * n + b] = attn_atlas_get_distance (atlas, a, b);
  g_autoptr (AttnAtlasMap) map = g_new0 (AttnAtlasMap, 1);
  map->nearest = g_new (size_t, n);
  map->farthest = g_new (size_t, n);
  map->places = g_new (double, 2 * n);
  find_neighbours (map, distances, n);
  if (!attn_mds_compute (distances, n, map->places, &map->kept, error))
    return NULL;
  return g_steal_pointer (&map);
}
