/* SPDX-License-Identifier: MIT */
/* How fast linear layers of BERT-base's shapes run, beside the same layers by whole-matrix calls of
 * OpenBLAS, with bias, activation and residual in one more pass; and attention and logits.
 *
 * Each figure is the best of the repeats, ours and OpenBLAS's in turns, over weights of several
 * layers one after the other, as a forward pass reads them. With one thread processor time is
 * measured, which other programs disturb less than wall time. */
#include "linear.h"
#include "ops.h"

#include "attn/model.h"
#include "attn/pool.h"

#include <cblas.h>
#include <glib.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define N_LAYERS 6
#define MAX_ROWS 512
#define SETTLE_US 60000 /* OpenBLAS's threads spin that long after a product */
#define HUGE_PAGE ((size_t)2 << 20)

static const size_t row_counts[] = {1, 8, 16, 32, 64, 128, 256, 512};
#define N_COUNTS G_N_ELEMENTS (row_counts)

typedef struct {
  AttnPool *pool;
  size_t n_repeats;
} Bench;

/* Seconds for N_LAYERS products, by number of rows. */
typedef struct {
  double ours[N_COUNTS], blas[N_COUNTS];
} Times;

static double
get_seconds (const Bench *bench)
{
  struct timespec t;
  bool alone = attn_pool_get_n_threads (bench->pool) == 1;
  clock_gettime (alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static float *
new_array (size_t n)
{
  size_t n_bytes = (n * sizeof (float) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  float *array = aligned_alloc (HUGE_PAGE, n_bytes);
  g_assert (array != NULL);
  madvise (array, n_bytes, MADV_HUGEPAGE);
  guint32 state = 1;
  for (size_t i = 0; i < n; i++) {
    state = state * 1664525 + 1013904223;
    array[i] = ((float)(state >> 8) / (float)(1 << 24) - 0.5f) * 0.1f;
  }
  return array;
}

static double
time_ours (const Bench *bench, const AttnLinear *layers, const AttnLinearCall *call)
{
  if (attn_pool_get_n_threads (bench->pool) > 1)
    g_usleep (SETTLE_US);
  double start = get_seconds (bench);
  for (size_t l = 0; l < N_LAYERS; l++)
    attn_linear_run (&layers[l], call, bench->pool);
  return get_seconds (bench) - start;
}

typedef struct {
  const AttnLinear *linear;
  const AttnLinearCall *call;
} Pass;

/* What a layer does to one row of the product, y: bias, and activation or residual. */
static void
finish_row (size_t row, G_GNUC_UNUSED size_t worker, void *data)
{
  const Pass *pass = data;
  const size_t n_out = pass->linear->n_out;
  float *y = pass->call->y + row * n_out;
  const float *bias = pass->linear->bias, *x = pass->call->x + row * n_out;
  const bool adds = pass->call->after == ATTN_AFTER_ADD;
  for (size_t j = 0; j < n_out; j++)
    y[j] += bias[j] + (adds ? x[j] : 0);
  if (pass->call->after == ATTN_AFTER_ACTIVATION)
    attn_ops_activate (pass->call->activation, y, n_out);
}

/* The same memory, read as W [n_in, n_out]. */
static double
time_blas (const Bench *bench, const AttnLinear *layers, const AttnLinearCall *call)
{
  const blasint n_in = (blasint)layers->n_in, n_out = (blasint)layers->n_out;
  openblas_set_num_threads ((int)attn_pool_get_n_threads (bench->pool));
  double start = get_seconds (bench);
  for (size_t l = 0; l < N_LAYERS; l++) {
    Pass pass = {&layers[l], call};
    cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)call->n_rows, n_out, n_in, 1,
                 call->x, n_in, layers[l].panels, n_out, 0, call->y, n_out);
    attn_pool_run (bench->pool, call->n_rows, finish_row, &pass);
  }
  double seconds = get_seconds (bench) - start;
  openblas_set_num_threads (1);
  return seconds;
}

static Times
time_shape (const Bench *bench, size_t n_in, size_t n_out, AttnAfter after)
{
  Times times;
  AttnLinear layers[N_LAYERS];
  const size_t ldx = attn_linear_get_stride (n_in);
  float *x = new_array (MAX_ROWS * ldx), *y = new_array (MAX_ROWS * n_out);
  for (size_t l = 0; l < N_LAYERS; l++)
    layers[l] = (AttnLinear){new_array (attn_linear_packed_size (n_in, n_out)), y, n_in, n_out};
  for (size_t i = 0; i < N_COUNTS; i++) {
    AttnLinearCall call = {.x = x, .ldx = ldx, .y = y, .ldy = n_out, .n_rows = row_counts[i]};
    call.after = after;
    times.ours[i] = times.blas[i] = INFINITY;
    for (size_t repeat = 0; repeat < bench->n_repeats; repeat++) {
      times.ours[i] = MIN (times.ours[i], time_ours (bench, layers, &call));
      times.blas[i] = MIN (times.blas[i], time_blas (bench, layers, &call));
    }
  }
  for (size_t l = 0; l < N_LAYERS; l++)
    free (layers[l].panels);
  free (x);
  free (y);
  return times;
}

static void
print_line (const char *name, int decimals, const double *values)
{
  g_print ("%-23s", name);
  for (size_t i = 0; i < N_COUNTS; i++)
    g_print (" %6.*f", decimals, values[i]);
  g_print ("\n");
}

static void
print_gflops (const char *name, size_t n_weights, const double *seconds)
{
  double gflops[N_COUNTS];
  for (size_t i = 0; i < N_COUNTS; i++)
    gflops[i] = 2e-9 * (double)(row_counts[i] * n_weights * N_LAYERS) / seconds[i];
  print_line (name, 1, gflops);
}

/* The products of a layer, each alone and all together. */
static void
bench_layer (const Bench *bench)
{
  static const struct {
    const char *name;
    size_t n_in, n_out;
    AttnAfter after;
  } products[] = {
      {"qkv     768 -> 2304", 768, 2304, ATTN_AFTER_NOTHING},
      {"output  768 ->  768", 768, 768, ATTN_AFTER_ADD},
      {"up      768 -> 3072", 768, 3072, ATTN_AFTER_ACTIVATION},
      {"down   3072 ->  768", 3072, 768, ATTN_AFTER_ADD},
  };
  Times sum = {0};
  size_t n_weights = 0;
  for (size_t p = 0; p < G_N_ELEMENTS (products); p++) {
    const size_t n = products[p].n_in * products[p].n_out;
    Times times = time_shape (bench, products[p].n_in, products[p].n_out, products[p].after);
    print_gflops (products[p].name, n, times.ours);
    print_gflops ("       OpenBLAS", n, times.blas);
    n_weights += n;
    for (size_t i = 0; i < N_COUNTS; i++) {
      sum.ours[i] += times.ours[i];
      sum.blas[i] += times.blas[i];
    }
  }
  print_gflops ("all four", n_weights, sum.ours);
  print_gflops ("       OpenBLAS", n_weights, sum.blas);
  for (size_t i = 0; i < N_COUNTS; i++)
    sum.blas[i] /= sum.ours[i];
  print_line ("       times as fast", 2, sum.blas);
}

/* One head of width 64 of a fused buffer, on the calling thread. */
static void
bench_attention (const Bench *bench)
{
  enum { WIDTH = 64, STRIDE = 2304 };
  double us[N_COUNTS];
  float *qkv = new_array (MAX_ROWS * STRIDE), *out = new_array (MAX_ROWS * WIDTH);
  const AttnScoreCall largest = {.n_tokens = MAX_ROWS, .d_k = WIDTH};
  float *scratch = new_array (attn_ops_attend_scratch_size (&largest));
  for (size_t i = 0; i < N_COUNTS; i++) {
    const size_t T = row_counts[i];
    AttnAttendCall call = {
        .score = {.q = qkv,
                  .k = qkv + WIDTH,
                  .ldq = STRIDE,
                  .ldk = STRIDE,
                  .n_tokens = T,
                  .d_k = WIDTH,
                  .scale = 0.125f},
        .v = qkv + 2 * WIDTH,
        .ldv = STRIDE,
        .n_queries = T,
        .out = out,
        .ldo = WIDTH,
    };
    us[i] = INFINITY;
    for (size_t repeat = 0; repeat < 5 * bench->n_repeats; repeat++) {
      double start = get_seconds (bench);
      attn_ops_attend (&call, scratch);
      us[i] = MIN (us[i], 1e6 * (get_seconds (bench) - start));
    }
  }
  print_line ("attention, us a head", 1, us);
  free (qkv);
  free (out);
  free (scratch);
}

static void
bench_logits (const Bench *bench)
{
  enum { WIDTH = 768, VOCABULARY = 30522 };
  double ms[N_COUNTS];
  float *x = new_array (MAX_ROWS * WIDTH), *rows = new_array ((size_t)WIDTH * VOCABULARY);
  float *logits = new_array ((size_t)MAX_ROWS * VOCABULARY);
  for (size_t i = 0; i < N_COUNTS; i++) {
    ms[i] = INFINITY;
    for (size_t repeat = 0; repeat < (bench->n_repeats + 1) / 2; repeat++) {
      double start = get_seconds (bench);
      attn_ops_logits (x, row_counts[i], rows, rows, WIDTH, VOCABULARY, logits, bench->pool);
      ms[i] = MIN (ms[i], 1e3 * (get_seconds (bench) - start));
    }
  }
  print_line ("logits, ms", 1, ms);
  free (x);
  free (rows);
  free (logits);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int n_threads = 1, n_repeats = 5;
  g_autofree char *kernel = NULL;
  const GOptionEntry entries[] = {
      {"threads", 't', 0, G_OPTION_ARG_INT, &n_threads, "Threads (default 1)", "N"},
      {"repeats", 'r', 0, G_OPTION_ARG_INT, &n_repeats, "Best of so many (default 5)", "N"},
      {"kernel", 'k', 0, G_OPTION_ARG_STRING, &kernel, "avx512, avx2 or openblas", "NAME"},
      {NULL},
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) ||
      (kernel != NULL && !attn_kernel_choose (kernel, &error))) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  g_autoptr (AttnPool) pool = attn_pool_new ((size_t)CLAMP (n_threads, 1, 256));
  Bench bench = {.pool = pool, .n_repeats = (size_t)CLAMP (n_repeats, 1, 1000)};
  g_print ("%s beside OpenBLAS's core %s, threads: %zu; GFLOP/s\nrows                   ",
           attn_kernel_peek_name (), openblas_get_corename (), attn_pool_get_n_threads (pool));
  for (size_t i = 0; i < N_COUNTS; i++)
    g_print (" %6zu", row_counts[i]);
  g_print ("\n");
  bench_layer (&bench);
  bench_attention (&bench);
  bench_logits (&bench);
  return 0;
}
