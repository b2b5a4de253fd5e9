/* SPDX-License-Identifier: MIT */
/* Rounding numbers that are shown with their sum. */
#include "attn-draw/pipeline.h"

#include <math.h>
#include <stdlib.h>

/* What was cut off, for the order in which it is given back. */
typedef struct {
  double rest;
  size_t index;
} Cut;

static int
compare_cuts (const void *a, const void *b)
{
  const Cut *left = a, *right = b;
  if (left->rest > right->rest || left->rest < right->rest)
    return left->rest > right->rest ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

void
attn_draw_round_together (const double *values, size_t n, int decimals, double *rounded)
{
  const double unit = pow (10, decimals);
  g_autofree Cut *cuts = g_new (Cut, n);
  double sum = 0, whole = 0;
  for (size_t i = 0; i < n; i++) {
    rounded[i] = floor (values[i] * unit);
    cuts[i] = (Cut){values[i] * unit - rounded[i], i};
    sum += values[i];
    whole += rounded[i];
  }
  qsort (cuts, n, sizeof *cuts, compare_cuts);
  const double missing = round (sum * unit) - whole;
  for (size_t i = 0; i < n; i++) {
    if ((double)i < missing)
      rounded[cuts[i].index]++;
    rounded[cuts[i].index] /= unit;
  }
}
