/* SPDX-License-Identifier: MIT */
/* Ranks of a build without MPI: this process alone. */
#include "ranks.h"

#include "attn/error.h"

/* Under mpirun every process would do all of the work and write the same file. */
bool
cli_ranks_begin (CliRanks *ranks, GError **error)
{
  *ranks = (CliRanks){.n = 1};
  const char *size = g_getenv ("OMPI_COMM_WORLD_SIZE");
  if (size == NULL || g_strcmp0 (size, "1") == 0)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "started by mpirun, but built without MPI: configure with -Dmpi=enabled, or use "
               "--shard and --merge");
  return false;
}

bool
cli_ranks_agree (const CliRanks *ranks G_GNUC_UNUSED, bool good)
{
  return good;
}

bool
cli_ranks_gather (const CliRanks *ranks G_GNUC_UNUSED,
                  const GString *own G_GNUC_UNUSED,
                  CliRanksTake take G_GNUC_UNUSED,
                  void *data G_GNUC_UNUSED,
                  GError **error G_GNUC_UNUSED)
{
  return true;
}

void
cli_ranks_end (CliRanks *ranks G_GNUC_UNUSED)
{
}
