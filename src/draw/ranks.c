/* SPDX-License-Identifier: MIT */
/* Which weights separate the colours of the rank scale: order statistics by counting digits. */
#include "scale.h"

#include <math.h>
#include <string.h>

/* A weight's bits, as a number that rises with it, are read as three digits. */
#define N_DIGITS 3
#define NOWHERE UINT16_MAX

static const unsigned digit_bits[N_DIGITS] = {11, 11, 10};
static const unsigned digit_shift[N_DIGITS] = {21, 10, 0};

typedef struct {
  const float *weights;
  size_t n_queries, n_keys;
  const size_t *first, *end;
} Map;

/* A weight that separates two colours, while its digits are found from the first on. */
typedef struct {
  uint64_t rank;  /* its place, from 0 in rising order, among the weights of its group */
  uint16_t group; /* of weights with the digits found so far */
  uint32_t key;   /* these digits */
} Cut;

/* From a group and the next digit to the group of both; NOWHERE without cuts in it. */
typedef struct {
  uint16_t *next[N_DIGITS]; /* [n groups << digit_bits] */
} Tree;

static uint32_t
to_key (float weight)
{
  uint32_t bits;
  memcpy (&bits, &weight, sizeof bits);
  return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}

static float
from_key (uint32_t key)
{
  uint32_t bits = key & 0x80000000 ? key & 0x7fffffff : ~key;
  float weight;
  memcpy (&weight, &bits, sizeof weight);
  return weight;
}

/* Where @group is followed by the digit @level of @key. */
static size_t
get_slot (unsigned level, uint16_t group, uint32_t key)
{
  uint32_t digit = key >> digit_shift[level] & ((1u << digit_bits[level]) - 1);
  return ((size_t)group << digit_bits[level]) + digit;
}

/* Counts the digit @level of all weights that are in some group. */
static void
count_digits (const Map *map, const Tree *tree, unsigned level, uint32_t *counts)
{
  for (size_t query = 0; query < map->n_queries; query++) {
    const float *row = map->weights + query * map->n_keys;
    for (size_t column = map->first[query]; column < map->end[query]; column++) {
      if (row[column] == 0 || !isfinite (row[column]))
        continue;
      uint32_t key = to_key (row[column]);
      uint16_t group = 0;
      for (unsigned l = 0; l < level && group != NOWHERE; l++)
        group = tree->next[l][get_slot (l, group, key)];
      if (group != NOWHERE)
        counts[get_slot (level, group, key)]++;
    }
  }
}

/* Finds the digit @level of a cut. Returns: its slot. */
static size_t
find_digit (Cut *cut, unsigned level, const uint32_t *counts)
{
  size_t slot = (size_t)cut->group << digit_bits[level];
  size_t first = slot;

  while (cut->rank >= counts[slot])
    cut->rank -= counts[slot++];
  cut->key = cut->key << digit_bits[level] | (uint32_t)(slot - first);
  return slot;
}

/* Finds the digit @level of all cuts, and their groups with it. */
static void
find_digits (
    Tree *tree, unsigned level, const uint32_t *counts, size_t n_slots, Cut *cuts, size_t n_cuts)
{
  uint16_t *next = g_new (uint16_t, n_slots);
  uint16_t n_groups = 0;

  memset (next, 0xff, n_slots * sizeof *next);
  for (size_t i = 0; i < n_cuts; i++) {
    size_t slot = find_digit (&cuts[i], level, counts);
    if (next[slot] == NOWHERE)
      next[slot] = n_groups++;
    cuts[i].group = next[slot];
  }
  tree->next[level] = next;
}

/* Colour c begins above the weight of rank r - 1, where r is the least number of smaller weights
 * that makes c: r / (n - 1) × 255 ≥ c - 1/2. */
static uint64_t
find_rank (uint64_t color, uint64_t n)
{
  uint64_t numerator = (2 * color - 1) * (n - 1);
  uint64_t denominator = 2 * (ATTN_DRAW_N_COLORS - 1);
  return (numerator + denominator - 1) / denominator - 1;
}

static uint64_t
add_up (const uint32_t *counts, size_t n)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += counts[i];
  return sum;
}

void
attn_draw_ranks_find (const float *weights,
                      size_t n_queries,
                      size_t n_keys,
                      const size_t *first,
                      const size_t *end,
                      float *least)
{
  const Map map = {weights, n_queries, n_keys, first, end};
  Cut cuts[ATTN_DRAW_N_COLORS - 1] = {{0}};
  const size_t n_cuts = G_N_ELEMENTS (cuts);
  Tree tree = {{NULL}};
  bool has_cuts = true;

  for (size_t color = 0; color < ATTN_DRAW_N_COLORS; color++)
    least[color] = -INFINITY; /* a single weight is the largest */
  for (unsigned level = 0; level < N_DIGITS && has_cuts; level++) {
    size_t n_slots = (level == 0 ? 1 : n_cuts) << digit_bits[level];
    g_autofree uint32_t *counts = g_new0 (uint32_t, n_slots);
    count_digits (&map, &tree, level, counts);
    uint64_t n = level == 0 ? add_up (counts, n_slots) : 0;
    has_cuts = level > 0 || n > 1;
    for (size_t i = 0; i < n_cuts && n > 1; i++)
      cuts[i].rank = find_rank (i + 1, n);
    if (has_cuts)
      find_digits (&tree, level, counts, n_slots, cuts, n_cuts);
  }
  for (size_t i = 0; i < n_cuts && has_cuts; i++)
    least[i + 1] = nextafterf (from_key (cuts[i].key), INFINITY);
  for (unsigned level = 0; level < N_DIGITS; level++)
    g_free (tree.next[level]);
}
