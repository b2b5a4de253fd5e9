/* SPDX-License-Identifier: MIT */
/* Zooming and panning: in closed form, and what must hold for any sequence of steps. */
#include "hs-crop.h"

#include <math.h>

static void
assert_crop (AttnDrawCrop crop, AttnDrawCrop wanted)
{
  g_assert_cmpuint (crop.first_query, ==, wanted.first_query);
  g_assert_cmpuint (crop.n_queries, ==, wanted.n_queries);
  g_assert_cmpuint (crop.first_key, ==, wanted.first_key);
  g_assert_cmpuint (crop.n_keys, ==, wanted.n_keys);
}

static void
assert_within (const AttnDrawCrop *crop, const HsMapSize *map)
{
  g_assert_cmpuint (crop->n_queries, >=, 1);
  g_assert_cmpuint (crop->n_keys, >=, 1);
  g_assert_cmpuint (crop->first_query + crop->n_queries, <=, map->n_queries);
  g_assert_cmpuint (crop->first_key + crop->n_keys, <=, map->n_keys);
}

static void
test_resolve (void)
{
  const HsMapSize map = {10, 20};

  assert_crop (hs_crop_resolve (&(AttnDrawCrop){0}, &map), (AttnDrawCrop){0, 10, 0, 20});
  assert_crop (hs_crop_resolve (&(AttnDrawCrop){8, 5, 3, 4}, &map), (AttnDrawCrop){8, 2, 3, 4});
  assert_crop (hs_crop_resolve (&(AttnDrawCrop){10, 5, 30, 4}, &map), (AttnDrawCrop){0, 10, 0, 20});
  g_assert_true (hs_crop_is_whole (&(AttnDrawCrop){0, 10, 0, 20}, &map));
  g_assert_false (hs_crop_is_whole (&(AttnDrawCrop){0, 10, 0, 19}, &map));
  g_assert_cmpfloat (hs_crop_get_factor (&(AttnDrawCrop){0, 5, 0, 5}, &map), ==, 4);
}

/* Twice as large around the middle is the middle half; around a corner it keeps the corner. */
static void
test_zoom (void)
{
  const HsMapSize map = {40, 40};
  const AttnDrawCrop whole = {0, 40, 0, 40};
  AttnDrawCrop half = {10, 20, 10, 20};

  assert_crop (hs_crop_zoom (&whole, &map, 2, 20, 20), half);
  assert_crop (hs_crop_zoom (&whole, &map, 2, 0, 40), (AttnDrawCrop){0, 20, 20, 20});
  assert_crop (hs_crop_zoom (&half, &map, 0.5, 20, 20), whole);
  assert_crop (hs_crop_zoom (&half, &map, 0.01, 13, 27), whole);
  /* a place outside of the crop is as good as the crop's edge */
  assert_crop (hs_crop_zoom (&half, &map, 2, 40, 0), (AttnDrawCrop){20, 10, 10, 10});
}

/* Steps that are less than a cell are a cell, down to one and up to all. */
static void
test_small_steps (void)
{
  const HsMapSize map = {3, 3};
  AttnDrawCrop crop = {0, 3, 0, 3};

  crop = hs_crop_zoom (&crop, &map, 1.01, 1.5, 1.5);
  assert_crop (crop, (AttnDrawCrop){0, 2, 0, 2});
  crop = hs_crop_zoom (&crop, &map, 1.01, 1.2, 1.2);
  assert_crop (crop, (AttnDrawCrop){1, 1, 1, 1});
  crop = hs_crop_zoom (&crop, &map, 1.01, 1.2, 1.2);
  assert_crop (crop, (AttnDrawCrop){1, 1, 1, 1});
  crop = hs_crop_zoom (&crop, &map, 0.99, 1.2, 1.2);
  g_assert_cmpuint (crop.n_queries, ==, 2);
  crop = hs_crop_zoom (&crop, &map, 0.99, 1.2, 1.2);
  assert_crop (crop, (AttnDrawCrop){0, 3, 0, 3});
}

/* The cell under the pointer stays under it wherever the map's edge does not forbid it; and the way
 * in and out ends at the whole map. */
static void
test_any_steps (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);

  for (int trial = 0; trial < 300; trial++) {
    HsMapSize map = {(size_t)g_rand_int_range (rand, 1, 600),
                     (size_t)g_rand_int_range (rand, 1, 600)};
    AttnDrawCrop crop = {0, map.n_queries, 0, map.n_keys};
    for (int step = 0; step < 60; step++) {
      double query = (double)crop.first_query + g_rand_double (rand) * (double)crop.n_queries;
      double key = (double)crop.first_key + g_rand_double (rand) * (double)crop.n_keys;
      double before = (key - (double)crop.first_key) / (double)crop.n_keys;
      size_t n_before = MAX (crop.n_queries, crop.n_keys);
      bool in = g_rand_boolean (rand);
      crop = hs_crop_zoom (&crop, &map, in ? 1.25 : 1 / 1.25, query, key);
      assert_within (&crop, &map);
      size_t n_now = MAX (crop.n_queries, crop.n_keys);
      g_assert_true (in ? n_now < n_before || n_before == 1 : n_now >= n_before);
      double after = (double)crop.first_key + before * (double)crop.n_keys;
      bool is_free = crop.first_key > 0 && crop.first_key + crop.n_keys < map.n_keys;
      if (is_free)
        g_assert_cmpfloat (floor (after + 1e-9), ==, floor (key));
    }
    for (int step = 0; step < 60; step++)
      crop = hs_crop_zoom (&crop, &map, 1 / 1.25, 0, 0);
    g_assert_true (hs_crop_is_whole (&crop, &map));
  }
}

static void
test_pan (void)
{
  const HsMapSize map = {10, 20};
  const AttnDrawCrop crop = {4, 3, 5, 6};

  assert_crop (hs_crop_pan (&crop, &map, 1, -2), (AttnDrawCrop){5, 3, 3, 6});
  assert_crop (hs_crop_pan (&crop, &map, -100, 100), (AttnDrawCrop){0, 3, 14, 6});
  assert_crop (hs_crop_pan (&(AttnDrawCrop){0, 10, 0, 20}, &map, 3, 3),
               (AttnDrawCrop){0, 10, 0, 20});
}

static void
test_reveal (void)
{
  const HsMapSize map = {10, 20};
  const AttnDrawCrop crop = {4, 3, 5, 6};

  assert_crop (hs_crop_reveal (&crop, &map, 5, 10), crop);
  assert_crop (hs_crop_reveal (&crop, &map, G_MAXSIZE, G_MAXSIZE), crop);
  assert_crop (hs_crop_reveal (&crop, &map, 2, 11), (AttnDrawCrop){2, 3, 6, 6});
  assert_crop (hs_crop_reveal (&crop, &map, 9, 0), (AttnDrawCrop){7, 3, 0, 6});
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crop/resolve", test_resolve);
  g_test_add_func ("/crop/zoom", test_zoom);
  g_test_add_func ("/crop/small-steps", test_small_steps);
  g_test_add_func ("/crop/any-steps", test_any_steps);
  g_test_add_func ("/crop/pan", test_pan);
  g_test_add_func ("/crop/reveal", test_reveal);
  return g_test_run ();
}
