/* SPDX-License-Identifier: MIT */
/* The toy task's sequences: symbols, one of them marked, and the answers to three questions. */
#include "toy-task.h"

void
attn_toy_fill (GRand *random, size_t n_tokens, size_t n_symbols, int32_t *ids, int *labels)
{
  for (size_t t = 0; t < n_tokens; t++)
    ids[t] = g_rand_int_range (random, 0, (gint32)n_symbols);
  const size_t marked = (size_t)g_rand_int_range (random, 0, (gint32)n_tokens);
  for (size_t t = 0; t < n_tokens; t++) {
    labels[ATTN_TOY_PREVIOUS * n_tokens + t] = t > 0 ? ids[t - 1] : -1;
    labels[ATTN_TOY_FIRST * n_tokens + t] = ids[0];
    labels[ATTN_TOY_MARKED * n_tokens + t] = ids[marked];
  }
  ids[marked] += (int32_t)n_symbols;
}
