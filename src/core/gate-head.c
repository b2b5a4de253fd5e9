/* SPDX-License-Identifier: MIT */
/* What a gate makes of a head's output. */
#include "gate-head.h"

#include "model-private.h"

#include <string.h>

static size_t
find_index (const AttnTrace *trace, size_t layer, size_t head)
{
  return layer * trace->gates->n_heads + head;
}

bool
attn_gate_acts (const AttnTrace *trace, size_t layer, size_t head)
{
  if (trace->gates == NULL)
    return false;
  const size_t i = find_index (trace, layer, head);
  return trace->gates->gates[i] != ATTN_GATE_KEEP || trace->gates->factors[i] != 1;
}

/* out = the mean of the rows [first, end) of x, row stride ldx */
static void
average_rows (const float *x, size_t ldx, size_t first, size_t end, float *out, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t row = first; row < end; row++)
      sum += (double)x[row * ldx + i];
    out[i] = (float)(sum / (double)(end - first));
  }
}

/* The same weight on every key that is seen. */
static void
apply_uniform (const AttnTrace *trace, size_t layer, size_t head, float *out, size_t ldo)
{
  const size_t d_k = trace->model->config->d_k;
  size_t ldv, before_first = 0, before_end = 0;
  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, layer, &ldv) + head * d_k;
  for (size_t query = 0; query < trace->n_tokens; query++) {
    size_t first, end;
    attn_trace_get_visible (trace, layer, query, &first, &end);
    if (query > 0 && first == before_first && end == before_end)
      memcpy (out + query * ldo, out + (query - 1) * ldo, d_k * sizeof *out);
    else
      average_rows (v, ldv, first, end, out + query * ldo, d_k);
    before_first = first;
    before_end = end;
  }
}

static void
apply_mean (const AttnTrace *trace, float *out, size_t ldo)
{
  const size_t d_k = trace->model->config->d_k;
  g_autofree float *mean = g_new (float, d_k);
  average_rows (out, ldo, 0, trace->n_tokens, mean, d_k);
  for (size_t t = 0; t < trace->n_tokens; t++)
    memcpy (out + t * ldo, mean, d_k * sizeof *out);
}

static void
apply_patch (
    const AttnTrace *other, size_t layer, size_t head, float *out, size_t ldo, float *scratch)
{
  AttnAttendCall call = {
      .score = attn_trace_get_score_call (other, layer, head),
      .n_queries = other->n_tokens,
      .out = out,
      .ldo = ldo,
  };
  call.v = attn_trace_peek_tap (other, ATTN_TAP_VALUE, layer, &call.ldv) +
           head * other->model->config->d_k;
  attn_ops_attend (&call, scratch);
}

void
attn_gate_apply (
    const AttnTrace *trace, size_t layer, size_t head, float *out, size_t ldo, float *scratch)
{
  const size_t i = find_index (trace, layer, head), d_k = trace->model->config->d_k;
  float factor = trace->gates->factors[i];
  switch (trace->gates->gates[i]) {
  case ATTN_GATE_ZERO:
    factor = 0;
    break;
  case ATTN_GATE_UNIFORM:
    apply_uniform (trace, layer, head, out, ldo);
    break;
  case ATTN_GATE_MEAN:
    apply_mean (trace, out, ldo);
    break;
  case ATTN_GATE_PATCH:
    apply_patch (trace->patch, layer, head, out, ldo, scratch);
    break;
  case ATTN_GATE_KEEP:
  case ATTN_N_GATES:
    break;
  }
  if (factor != 1)
    for (size_t t = 0; t < trace->n_tokens; t++)
      for (size_t k = 0; k < d_k; k++)
        out[t * ldo + k] = factor != 0 ? out[t * ldo + k] * factor : 0;
}
