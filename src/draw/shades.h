/* SPDX-License-Identifier: MIT */
/* Colours behind letters: from the ground to as much of a colour map's colour as letters can stand
 * on.
 */
#pragma once

#include "palette.h"

#include "attn-draw/color-map.h"

#include <stdint.h>

/* Of letters to the shade behind them, at least: a little over what WCAG's AA wants, as shades are
 * rounded to whole numbers. */
#define ATTN_DRAW_SHADE_CONTRAST 4.6

/**
 * attn_draw_shades_find:
 * @ramp: [256] 0xffRRGGBB, written: from the ground evenly to the colour of @map that differs most
 *        from the ground among those on which the palette's text can be read
 *
 * Source: contrast as in WCAG 2.1, 1.4.3.
 * Test: tests/draw/test-prose.c
 */
void attn_draw_shades_find (const AttnDrawInk *ink, AttnDrawColorMap map, uint32_t *ramp);

/* The same for weights that may be below 0, from @lut of attn_draw_diverging_peek_lut(); indexes as
 * attn_draw_diverging_index() gives them. */
void attn_draw_shades_find_signed (const AttnDrawInk *ink, const uint32_t *lut, uint32_t *ramp);

/* Evenly from @below through @ground to @above, likewise. */
void attn_draw_shades_diverge (AttnDrawColor ground,
                               AttnDrawColor below,
                               AttnDrawColor above,
                               uint32_t *ramp);
