/* SPDX-License-Identifier: MIT */
/* Maps whose rows sum to 1 again, or keep their large weights alone. */
#include "arrange-steps.h"
#include "maps-derived.h"

#include <math.h>

typedef struct {
  AttnDerivedMaps over;
  bool renormalise;
  AttnKeep keep;
  double threshold;
  size_t n_top;
} Adjusted;

static void
renormalise (float *row, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)row[i];
  if (sum == 0)
    return;
  for (size_t i = 0; i < n; i++)
    row[i] = (float)((double)row[i] / sum);
}

static void
keep_above (float *row, size_t n, float threshold)
{
  for (size_t i = 0; i < n; i++)
    if (row[i] < threshold) /* NaN is not */
      row[i] = 0;
}

static float
find_middle (float a, float b, float c)
{
  return MAX (MIN (a, b), MIN (MAX (a, b), c));
}

/* Returns: the value at @rank of @values in descending order; they are moved about. Hoare's
 * quickselect: sorting every row would take longer than computing the map. */
static float
select_largest (float *values, size_t n, size_t rank)
{
  size_t first = 0, last = n - 1;
  while (first < last) {
    float pivot = find_middle (values[first], values[first + (last - first) / 2], values[last]);
    size_t left = first, right = last;
    for (;;) {
      while (values[left] > pivot)
        left++;
      while (values[right] < pivot)
        right--;
      if (left >= right)
        break;
      float value = values[left];
      values[left++] = values[right];
      values[right--] = value;
    }
    if (rank <= right)
      last = right;
    else
      first = right + 1;
  }
  return values[rank];
}

/* @numbers: [n] written. What is not a number stays, beside the largest that are. */
static void
keep_top (float *row, size_t n, size_t n_top, float *numbers)
{
  size_t n_numbers = 0, n_equal = n_top; /* of the least that is kept, those from the left */
  for (size_t i = 0; i < n; i++)
    if (!isnan (row[i]))
      numbers[n_numbers++] = row[i];
  if (n_numbers <= n_top)
    return;
  float least = select_largest (numbers, n_numbers, n_top - 1);
  for (size_t i = 0; i < n; i++)
    n_equal -= row[i] > least ? 1 : 0;
  for (size_t i = 0; i < n; i++) {
    if (row[i] == least && n_equal > 0)
      n_equal--;
    else if (row[i] <= least)
      row[i] = 0;
  }
}

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Adjusted *self = source;
  if (!attn_maps_compute (self->over.maps, layer, head, weights, error))
    return false;
  size_t n_queries = attn_maps_get_n (self->over.maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY);
  g_autofree float *numbers = g_new (float, n_keys);
  for (size_t query = 0; query < n_queries; query++) {
    size_t first, end;
    attn_maps_get_visible (self->over.maps, layer, query, &first, &end);
    if (first >= end)
      continue;
    float *row = weights + query * n_keys + first;
    if (self->renormalise)
      renormalise (row, end - first);
    if (self->keep == ATTN_KEEP_ABOVE)
      keep_above (row, end - first, (float)self->threshold);
    else if (self->keep == ATTN_KEEP_TOP)
      keep_top (row, end - first, MAX (self->n_top, 1), numbers);
  }
  return true;
}

AttnMaps *
attn_maps_adjust_rows (AttnMaps *maps, const AttnArrangement *arrangement)
{
  Adjusted *self = g_new (Adjusted, 1);
  *self = (Adjusted){
      .over = {attn_maps_ref (maps)},
      .renormalise = arrangement->renormalise,
      .keep = arrangement->keep,
      .threshold = arrangement->threshold,
      .n_top = arrangement->n_top,
  };
  AttnMapsClass klass = attn_derived_maps_make_class (&self->over);
  klass.compute = compute;
  return attn_maps_new (&klass, self);
}
