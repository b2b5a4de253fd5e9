/* SPDX-License-Identifier: MIT */
/* Numbers that sum up a map. */
#include "attn/metrics.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static bool
is_finite_row (const float *row, size_t n)
{
  bool finite = true;
  for (size_t i = 0; i < n; i++)
    finite &= fabsf (row[i]) <= FLT_MAX; /* false for NaN, too */
  return finite;
}

/* Scores of keys that a query may not see are −∞: those keys are none of the row's.
 *
 * Returns: [@first, @end) of its other keys, 0 … n_keys where it is not such a row. */
static void
find_scored (const AttnMap *map, size_t query, size_t *first, size_t *end)
{
  const float *row = map->weights + query * map->n_keys;
  *first = 0;
  *end = map->n_keys;
  if (map->maps == NULL || (row[0] != -INFINITY && row[map->n_keys - 1] != -INFINITY))
    return;
  size_t first_seen, end_seen;
  attn_maps_get_visible (map->maps, map->layer, query, &first_seen, &end_seen);
  while (*first < MIN (first_seen, map->n_keys) && row[*first] == -INFINITY)
    *first += 1;
  while (*end > MAX (end_seen, *first) && row[*end - 1] == -INFINITY)
    *end -= 1;
}

size_t
attn_map_compute_column_means (const AttnMap *map, float *means)
{
  g_return_val_if_fail (map != NULL && means != NULL, 0);
  g_autofree double *sums = g_new0 (double, map->n_keys);
  g_autofree size_t *counts = g_new0 (size_t, map->n_keys);
  size_t n = 0;
  for (size_t query = 0; query < map->n_queries; query++) {
    const float *row = map->weights + query * map->n_keys;
    size_t first, end;
    find_scored (map, query, &first, &end);
    if (!is_finite_row (row + first, end - first))
      continue;
    for (size_t key = first; key < end; key++) {
      sums[key] += (double)row[key];
      counts[key]++;
    }
    n++;
  }
  for (size_t key = 0; key < map->n_keys; key++)
    means[key] = counts[key] > 0 ? (float)(sums[key] / (double)counts[key]) : NAN;
  return n;
}

/* Whether a stands before b in the answer. */
static bool
comes_first (const AttnAttended *a, const AttnAttended *b)
{
  if (isnan (a->value) != isnan (b->value))
    return isnan (b->value);
  if (a->value != b->value && !isnan (a->value))
    return a->value > b->value;
  return a->key < b->key;
}

static int
compare_attended (const void *a, const void *b)
{
  return comes_first (a, b) ? -1 : comes_first (b, a);
}

/* Moves the first of @heap down to where both below it come before it: the last is on top. */
static void
sift_down (AttnAttended *heap, size_t n)
{
  size_t at = 0;
  for (size_t below = 1; below < n; below = 2 * at + 1) {
    if (below + 1 < n && comes_first (&heap[below], &heap[below + 1]))
      below++;
    if (comes_first (&heap[below], &heap[at]))
      return;
    AttnAttended swapped = heap[at];
    heap[at] = heap[below];
    heap[below] = swapped;
    at = below;
  }
}

static int
compare_last_first (const void *a, const void *b)
{
  return compare_attended (b, a);
}

size_t
attn_top_attended (const float *values, size_t n, AttnAttended *top, size_t k)
{
  size_t n_top = MIN (n, k);
  if (n_top == 0)
    return 0;
  for (size_t i = 0; i < n_top; i++)
    top[i] = (AttnAttended){.key = i, .value = values[i]};
  qsort (top, n_top, sizeof *top, compare_last_first);
  for (size_t i = n_top; i < n; i++) {
    AttnAttended candidate = {.key = i, .value = values[i]};
    if (!comes_first (&candidate, &top[0]))
      continue;
    top[0] = candidate;
    sift_down (top, n_top);
  }
  qsort (top, n_top, sizeof *top, compare_attended);
  return n_top;
}
