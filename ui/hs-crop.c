/* SPDX-License-Identifier: MIT */
/* Each side of a crop by itself: where it begins and how many it shows. */
#include "hs-crop.h"

#include <math.h>

typedef struct {
  size_t first, n;
} Side;

static AttnDrawCrop
join (Side queries, Side keys)
{
  return (AttnDrawCrop){queries.first, queries.n, keys.first, keys.n};
}

static Side
get_queries (const AttnDrawCrop *crop)
{
  return (Side){crop->first_query, crop->n_queries};
}

static Side
get_keys (const AttnDrawCrop *crop)
{
  return (Side){crop->first_key, crop->n_keys};
}

/* As the layout does: a side that begins outside of the map is all of it. */
static Side
resolve (Side side, size_t n)
{
  if (side.n == 0 || side.first >= n)
    return (Side){0, n};
  return (Side){side.first, MIN (side.n, n - side.first)};
}

AttnDrawCrop
hs_crop_resolve (const AttnDrawCrop *crop, const HsMapSize *map)
{
  return join (resolve (get_queries (crop), map->n_queries),
               resolve (get_keys (crop), map->n_keys));
}

bool
hs_crop_is_whole (const AttnDrawCrop *crop, const HsMapSize *map)
{
  return crop->n_queries == map->n_queries && crop->n_keys == map->n_keys;
}

double
hs_crop_get_factor (const AttnDrawCrop *crop, const HsMapSize *map)
{
  return MAX ((double)map->n_queries / (double)crop->n_queries,
              (double)map->n_keys / (double)crop->n_keys);
}

static Side
place (double first, size_t n, size_t n_all)
{
  return (Side){(size_t)CLAMP (round (first), 0, (double)(n_all - n)), n};
}

/* @n of @n_all cells around the one that holds @at: it still holds that place of the side. */
static Side
resize (Side side, size_t n, size_t n_all, double at)
{
  double last = nextafter ((double)(side.first + side.n), 0);
  double inside = CLAMP (at, (double)side.first, last);
  double share = (inside - (double)side.first) / (double)side.n;
  return place (floor (inside) - floor (share * (double)n), n, n_all);
}

/* How many of @n cells are left. */
static size_t
divide (size_t n, double factor, size_t n_all)
{
  double wanted = round ((double)n / factor);

  if (factor > 1)
    wanted = MIN (wanted, (double)n - 1);
  else if (factor < 1)
    wanted = MAX (wanted, (double)n + 1);
  return (size_t)CLAMP (wanted, 1, (double)n_all);
}

AttnDrawCrop
hs_crop_zoom (
    const AttnDrawCrop *crop, const HsMapSize *map, double factor, double query, double key)
{
  Side queries = get_queries (crop), keys = get_keys (crop);
  bool by_queries = queries.n > keys.n;
  size_t n = by_queries ? queries.n : keys.n;
  size_t n_left = divide (n, factor, by_queries ? map->n_queries : map->n_keys);
  double share = (double)n_left / (double)n;
  bool is_end = n_left == (by_queries ? map->n_queries : map->n_keys);

  /* the other side goes with the longer one, and both are whole at the end */
  size_t n_queries = is_end ? map->n_queries : (size_t)round ((double)queries.n * share);
  size_t n_keys = is_end ? map->n_keys : (size_t)round ((double)keys.n * share);
  return join (resize (queries, CLAMP (n_queries, 1, map->n_queries), map->n_queries, query),
               resize (keys, CLAMP (n_keys, 1, map->n_keys), map->n_keys, key));
}

AttnDrawCrop
hs_crop_pan (const AttnDrawCrop *crop, const HsMapSize *map, ptrdiff_t n_queries, ptrdiff_t n_keys)
{
  return join (
      place ((double)crop->first_query + (double)n_queries, crop->n_queries, map->n_queries),
      place ((double)crop->first_key + (double)n_keys, crop->n_keys, map->n_keys));
}

static Side
reveal (Side side, size_t n_all, size_t index)
{
  if (index >= n_all)
    return side;
  if (index < side.first)
    return (Side){index, side.n};
  if (index >= side.first + side.n)
    return (Side){index + 1 - side.n, side.n};
  return side;
}

AttnDrawCrop
hs_crop_reveal (const AttnDrawCrop *crop, const HsMapSize *map, size_t query, size_t key)
{
  return join (reveal (get_queries (crop), map->n_queries, query),
               reveal (get_keys (crop), map->n_keys, key));
}
