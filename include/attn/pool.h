/* SPDX-License-Identifier: MIT */
/* A few threads that take small pieces of work from one shared counter.
 *
 * The program makes one pool and passes it in; the core starts no other thread. Workers spin for
 * microseconds and then sleep, so that a descheduled worker never stalls the rest for long. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnPool AttnPool;

/**
 * AttnPieceFunc:
 * @piece:  index below the number of pieces
 * @worker: who runs it, below attn_pool_get_n_threads(); two pieces that run at the same time in
 * one region have different workers, so it may index scratch memory
 */
typedef void (*AttnPieceFunc) (size_t piece, size_t worker, void *data);

/**
 * attn_pool_new:
 * @n_threads: ≥ 1, the caller of attn_pool_run() included; 0 for attn_pool_count_cores()
 *
 * Returns: a new pool for attn_pool_free(). Where the system refuses threads it has fewer.
 */
AttnPool *attn_pool_new (size_t n_threads);

void attn_pool_free (AttnPool *pool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnPool, attn_pool_free)

/* Asked often, and from all of a pool's threads. Returns: whether what runs is not wanted any more.
 */
typedef bool (*AttnStopFunc) (void *data);

/**
 * attn_pool_set_stop:
 * @stopped: (nullable): none any more
 *
 * For a pool that one piece of work has to itself, while nothing runs in it. Once @stopped says so
 * pieces that have not begun are left out: a region ends at once, and what it has written is worth
 * nothing. Who runs regions asks attn_pool_is_stopped() between them.
 */
void attn_pool_set_stop (AttnPool *pool, AttnStopFunc stopped, void *data);

/* Returns: what the function says now; false without one, or without a pool. */
bool attn_pool_is_stopped (const AttnPool *pool);

/* Returns: threads that may run pieces; 1 for a NULL pool. */
size_t attn_pool_get_n_threads (const AttnPool *pool);

/* Returns: physical cores this process may use, at least 1. */
size_t attn_pool_count_cores (void);

/**
 * attn_pool_run:
 * @pool: (nullable): none means that the calling thread runs all pieces
 *
 * Runs @func for every piece and returns when all are done. One region at a time: a caller that
 * finds the pool busy runs its pieces itself, as worker 0.
 */
void attn_pool_run (AttnPool *pool, size_t n_pieces, AttnPieceFunc func, void *data);

G_END_DECLS
