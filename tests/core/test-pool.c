/* SPDX-License-Identifier: MIT */
/* The pool: every piece once, whoever calls, and an end to every region. */
#include "attn/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define MAX_PIECES 2000

typedef struct {
  atomic_int runs[MAX_PIECES];
  atomic_int n_bad_workers;
  size_t n_threads;
} Count;

static void
count_piece (size_t piece, size_t worker, void *data)
{
  Count *count = data;
  atomic_fetch_add (&count->runs[piece], 1);
  if (worker >= count->n_threads)
    atomic_fetch_add (&count->n_bad_workers, 1);
}

static void
check_region (AttnPool *pool, size_t n_pieces)
{
  g_autofree Count *count = g_new0 (Count, 1);
  count->n_threads = attn_pool_get_n_threads (pool);
  attn_pool_run (pool, n_pieces, count_piece, count);
  for (size_t piece = 0; piece < MAX_PIECES; piece++)
    g_assert_cmpint (atomic_load (&count->runs[piece]), ==, piece < n_pieces ? 1 : 0);
  g_assert_cmpint (atomic_load (&count->n_bad_workers), ==, 0);
}

static void
test_each_piece_once (void)
{
  static const size_t sizes[] = {0, 1, 2, 3, 7, 64, 1999, MAX_PIECES};
  for (size_t n_threads = 1; n_threads <= 5; n_threads++) {
    g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
    g_assert_cmpuint (attn_pool_get_n_threads (pool), ==, n_threads);
    for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
      check_region (pool, sizes[i]);
  }
}

static void
test_no_pool (void)
{
  g_assert_cmpuint (attn_pool_get_n_threads (NULL), ==, 1);
  check_region (NULL, 10);
  attn_pool_free (NULL);
}

/* Says stop from the tenth piece on. */
static bool
stopped_cb (void *data)
{
  return atomic_load ((atomic_int *)data) >= 10;
}

static void
advance_piece (size_t piece, size_t worker, void *data)
{
  (void)piece;
  (void)worker;
  atomic_fetch_add ((atomic_int *)data, 1);
}

/* What has begun ends, nothing else begins, and the pool is good for more. */
static void
test_stop (void)
{
  g_assert_false (attn_pool_is_stopped (NULL));
  for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
    g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
    atomic_int n = 0;
    attn_pool_set_stop (pool, stopped_cb, &n);
    g_assert_false (attn_pool_is_stopped (pool));
    attn_pool_run (pool, MAX_PIECES, advance_piece, &n);
    g_assert_true (attn_pool_is_stopped (pool));
    g_assert_cmpint (atomic_load (&n), >=, 10);
    g_assert_cmpint (atomic_load (&n), <, 10 + (int)n_threads);
    attn_pool_set_stop (pool, NULL, NULL);
    check_region (pool, 64);
  }
}

static void
test_count_cores (void)
{
  size_t n_cores = attn_pool_count_cores ();
  g_assert_cmpuint (n_cores, >=, 1);
  g_assert_cmpuint (n_cores, <=, g_get_num_processors ());
  g_autoptr (AttnPool) pool = attn_pool_new (0);
  g_assert_cmpuint (attn_pool_get_n_threads (pool), ==, n_cores);
}

static void
add_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  atomic_fetch_add ((atomic_size_t *)data, piece + 1);
}

/* Regions so short that workers come late to most of them: a stale worker must neither run a piece
 * twice nor keep the caller waiting. */
static void
test_many_short_regions (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  atomic_size_t sum = 0;
  size_t expected = 0;
  for (size_t region = 0; region < 100000; region++) {
    size_t n = 2 + region % 5;
    attn_pool_run (pool, n, add_piece, &sum);
    expected += n * (n + 1) / 2;
    g_assert_cmpuint (atomic_load (&sum), ==, expected);
  }
}

/* Idle times between regions let the workers fall asleep. */
static void
test_sleeping_workers (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (4);
  atomic_size_t sum = 0;
  for (size_t region = 0; region < 200; region++) {
    g_usleep (region % 7 * 50);
    attn_pool_run (pool, 8, add_piece, &sum);
    g_assert_cmpuint (atomic_load (&sum), ==, (region + 1) * 36);
  }
}

typedef struct {
  cpu_set_t allowed; /* for the process */
  unsigned caller_cpu;
  atomic_int n_begun;    /* pieces of the region */
  atomic_int n_regions;  /* in which the worker took part */
  atomic_int n_together; /* of these, begun on the caller's core */
  atomic_int n_confined; /* pieces of the worker, while it may not run where the process may */
} Aside;

/* As long as a worker takes to be woken, several times over. */
static void
aside_piece (G_GNUC_UNUSED size_t piece, size_t worker, void *data)
{
  Aside *aside = data;
  const gint64 end = g_get_monotonic_time () + 300;
  static _Thread_local int last_region = -1;
  const int region = atomic_load (&aside->n_begun) / 8;
  cpu_set_t allowed;
  if (worker != 0) {
    g_assert_cmpint (sched_getaffinity (0, sizeof allowed, &allowed), ==, 0);
    atomic_fetch_add (&aside->n_confined, !CPU_EQUAL (&allowed, &aside->allowed));
    if (region != last_region) {
      atomic_fetch_add (&aside->n_regions, 1);
      atomic_fetch_add (&aside->n_together, sched_getcpu () == (int)aside->caller_cpu);
    }
    last_region = region;
  }
  atomic_fetch_add (&aside->n_begun, 1);
  while (g_get_monotonic_time () < end)
    ;
}

