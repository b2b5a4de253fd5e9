/* SPDX-License-Identifier: MIT */
/* The legend of heads: a colour and a number each. */
#pragma once

#include "layout-private.h"

typedef struct {
  size_t n_columns;
  double title_width;             /* px of the word before the first, with its gap */
  double entry_width, row_height; /* px */
  double width, height;           /* px of all, without a gap below */
} AttnDrawLegend;

/* Plans it for at most @width px. */
AttnDrawLegend attn_draw_legend_plan (AttnDrawBuild *build, double width);

/* Adds it with its top left at (x, y). */
void attn_draw_legend_add (AttnDrawBuild *build, const AttnDrawLegend *legend, double x, double y);
