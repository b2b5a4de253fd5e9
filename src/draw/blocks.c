/* SPDX-License-Identifier: MIT */
/* The largest weight of each block, in one pass over a map. */
#include "blocks.h"

#include <math.h>
#include <stdint.h>

static size_t
count_blocks (size_t n, size_t per_block)
{
  return (n + per_block - 1) / per_block;
}

void
attn_draw_blocks_init (AttnDrawBlocks *blocks,
                       const AttnMaps *maps,
                       size_t queries_per_row,
                       size_t keys_per_column)
{
  size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);

  *blocks = (AttnDrawBlocks){
      .n_queries = n_queries,
      .n_keys = n_keys,
      .queries_per_row = queries_per_row,
      .keys_per_column = keys_per_column,
      .n_rows = count_blocks (n_queries, queries_per_row),
      .n_columns = count_blocks (n_keys, keys_per_column),
  };
}

/* Visible keys of a query, within the map. */
static size_t
get_visible (
    const AttnDrawBlocks *blocks, const AttnMaps *maps, size_t layer, size_t query, size_t *end)
{
  size_t first = 0;
  attn_maps_get_visible (maps, layer, query, &first, end);
  *end = MIN (*end, blocks->n_keys);
  return MIN (first, *end);
}

bool
attn_draw_blocks_find_visible (
    const AttnDrawBlocks *blocks, const AttnMaps *maps, size_t layer, size_t *first, size_t *end)
{
  bool has_hidden = false;

  for (size_t row = 0; row < blocks->n_rows; row++) {
    first[row] = end[row] = 0;
    size_t query = row * blocks->queries_per_row;
    size_t last = MIN (query + blocks->queries_per_row, blocks->n_queries);
    for (bool none = true; query < last; query++) {
      size_t end_key, first_key = get_visible (blocks, maps, layer, query, &end_key);
      if (first_key == end_key)
        continue;
      size_t first_column = first_key / blocks->keys_per_column;
      first[row] = none ? first_column : MIN (first[row], first_column);
      end[row] = MAX (end[row], count_blocks (end_key, blocks->keys_per_column));
      none = false;
    }
    has_hidden |= first[row] > 0 || end[row] < blocks->n_columns;
  }
  return has_hidden;
}

/* The largest of each key's weights; kept by key, so that one plain loop over a row becomes vector
 * instructions. */
typedef struct {
  float *most;   /* [n_keys]; -INFINITY where nothing was seen */
  uint32_t *odd; /* [n_keys]; AttnDrawOdd */
} Columns;

static void
columns_clear (Columns *columns, size_t n_keys)
{
  for (size_t key = 0; key < n_keys; key++) {
    columns->most[key] = -INFINITY;
    columns->odd[key] = 0;
  }
}

static void
take_weights (const float *restrict row,
              size_t first,
              size_t end,
              float *restrict most,
              uint32_t *restrict odd)
{
  for (size_t key = first; key < end; key++) {
    most[key] = row[key] > most[key] ? row[key] : most[key];
    odd[key] |= attn_draw_weight_find_odd (row[key]);
  }
}

/* The same where the weight farthest from 0 is the largest. */
static void
take_signed_weights (const float *restrict row,
                     size_t first,
                     size_t end,
                     float *restrict most,
                     uint32_t *restrict odd)
{
  for (size_t key = first; key < end; key++) {
    bool is_more = most[key] == -INFINITY || fabsf (row[key]) > fabsf (most[key]);
    unsigned found = attn_draw_weight_find_odd (row[key]);
    odd[key] |= found;
    if (is_more && (found & ATTN_DRAW_ODD_CROSSED) == 0)
      most[key] = row[key];
  }
}

static bool
is_more (float weight, float other, bool is_signed)
{
  if (!is_signed)
    return weight > other;
  return weight > -INFINITY && (other == -INFINITY || fabsf (weight) > fabsf (other));
}

static void
write_row (const AttnDrawBlocks *blocks, const Columns *columns, float *pooled)
{
  for (size_t column = 0; column < blocks->n_columns; column++) {
    size_t key = column * blocks->keys_per_column;
    size_t end = MIN (key + blocks->keys_per_column, blocks->n_keys);
    float most = -INFINITY;
    bool is_crossed = false;
    for (; key < end; key++) {
      most = is_more (columns->most[key], most, blocks->is_signed) ? columns->most[key] : most;
      is_crossed |= (columns->odd[key] & ATTN_DRAW_ODD_CROSSED) != 0;
    }
    pooled[column] = is_crossed ? NAN : most > -INFINITY ? most : 0;
  }
}

/* Again, for a map with weights that are endless: slow, and only for them. */
static float
find_finite_max (const AttnDrawBlocks *blocks,
                 const AttnMaps *maps,
                 size_t layer,
                 const float *weights)
{
  float max = 0;

  for (size_t query = 0; query < blocks->n_queries; query++) {
    size_t end, first = get_visible (blocks, maps, layer, query, &end);
    const float *row = weights + query * blocks->n_keys;
    for (size_t key = first; key < end; key++)
      if (row[key] > max && isfinite (row[key]))
        max = row[key];
  }
  return max;
}

static void
take_columns (const Columns *columns, const AttnDrawBlocks *blocks, AttnDrawPeak *peak)
{
  for (size_t key = 0; key < blocks->n_keys; key++) {
    float most = columns->most[key];
    if (blocks->is_signed)
      most = most > -INFINITY ? fabsf (most) : 0;
    peak->max = MAX (peak->max, most);
    peak->odd |= columns->odd[key];
  }
}

AttnDrawPeak
attn_draw_blocks_pool (const AttnDrawBlocks *blocks,
                       const AttnMaps *maps,
                       size_t layer,
                       const float *weights,
                       float *pooled)
{
  g_autofree float *most = g_new (float, blocks->n_keys);
  g_autofree uint32_t *odd = g_new (uint32_t, blocks->n_keys);
  Columns columns = {most, odd};
  AttnDrawPeak peak = {0, 0};

  columns_clear (&columns, blocks->n_keys);
  for (size_t query = 0; query < blocks->n_queries; query++) {
    size_t end, first = get_visible (blocks, maps, layer, query, &end);
    if (blocks->is_signed)
      take_signed_weights (weights + query * blocks->n_keys, first, end, most, odd);
    else
      take_weights (weights + query * blocks->n_keys, first, end, most, odd);
    bool is_last = (query + 1) % blocks->queries_per_row == 0 || query + 1 == blocks->n_queries;
    if (pooled == NULL || !is_last)
      continue;
    write_row (blocks, &columns, pooled + query / blocks->queries_per_row * blocks->n_columns);
    take_columns (&columns, blocks, &peak);
    columns_clear (&columns, blocks->n_keys);
  }
  take_columns (&columns, blocks, &peak);
  if (isinf (peak.max))
    peak.max = find_finite_max (blocks, maps, layer, weights);
  return peak;
}
