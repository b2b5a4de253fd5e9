/* SPDX-License-Identifier: MIT */
/* The way back through a linear layer: the kernels of the way there, on pieces of W turned round.
 */
#include "kernels.h"
#include "linear.h"

#include <string.h>

/* Outputs whose rows are turned round at once: with a panel's width they stay in the second-level
 * cache. A multiple of every panel's width. */
#define OUTS_AT_ONCE ((size_t)512)

typedef struct {
  const AttnKernels *kernels;
  const float *panels; /* packed W, or else */
  const float *rows;   /* [n_out, n_in] plain */
  size_t n_in, n_out;
  const AttnLinearBack *call;
} Region;

size_t
attn_linear_back_scratch_size (const AttnPool *pool)
{
  return attn_pool_get_n_threads (pool) * OUTS_AT_ONCE * ATTN_PANEL_MAX;
}

/* to [n_outs, panel width] = W [first_out … , first_in … ], @n_cols wide. */
static void
turn (const Region *region,
      float *to,
      size_t first_out,
      size_t n_outs,
      size_t first_in,
      size_t n_cols)
{
  const size_t panel = region->kernels->panel;
  if (region->rows != NULL) {
    for (size_t i = 0; i < n_outs; i++)
      memcpy (to + i * panel, region->rows + (first_out + i) * region->n_in + first_in,
              n_cols * sizeof *to);
    return;
  }
  for (size_t i = 0; i < n_outs; i += panel) {
    const float *from = region->panels + (first_out + i) * region->n_in + first_in * panel;
    region->kernels->transpose (to + i * panel, from, panel, n_cols, MIN (panel, n_outs - i));
  }
}

/* One panel's width of d_x. */
static void
run_piece (size_t piece, size_t worker, void *data)
{
  const Region *region = data;
  const AttnLinearBack *call = region->call;
  const size_t panel = region->kernels->panel, first_in = piece * panel;
  const size_t n_cols = MIN (panel, region->n_in - first_in);
  float *turned = call->scratch + worker * OUTS_AT_ONCE * ATTN_PANEL_MAX;
  for (size_t out = 0; out < region->n_out; out += OUTS_AT_ONCE) {
    const size_t n_outs = MIN (OUTS_AT_ONCE, region->n_out - out);
    turn (region, turned, out, n_outs, first_in, n_cols);
    region->kernels->multiply (&(AttnProduct){
        .a = call->d_y + out,
        .lda = region->n_out,
        .panel = turned,
        .c = call->d_x + first_in,
        .add = call->d_x + first_in,
        .ldc = region->n_in,
        .n_rows = call->n_rows,
        .n_in = n_outs,
        .n_cols = n_cols,
        .scale = 1,
        .after = call->add || out > 0 ? ATTN_AFTER_ADD : ATTN_AFTER_NOTHING,
    });
  }
}

static void
run (Region *region, AttnPool *pool)
{
  const size_t panel = region->kernels->panel;
  attn_pool_run (pool, (region->n_in + panel - 1) / panel, run_piece, region);
}

void
attn_linear_run_back_with (const AttnKernels *kernels,
                           const AttnLinear *linear,
                           const AttnLinearBack *call,
                           AttnPool *pool)
{
  Region region = {
      .kernels = kernels,
      .panels = linear->panels,
      .n_in = linear->n_in,
      .n_out = linear->n_out,
      .call = call,
  };
  run (&region, pool);
}

void
attn_linear_run_back (const AttnLinear *linear, const AttnLinearBack *call, AttnPool *pool)
{
  attn_linear_run_back_with (attn_kernels_get (), linear, call, pool);
}

void
attn_linear_run_back_rows (
    const float *rows, size_t n_in, size_t n_out, const AttnLinearBack *call, AttnPool *pool)
{
  Region region = {
      .kernels = attn_kernels_get (),
      .rows = rows,
      .n_in = n_in,
      .n_out = n_out,
      .call = call,
  };
  run (&region, pool);
}
