/* SPDX-License-Identifier: MIT */
/* Threads that take pieces from a shared counter: spin for microseconds, then sleep on a futex. */
#include "attn/pool.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Pauses before sleeping: some ten microseconds, as long as a wake-up would take. */
#define N_SPINS 1000
/* More threads than this never help one forward pass. */
#define MAX_THREADS 256

typedef struct {
  AttnPool *pool;
  GThread *thread;
  size_t index; /* 1 … n_threads - 1; 0 is the caller */
} Worker;

/* A region is published by storing n_left (release); who takes a piece (acquire) may read the
 * fields above it, since they change only after all taken pieces are done. Counters that different
 * threads hammer on stand on cache lines of their own. */
struct _AttnPool {
  AttnPieceFunc func;
  void *data;
  size_t n_pieces;

  _Alignas(64) atomic_size_t n_left;   /* pieces nobody has taken */
  _Alignas(64) atomic_size_t n_undone; /* pieces not finished */
  _Alignas(64) atomic_uint started;    /* regions so far; idle workers wait on it */
  atomic_uint n_idle;                  /* workers asleep, or about to be */
  atomic_int caller_cpu;               /* where the caller was when the region began */
  _Alignas(64) atomic_uint finished;   /* regions finished; the caller waits on it */
  atomic_bool caller_waits;
  _Alignas(64) atomic_bool busy; /* a region runs */
  atomic_bool quit;

  AttnStopFunc stopped; /* nullable; set while no region runs */
  void *stop_data;

  size_t n_threads;
  Worker workers[];
};

static void
sleep_while_equal (atomic_uint *word, unsigned value)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void
wake (atomic_uint *word, int n)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void
relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Returns: whether *word left @value within the spinning time. */
static bool
spin_while_equal (atomic_uint *word, unsigned value)
{
  for (int spin = 0; spin < N_SPINS; spin++) {
    if (atomic_load_explicit (word, memory_order_acquire) != value)
      return true;
    relax ();
  }
  return false;
}

/* Returns: pieces that were left, the taken one included; 0 when there was none. */
static size_t
take_piece (AttnPool *pool)
{
  size_t n_left = atomic_load_explicit (&pool->n_left, memory_order_acquire);
  while (n_left > 0)
    if (atomic_compare_exchange_weak_explicit (&pool->n_left, &n_left, n_left - 1,
                                               memory_order_acq_rel, memory_order_acquire))
      return n_left;
  return 0;
}

static void
run_pieces (AttnPool *pool, size_t worker)
{
  size_t n_left;
  while ((n_left = take_piece (pool)) > 0) {
    if (!attn_pool_is_stopped (pool))
      pool->func (pool->n_pieces - n_left, worker, pool->data);
    if (atomic_fetch_sub_explicit (&pool->n_undone, 1, memory_order_acq_rel) == 1) {
      atomic_fetch_add (&pool->finished, 1);
      if (atomic_load (&pool->caller_waits))
        wake (&pool->finished, 1);
    }
  }
}

/* A sleeper may be woken up on the very core that its caller runs on; where others keep all cores
 * busy, the system leaves it there for many milliseconds and the two share one core. */
