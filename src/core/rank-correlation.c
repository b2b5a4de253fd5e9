/* SPDX-License-Identifier: MIT */
/* Spearman's rank correlation. */
#include "attn/prune.h"

#include <math.h>

typedef struct {
  double value;
  size_t at;
} Place;

static int
compare_places (const void *a, const void *b)
{
  const Place *first = a, *second = b;
  return (first->value > second->value) - (first->value < second->value);
}

/* Returns: (transfer full) (nullable): [n] ranks from 0, equal values sharing their mean; NULL
 * where some value is NaN. */
static double *
dup_ranks (const double *values, size_t n)
{
  g_autofree Place *places = g_new (Place, MAX (n, 1));
  g_autofree double *ranks = g_new (double, MAX (n, 1));
  for (size_t i = 0; i < n; i++) {
    if (isnan (values[i]))
      return NULL;
    places[i] = (Place){values[i], i};
  }
  qsort (places, n, sizeof *places, compare_places);
  for (size_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && places[end].value == places[first].value;)
      end++;
    for (size_t i = first; i < end; i++)
      ranks[places[i].at] = (double)(first + end - 1) / 2;
  }
  return g_steal_pointer (&ranks);
}

double
attn_rank_correlation (const double *a, const double *b, size_t n)
{
  g_autofree double *x = dup_ranks (a, n), *y = dup_ranks (b, n);
  if (x == NULL || y == NULL || n == 0)
    return (double)NAN;
  const double mean = (double)(n - 1) / 2; /* of any ranks */
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < n; i++) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / sqrt (xx * yy) : (double)NAN;
}
