/* SPDX-License-Identifier: MIT */
/* One attention head: its scores, its map, and both products together.
 *
 * Letters: T tokens; keys are packed as panels [T/panel][d_k][panel], values as
 * [d_k/panel][T][panel]. */
#include "kernels.h"
#include "ops.h"

#include "attn/pool.h"

#include <glib.h>

#include <math.h>
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
pack_values (
    const AttnKernels *kernels, const float *v, size_t ldv, size_t n_keys, size_t n, float *to)
{
  for (size_t t = 0; t < n_keys; t++, v += ldv, to += kernels->panel) {
    memcpy (to, v, n * sizeof *to);
    memset (to + n, 0, (kernels->panel - n) * sizeof *to);
  }
}

/* Row stride of the block of scores and others: an odd number of cache lines, so that neighbouring
 * rows do not compete for the same places. */
static size_t
block_stride (size_t width)
{
  return round_up (width, 32) + 16;
}

/* A head, or some queries of one, made ready: what is read once for each block of queries. */
typedef struct {
  const AttnKernels *kernels;
  const AttnScoreCall *call;
  size_t first_key, end_key; /* that any of the queries sees */
  size_t first_panel;        /* key with which the panel of first_key begins */
  float *keys;               /* panels from first_panel on */
  float *values;             /* [d_k/panel][keys from first_key on][panel] */
  float *block;              /* [block_rows, block_stride()] */
  /* products with the distances' rows that some query and key need */
  size_t first_column, ld_terms;
  float
      *met_by_queries; /* [block_rows, columns] scale · q · distance's keyᵀ, row stride ld_terms */
  float *met_by_keys; /* [n_tokens, columns] scale · k · distance's queryᵀ, likewise */
  /* a value that not all queries see is not finite: 0 times it would reach them all */
  bool apart;
} Packed;

/* The distances' rows, in whole panels, that occur between some queries and keys: they never fall
 * with the distance, so its ends bound them. */
static void
find_columns (const AttnKernels *kernels,
              const AttnScoreCall *call,
              ptrdiff_t least,
              ptrdiff_t largest,
              size_t *first,
              size_t *n)
{
  *first = *n = 0;
  if (call->terms.rows == NULL)
    return;
  const int32_t *rows = call->terms.rows + call->n_tokens - 1;
  *first = (size_t)rows[least] / kernels->panel * kernels->panel;
  *n = round_up ((size_t)rows[largest] + 1 - *first, kernels->panel);
}

/* For those between any two tokens. Returns: the row stride of products with them; 0 for none. */
static size_t
find_terms_stride (const AttnKernels *kernels, const AttnScoreCall *call, size_t *first)
{
  const ptrdiff_t farthest = (ptrdiff_t)call->n_tokens - 1;
  size_t n;
  find_columns (kernels, call, -farthest, farthest, first, &n);
  return n > 0 ? block_stride (n) : 0;
}

size_t
attn_ops_attend_scratch_size (const AttnScoreCall *call)
{
  const AttnKernels *kernels = attn_kernels_get ();
  const size_t T = call->n_tokens, d_k = call->d_k;
  size_t first_column;
  const size_t ld_terms = find_terms_stride (kernels, call, &first_column);
  return kernels->block_rows * (block_stride (T) + ld_terms) + T * ld_terms +
         (T + 2 * ATTN_PANEL_MAX) * d_k + T * round_up (d_k, ATTN_PANEL_MAX);
}

/* Cuts scratch memory; values come last, for not everyone needs them. */
static Packed
cut_scratch (const AttnScoreCall *call, float *scratch)
{
  Packed packed = {.kernels = attn_kernels_get (), .call = call};
  const size_t T = call->n_tokens, n_rows = packed.kernels->block_rows;
  packed.ld_terms = find_terms_stride (packed.kernels, call, &packed.first_column);
  packed.block = scratch;
  packed.met_by_queries = packed.block + n_rows * block_stride (T);
  packed.met_by_keys = packed.met_by_queries + n_rows * packed.ld_terms;
  packed.keys = packed.met_by_keys + T * packed.ld_terms;
  packed.values = packed.keys + round_up (T, ATTN_PANEL_MAX) * call->d_k;
  return packed;
}

/* Some rows of queries or keys, and the ends of the distances they need. */
typedef struct {
  const float *x; /* [n, d_k], row stride ldx */
  size_t ldx, n;
  ptrdiff_t least, largest;
} Meeting;

/* out [n, n_columns] = scale · x · the distances' rowsᵀ, where those are needed */
static void
meet_distances (const Packed *packed, const Meeting *meeting, const float *rows, float *out)
{
  const size_t width = packed->kernels->panel, d_k = packed->call->d_k;
  size_t first, n;
  find_columns (packed->kernels, packed->call, meeting->least, meeting->largest, &first, &n);
  for (size_t column = first; column < first + n; column += width)
    packed->kernels->multiply (&(AttnProduct){
        .a = meeting->x,
        .lda = meeting->ldx,
        .panel = rows + column * d_k,
        .c = out + column - packed->first_column,
        .ldc = packed->ld_terms,
        .n_rows = meeting->n,
        .n_in = d_k,
        .n_cols = width,
        .scale = packed->call->scale,
    });
}

