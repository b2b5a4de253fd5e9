/* SPDX-License-Identifier: MIT */
/* y = x Wᵀ + b on panels of W. */
#include "linear.h"

#include "ops.h"

#include "attn/model.h"

#include <string.h>

enum { PANEL = 32 };

size_t
attn_linear_packed_size (size_t n_in, size_t n_out)
{
  return (n_out + PANEL - 1) / PANEL * PANEL * n_in;
}

void
attn_linear_pack_rows (AttnLinear *linear, const float *rows, size_t first_out, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    size_t out = first_out + i;
    float *column = linear->panels + out / PANEL * PANEL * linear->n_in + out % PANEL;
    for (size_t k = 0; k < linear->n_in; k++)
      column[k * PANEL] = rows[i * linear->n_in + k];
  }
}

typedef struct {
  const AttnLinear *linear;
  const AttnLinearCall *call;
} Region;

static void
finish_row (
    const AttnLinear *linear, const AttnLinearCall *call, float *sums, size_t first, float *y)
{
  size_t n = MIN (PANEL, linear->n_out - first);
  if (linear->bias != NULL)
    for (size_t j = 0; j < n; j++)
      sums[j] += linear->bias[first + j];
  if (call->after == ATTN_AFTER_ACTIVATION)
    attn_ops_activate (call->activation, sums, n);
  for (size_t j = 0; j < n; j++)
    y[first + j] = call->after == ATTN_AFTER_ADD ? y[first + j] + sums[j] : sums[j];
}

static void
run_panel (size_t piece, size_t worker, void *data)
{
  (void)worker;
  const AttnLinear *linear = ((const Region *)data)->linear;
  const AttnLinearCall *call = ((const Region *)data)->call;
  size_t first = piece * PANEL;
  const float *panel = linear->panels + first * linear->n_in;
  for (size_t row = 0; row < call->n_rows; row++) {
    float sums[PANEL] = {0};
    const float *x = call->x + row * call->ldx;
    for (size_t k = 0; k < linear->n_in; k++)
      for (size_t j = 0; j < PANEL; j++)
        sums[j] += x[k] * panel[k * PANEL + j];
    finish_row (linear, call, sums, first, call->y + row * call->ldy);
  }
}

void
attn_linear_run (const AttnLinear *linear, const AttnLinearCall *call, AttnPool *pool)
{
  Region region = {.linear = linear, .call = call};
  attn_pool_run (pool, (linear->n_out + PANEL - 1) / PANEL, run_panel, &region);
}

const char *
attn_kernel_peek_name (void)
{
  return "plain";
}
