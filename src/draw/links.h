/* SPDX-License-Identifier: MIT */
/* The view of lines: which weights have a line, and where each runs. */
#pragma once

#include "attn-draw/layout.h"
#include "attn-draw/paint.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One weight's line. */
typedef struct {
  uint32_t query, key;
  uint16_t slot; /* index among the heads that are drawn */
  uint8_t code;  /* its opacity in 255 steps; never 0 */
  bool is_below; /* of a weight below 0 */
} AttnDrawLink;

/* Lines in the order they are painted: the faintest first. */
typedef struct {
  GArray *links;  /* AttnDrawLink */
  unsigned least; /* code of the faintest that are drawn; 256: too many of one opacity for any */
  bool is_cut;    /* weights above 0, or of signed ones other than 0, have no line */
} AttnDrawLinkSet;

/* Fainter lines cannot be told from the ground: 2 % of the opacity. */
#define ATTN_DRAW_LEAST_CODE 5
/* More would be a felt nobody can read, and slow: the faintest go first. */
#define ATTN_DRAW_MAX_LINKS 20000

/* Where lines run: from the left side of a rectangle to its right, row by row. */
typedef struct {
  AttnDrawRect rect;
  double labels_left,
      labels_right;  /* px; the labels' outer ends, the rect's sides without labels */
  double pitch;      /* px from one token to the next */
  double spread;     /* px within which the heads' lines of one token begin */
  double line_width; /* px */
  size_t n_slots;
  struct _AttnDrawSlot *slots; /* [n_slots] how each head's weights become opacities */
  size_t *panels;              /* [n_slots] the heads that are drawn */
  uint32_t *colors;            /* [n_slots] 0xffRRGGBB */
  bool is_signed;              /* lines have the colours of their weights' signs instead … */
  uint32_t below, above;       /* … 0xffRRGGBB */
  AttnDrawLinkSet shown;
} AttnDrawLinks;

/* @layout: its view and panels are read */
AttnDrawLinks *attn_draw_links_new (const AttnDrawLayout *layout);
void attn_draw_links_free (AttnDrawLinks *links);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawLinks, attn_draw_links_free)

/* Returns: what the view has pinned, as the lines that are left then. */
AttnDrawFocus attn_draw_links_find_pinned (const AttnDrawView *view, const AttnMaps *maps);

/**
 * attn_draw_links_choose:
 * @links: of @layout
 * @focus: which lines are wanted
 * @set:   written; its array is owned by the caller
 */
void attn_draw_links_choose (const AttnDrawLinks *links,
                             const AttnDrawLayout *layout,
                             const AttnDrawFocus *focus,
                             AttnDrawLinkSet *set);

/* Returns: the colour of a line, 0xffRRGGBB. */
static inline uint32_t
attn_draw_links_get_color (const AttnDrawLinks *links, const AttnDrawLink *link)
{
  if (!links->is_signed)
    return links->colors[link->slot];
  return link->is_below ? links->below : links->above;
}

/* Returns: 0 … 1: the opacity that a weight has by itself, whether or not its line is drawn. */
double attn_draw_links_get_strength (
    const AttnDrawLayout *layout, size_t slot, size_t query, size_t key, bool *is_below);

/* Returns: px of a line's end at the left or right side. */
double attn_draw_links_get_end (const AttnDrawLinks *links, size_t index, size_t slot);
