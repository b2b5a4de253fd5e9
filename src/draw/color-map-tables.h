/* SPDX-License-Identifier: MIT */
/* The generated colour tables. */
#pragma once

#include "attn-draw/color-map.h"

/* [map][256] 0xffRRGGBB */
extern const uint32_t attn_draw_color_map_tables[ATTN_DRAW_N_COLOR_MAPS][256];

/* [table][256] 0xffRRGGBB: 128 is the middle; 0 is as 1, so that both arms are equally long */
extern const uint32_t attn_draw_diverging_tables[ATTN_DRAW_N_DIVERGING][256];
