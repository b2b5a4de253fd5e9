/* SPDX-License-Identifier: MIT */
/* Several processes, maybe on several machines, that do parts of one piece of work: a rank is a
 * shard whose part goes to rank 0. ranks-mpi.c does it by MPI, ranks-one.c stands for builds
 * without it. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  size_t index, n; /* this rank, from 0, of so many */
  bool started;    /* by a launcher */
} CliRanks;

/* Finds out whether there are others. Returns: false with @error. From here on all ranks make the
 * same calls, whatever happens to them. */
bool cli_ranks_begin (CliRanks *ranks, GError **error);

/* Waits for all ranks. Returns: whether all say @good. */
bool cli_ranks_agree (const CliRanks *ranks, bool good);

/* Takes what rank @rank sent. Returns: false with @error. */
typedef bool (*CliRanksTake) (
    size_t rank, const char *bytes, size_t n_bytes, void *data, GError **error);

/* Sends @own to rank 0, where @take is called with what all others sent, in their order; for all
 * ranks, after they agreed. Returns: false with @error of @take, or IO. */
bool cli_ranks_gather (
    const CliRanks *ranks, const GString *own, CliRanksTake take, void *data, GError **error);

void cli_ranks_end (CliRanks *ranks);