/* For keys first … of all, as some queries need them; block by block, for each needs only part of
 * the distances. */
static void
meet_keys (const Packed *packed, size_t first_query, size_t n_queries)
{
  const AttnScoreCall *call = packed->call;
  const size_t T = call->n_tokens, step = packed->kernels->block_rows;
  const ptrdiff_t last_query = (ptrdiff_t)(first_query + n_queries) - 1;
  for (size_t key = 0; key < T; key += step) {
    const size_t n = MIN (step, T - key);
    const Meeting meeting = {call->k + key * call->ldk, call->ldk, n,
                             (ptrdiff_t)first_query - (ptrdiff_t)(key + n - 1),
                             last_query - (ptrdiff_t)key};
    meet_distances (packed, &meeting, call->terms.queries,
                    packed->met_by_keys + key * packed->ld_terms);
  }
}

/* @pool: (nullable): asked between the keys' panels. */
static void
pack_scores (Packed *packed, size_t first_query, size_t n_queries, const AttnPool *pool)
{
  const AttnScoreCall *call = packed->call;
  const size_t width = packed->kernels->panel;
  size_t unused;
  attn_ops_get_visible (call, first_query, &packed->first_key, &unused);
  attn_ops_get_visible (call, first_query + n_queries - 1, &unused, &packed->end_key);
  packed->first_panel = packed->first_key / width * width;
  for (size_t key = packed->first_panel; key < packed->end_key && !attn_pool_is_stopped (pool);
       key += width)
    pack_keys (packed->kernels, call, key, packed->keys + (key - packed->first_panel) * call->d_k);
  if (packed->ld_terms > 0 && call->terms.queries != NULL)
    meet_keys (packed, first_query, n_queries);
}

/* The keys that some of n queries see. */
static void
find_visible (const AttnScoreCall *call, size_t first_query, size_t n, size_t *first, size_t *end)
{
  size_t unused;
  attn_ops_get_visible (call, first_query, first, &unused);
  attn_ops_get_visible (call, first_query + n - 1, &unused, end);
}

/* Adds what depends on the distance alone to one query's scores. */
static void
add_bias (const AttnScoreCall *call, size_t query, float *scores)
{
  size_t first, end;
  attn_ops_get_visible (call, query, &first, &end);
  for (size_t key = first; key < end; key++)
    scores[key] += call->bias[call->n_tokens - 1 - query + key];
}

/* Adds what depends on the distance and either token to the scores of n queries, where some of them
 * see the key. */
static void
add_terms (const Packed *packed, size_t query, size_t n, float *scores, size_t ld)
{
  const AttnScoreCall *call = packed->call;
  const size_t T = call->n_tokens;
  size_t first, end;
  find_visible (call, query, n, &first, &end);
  if (call->terms.keys != NULL) {
    const Meeting meeting = {call->q + query * call->ldq, call->ldq, n,
                             (ptrdiff_t)query - (ptrdiff_t)(T - 1), (ptrdiff_t)(query + n - 1)};
    meet_distances (packed, &meeting, call->terms.keys, packed->met_by_queries);
  }
  packed->kernels->add_distances (&(AttnDistanceTile){
      .scores = scores + first,
      .ld = ld,
      .by_queries = call->terms.keys != NULL ? packed->met_by_queries : NULL,
      .by_keys =
          call->terms.queries != NULL ? packed->met_by_keys + first * packed->ld_terms : NULL,
      .ld_terms = packed->ld_terms,
      .columns = call->terms.rows + T - 1 + query - first,
      .first_column = (int32_t)packed->first_column,
      .n_queries = n,
      .n_keys = end - first,
  });
}

/* scores [n, T], row stride ld, of n queries, at most block_rows; only visible keys' are written
 * for certain. */
static void
score_rows (const Packed *packed, size_t first_query, size_t n, float *scores, size_t ld)
{
  const AttnKernels *kernels = packed->kernels;
  const AttnScoreCall *call = packed->call;
  const size_t width = kernels->panel;
  const float *q = call->q + first_query * call->ldq;
  size_t first, end;
  find_visible (call, first_query, n, &first, &end);
  for (size_t key = first / width * width; key < end; key += width)
    kernels->multiply (&(AttnProduct){
        .a = q,
        .lda = call->ldq,
        .panel = packed->keys + (key - packed->first_panel) * call->d_k,
        .c = scores + key,
        .ldc = ld,
        .n_rows = n,
        .n_in = call->d_k,
        .n_cols = MIN (width, call->n_tokens - key),
        .scale = call->scale,
    });
  for (size_t row = 0; call->bias != NULL && row < n; row++)
    add_bias (call, first_query + row, scores + row * ld);
  if (packed->ld_terms > 0)
    add_terms (packed, first_query, n, scores, ld);
}