/* A worker that is woken up does not stay where its caller runs, and may go anywhere afterwards. */
static void
test_step_aside (void)
{
  Aside aside = {0};
  cpu_set_t caller;
  g_assert_cmpint (sched_getaffinity (0, sizeof aside.allowed, &aside.allowed), ==, 0);
  if (CPU_COUNT (&aside.allowed) < 2) {
    g_test_skip ("there is only one core");
    return;
  }
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  aside.caller_cpu = (unsigned)sched_getcpu ();
  CPU_ZERO (&caller);
  CPU_SET (aside.caller_cpu, &caller);
  g_assert_cmpint (sched_setaffinity (0, sizeof caller, &caller), ==, 0);
  for (int region = 0; region < 50; region++) {
    g_usleep (2000);
    attn_pool_run (pool, 8, aside_piece, &aside);
  }
  g_assert_cmpint (sched_setaffinity (0, sizeof aside.allowed, &aside.allowed), ==, 0);
  g_test_message ("the worker took part in %d of 50 regions, %d times beside its caller",
                  atomic_load (&aside.n_regions), atomic_load (&aside.n_together));
  g_assert_cmpint (atomic_load (&aside.n_confined), ==, 0);
  /* the system may still move it in between, but that is rare */
  g_assert_cmpint (atomic_load (&aside.n_together), <=, 5 + atomic_load (&aside.n_regions) / 5);
}

typedef struct {
  AttnPool *pool;
  atomic_size_t sum;
  atomic_int n_other_workers;
} Nested;

static void
inner_piece (size_t piece G_GNUC_UNUSED, size_t worker, void *data)
{
  Nested *nested = data;
  atomic_fetch_add (&nested->sum, 1);
  if (worker != 0)
    atomic_fetch_add (&nested->n_other_workers, 1);
}

static void
outer_piece (size_t piece G_GNUC_UNUSED, size_t worker G_GNUC_UNUSED, void *data)
{
  attn_pool_run (((Nested *)data)->pool, 10, inner_piece, data);
}

static void
test_nested (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  Nested nested = {.pool = pool};
  for (int i = 0; i < 100; i++)
    attn_pool_run (pool, 20, outer_piece, &nested);
  g_assert_cmpuint (atomic_load (&nested.sum), ==, 100 * 20 * 10);
  g_assert_cmpint (atomic_load (&nested.n_other_workers), ==, 0);
}

static void *
call_often (void *data)
{
  AttnPool *pool = data;
  atomic_size_t sum = 0;
  for (size_t region = 1; region <= 3000; region++) {
    attn_pool_run (pool, 10, add_piece, &sum);
    g_assert_cmpuint (atomic_load (&sum), ==, region * 55);
  }
  return NULL;
}

static void
test_several_callers (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  GThread *threads[3];
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("caller", call_often, pool);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

typedef struct {
  atomic_int running[3]; /* by worker */
  atomic_int n_clashes;
} Workers;

static void
clash_piece (size_t piece G_GNUC_UNUSED, size_t worker, void *data)
{
  Workers *workers = data;
  if (atomic_fetch_add (&workers->running[worker], 1) != 0)
    atomic_fetch_add (&workers->n_clashes, 1);
  g_usleep (20);
  atomic_fetch_sub (&workers->running[worker], 1);
}

/* A worker's number may index scratch memory. */
static void
test_workers_differ (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  Workers workers = {0};
  attn_pool_run (pool, 500, clash_piece, &workers);
  g_assert_cmpint (atomic_load (&workers.n_clashes), ==, 0);
}

static void
test_new_and_free (void)
{
  for (size_t i = 0; i < 300; i++) {
    g_autoptr (AttnPool) pool = attn_pool_new (1 + i % 4);
    atomic_size_t sum = 0;
    if (i % 2 == 0) {
      attn_pool_run (pool, 5, add_piece, &sum);
      g_assert_cmpuint (atomic_load (&sum), ==, 15);
    }
  }
}

static void
halve_least (size_t piece, size_t worker, void *data)
{
  (void)worker;
  volatile float small = 1e-38F, half = 0.5F;
  const volatile float smaller = small * half; /* below the least normal number */
  bool *kept = data;
  kept[piece] = smaller > 0 && smaller < small;
}

/* No thread takes small numbers for 0: results must not depend on who computed them. */
static void
test_small_numbers (void)
{
  enum { N = 64 };
  bool kept[N] = {false};
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  attn_pool_run (pool, N, halve_least, kept);
  for (size_t i = 0; i < N; i++)
    g_assert_true (kept[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pool/each-piece-once", test_each_piece_once);
  g_test_add_func ("/pool/stop", test_stop);
  g_test_add_func ("/pool/no-pool", test_no_pool);
  g_test_add_func ("/pool/count-cores", test_count_cores);
  g_test_add_func ("/pool/many-short-regions", test_many_short_regions);
  g_test_add_func ("/pool/sleeping-workers", test_sleeping_workers);
  g_test_add_func ("/pool/step-aside", test_step_aside);
  g_test_add_func ("/pool/nested", test_nested);
  g_test_add_func ("/pool/several-callers", test_several_callers);
  g_test_add_func ("/pool/workers-differ", test_workers_differ);
  g_test_add_func ("/pool/new-and-free", test_new_and_free);
  g_test_add_func ("/pool/small-numbers", test_small_numbers);
  return g_test_run ();
}
