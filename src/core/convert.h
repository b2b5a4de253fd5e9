/* SPDX-License-Identifier: MIT */
/* Stored number formats to f32. */
#pragma once

#include "attn/source.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * attn_convert_to_f32:
 * @dtype: F32, F16, BF16 or F64
 * @in:    [n] little-endian numbers of @dtype, without any alignment
 * @out:   [n] f32, written; must not overlap @in
 *
 * F16 and BF16 are exact, subnormal numbers, infinities and NaN included (signalling NaN of F16
 * become quiet); F64 is rounded to the nearest f32, too large numbers to infinity.
 */
void attn_convert_to_f32 (AttnDtype dtype, const void *in, float *out, size_t n);

/* Numbers that stored formats have infinite, and those that only f32 has so. */
typedef struct {
  size_t n_too_large; /* finite, and infinite as f32 */
  double largest;     /* of their magnitudes; 0 where there are none */
  bool has_infinite;  /* one is infinite as it is stored */
} AttnInfinities;

/**
 * attn_convert_note_infinities:
 * @dtype: of @in
 * @in:    [n] numbers, as attn_convert_to_f32() took them
 * @out:   [n] f32, as it made them; read
 * @noted: what was seen of earlier numbers; added to
 *
 * Tells apart what a file has as infinite from what F64 alone can hold.
 *
 * Test: tests/core/test-convert.c
 */
void attn_convert_note_infinities (
    AttnDtype dtype, const void *in, const float *out, size_t n, AttnInfinities *noted);

/* @more is added to @noted. */
void attn_convert_join_infinities (AttnInfinities *noted, const AttnInfinities *more);

/* The F16 part without special instructions, so that a test can compare the two. */
void attn_convert_f16_portable (const void *in, float *out, size_t n);

/* Bytes of one number; 0 for ATTN_DTYPE_OTHER. */
size_t attn_convert_get_width (AttnDtype dtype);
