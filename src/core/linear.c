/* SPDX-License-Identifier: MIT */
/* Cutting a linear layer into pieces for the pool. */
#include "linear.h"

#include "kernels.h"

#include <string.h>

#define CACHE_LINE 16 /* floats */
/* Rows of one piece: what is read of x stays in the second-level cache. */
#define CHUNK_ROWS 128
#define FETCH_AHEAD 4096 /* floats */
/* Multiplications that are worth a piece, and the least that is worth waking others. */
#define PIECE_WORK ((size_t)3 << 17)
#define REGION_WORK ((size_t)1 << 19)

size_t
attn_linear_get_stride (size_t width)
{
  return (width + CACHE_LINE - 1) / CACHE_LINE / 2 * 2 * CACHE_LINE + CACHE_LINE;
}

size_t
attn_linear_packed_size (size_t n_in, size_t n_out)
{
  return (n_out + ATTN_PANEL_MAX - 1) / ATTN_PANEL_MAX * ATTN_PANEL_MAX * n_in;
}

/* Whole panels are transposed, single rows of W scattered. */
void
attn_linear_pack_rows_with (
    const AttnKernels *kernels, AttnLinear *linear, const float *rows, size_t first_out, size_t n)
{
  const size_t panel = kernels->panel, n_in = linear->n_in;
  for (size_t i = 0; i < n;) {
    const size_t out = first_out + i, column = out % panel;
    float *to = linear->panels + (out - column) * n_in;
    if (column == 0 && n - i >= panel) {
      kernels->transpose (to, rows + i * n_in, n_in, panel, n_in);
      i += panel;
    } else {
      for (size_t k = 0; k < n_in; k++)
        to[k * panel + column] = rows[i * n_in + k];
      i++;
    }
  }
}

void
attn_linear_pack_rows (AttnLinear *linear, const float *rows, size_t first_out, size_t n)
{
  attn_linear_pack_rows_with (attn_kernels_get (), linear, rows, first_out, n);
}

void
attn_linear_pack_columns (AttnLinear *linear, const float *rows, size_t first_in, size_t n)
{
  const size_t panel = attn_kernels_get ()->panel, n_in = linear->n_in, n_out = linear->n_out;
  for (size_t out = 0; out < n_out; out += panel) {
    float *to = linear->panels + out * n_in + first_in * panel;
    for (size_t k = 0; k < n; k++)
      memcpy (to + k * panel, rows + k * n_out + out, MIN (panel, n_out - out) * sizeof *to);
  }
}

void
attn_linear_read_row (const AttnLinear *linear, size_t out, float *row)
{
  const size_t panel = attn_kernels_get ()->panel, column = out % panel;
  const float *from = linear->panels + (out - column) * linear->n_in + column;
  for (size_t k = 0; k < linear->n_in; k++)
    row[k] = from[k * panel];
}

typedef struct {
  const AttnKernels *kernels;
  const AttnLinear *linear;
  const AttnLinearCall *call;
  size_t n_panels;
  size_t panels_a_piece, pieces_a_chunk, n_chunks;
  size_t n_threads;
} Region;

/* Returns: (nullable): what to fetch while a panel is multiplied. Few rows use a panel up as fast
 * as memory gives it: then its own rows, some way ahead; otherwise the panel this thread will
 * probably take next. */
static const float *
choose_next (const Region *region, size_t index, size_t n_rows)
{
  const size_t floats = region->kernels->panel * region->linear->n_in;
  const size_t step = region->panels_a_piece == 1 ? region->n_threads : 1;
  const bool few = n_rows <= region->kernels->tile_rows;
  const size_t from = few ? index * floats + FETCH_AHEAD : (index + step) * floats;
  return from < region->n_panels * floats ? region->linear->panels + from : NULL;
}

static void
run_panel (const Region *region, size_t index, size_t first_row, size_t n_rows)
{
  const AttnLinear *linear = region->linear;
  const AttnLinearCall *call = region->call;
  const size_t width = region->kernels->panel, first_out = index * width;
  const size_t floats = width * linear->n_in;
  const float *panel = linear->panels + index * floats;
  const size_t at = first_row * call->ldy + first_out;
  region->kernels->multiply (&(AttnProduct){
      .a = call->x + first_row * call->ldx,
      .lda = call->ldx,
      .panel = panel,
      .next = choose_next (region, index, n_rows),
      .c = call->y + at,
      .add = (call->add != NULL ? call->add : call->y) + at,
      .ldc = call->ldy,
      .n_rows = n_rows,
      .n_in = linear->n_in,
      .n_cols = MIN (width, linear->n_out - first_out),
      .bias = linear->bias == NULL ? NULL : linear->bias + first_out,
      .scale = 1,
      .after = call->after,
      .activation = call->activation,
  });
}

static void
run_piece (size_t piece, size_t worker, void *data)
{
  (void)worker;
  const Region *region = data;
  const size_t n_rows = region->call->n_rows, chunk = piece / region->pieces_a_chunk;
  const size_t first_row = n_rows * chunk / region->n_chunks;
  const size_t end_row = n_rows * (chunk + 1) / region->n_chunks;
  const size_t first = piece % region->pieces_a_chunk * region->panels_a_piece;
  const size_t end = MIN (first + region->panels_a_piece, region->n_panels);
  for (size_t index = first; index < end; index++)
    run_panel (region, index, first_row, end_row - first_row);
}

void
attn_linear_run_with (const AttnKernels *kernels,
                      const AttnLinear *linear,
                      const AttnLinearCall *call,
                      AttnPool *pool)
{
  const size_t n_panels = (linear->n_out + kernels->panel - 1) / kernels->panel;
  const size_t n_chunks = (call->n_rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
  const size_t panel_work = MIN (call->n_rows, CHUNK_ROWS) * linear->n_in * kernels->panel;
  const size_t panels_a_piece = CLAMP (PIECE_WORK / MAX (panel_work, 1), 1, n_panels);
  Region region = {
      .kernels = kernels,
      .linear = linear,
      .call = call,
      .n_panels = n_panels,
      .panels_a_piece = panels_a_piece,
      .pieces_a_chunk = (n_panels + panels_a_piece - 1) / panels_a_piece,
      .n_chunks = n_chunks,
      .n_threads = attn_pool_get_n_threads (pool),
  };
  const bool tiny = panel_work * n_panels * n_chunks < REGION_WORK;
  attn_pool_run (tiny ? NULL : pool, region.pieces_a_chunk * n_chunks, run_piece, &region);
}

void
attn_linear_run (const AttnLinear *linear, const AttnLinearCall *call, AttnPool *pool)
{
  attn_linear_run_with (attn_kernels_get (), linear, call, pool);
}
