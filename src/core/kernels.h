/* SPDX-License-Identifier: MIT */
/* The loops that take the time, once for each kind of CPU, behind one table of functions.
 *
 * In our own sets each element of a product is one sum over k, taken in order, so a row's bits
 * depend on nothing but the row and the matrix. Where none of the fast ones fits the CPU or the
 * compiler, OpenBLAS multiplies. Sets differ in the last bits. */
#pragma once

#include "linear.h"
#include "ops.h"

#include "attn/config.h"

#include <stdbool.h>
#include <stddef.h>

/* No panel is wider; packed sizes are multiples of it, the same on every CPU. */
#define ATTN_PANEL_MAX ATTN_LINEAR_PACK_ROWS

/* c = after (scale · a b + bias), one panel of b wide. */
typedef struct {
  const float *a; /* [n_rows, n_in], row stride lda */
  size_t lda;
  const float *panel; /* [n_in, the set's panel width]; columns past n_cols are not used */
  const float *next;  /* (nullable): memory to fetch meanwhile, as large as the panel */
  float *c;           /* [n_rows, n_cols], row stride ldc */
  const float *add;   /* for ATTN_AFTER_ADD: [n_rows, n_cols], row stride ldc; may be c */
  size_t ldc;
  size_t n_rows, n_in, n_cols; /* n_cols ≤ panel width */
  const float *bias;           /* (nullable): [n_cols] */
  float scale;
  AttnAfter after;
  AttnActivation activation;
} AttnProduct;

typedef struct {
  const float *x;
  float *out;               /* may be x */
  const float *gain, *bias; /* [width]; bias may be NULL */
  size_t width;
  double eps;
} AttnNormRow;

/* The terms of distances for some queries and keys of a head:
 * scores[q][k] += by_queries[q][c] + by_keys[k][c] where c = columns[q - k] - first_column. */
typedef struct {
  float *scores; /* [n_queries, n_keys], row stride ld */
  size_t ld;
  const float *by_queries; /* (nullable): [n_queries, columns], row stride ld_terms */
  const float *by_keys;    /* (nullable): [n_keys, columns], likewise */
  size_t ld_terms; /* ATTN_DISTANCE_MARGIN floats after the last column of a row may be read */
  /* never falling; from ATTN_DISTANCE_MARGIN before the least q - k to as many after the largest */
  const int32_t *columns;
  int32_t first_column;
  size_t n_queries, n_keys;
} AttnDistanceTile;

typedef struct {
  const char *name;               /* for attn_kernel_choose() */
  const char *(*describe) (void); /* static: attn_kernel_peek_name() */
  bool (*is_there) (void);        /* (nullable): whether what it calls is installed */
  size_t panel;                   /* columns of a panel: 8, 16, 32 or 64 */
  size_t tile_rows;               /* rows that one pass over a panel serves */
  size_t block_rows; /* queries of a head whose scores are in the cache at once; divides
                        ATTN_QUERIES_PER_PIECE where bits depend on the number of rows */
  bool same_bits;    /* whether a row has the same bits whatever rows stand beside it */
  bool from_library; /* whether products are OpenBLAS's, with memory that its callers share */

  void (*multiply) (const AttnProduct *product);
  /* panel [n_in, panel width] = transpose of rows [n_rows, n_in]; missing rows give zeros. */
  void (*transpose) (float *panel, const float *rows, size_t ld, size_t n_rows, size_t n_in);
  void (*activate) (AttnActivation activation, float *x, size_t n);
  void (*softmax_row) (float *x, size_t n);
  void (*norm_row) (const AttnNormRow *row);
  void (*add_distances) (const AttnDistanceTile *tile);
} AttnKernels;

/* Returns: the set of this process: attn_kernel_choose()'s, or else the best for this CPU. */
const AttnKernels *attn_kernels_get (void);

/* Returns: the set number @index of those this CPU can run, best first, or NULL: for tests, which
 * try them all. */
const AttnKernels *attn_kernels_peek (size_t index);

/**
 * attn_kernels_check:
 *
 * Multiplies small whole numbers, whose sums are exact in any order, and compares with the products
 * by their definition; a library's by two threads at once. Takes some 100 µs. Libraries are known
 * to have multiplied wrongly on CPUs newer than they were, and when built without locks.
 *
 * Returns: whether all products are right.
 * Test: tests/core/test-kernels.c
 */
bool attn_kernels_check (const AttnKernels *kernels);

/**
 * attn_kernels_pick:
 * @sets:    [n_sets ≥ 1] best first
 * @warning: (out): a sentence about those that failed the check, static; NULL for none
 *
 * Returns: the first set that is there and passes attn_kernels_check(), or else the last.
 */
const AttnKernels *
attn_kernels_pick (const AttnKernels *const *sets, size_t n_sets, const char **warning);

/* linear.h's calls with a given set; panels are only for the set that packed them. */
void attn_linear_pack_rows_with (
    const AttnKernels *kernels, AttnLinear *linear, const float *rows, size_t first_out, size_t n);
void attn_linear_run_with (const AttnKernels *kernels,
                           const AttnLinear *linear,
                           const AttnLinearCall *call,
                           AttnPool *pool);
void attn_linear_run_back_with (const AttnKernels *kernels,
                                const AttnLinear *linear,
                                const AttnLinearBack *call,
                                AttnPool *pool);

/* clang does not know GCC's way to compile one file's functions for another CPU. */
#if defined(__x86_64__) && !defined(__clang__)
#define ATTN_KERNELS_X86 1
extern const AttnKernels attn_kernels_avx512;
extern const AttnKernels attn_kernels_avx2;
#endif
extern const AttnKernels attn_kernels_openblas;
extern const AttnKernels attn_kernels_plain;

/* Returns: (transfer full): OpenBLAS's version and the core it runs its kernels for. */
char *attn_openblas_dup_version (void);
