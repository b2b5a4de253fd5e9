/* SPDX-License-Identifier: MIT */
/* The fields of panels, for the files that make them. */
#pragma once

#include "blocks.h"
#include "joint.h"

#include "attn-draw/panels.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

#define ATTN_DRAW_DIFFERENCE 2 /* panel of A − B in a comparison */

/* The visible keys of one layer, by row of blocks. */
typedef struct {
  size_t *first, *end; /* [n_rows] */
} AttnDrawVisible;

struct _AttnDrawPanels {
  gatomicrefcount n_references;
  AttnMaps *source, *maps;                           /* before and after they were arranged */
  size_t first_layer, n_layers, first_head, n_heads; /* that have panels */
  size_t n;                                          /* n_layers × n_heads, or of a comparison */
  AttnDrawBlocks sizes;                              /* of every panel */
  AttnDrawBlocks *blocks;                            /* [n] */
  AttnMap **exact;                                   /* [n]; NULL where blocks are kept */
  float **pooled;                                    /* [n]; the blocks */
  float *max;                                        /* [n] end of the range */
  size_t n_visible;
  AttnDrawVisible *visible; /* [n_visible]: one for each layer, or for each map of a comparison */
  bool has_hidden, is_clipped;
  unsigned odd;   /* AttnDrawOdd of all maps but a difference's, where a sign is nothing odd */
  bool has_ranks; /* of the maps themselves, also where blocks are kept */
  /* found when first asked for, and set atomically */
  gpointer *ranks;      /* [n] thresholds of the rank scale, or NULL */
  gint has_zero;        /* HasZero */
  AttnDrawJoint *joint; /* NULL unless this is a comparison */
};
