/* SPDX-License-Identifier: MIT */
/* Lines as paths, for paper. */
#pragma once

#include "attn-draw/layout.h"

#include <cairo.h>

/* Strokes the picture's lines in order, one path for all of a head and an opacity: where two of
 * these cross, the place is not more opaque. */
void attn_draw_paint_lines (const AttnDrawLayout *layout, cairo_t *cr);
