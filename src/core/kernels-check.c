/* SPDX-License-Identifier: MIT */
/* Trying a set of kernels on products whose results are known, before they are relied on.
 *
 * Letters: a [n_rows, n_in], w [n_cols, n_in] as rows of a weight matrix, c = 2 a wᵀ + bias. */
#include "kernels.h"

#include "attn/pool.h"

#include <string.h>

/* The largest product: many rows, so that a library takes its way for large ones. */
#define MAX_ROWS 96
#define MAX_IN 192
#define SCALE 2.0F
#define N_PIECES 4

static const struct {
  size_t n_rows, n_in;
  size_t n_missing; /* columns that the panel has and the product has not */
  bool bias;
} products[] = {
    {1, 64, 0, false},
    {5, 33, 3, true},
    {MAX_ROWS, MAX_IN, 0, false},
};

/* What one thread works on; another has its own. */
typedef struct {
  float a[MAX_ROWS * MAX_IN], w[ATTN_PANEL_MAX * MAX_IN];
  float panel[ATTN_PANEL_MAX * MAX_IN] __attribute__ ((aligned (64)));
  float c[MAX_ROWS * ATTN_PANEL_MAX], bias[ATTN_PANEL_MAX];
  double mixed[MAX_IN]; /* the columns' sum, each times its factor */
} Trial;

/* Whole numbers from -8 to 8: every sum here is below 2^24, so exact in single precision. */
static void
fill (float *x, size_t n, guint32 seed)
{
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525U + 1013904223U;
    x[i] = (float)((int)((seed >> 16) % 17) - 8);
  }
}

/* Factors that let no two columns' faults cancel out but by rare chance. */
static double
get_factor (size_t column)
{
  return (double)(1 + column * column * 7 % 1021);
}

/* Whether Σ c · factor is what the definition gives, in each row: one pass over the operands
 * instead of a product. Whole numbers below 2^53 in double precision: exact. */
static bool
is_right (Trial *trial, size_t n_rows, size_t n_in, size_t n_cols, bool bias)
{
  double shift = 0;
  memset (trial->mixed, 0, sizeof trial->mixed);
  for (size_t j = 0; j < n_cols; j++) {
    const double factor = get_factor (j);
    shift += bias ? (double)trial->bias[j] * factor : 0;
    for (size_t k = 0; k < n_in; k++)
      trial->mixed[k] += (double)trial->w[j * n_in + k] * factor;
  }
  for (size_t i = 0; i < n_rows; i++) {
    double expected = 0, found = 0;
    for (size_t k = 0; k < n_in; k++)
      expected += (double)trial->a[i * n_in + k] * trial->mixed[k];
    for (size_t j = 0; j < n_cols; j++)
      found += (double)trial->c[i * ATTN_PANEL_MAX + j] * get_factor (j);
    if (!(found == (double)SCALE * expected + shift)) /* not so for NaN, too */
      return false;
  }
  return true;
}

static bool
try_product (const AttnKernels *kernels, Trial *trial, size_t index)
{
  const size_t n_rows = products[index].n_rows, n_in = products[index].n_in;
  const size_t n_cols = kernels->panel - products[index].n_missing;
  fill (trial->a, n_rows * n_in, 1);
  fill (trial->w, n_cols * n_in, 2);
  fill (trial->bias, n_cols, 3);
  kernels->transpose (trial->panel, trial->w, n_in, n_cols, n_in);
  kernels->multiply (&(AttnProduct){
      .a = trial->a,
      .lda = n_in,
      .panel = trial->panel,
      .c = trial->c,
      .ldc = ATTN_PANEL_MAX,
      .n_rows = n_rows,
      .n_in = n_in,
      .n_cols = n_cols,
      .bias = products[index].bias ? trial->bias : NULL,
      .scale = SCALE,
  });
  return is_right (trial, n_rows, n_in, n_cols, products[index].bias);
}

typedef struct {
  const AttnKernels *kernels;
  gint wrong; /* atomic */
} Check;

static void
check_piece (size_t piece, size_t worker, void *data)
{
  (void)piece;
  (void)worker;
  Check *check = data;
  Trial *trial = g_aligned_alloc0 (1, sizeof *trial, 64);
  for (size_t i = 0; i < G_N_ELEMENTS (products); i++)
    if (!try_product (check->kernels, trial, i))
      g_atomic_int_set (&check->wrong, 1);
  g_aligned_free (trial);
}

bool
attn_kernels_check (const AttnKernels *kernels)
{
  Check check = {.kernels = kernels};
  if (kernels->from_library) {
    AttnPool *pool = attn_pool_new (2);
    attn_pool_run (pool, N_PIECES, check_piece, &check);
    attn_pool_free (pool);
  } else {
    check_piece (0, 0, &check);
  }
  return g_atomic_int_get (&check.wrong) == 0;
}

const AttnKernels *
attn_kernels_pick (const AttnKernels *const *sets, size_t n_sets, const char **warning)
{
  g_autoptr (GString) wrong = g_string_new (NULL);
  const AttnKernels *picked = NULL;
  for (size_t i = 0; i < n_sets && picked == NULL; i++) {
    if (sets[i]->is_there != NULL && !sets[i]->is_there ())
      continue;
    if (attn_kernels_check (sets[i]))
      picked = sets[i];
    else
      g_string_append_printf (wrong, "%s\"%s\"", wrong->len > 0 ? ", " : "", sets[i]->describe ());
  }
  *warning = NULL;
  if (wrong->len == 0)
    return picked;
  g_autofree char *sentence =
      picked == NULL
          ? g_strdup_printf ("this computer multiplies matrices wrongly, by all kernels (%s): "
                             "numbers shown are not to be relied on",
                             wrong->str)
          : g_strdup_printf ("this computer multiplies matrices wrongly by the kernels %s; \"%s\" "
                             "do the work, and may take longer",
                             wrong->str, picked->describe ());
  *warning = g_intern_string (sentence);
  return picked != NULL ? picked : sets[n_sets - 1];
}