static void
fill (float *x, size_t n, float value)
{
  for (size_t i = 0; i < n; i++)
    x[i] = value;
}

/* Softmax over what the query sees of columns first … end of its row, 0 elsewhere in it. */
static void
weigh_row (const Packed *packed, size_t query, float *row, size_t first, size_t end)
{
  size_t first_visible, end_visible;
  attn_ops_get_visible (packed->call, query, &first_visible, &end_visible);
  fill (row + first, first_visible - first, 0);
  packed->kernels->softmax_row (row + first_visible, end_visible - first_visible);
  fill (row + end_visible, end - end_visible, 0);
}

/* All scores of a head, in the blocks of attn_ops_attend(), with or without what follows. */
static void
score_head (const AttnScoreCall *call, bool weigh, float *out)
{
  const size_t T = call->n_tokens;
  float *scratch = g_aligned_alloc (attn_ops_attend_scratch_size (call), sizeof (float), 64);
  Packed packed = cut_scratch (call, scratch);
  const size_t step = packed.kernels->block_rows;
  pack_scores (&packed, 0, T, NULL);
  for (size_t query = 0; query < T; query++) {
    float *row = out + query * T;
    size_t first, end;
    if (query % step == 0)
      score_rows (&packed, query, MIN (step, T - query), row, T);
    attn_ops_get_visible (call, query, &first, &end);
    if (weigh) {
      weigh_row (&packed, query, row, 0, T);
    } else {
      fill (row, first, -INFINITY);
      fill (row + end, T - end, -INFINITY);
    }
  }
  g_aligned_free (scratch);
}

void
attn_ops_scores (const AttnScoreCall *call, float *scores)
{
  score_head (call, false, scores);
}

void
attn_ops_map (const AttnScoreCall *call, float *map)
{
  score_head (call, true, map);
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

/* out = weights · values for n queries, whose weights begin at the block's row @row. A hidden key's
 * weight is 0 and adds nothing to a sum, so only the range that some of them see is multiplied. */
static void
mix_rows (const AttnAttendCall *call, const Packed *packed, size_t row, size_t query, size_t n)
{
  const AttnKernels *kernels = packed->kernels;
  const size_t d_k = call->score.d_k, ld = block_stride (call->score.n_tokens);
  const size_t n_keys = packed->end_key - packed->first_key;
  size_t first, end;
  find_visible (&call->score, query, n, &first, &end);
  for (size_t column = 0; column < d_k; column += kernels->panel)
    kernels->multiply (&(AttnProduct){
        .a = packed->block + row * ld + first,
        .lda = ld,
        .panel = packed->values + column * n_keys + (first - packed->first_key) * kernels->panel,
        .c = call->out + query * call->ldo + column,
        .ldc = call->ldo,
        .n_rows = n,
        .n_in = end - first,
        .n_cols = MIN (kernels->panel, d_k - column),
        .scale = 1,
    });
}

static void
attend_rows (const AttnAttendCall *call, const Packed *packed, size_t first_query, size_t n)
{
  const size_t ld = block_stride (call->score.n_tokens);
  size_t first, end;
  find_visible (&call->score, first_query, n, &first, &end);
  score_rows (packed, first_query, n, packed->block, ld);
  for (size_t row = 0; row < n; row++)
    weigh_row (packed, first_query + row, packed->block + row * ld, first, end);
  const size_t step = packed->apart ? 1 : n;
  for (size_t row = 0; row < n; row += step)
    mix_rows (call, packed, row, first_query + row, step);
}

/* Whether a value is infinite or NaN: its exponent has all bits set. */
static bool
has_odd_values (const float *x, size_t n)
{
  int32_t largest = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t bits;
    memcpy (&bits, &x[i], sizeof bits);
    bits &= INT32_MAX;
    largest = bits > largest ? bits : largest;
  }
  return largest >= 0x7f800000;
}

void
attn_ops_attend (const AttnAttendCall *call, float *scratch)
{
  Packed packed = cut_scratch (&call->score, scratch);
  const size_t width = packed.kernels->panel, d_k = call->score.d_k;
  pack_scores (&packed, call->first_query, call->n_queries, call->pool);
  const size_t n_keys = packed.end_key - packed.first_key;
  for (size_t column = 0; column < d_k && !attn_pool_is_stopped (call->pool); column += width)
    pack_values (packed.kernels, call->v + packed.first_key * call->ldv + column, call->ldv, n_keys,
                 MIN (width, d_k - column), packed.values + column * n_keys);
  if (attn_pool_is_stopped (call->pool))
    return; /* what is packed may be half of it */
  packed.apart = (call->score.causal || call->score.hidden_from > 0) &&
                 has_odd_values (packed.values, round_up (d_k, width) * n_keys);
  const size_t end = call->first_query + call->n_queries, step = packed.kernels->block_rows;
  for (size_t first = call->first_query; first < end && !attn_pool_is_stopped (call->pool);
       first += step)
    attend_rows (call, &packed, first, MIN (step, end - first));
}
