/* SPDX-License-Identifier: MIT */
/* From a point to what is drawn there. */
#include "layout-private.h"
#include "panels-private.h"

#include <math.h>

#define SWATCH_SLACK 0.35 /* of its height */

static bool
contains (const AttnDrawRect *rect, double x, double y)
{
  return x >= rect->x && x < rect->x + rect->width && y >= rect->y && y < rect->y + rect->height;
}

/* The cell of those @drawn on a side of @length px from @origin that holds @at. A quotient alone
 * may be off by its last bit beside an edge; the edges themselves, as they are placed, decide. */
static size_t
find_cell (double at, double origin, double length, const AttnDrawSpan *drawn)
{
  size_t n = attn_draw_span_get_n (drawn);
  double share = floor ((at - origin) * (double)n / length);
  size_t index = (size_t)CLAMP (share, 0, (double)(n - 1));

  while (index > 0 && at < attn_draw_edge (origin, length, n, index))
    index--;
  while (index + 1 < n && at >= attn_draw_edge (origin, length, n, index + 1))
    index++;
  return drawn->first + index;
}

static bool
pick_cell (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit)
{
  if (layout->links != NULL)
    return attn_draw_links_pick (layout, x, y, hit);
  if (layout->prose != NULL)
    return attn_draw_prose_pick (layout, x, y, hit);
  for (size_t panel = 0; panel < attn_draw_panels_get_n (layout->panels); panel++) {
    const AttnDrawRect *rect = &layout->places[panel].rect;
    const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
    if (!contains (rect, x, y))
      continue;
    hit->role = ATTN_DRAW_ROLE_MAP;
    hit->panel = panel;
    if (attn_draw_blocks_is_pooled (blocks))
      return true; /* no weight of any one cell to point at */
    AttnDrawSpan rows = attn_draw_layout_get_rows (layout, panel);
    AttnDrawSpan columns = attn_draw_layout_get_columns (layout, panel);
    hit->query = find_cell (y, rect->y, rect->height, &rows);
    hit->key = find_cell (x, rect->x, rect->width, &columns);
    return true;
  }
  return false;
}

/* Whether a text is at the point; a turned one is asked in its own directions. */
static bool
is_on_text (const AttnDrawItem *item, double x, double y)
{
  double cosine = cos (item->angle), sine = sin (item->angle);
  double dx = x - item->text_x, dy = y - item->text_y;
  AttnDrawExtents extents = attn_draw_text_measure (item->text);
  AttnDrawRect line = {extents.left, 0, extents.width, extents.height};

  return contains (&line, dx * cosine + dy * sine, dy * cosine - dx * sine);
}

/* A query's label is as high as its row, unless only some are shown. */
static bool
pick_row (const AttnDrawLayout *layout, const AttnDrawItem *item, double x, double y)
{
  AttnDrawPlace place = layout->places[item->panel];
  AttnDrawRect row = attn_draw_layout_place (layout, item->panel, item->token, G_MAXSIZE);

  row.x = place.labels_left;
  row.width = place.rect.x - place.labels_left;
  return contains (&row, x, y);
}

/* The number beside the swatch and the room around both belong to the head. */
static bool
is_on_swatch (const AttnDrawItem *item, double x, double y)
{
  double slack = SWATCH_SLACK * item->rect.height;
  AttnDrawRect rect = {item->rect.x - slack, item->rect.y - slack, item->rect.width + 2 * slack,
                       item->rect.height + 2 * slack};

  return item->role == ATTN_DRAW_ROLE_LEGEND && contains (&rect, x, y);
}

static bool
is_on_item (const AttnDrawItem *item, double x, double y)
{
  switch (item->kind) {
  case ATTN_DRAW_ITEM_TEXT:
    return item->role != ATTN_DRAW_ROLE_PASSAGE && is_on_text (item, x, y);
  case ATTN_DRAW_ITEM_BAR:
    return contains (&item->rect, x, y);
  case ATTN_DRAW_ITEM_RULE:
    return is_on_swatch (item, x, y);
  case ATTN_DRAW_ITEM_PANEL: /* asked before */
  case ATTN_DRAW_ITEM_LINES: /* likewise */
  case ATTN_DRAW_ITEM_MARK:
  default:
    return false;
  }
}

static void
set_item (AttnDrawHit *hit, const AttnDrawItem *item)
{
  hit->role = item->role;
  hit->panel = item->panel;
  if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL)
    hit->query = item->token;
  if (item->role == ATTN_DRAW_ROLE_KEY_LABEL)
    hit->key = item->token;
  if (item->role == ATTN_DRAW_ROLE_LAYER_TITLE)
    hit->layer = item->token;
  if (item->role == ATTN_DRAW_ROLE_HEAD_TITLE && item->panel == G_MAXSIZE)
    hit->head = item->token;
}

static bool
pick_item (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit)
{
  for (size_t i = 0; i < layout->items->len; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL && item->panel != G_MAXSIZE &&
        pick_row (layout, item, x, y)) {
      set_item (hit, item);
      return true;
    }
  }
  for (size_t i = 0; i < layout->items->len; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (is_on_item (item, x, y)) {
      set_item (hit, item);
      return true;
    }
  }
  return false;
}

bool
attn_draw_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit)
{
  *hit = (AttnDrawHit){
      .role = ATTN_DRAW_ROLE_NONE,
      .panel = G_MAXSIZE,
      .layer = G_MAXSIZE,
      .head = G_MAXSIZE,
      .query = G_MAXSIZE,
      .key = G_MAXSIZE,
  };
  if (!pick_cell (layout, x, y, hit) && !pick_item (layout, x, y, hit))
    return false;
  if (hit->panel != G_MAXSIZE) {
    hit->layer = attn_draw_panels_get_layer (layout->panels, hit->panel);
    hit->head = attn_draw_panels_get_head (layout->panels, hit->panel);
  }
  return true;
}
