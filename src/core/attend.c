/* SPDX-License-Identifier: MIT */
/* The two products of one attention head, apart and together.
 *
 * Letters: T tokens; keys are packed as panels [T/panel][d_k][panel], values as
 * [d_k/panel][T][panel]. */
#include "kernels.h"
#include "ops.h"

#include <glib.h>

#include <string.h>

static size_t
round_up (size_t n, size_t step)
{
  return (n + step - 1) / step * step;
}

static void
pack_keys (const AttnKernels *kernels, const AttnScoreCall *call, size_t first_key, float *panel)
{
  const size_t n = MIN (kernels->panel, call->n_tokens - first_key);
  kernels->transpose (panel, call->k + first_key * call->ldk, call->ldk, n, call->d_k);
}

static void
pack_values (const AttnKernels *kernels, const float *v, size_t ldv, size_t T, size_t n, float *to)
{
  for (size_t t = 0; t < T; t++, v += ldv, to += kernels->panel) {
    memcpy (to, v, n * sizeof *to);
    memset (to + n, 0, (kernels->panel - n) * sizeof *to);
  }
}

/* In the blocks of attend_rows(): where bits depend on the number of rows they are the same. */
static void
multiply_in_blocks (const AttnKernels *kernels, AttnProduct product)
{
  const size_t n_rows = product.n_rows, step = kernels->block_rows;
  for (size_t first = 0; first < n_rows; first += step) {
    product.n_rows = MIN (step, n_rows - first);
    kernels->multiply (&product);
    product.a += step * product.lda;
    product.c += step * product.ldc;
  }
}

/* scores [n, keys of one panel] = scale · q kᵀ for n queries from @q on */
static void
score_panel (const AttnKernels *kernels,
             const AttnScoreCall *call,
             const float *panel,
             size_t first_key,
             AttnProduct out)
{
  out.lda = call->ldq;
  out.panel = panel;
  out.c += first_key;
  out.n_in = call->d_k;
  out.n_cols = MIN (kernels->panel, call->n_tokens - first_key);
  out.scale = call->scale;
  multiply_in_blocks (kernels, out);
}

void
attn_ops_scores (const AttnScoreCall *call, float *scores)
{
  const AttnKernels *kernels = attn_kernels_get ();
  const size_t T = call->n_tokens;
  float *panel = g_aligned_alloc (kernels->panel * call->d_k, sizeof (float), 64);
  AttnProduct out = {.a = call->q, .c = scores, .ldc = T, .n_rows = T};
  for (size_t key = 0; key < T; key += kernels->panel) {
    pack_keys (kernels, call, key, panel);
    score_panel (kernels, call, panel, key, out);
  }
  g_aligned_free (panel);
}

void
attn_ops_mix_values (const float *weights,
                     const float *v,
                     size_t ldv,
                     size_t n_tokens,
                     size_t d_k,
                     float *out,
                     size_t ldo)
{
  const AttnKernels *kernels = attn_kernels_get ();
  float *panel = g_aligned_alloc (kernels->panel * n_tokens, sizeof (float), 64);
  for (size_t column = 0; column < d_k; column += kernels->panel) {
    const size_t n_cols = MIN (kernels->panel, d_k - column);
    pack_values (kernels, v + column, ldv, n_tokens, n_cols, panel);
    const AttnProduct product = {
        .a = weights,
        .lda = n_tokens,
        .panel = panel,
        .c = out + column,
        .ldc = ldo,
        .n_rows = n_tokens,
        .n_in = n_tokens,
        .n_cols = n_cols,
        .scale = 1,
    };
    multiply_in_blocks (kernels, product);
  }
  g_aligned_free (panel);
}

/* Row stride of the block of scores: an odd number of cache lines, so that neighbouring rows do not
 * compete for the same places. */
static size_t
block_stride (size_t n_tokens)
{
  return round_up (n_tokens, 32) + 16;
}

size_t
attn_ops_attend_scratch_size (size_t n_tokens, size_t d_k)
{
  return round_up (n_tokens, ATTN_PANEL_MAX) * d_k + n_tokens * round_up (d_k, ATTN_PANEL_MAX) +
         attn_kernels_get ()->block_rows * block_stride (n_tokens);
}

/* What attn_ops_attend() keeps in its scratch memory. */
typedef struct {
  const AttnKernels *kernels;
  float *keys, *values, *block;
} Packed;

static Packed
pack_head (const AttnAttendCall *call, float *scratch)
{
  const AttnScoreCall *score = &call->score;
  const size_t T = score->n_tokens, d_k = score->d_k;
  Packed packed = {.kernels = attn_kernels_get ()};
  const size_t width = packed.kernels->panel;
  packed.block = scratch;
  packed.keys = packed.block + packed.kernels->block_rows * block_stride (T);
  packed.values = packed.keys + round_up (T, ATTN_PANEL_MAX) * d_k;
  for (size_t key = 0; key < T; key += width)
    pack_keys (packed.kernels, score, key, packed.keys + key * d_k);
  for (size_t column = 0; column < d_k; column += width)
    pack_values (packed.kernels, call->v + column, call->ldv, T, MIN (width, d_k - column),
                 packed.values + column * T);
  return packed;
}

static void
attend_rows (const AttnAttendCall *call, const Packed *packed, size_t first, size_t n)
{
  const AttnKernels *kernels = packed->kernels;
  const AttnScoreCall *score = &call->score;
  const size_t T = score->n_tokens, d_k = score->d_k, ld = block_stride (T);
  AttnProduct scores = {
      .a = score->q + first * score->ldq, .c = packed->block, .ldc = ld, .n_rows = n};
  for (size_t key = 0; key < T; key += kernels->panel)
    score_panel (kernels, score, packed->keys + key * d_k, key, scores);
  for (size_t row = 0; row < n; row++)
    kernels->softmax_row (packed->block + row * ld, T);
  for (size_t column = 0; column < d_k; column += kernels->panel)
    kernels->multiply (&(AttnProduct){
        .a = packed->block,
        .lda = ld,
        .panel = packed->values + column * T,
        .c = call->out + first * call->ldo + column,
        .ldc = call->ldo,
        .n_rows = n,
        .n_in = T,
        .n_cols = MIN (kernels->panel, d_k - column),
        .scale = 1,
    });
}

void
attn_ops_attend (const AttnAttendCall *call, float *scratch)
{
  const Packed packed = pack_head (call, scratch);
  const size_t end = call->first_query + call->n_queries, step = packed.kernels->block_rows;
  for (size_t first = call->first_query; first < end; first += step)
    attend_rows (call, &packed, first, MIN (step, end - first));
}
