/* SPDX-License-Identifier: MIT */
/* y = x Wᵀ + b on weights stored once, as column panels; the one place that knows the layout.
 *
 * Letters: M rows (tokens), K inputs, N outputs. */
#pragma once

#include "attn/config.h"
#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  float *panels; /* packed W, attn_linear_packed_size() floats, 64-byte aligned; not owned */
  float *bias;   /* [n_out], or NULL for none; not owned */
  size_t n_in, n_out;
} AttnLinear;

typedef enum {
  ATTN_AFTER_NOTHING,
  ATTN_AFTER_ACTIVATION, /* y = act (x Wᵀ + b) */
  ATTN_AFTER_ADD,        /* y = add + x Wᵀ + b: the residual */
} AttnAfter;

typedef struct {
  const float *x; /* [n_rows, n_in], row stride ldx */
  size_t ldx;
  float *y; /* [n_rows, n_out], row stride ldy; must not overlap x */
  size_t ldy;
  size_t n_rows; /* ≥ 1 */
  AttnAfter after;
  AttnActivation activation; /* for ATTN_AFTER_ACTIVATION */
  const float *add; /* for ATTN_AFTER_ADD: [n_rows, n_out], row stride ldy; may be y; NULL is y */
} AttnLinearCall;

/* Returns: a row stride ≥ width for scratch memory that a linear layer reads: with an odd number of
 * cache lines neighbouring rows do not compete for the same places in the cache. */
size_t attn_linear_get_stride (size_t width);

/* Rows of W from a multiple of this on, and as many, are whole panels for every kind of CPU. */
#define ATTN_LINEAR_PACK_ROWS 64

/* Returns: floats that the panels of an n_out × n_in matrix take, padding included. */
size_t attn_linear_packed_size (size_t n_in, size_t n_out);

/**
 * attn_linear_pack_rows:
 * @rows:      [n, n_in] f32 row-major: rows first_out … of W as stored, [out, in]
 * @first_out: any; rows may come in pieces and in any order
 *
 * Writes rows of W into their place in the panels. Padding must have been zeroed before. Whole
 * panels (ATTN_LINEAR_PACK_ROWS) go much faster than single rows.
 */
void attn_linear_pack_rows (AttnLinear *linear, const float *rows, size_t first_out, size_t n);

/* The same for rows of the transpose, [in, out]: inputs first_in … , all outputs of each. */
void attn_linear_pack_columns (AttnLinear *linear, const float *rows, size_t first_in, size_t n);

/* Copies row @out of W, [n_in], out of the panels. */
void attn_linear_read_row (const AttnLinear *linear, size_t out, float *row);

/**
 * attn_linear_run:
 * @pool: (nullable)
 *
 * The bits are the same on any number of threads. With our own kernels each element is one sum over
 * K in order: a row has the same bits alone and in a batch; where OpenBLAS multiplies it may not.
 * Across kinds of CPU (attn_kernel_peek_name()) bits may differ.
 *
 * Test: tests/core/test-linear.c, plain loops in double.
 */
void attn_linear_run (const AttnLinear *linear, const AttnLinearCall *call, AttnPool *pool);

/* The way back through a linear layer: d_x = d_y W, without the bias. */
typedef struct {
  const float *d_y; /* [n_rows, n_out]: dL/dy */
  float *d_x;       /* [n_rows, n_in]: dL/dx; must not overlap d_y */
  size_t n_rows;    /* ≥ 1 */
  bool add;         /* to what d_x holds; else d_x is written */
  float *scratch;   /* [attn_linear_back_scratch_size()] 64-byte aligned, overwritten */
} AttnLinearBack;

/* Returns: f32 of scratch memory that the ways back need on @pool. */
size_t attn_linear_back_scratch_size (const AttnPool *pool);

/**
 * attn_linear_run_back:
 * @pool: (nullable)
 *
 * The bits are the same on any number of threads.
 *
 * Test: tests/core/test-linear.c, plain loops in double.
 */
void attn_linear_run_back (const AttnLinear *linear, const AttnLinearBack *call, AttnPool *pool);

/* The same where W stands in plain rows, [n_out, n_in], as a decoder does. */
void attn_linear_run_back_rows (
    const float *rows, size_t n_in, size_t n_out, const AttnLinearBack *call, AttnPool *pool);
