/* SPDX-License-Identifier: MIT */
/* One aligned allocation of f32, cut into arrays. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Cuts arrays off a block in order. With a NULL base it only counts, so the same function first
 * measures a layout and then makes it. */
typedef struct {
  float *base;   /* NULL while counting; not owned */
  size_t used;   /* f32 cut off so far, padding included */
  bool overflow; /* the size does not fit a size_t */
} AttnCutter;

/* Returns: the next @n f32, 64-byte aligned; NULL while counting. */
float *attn_cutter_take (AttnCutter *cutter, size_t n);

/* The same for an array of @n_rows × @n_columns. */
float *attn_cutter_take_matrix (AttnCutter *cutter, size_t n_rows, size_t n_columns);

typedef struct {
  float *data;    /* 64-byte aligned, on a 2 MB border when that large; owned by `memory` */
  void *memory;   /* as allocated */
  size_t n_bytes; /* of data */
} AttnBlock;

/**
 * attn_block_init:
 * @layout: what a counting cutter saw; its `used` is the size
 * @what:   "weights", for the message
 * @zero:   whether the content must start as zeros
 *
 * Large blocks ask the system for huge pages: fewer faults, faster streaming.
 *
 * Returns: false with @error: TOO_LARGE, naming the bytes; @block is then as it was.
 */
bool attn_block_init (
    AttnBlock *block, const AttnCutter *layout, const char *what, bool zero, GError **error);

void attn_block_clear (AttnBlock *block);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnBlock, attn_block_clear)
