/* SPDX-License-Identifier: MIT */
/* How fast linear layers of BERT-base's shapes run: GF/s by rows and threads, and attention.
 *
 * usage: bench-linear [THREADS [REPEATS [SET]]], SET 0 for the best kernels of this CPU, 1 for the
 * next ones (linear layers only). Each figure is the best of the repeats, over weights of
 * several layers in turn, as a forward pass reads them. With one thread processor time is measured,
 * which other programs disturb less than wall time. */
#include "kernels.h"
#include "linear.h"
#include "ops.h"

#include "attn/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define N_LAYERS 6
#define MAX_ROWS 512
#define HUGE_PAGE ((size_t)2 << 20)

typedef struct {
  AttnPool *pool;
  size_t n_repeats;
  const AttnKernels *kernels;
} Bench;

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

/* Returns: seconds for all layers, the best of the repeats. */
static double
time_layers (const Bench *bench, const AttnLinear *layers, AttnLinearCall call)
{
  double best = 1e9;
  for (size_t repeat = 0; repeat < bench->n_repeats; repeat++) {
    double start = get_seconds (bench);
    for (size_t l = 0; l < N_LAYERS; l++)
      attn_linear_run_with (bench->kernels, &layers[l], &call, bench->pool);
    best = MIN (best, get_seconds (bench) - start);
  }
  return best;
}

static const size_t row_counts[] = {1, 8, 16, 32, 64, 128, 256, 512};

static void
bench_shape (const Bench *bench, size_t n_in, size_t n_out, AttnAfter after)
{
  AttnLinear layers[N_LAYERS];
  const size_t ldx = attn_linear_get_stride (n_in);
  float *x = new_array (MAX_ROWS * ldx), *y = new_array (MAX_ROWS * n_out);
  for (size_t l = 0; l < N_LAYERS; l++)
    layers[l] = (AttnLinear){new_array (attn_linear_packed_size (n_in, n_out)), y, n_in, n_out};
  printf ("%4zu -> %4zu%s", n_in, n_out, after == ATTN_AFTER_ACTIVATION ? " GELU" : "     ");
  for (size_t i = 0; i < G_N_ELEMENTS (row_counts); i++) {
    AttnLinearCall call = {.x = x, .ldx = ldx, .y = y, .ldy = n_out, .n_rows = row_counts[i]};
    call.after = after;
    double seconds = time_layers (bench, layers, call);
    double flops = 2.0 * (double)(row_counts[i] * n_in * n_out * N_LAYERS);
    printf (" %6.1f", flops / seconds * 1e-9);
    fflush (stdout);
  }
  printf ("\n");
  for (size_t l = 0; l < N_LAYERS; l++)
    free (layers[l].panels);
  free (x);
  free (y);
}

/* One head of width 64 of a fused buffer, on the calling thread. */
static void
bench_attention (const Bench *bench)
{
  enum { WIDTH = 64, STRIDE = 2304 };
  float *qkv = new_array (MAX_ROWS * STRIDE), *out = new_array (MAX_ROWS * WIDTH);
  float *scratch = new_array (attn_ops_attend_scratch_size (MAX_ROWS, WIDTH));
  printf ("attention, us    ");
  for (size_t i = 0; i < G_N_ELEMENTS (row_counts); i++) {
    const size_t T = row_counts[i];
    AttnAttendCall call = {
        .score = {qkv, qkv + WIDTH, STRIDE, STRIDE, T, WIDTH, 0.125f},
        .v = qkv + 2 * WIDTH,
        .ldv = STRIDE,
        .n_queries = T,
        .out = out,
        .ldo = WIDTH,
    };
    double best = 1e9;
    for (size_t repeat = 0; repeat < 5 * bench->n_repeats; repeat++) {
      double start = get_seconds (bench);
      attn_ops_attend (&call, scratch);
      best = MIN (best, get_seconds (bench) - start);
    }
    printf (" %6.1f", best * 1e6);
  }
  printf ("\n");
  free (qkv);
  free (out);
  free (scratch);
}

static void
bench_logits (const Bench *bench)
{
  enum { WIDTH = 768, VOCABULARY = 30522 };
  float *x = new_array (MAX_ROWS * WIDTH), *rows = new_array ((size_t)WIDTH * VOCABULARY);
  float *logits = new_array ((size_t)MAX_ROWS * VOCABULARY);
  printf ("logits, ms       ");
  for (size_t i = 0; i < G_N_ELEMENTS (row_counts); i++) {
    double best = 1e9;
    for (size_t repeat = 0; repeat < (bench->n_repeats + 1) / 2; repeat++) {
      double start = get_seconds (bench);
      attn_ops_logits (x, row_counts[i], rows, rows, WIDTH, VOCABULARY, logits, bench->pool);
      best = MIN (best, get_seconds (bench) - start);
    }
    printf (" %6.1f", best * 1e3);
    fflush (stdout);
  }
  printf ("\n");
  free (x);
  free (rows);
  free (logits);
}

int
main (int argc, char **argv)
{
  size_t n_threads = argc > 1 ? strtoul (argv[1], NULL, 10) : 1;
  g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
  size_t set = argc > 3 ? strtoul (argv[3], NULL, 10) : 0;
  Bench bench = {
      .pool = pool,
      .n_repeats = argc > 2 ? strtoul (argv[2], NULL, 10) : 5,
      .kernels = attn_kernels_peek (set),
  };
  if (bench.kernels == NULL) {
    fprintf (stderr, "this CPU has no kernels number %zu\n", set);
    return 2;
  }
  printf ("%s, %zu threads\nrows             ", bench.kernels->name,
          attn_pool_get_n_threads (pool));
  for (size_t i = 0; i < G_N_ELEMENTS (row_counts); i++)
    printf (" %6zu", row_counts[i]);
  printf ("\n");
  bench_shape (&bench, 768, 3072, ATTN_AFTER_NOTHING);
  bench_shape (&bench, 768, 3072, ATTN_AFTER_ACTIVATION);
  bench_shape (&bench, 3072, 768, ATTN_AFTER_ADD);
  bench_shape (&bench, 768, 768, ATTN_AFTER_NOTHING);
  bench_shape (&bench, 768, 2304, ATTN_AFTER_NOTHING);
  if (set == 0) {
    bench_attention (&bench);
    bench_logits (&bench);
  }
  return 0;
}