static void
step_aside (AttnPool *pool)
{
  const int cpu = sched_getcpu ();
  cpu_set_t allowed, others;
  if (cpu < 0 || cpu >= CPU_SETSIZE || cpu != atomic_load (&pool->caller_cpu) ||
      sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return;
  others = allowed;
  CPU_CLR ((unsigned)cpu, &others);
  if (CPU_COUNT (&others) > 0 && sched_setaffinity (0, sizeof others, &others) == 0)
    sched_setaffinity (0, sizeof allowed, &allowed);
}

static void *
worker_main (void *data)
{
  const Worker *worker = data;
  AttnPool *pool = worker->pool;
  unsigned seen = 0;
  for (;;) {
    if (!spin_while_equal (&pool->started, seen)) {
      atomic_fetch_add (&pool->n_idle, 1);
      while (atomic_load (&pool->started) == seen)
        sleep_while_equal (&pool->started, seen);
      atomic_fetch_sub (&pool->n_idle, 1);
      step_aside (pool);
    }
    seen = atomic_load (&pool->started);
    if (atomic_load (&pool->quit))
      return NULL;
    run_pieces (pool, worker->index);
  }
}

AttnPool *
attn_pool_new (size_t n_threads)
{
  if (n_threads == 0)
    n_threads = attn_pool_count_cores ();
  n_threads = MIN (n_threads, MAX_THREADS);
  size_t n_bytes = sizeof (AttnPool) + n_threads * sizeof (Worker);
  AttnPool *pool = g_aligned_alloc0 (1, n_bytes, 64);
  pool->n_threads = 1;
  for (size_t i = 1; i < n_threads; i++) {
    Worker *worker = &pool->workers[i];
    worker->pool = pool;
    worker->index = i;
    worker->thread = g_thread_try_new ("attn-pool", worker_main, worker, NULL);
    if (worker->thread == NULL)
      break;
    pool->n_threads = i + 1;
  }
  return pool;
}

void
attn_pool_free (AttnPool *pool)
{
  if (pool == NULL)
    return;
  atomic_store (&pool->quit, true);
  atomic_fetch_add (&pool->started, 1);
  wake (&pool->started, INT_MAX);
  for (size_t i = 1; i < pool->n_threads; i++)
    g_thread_join (pool->workers[i].thread);
  g_aligned_free (pool);
}

size_t
attn_pool_get_n_threads (const AttnPool *pool)
{
  return pool == NULL ? 1 : pool->n_threads;
}

void
attn_pool_set_stop (AttnPool *pool, AttnStopFunc stopped, void *data)
{
  pool->stopped = stopped;
  pool->stop_data = data;
}

bool
attn_pool_is_stopped (const AttnPool *pool)
{
  return pool != NULL && pool->stopped != NULL && pool->stopped (pool->stop_data);
}

static void
run_alone (const AttnPool *pool, size_t n_pieces, AttnPieceFunc func, void *data)
{
  for (size_t piece = 0; piece < n_pieces && !attn_pool_is_stopped (pool); piece++)
    func (piece, 0, data);
}

/* Publishes the region, works along, and returns when every piece is finished. */
static void
run_region (AttnPool *pool, size_t n_pieces, AttnPieceFunc func, void *data)
{
  unsigned finished = atomic_load (&pool->finished);
  pool->func = func;
  pool->data = data;
  pool->n_pieces = n_pieces;
  atomic_store (&pool->caller_cpu, sched_getcpu ());
  atomic_store (&pool->n_undone, n_pieces);
  atomic_store (&pool->n_left, n_pieces);
  atomic_fetch_add (&pool->started, 1);
  if (atomic_load (&pool->n_idle) > 0)
    wake (&pool->started, (int)MIN (n_pieces - 1, MAX_THREADS));

  run_pieces (pool, 0);

  if (spin_while_equal (&pool->finished, finished))
    return;
  atomic_store (&pool->caller_waits, true);
  while (atomic_load (&pool->finished) == finished)
    sleep_while_equal (&pool->finished, finished);
  atomic_store (&pool->caller_waits, false);
}

void
attn_pool_run (AttnPool *pool, size_t n_pieces, AttnPieceFunc func, void *data)
{
  bool alone = pool == NULL || pool->n_threads == 1 || n_pieces < 2;
  bool idle = false;
  if (alone || !atomic_compare_exchange_strong (&pool->busy, &idle, true)) {
    run_alone (pool, n_pieces, func, data);
    return;
  }
  run_region (pool, n_pieces, func, data);
  atomic_store (&pool->busy, false);
}

/* Returns: a number that two hardware threads of one core share, or @cpu where the system does
 * not tell. */
static unsigned
core_of (unsigned cpu)
{
  g_autofree char *path =
      g_strdup_printf ("/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
  g_autofree char *text = NULL;
  unsigned first;
  if (!g_file_get_contents (path, &text, NULL, NULL) || sscanf (text, "%u", &first) != 1)
    return cpu;
  return first;
}

size_t
attn_pool_count_cores (void)
{
  cpu_set_t allowed, cores;
  CPU_ZERO (&allowed);
  CPU_ZERO (&cores);
  if (sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return 1;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &allowed)) {
      unsigned core = core_of (cpu);
      CPU_SET (core < CPU_SETSIZE ? core : cpu, &cores);
    }
  return (size_t)MAX (CPU_COUNT (&cores), 1);
}
