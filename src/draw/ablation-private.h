/* SPDX-License-Identifier: MIT */
/* What the parts of the figure on heads that are off share. */
#pragma once

#include "attn-draw/ablation.h"

#include <glib.h>

#define ATTN_DRAW_ABLATION_SMALL 0.85 /* of the font's size: numbers and labels beside cells */
#define N_(english) (english)

/* A figure in the making. */
typedef struct {
  AttnDrawFigureBuilder *builder;
  const AttnDrawAblation *asked;
  size_t n_layers, n_heads;
  double em;
} AttnDrawAblationMaking;

typedef AttnDrawAblationMaking Making;

struct _AttnDrawAblationWeights {
  AttnTrace *clean, *off; /* referenced: of these two runs … */
  size_t layer, head;     /* … and this head of both */
  size_t T;
  float *values[3]; /* [T, T] before, after, before − after; in one block that is owned */
  double most;      /* of weights … */
  double change;    /* … and of differences */
};

/* Returns: the sentence in the figure's language. */
const char *attn_draw_ablation_say (const AttnDrawAblation *asked, const char *english);

/* Returns: (transfer full): the sentence with its arguments. */
char *attn_draw_ablation_fill (const AttnDrawAblation *asked,
                               const char *english,
                               const char *const *arguments,
                               size_t n);

/* Returns: whether the head is off. */
bool attn_draw_ablation_is_off (const AttnDrawAblation *asked, size_t layer, size_t head);

/* Blocks; each returns its height. */
double attn_draw_ablation_add_grid (Making *making, double x, double y, double width);
double attn_draw_ablation_add_guesses (Making *making, double x, double y, double width);
double attn_draw_ablation_add_ranking (Making *making, double x, double y, double width);
double attn_draw_ablation_add_importance (Making *making, double x, double y, double width);
double attn_draw_ablation_add_maps (Making *making, double x, double y, double width);

/* A grid of switches: what its cells show. */
typedef struct {
  const double *values; /* nullable: [n_layers, n_heads] */
  double zero;          /* subtracted from each */
  bool is_signed;       /* colours are around 0; else from 0 up */
  bool has_switches;    /* off heads are marked, names are picked */
  unsigned id;
} AttnDrawAblationGrid;

/* Returns: the height. */
double attn_draw_ablation_add_cells (
    Making *making, const AttnDrawAblationGrid *grid, double x, double y, double width);
