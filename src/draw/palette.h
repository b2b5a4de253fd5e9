/* SPDX-License-Identifier: MIT */
/* The colours around the cells, one set for each palette. */
#pragma once

#include "attn-draw/layout.h"

#include <stdint.h>

typedef struct {
  AttnDrawColor background, text, dim, rule;
  AttnDrawColor accent;         /* of marks: what the person picked */
  AttnDrawColor accent_text;    /* the same for text, which needs more contrast */
  uint32_t hidden, hidden_line; /* 0xffRRGGBB; keys that cannot be seen */
  uint32_t not_a_number, not_a_number_line;
  uint32_t zero, zero_dot; /* weights of 0 that have no place on the scale */
} AttnDrawInk;

/* To and from 0xffRRGGBB. */
uint32_t attn_draw_color_to_pixel (AttnDrawColor color);
AttnDrawColor attn_draw_color_from_pixel (uint32_t pixel);

/* Returns: @from with @share, 0 … 1, of its way to @to. */
AttnDrawColor attn_draw_color_mix (AttnDrawColor from, AttnDrawColor to, double share);

/* Returns: (transfer none): the palette's colours. */
const AttnDrawInk *attn_draw_palette_peek_ink (AttnDrawPalette palette);
