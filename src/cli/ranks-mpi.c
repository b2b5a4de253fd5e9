/* SPDX-License-Identifier: MIT */
/* Ranks by MPI: the one file that knows it. */
#include "ranks.h"

#include "attn/error.h"

#include <mpi.h>
#include <stdint.h>

enum { TAG_SIZE = 1, TAG_BYTES };

#define PIECE_BYTES ((size_t)1 << 28) /* of one message: MPI counts in int */

/* Without a launcher MPI is not begun: it takes a third of a second, and there is nobody else. */
static bool
is_launched (void)
{
  static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  for (size_t i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_getenv (marks[i]) != NULL)
      return true;
  return false;
}

bool
cli_ranks_begin (CliRanks *ranks, GError **error)
{
  *ranks = (CliRanks){.n = 1};
  if (!is_launched ())
    return true;
  int level, index, n;
  if (MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      MPI_Comm_rank (MPI_COMM_WORLD, &index) != MPI_SUCCESS ||
      MPI_Comm_size (MPI_COMM_WORLD, &n) != MPI_SUCCESS) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "MPI could not be started");
    return false;
  }
  *ranks = (CliRanks){.index = (size_t)index, .n = (size_t)n, .started = true};
  return true;
}

bool
cli_ranks_agree (const CliRanks *ranks, bool good)
{
  if (!ranks->started)
    return good;
  int own = good, all = 0;
  MPI_Allreduce (&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

static void
send (const GString *own)
{
  const uint64_t size = own->len;
  MPI_Send (&size, 1, MPI_UINT64_T, 0, TAG_SIZE, MPI_COMM_WORLD);
  for (size_t at = 0; at < own->len; at += PIECE_BYTES)
    MPI_Send (own->str + at, (int)MIN (PIECE_BYTES, own->len - at), MPI_BYTE, 0, TAG_BYTES,
              MPI_COMM_WORLD);
}

/* Returns: (transfer full): what a rank sent. */
static GString *
receive (size_t rank)
{
  uint64_t size = 0;
  MPI_Recv (&size, 1, MPI_UINT64_T, (int)rank, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  GString *bytes = g_string_sized_new (size);
  g_string_set_size (bytes, size);
  for (size_t at = 0; at < size; at += PIECE_BYTES)
    MPI_Recv (bytes->str + at, (int)MIN (PIECE_BYTES, size - at), MPI_BYTE, (int)rank, TAG_BYTES,
              MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

bool
cli_ranks_gather (
    const CliRanks *ranks, const GString *own, CliRanksTake take, void *data, GError **error)
{
  if (ranks->index > 0) {
    send (own);
    return true;
  }
  bool good = true;
  for (size_t rank = 1; rank < ranks->n; rank++) { /* all are heard, even after one was bad */
    g_autoptr (GString) bytes = receive (rank);
    good = good && take (rank, bytes->str, bytes->len, data, error);
  }
  return good;
}

void
cli_ranks_end (CliRanks *ranks)
{
  if (ranks->started)
    MPI_Finalize ();
  ranks->started = false;
}
