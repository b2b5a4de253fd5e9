/* SPDX-License-Identifier: MIT */
/* The kernels for every CPU: products by OpenBLAS, the rest on the compiler's vectors of 4 floats.
 *
 * OpenBLAS chooses its own core for the CPU and sums in an order that depends on the number of
 * rows, so this set does not promise a row the same bits in every company.
 *
 * The library is loaded when it is first wanted, for as soon as it is there it starts threads and
 * takes address space, and does not end where that is refused. */
#include "kernels.h"

#include <cblas.h>
#include <glib.h>

#include <dlfcn.h>

#define LANES 4
/* Wide panels suit OpenBLAS, which copies both operands on every call: 64 columns were measured a
 * tenth slower than the whole matrix at once, 32 a fifth. */
#define PANEL ATTN_PANEL_MAX
#define TILE_ROWS 16
#define BLOCK_ROWS ATTN_QUERIES_PER_PIECE
#define SAME_BITS false
#define IS_THERE is_there
#define FROM_LIBRARY true
#define KERNELS attn_kernels_openblas
#define KERNELS_NAME "openblas"

#include "kernels-vec4.h"

/* on those vectors */
#include "kernels-maths.h"
#include "kernels-transpose.h"

/* on squares of those */
#include "kernels-distances.h"

#define LIBRARY "libopenblas.so.0"

/* What we call of it; all NULL where it is not installed. */
typedef struct {
  __typeof__ (&cblas_sgemm) sgemm;
  __typeof__ (&openblas_set_num_threads) set_num_threads;
  __typeof__ (&openblas_get_corename) get_corename;
  __typeof__ (&openblas_get_config) get_config;
} Library;

/* @function: where its address goes */
static bool
find (void *handle, const char *name, void *function)
{
  void *symbol = dlsym (handle, name);
  memcpy (function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* Its own threads would fight with the pool's. */
static void
load_library (Library *library)
{
  Library found;
  void *handle = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL); /* stays for the life of the process */
  if (handle == NULL || !find (handle, "cblas_sgemm", &found.sgemm) ||
      !find (handle, "openblas_set_num_threads", &found.set_num_threads) ||
      !find (handle, "openblas_get_corename", &found.get_corename) ||
      !find (handle, "openblas_get_config", &found.get_config))
    return;
  found.set_num_threads (1);
  *library = found;
}

static const Library *
get_library (void)
{
  static gsize library_once = 0;
  if (g_once_init_enter (&library_once)) {
    Library *library = g_new0 (Library, 1);
    load_library (library);
    g_once_init_leave (&library_once, (gsize)library);
  }
  return (const Library *)library_once;
}

static bool
is_there (void)
{
  return get_library ()->sgemm != NULL;
}

static void activate (AttnActivation activation, float *x, size_t n);

static const char *
describe (void)
{
  g_autofree char *name = g_strdup_printf ("openblas %s panels", get_library ()->get_corename ());
  return g_intern_string (name);
}

/* c = what is added to the product */
static void
start_row (const AttnProduct *product, size_t row)
{
  const size_t n = product->n_cols;
  float *c = product->c + row * product->ldc;
  const float *add =
      product->after == ATTN_AFTER_ADD ? product->add + row * product->ldc : product->bias;
  if (add != c)
    memcpy (c, add, n * sizeof *c);
  if (product->after == ATTN_AFTER_ADD && product->bias != NULL)
    for (size_t j = 0; j < n; j++)
      c[j] += product->bias[j];
}

static void
multiply (const AttnProduct *product)
{
  const bool adds = product->bias != NULL || product->after == ATTN_AFTER_ADD;
  for (size_t row = 0; adds && row < product->n_rows; row++)
    start_row (product, row);
  get_library ()->sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)product->n_rows,
                         (blasint)product->n_cols, (blasint)product->n_in, product->scale,
                         product->a, (blasint)product->lda, product->panel, PANEL, adds ? 1 : 0,
                         product->c, (blasint)product->ldc);
  if (product->after == ATTN_AFTER_ACTIVATION)
    for (size_t row = 0; row < product->n_rows; row++)
      activate (product->activation, product->c + row * product->ldc, product->n_cols);
}

/* Its configuration begins with its name and version, "OpenBLAS 0.3.21 …". */
char *
attn_openblas_dup_version (void)
{
  const Library *library = get_library ();
  if (library->sgemm == NULL)
    return g_strdup ("not installed");
  g_auto (GStrv) words = g_strsplit (library->get_config (), " ", 3);
  const char *version = g_strv_length (words) > 1 ? words[1] : library->get_config ();
  return g_strdup_printf ("%s, core %s", version, library->get_corename ());
}

/* last, with the table of the set */
#include "kernels-rows.h"
