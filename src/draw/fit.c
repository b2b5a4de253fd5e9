/* SPDX-License-Identifier: MIT */
/* Finding the largest cells that let a picture fit, and placing its parts one under the other. */
#include "layout-private.h"

#include <math.h>

/* Whole cells are at most a ninth smaller than the room for them: within this share of the least
 * useful size there is always a size to fall back on. */
#define FALLBACK_SHARE 1.2
#define NEAR_SHARE 0.4 /* of the room at the maps' left that has to stay */

static bool
is_same (const AttnDrawCells *a, const AttnDrawCells *b)
{
  return a->width == b->width && a->height == b->height;
}

static double
get_size (AttnDrawCells cells)
{
  return MAX (cells.width, cells.height);
}

/* From the largest down, since what labels and notes need neither falls nor rises evenly with the
 * size of cells, so that halving could miss the largest that fit. */
bool
attn_draw_build_search (AttnDrawBuild *build, const AttnDrawSearch *search, AttnDrawCells *cells)
{
  double largest = get_size (attn_draw_build_fit_cells (build, HUGE_VAL, search->max_cell));
  double least = MIN (search->least, largest);
  AttnDrawCells chosen = {0}, tried = {0};
  bool fits = false;

  for (double room = MAX (floor (search->room), 1); room >= 1 && !fits; room--) {
    AttnDrawCells next = attn_draw_build_fit_cells (build, room, search->max_cell);
    double size = get_size (next);
    double least_height = search->apart + (double)search->n_rows * next.height;
    if (is_same (&next, &tried))
      continue;
    if (size < least && chosen.width > 0)
      break;
    tried = next;
    if (size > FALLBACK_SHARE * least && least_height > search->max_height)
      continue; /* without planning it */
    AttnDrawSize picture = search->arrange (build, &next, search->data);
    if (picture.width > build->width)
      continue;
    chosen = next;
    fits = size >= least && picture.height <= search->max_height;
  }
  *cells = chosen.width > 0 ? chosen : tried;
  search->arrange (build, cells, search->data);
  return fits;
}

AttnDrawSize
attn_draw_parts_measure (const AttnDrawBuild *build, const AttnDrawParts *parts)
{
  return (AttnDrawSize){
      .width = 2 * build->margin + parts->width,
      .height =
          ceil (2 * build->margin + parts->heading.height + parts->height + parts->notes.height),
  };
}

void
attn_draw_parts_add (AttnDrawBuild *build, const AttnDrawParts *parts, double *left, double *top)
{
  AttnDrawLayout *layout = build->layout;
  double maps_width = parts->width + MAX (parts->overhang, 0);
  double lines_width = MAX (parts->heading.width, parts->notes.width);
  double bottom = build->margin + parts->heading.height + parts->height;

  if (isfinite (build->max_height))
    build->width = MIN (build->width, 2 * build->margin + ceil (MAX (maps_width, lines_width)));
  layout->width = build->width;
  layout->height = MAX (attn_draw_parts_measure (build, parts).height, 1);

  double inside = build->width - 2 * build->margin;
  double spare = MAX (floor ((inside - maps_width) / 2), 0);
  /* all lines begin where the maps do, which stand a little out of the middle for that; where it
   * would be far, lines begin at the margin */
  double common = floor (MIN (spare, inside - lines_width));
  bool is_near = common >= NEAR_SHARE * spare;
  double text_left = build->margin + (is_near ? common : 0);
  *left = build->margin + (is_near ? common : spare);
  *top = build->margin + parts->heading.height;
  attn_draw_lines_add (build, &parts->heading, text_left, build->margin, *left + parts->width);
  attn_draw_lines_add (build, &parts->notes, text_left, bottom, *left + parts->width);
}
