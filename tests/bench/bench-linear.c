/* SPDX-License-Identifier: MIT */
/* How fast the linear maps of BERT-base's layers run, beside the same maps by whole-matrix calls of
 * OpenBLAS on its own threads, with bias, activation and residual in one more pass; and attention
 * and logits.
 *
 * A pass is what a forward does: the four maps of a layer one after the other, layer after layer,
 * on weights no cache holds. Ours and OpenBLAS's passes take turns, each after one that is not
 * timed, so that its threads are awake; figures are medians. With one thread processor time is
 * measured, which other programs disturb less than wall time. */
#include "linear.h"
#include "ops.h"

#include "attn/model.h"
#include "attn/pool.h"

#include <cblas.h>
#include <glib.h>

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define N_LAYERS 6
#define MAX_ROWS 512
#define MAX_WIDTH 3072
#define SETTLE_US 60000 /* OpenBLAS's threads spin that long after a product */
#define HUGE_PAGE ((size_t)2 << 20)

static const size_t row_counts[] = {1, 8, 16, 32, 64, 128, 256, 512};
#define N_COUNTS G_N_ELEMENTS (row_counts)

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
#define N_PRODUCTS G_N_ELEMENTS (products)
#define TOTAL N_PRODUCTS /* the place of their sum */

typedef struct {
  AttnPool *pool;
  AttnPool *finish_pool; /* for what OpenBLAS leaves to be done, so that ours is as a forward
                            pass finds it: its worker stays on the core it had */
  size_t n_repeats;
  AttnLinear maps[N_LAYERS][N_PRODUCTS];
  float *x, *residual, *y; /* [MAX_ROWS, stride of MAX_WIDTH] at most */
} Bench;

