/* SPDX-License-Identifier: MIT */
/* What is odd about attention weights that another program computed, in words. */
#include "arrays-private.h"

#include "attn/error.h"
#include "attn/number.h"

#include <math.h>

/* Where something was first seen. */
typedef struct {
  guint64 n; /* how often */
  size_t layer, head, query;
} Seen;

typedef struct {
  Seen nan, infinite, negative, sums;
  double worst;                   /* the sum that is furthest from 1 */
  size_t worst_layer, worst_head; /* and where it is */
} Findings;

static void
note (Seen *seen, size_t layer, size_t head, size_t query)
{
  if (seen->n++ == 0) {
    seen->layer = layer;
    seen->head = head;
    seen->query = query;
  }
}

/* What rounding each weight of a row to the file's numbers may add up to: half a unit in the last
 * place of each, 2^-9 of it for bf16 and 2^-12 for f16, all in one direction, and some more for
 * sums that were f16 or bf16 themselves when the program divided by them. */
static double
find_tolerance (const AttnArrays *arrays)
{
  switch (arrays->layers[0].dtype) {
  case ATTN_DTYPE_BF16:
    return 1e-2;
  case ATTN_DTYPE_F16:
    return 2e-3;
  default:
    return 1e-3;
  }
}

/* Returns: the row's sum; not a number where one of its weights is none. */
static double
add_row (Findings *findings, const float *row, size_t n, size_t layer, size_t head, size_t query)
{
  double sum = 0;
  for (size_t key = 0; key < n; key++) {
    float weight = row[key];
    sum += (double)weight;
    if (weight >= 0 && weight < INFINITY)
      continue;
    note (isnan (weight)   ? &findings->nan
          : isinf (weight) ? &findings->infinite
                           : &findings->negative,
          layer, head, query);
  }
  return sum;
}

static void
check_map (
    const AttnArrays *arrays, size_t layer, size_t head, const float *weights, Findings *findings)
{
  double tolerance = find_tolerance (arrays);
  for (size_t query = 0; query < arrays->n_queries; query++) {
    double sum =
        add_row (findings, weights + query * arrays->n_keys, arrays->n_keys, layer, head, query);
    if (!isfinite (sum) || fabs (sum - 1) <= tolerance)
      continue;
    note (&findings->sums, layer, head, query);
    if (findings->sums.n == 1 || fabs (sum - 1) > fabs (findings->worst - 1)) {
      findings->worst = sum;
      findings->worst_layer = layer;
      findings->worst_head = head;
    }
  }
}

/* "2 of 384 weights are negative, the first in layer 2, head 1, query 0" */
static void
warn (AttnArrays *arrays,
      const Seen *seen,
      guint64 n_all,
      const char *things,
      const char *one,
      const char *many,
      const char *more)
{
  if (seen->n == 0)
    return;
  g_ptr_array_add (arrays->warnings,
                   g_strdup_printf ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                    " %s %s, the first in layer %zu, head %zu, query %zu (counted "
                                    "from 0)%s",
                                    arrays->name, seen->n, n_all, things, seen->n == 1 ? one : many,
                                    seen->layer + 1, seen->head + 1, seen->query, more));
}

/* What the file has as finite numbers is not called infinite. */
static void
tell_infinite (AttnArrays *arrays, const Seen *infinite, guint64 n_weights)
{
  static const char more[] = "; pictures cross such cells";
  if (arrays->n_too_large == 0)
    warn (arrays, infinite, n_weights, "weights", "is infinite", "are infinite", more);
  else if (arrays->n_too_large >= infinite->n)
    warn (arrays, infinite, n_weights, "weights", "is too large for single precision",
          "are too large for single precision", more);
  else
    warn (arrays, infinite, n_weights, "weights", "is infinite",
          "are infinite, or too large for single precision", more);
}

static void
tell (AttnArrays *arrays, const Findings *findings)
{
  char number[ATTN_NUMBER_SIZE];
  guint64 n_rows = (guint64)arrays->n_layers * arrays->n_heads * arrays->n_queries;
  guint64 n_weights = n_rows * arrays->n_keys;
  warn (arrays, &findings->nan, n_weights, "weights", "is not a number (NaN)",
        "are not numbers (NaN)", "; pictures cross such cells");
  tell_infinite (arrays, &findings->infinite, n_weights);
  warn (arrays, &findings->negative, n_weights, "weights", "is negative", "are negative",
        ", which no softmax gives: are these scores?");
  g_autofree char *worst =
      g_strdup_printf ("; the furthest from 1 is %s, in layer %zu, head %zu",
                       g_ascii_formatd (number, sizeof number, "%.6g", findings->worst),
                       findings->worst_layer + 1, findings->worst_head + 1);
  warn (arrays, &findings->sums, n_rows, "rows", "does not sum to 1", "do not sum to 1", worst);
}

bool
attn_arrays_check_values (AttnArrays *arrays, AttnArrayProgress *progress, GError **error)
{
  Findings findings = {0};
  double begin = progress->at;
  size_t n_maps = arrays->n_layers * arrays->n_heads, n_done = 0;
  g_autofree float *weights = g_try_new (float, arrays->n_queries * arrays->n_keys);
  if (weights == NULL)
    return attn_file_refuse (arrays->path, ATTN_ERROR_TOO_LARGE, error,
                             "no memory for a map of %zu × %zu weights", arrays->n_queries,
                             arrays->n_keys);
  for (size_t layer = 0; layer < arrays->n_layers; layer++)
    for (size_t head = 0; head < arrays->n_heads; head++) {
      double fraction = begin + (1 - begin) * (double)n_done++ / (double)n_maps;
      if (!attn_progress_tell (progress->func, progress->data, MIN (fraction, 1), error))
        return false;
      attn_arrays_get_map (arrays, layer, head, weights);
      check_map (arrays, layer, head, weights, &findings);
    }
  tell (arrays, &findings);
  return attn_progress_tell (progress->func, progress->data, 1, error);
}
