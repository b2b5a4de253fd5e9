/* SPDX-License-Identifier: MIT */
/* From a token, a cell or a line to where it is drawn. */
#include "layout-private.h"
#include "panels-private.h"

/* Where row or column @index stands on a side of @length px from @origin; one that is not drawn has
 * no length and stands at the end it is nearer to. */
static void
place_on_side (AttnDrawSpan drawn, size_t index, double *origin, double *length)
{
  size_t n = MAX (attn_draw_span_get_n (&drawn), 1);
  size_t from = CLAMP (index, drawn.first, drawn.end) - drawn.first;
  size_t to = CLAMP (index + 1, drawn.first, drawn.end) - drawn.first;
  double begin = attn_draw_edge (*origin, *length, n, from);

  *length = attn_draw_edge (*origin, *length, n, to) - begin;
  *origin = begin;
}

AttnDrawRect
attn_draw_layout_place (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  const AttnDrawBlocks *map = attn_draw_panels_peek_blocks (layout->panels, panel);

  if (layout->links != NULL)
    return attn_draw_links_place (layout, panel, query, key);
  if (layout->prose != NULL)
    return attn_draw_prose_place (layout, query, key);
  if (query < map->n_queries)
    place_on_side (attn_draw_layout_get_rows (layout, panel), query, &rect.y, &rect.height);
  if (key < map->n_keys)
    place_on_side (attn_draw_layout_get_columns (layout, panel), key, &rect.x, &rect.width);
  return rect;
}
