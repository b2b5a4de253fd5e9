/* SPDX-License-Identifier: MIT */
/* One colour a head, told apart by people with any colour vision, on light ground and on dark. */
#pragma once

#include "attn-draw/view.h"

#include <stddef.h>
#include <stdint.h>

#define ATTN_DRAW_N_HEAD_COLORS 24

/**
 * attn_draw_head_color:
 * @head: from 0; colours repeat from the 25th on
 *
 * Every colour has a contrast of at least 3 to the palette's ground and is none of the accent's
 * oranges. The first ones differ most.
 *
 * Returns: 0xffRRGGBB.
 * Test: tests/draw/test-head-colors.c
 */
uint32_t attn_draw_head_color (AttnDrawPalette palette, size_t head);