static double
get_seconds (const Bench *bench)
{
  struct timespec t;
  bool alone = attn_pool_get_n_threads (bench->pool) == 1;
  clock_gettime (alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts @values. */
static double
find_median (double *values, size_t n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
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

/* ---- a pass, either way ---- */

typedef void (*RunMap) (const Bench *bench, const AttnLinear *map, const AttnLinearCall *call);

static void
run_ours (const Bench *bench, const AttnLinear *map, const AttnLinearCall *call)
{
  attn_linear_run (map, call, bench->pool);
}

typedef struct {
  const AttnLinear *map;
  const AttnLinearCall *call;
} Finish;

/* What a layer does to a row of the product: bias, and activation or residual. */
static void
finish_row (size_t row, G_GNUC_UNUSED size_t worker, void *data)
{
  const Finish *finish = data;
  const AttnLinear *map = finish->map;
  const AttnLinearCall *call = finish->call;
  float *y = call->y + row * call->ldy;
  const float *add = call->add + row * call->ldy;
  const bool adds = call->after == ATTN_AFTER_ADD;
  for (size_t j = 0; j < map->n_out; j++)
    y[j] += map->bias[j] + (adds ? add[j] : 0);
  if (call->after == ATTN_AFTER_ACTIVATION)
    attn_ops_activate (call->activation, y, map->n_out);
}

/* The same memory, read as W [n_in, n_out]. */
static void
run_blas (const Bench *bench, const AttnLinear *map, const AttnLinearCall *call)
{
  const blasint n_in = (blasint)map->n_in, n_out = (blasint)map->n_out;
  Finish finish = {map, call};
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)call->n_rows, n_out, n_in, 1,
               call->x, (blasint)call->ldx, map->panels, n_out, 0, call->y, (blasint)call->ldy);
  attn_pool_run (bench->finish_pool, call->n_rows, finish_row, &finish);
}

/* Adds up each product's seconds over all layers. */
static void
run_pass (const Bench *bench, RunMap run, size_t n_rows, double seconds[N_PRODUCTS + 1])
{
  for (size_t p = 0; p <= TOTAL; p++)
    seconds[p] = 0;
  for (size_t l = 0; l < N_LAYERS; l++)
    for (size_t p = 0; p < N_PRODUCTS; p++) {
      AttnLinearCall call = {
          .x = bench->x,
          .ldx = attn_linear_get_stride (products[p].n_in),
          .y = bench->y,
          .ldy = products[p].n_out,
          .n_rows = n_rows,
          .after = products[p].after,
          .activation = ATTN_ACTIVATION_GELU,
          .add = bench->residual,
      };
      double start = get_seconds (bench), took;
      run (bench, &bench->maps[l][p], &call);
      took = get_seconds (bench) - start;
      seconds[p] += took;
      seconds[TOTAL] += took;
    }
}

static void
time_ours (const Bench *bench, size_t n_rows, double seconds[N_PRODUCTS + 1])
{
  if (attn_pool_get_n_threads (bench->pool) > 1)
    g_usleep (SETTLE_US);
  run_pass (bench, run_ours, n_rows, seconds);
  run_pass (bench, run_ours, n_rows, seconds);
}

static void
time_blas (const Bench *bench, size_t n_rows, double seconds[N_PRODUCTS + 1])
{
  openblas_set_num_threads ((int)attn_pool_get_n_threads (bench->pool));
  run_pass (bench, run_blas, n_rows, seconds);
  run_pass (bench, run_blas, n_rows, seconds);
  openblas_set_num_threads (1);
}

/* ---- figures ---- */

/* Medians of one number of rows. */
typedef struct {
  double ours[N_PRODUCTS + 1], blas[N_PRODUCTS + 1], ratio;
} Times;

static Times
time_rows (const Bench *bench, size_t n_rows)
{
  const size_t n = bench->n_repeats;
  g_autofree double *ours = g_new (double, n *(N_PRODUCTS + 1));
  g_autofree double *blas = g_new (double, n *(N_PRODUCTS + 1));
  g_autofree double *ratios = g_new (double, n);
  Times times;
  for (size_t repeat = 0; repeat < n; repeat++) {
    double of_ours[N_PRODUCTS + 1], of_blas[N_PRODUCTS + 1];
    time_ours (bench, n_rows, of_ours);
    time_blas (bench, n_rows, of_blas);
    ratios[repeat] = of_blas[TOTAL] / of_ours[TOTAL];
    for (size_t p = 0; p <= TOTAL; p++) {
      ours[p * n + repeat] = of_ours[p];
      blas[p * n + repeat] = of_blas[p];
    }
  }
  for (size_t p = 0; p <= TOTAL; p++) {
    times.ours[p] = find_median (ours + p * n, n);
    times.blas[p] = find_median (blas + p * n, n);
  }
  times.ratio = find_median (ratios, n);
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
print_gflops (const char *name, size_t product, const Times *times, bool ours)
{
  double gflops[N_COUNTS];
  size_t n_weights = 0;
  for (size_t p = 0; p < N_PRODUCTS; p++)
    if (product == p || product == TOTAL)
      n_weights += products[p].n_in * products[p].n_out;
  for (size_t i = 0; i < N_COUNTS; i++)
    gflops[i] = 2e-9 * (double)(row_counts[i] * n_weights * N_LAYERS) /
                (ours ? times[i].ours : times[i].blas)[product];
  print_line (name, 1, gflops);
}

static void
bench_layers (Bench *bench)
{
  Times times[N_COUNTS];
  double ratios[N_COUNTS];
  const size_t n = MAX_ROWS * attn_linear_get_stride (MAX_WIDTH);
  bench->x = new_array (n);
  bench->residual = new_array (n);
  bench->y = new_array (n);
  for (size_t l = 0; l < N_LAYERS; l++)
    for (size_t p = 0; p < N_PRODUCTS; p++)
      bench->maps[l][p] = (AttnLinear){
          .panels = new_array (attn_linear_packed_size (products[p].n_in, products[p].n_out)),
          .bias = bench->residual,
          .n_in = products[p].n_in,
          .n_out = products[p].n_out,
      };
  for (size_t i = 0; i < N_COUNTS; i++) {
    times[i] = time_rows (bench, row_counts[i]);
    ratios[i] = times[i].ratio;
  }
  for (size_t p = 0; p <= TOTAL; p++) {
    print_gflops (p == TOTAL ? "all four" : products[p].name, p, times, true);
    print_gflops ("       OpenBLAS", p, times, false);
  }
  print_line ("       times as fast", 2, ratios);
  for (size_t l = 0; l < N_LAYERS; l++)
    for (size_t p = 0; p < N_PRODUCTS; p++)
      free (bench->maps[l][p].panels);
  free (bench->x);
  free (bench->residual);
  free (bench->y);
}

/* One head of width 64 of a fused buffer, on the calling thread. */
static void
bench_attention (const Bench *bench)
{
  enum { WIDTH = 64, STRIDE = 2304 };
  double us[N_COUNTS];
  const size_t n = 5 * bench->n_repeats;
  g_autofree double *times = g_new (double, n);
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
    for (size_t repeat = 0; repeat < n; repeat++) {
      double start = get_seconds (bench);
      attn_ops_attend (&call, scratch);
      times[repeat] = 1e6 * (get_seconds (bench) - start);
    }
    us[i] = find_median (times, n);
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
  const size_t n = (bench->n_repeats + 1) / 2;
  g_autofree double *times = g_new (double, n);
  float *x = new_array (MAX_ROWS * WIDTH), *rows = new_array ((size_t)WIDTH * VOCABULARY);
  float *logits = new_array ((size_t)MAX_ROWS * VOCABULARY);
  for (size_t i = 0; i < N_COUNTS; i++) {
    for (size_t repeat = 0; repeat < n; repeat++) {
      double start = get_seconds (bench);
      attn_ops_logits (x, row_counts[i], rows, rows, WIDTH, VOCABULARY, logits, bench->pool);
      times[repeat] = 1e3 * (get_seconds (bench) - start);
    }
    ms[i] = find_median (times, n);
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
      {"repeats", 'r', 0, G_OPTION_ARG_INT, &n_repeats, "Median of so many (default 5)", "N"},
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
  g_autoptr (AttnPool) finish_pool = attn_pool_new (attn_pool_get_n_threads (pool));
  Bench bench = {
      .pool = pool, .finish_pool = finish_pool, .n_repeats = (size_t)CLAMP (n_repeats, 1, 1000)};
  g_print ("%s beside OpenBLAS's core %s, threads: %zu; GFLOP/s\nrows                   ",
           attn_kernel_peek_name (), openblas_get_corename (), attn_pool_get_n_threads (pool));
  for (size_t i = 0; i < N_COUNTS; i++)
    g_print (" %6zu", row_counts[i]);
  g_print ("\n");
  bench_layers (&bench);
  bench_attention (&bench);
  bench_logits (&bench);
  return 0;
}
