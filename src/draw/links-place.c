/* SPDX-License-Identifier: MIT */
/* Where lines and the labels beside them stand, and what is at a point. */
#include "layout-private.h"

#include <math.h>

#define REACH 4.0 /* px from a pointer to a line it is meant to be on */

/* A label with the room beside its row. */
static AttnDrawRect
place_row (const AttnDrawLinks *links, size_t token, bool is_query)
{
  double right = links->rect.x + links->rect.width;
  AttnDrawRect row = {
      .x = is_query ? links->labels_left : right,
      .y = links->rect.y + (double)token * links->pitch,
      .width = is_query ? links->rect.x - links->labels_left : links->labels_right - right,
      .height = links->pitch,
  };
  return row;
}

static size_t
find_slot (const AttnDrawLinks *links, size_t panel)
{
  size_t slot = 0;
  while (slot < links->n_slots && links->panels[slot] != panel)
    slot++;
  return slot;
}

bool
attn_draw_layout_find_line (
    const AttnDrawLayout *layout, size_t panel, size_t query, size_t key, AttnDrawLine *line)
{
  const AttnDrawLinks *links = layout->links;
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  size_t slot = links != NULL ? find_slot (links, panel) : 0;
  bool is_below = false;

  if (links == NULL || slot >= links->n_slots || query >= attn_maps_get_n (maps, ATTN_SIDE_QUERY) ||
      key >= attn_maps_get_n (maps, ATTN_SIDE_KEY))
    return false;
  *line = (AttnDrawLine){
      .left_x = links->rect.x,
      .left_y = attn_draw_links_get_end (links, query, slot),
      .right_x = links->rect.x + links->rect.width,
      .right_y = attn_draw_links_get_end (links, key, slot),
      .width = links->line_width,
      .strength = attn_draw_links_get_strength (layout, slot, query, key, &is_below),
  };
  const AttnDrawLink link = {.slot = (uint16_t)slot, .is_below = is_below};
  line->color = attn_draw_color_from_pixel (attn_draw_links_get_color (links, &link));
  return true;
}

AttnDrawRect
attn_draw_links_place (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key)
{
  const AttnDrawLinks *links = layout->links;
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  bool has_query = query < attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  bool has_key = key < attn_maps_get_n (maps, ATTN_SIDE_KEY);
  AttnDrawLine line;

  if (has_query && has_key && attn_draw_layout_find_line (layout, panel, query, key, &line))
    return (AttnDrawRect){line.left_x, MIN (line.left_y, line.right_y), links->rect.width,
                          fabs (line.right_y - line.left_y)};
  if (has_query || has_key)
    return place_row (links, has_query ? query : key, has_query);
  return links->rect;
}

/* The line nearest to a point between the columns; of equally near ones the strongest. */
static const AttnDrawLink *
find_nearest (const AttnDrawLinks *links, double x, double y)
{
  double share = (x - links->rect.x) / links->rect.width;
  double nearest = REACH;
  const AttnDrawLink *found = NULL;

  for (guint i = links->shown.links->len; i-- > 0;) {
    const AttnDrawLink *link = &g_array_index (links->shown.links, AttnDrawLink, i);
    double left = attn_draw_links_get_end (links, link->query, link->slot);
    double right = attn_draw_links_get_end (links, link->key, link->slot);
    double slope = (right - left) / links->rect.width;
    double distance = fabs (left + (right - left) * share - y) / sqrt (1 + slope * slope);
    if (distance < nearest) {
      nearest = distance;
      found = link;
    }
  }
  return found;
}

static bool
pick_label (const AttnDrawLayout *layout, bool is_query, double y, AttnDrawHit *hit)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  AttnSide side = is_query ? ATTN_SIDE_QUERY : ATTN_SIDE_KEY;
  size_t token = (size_t)((y - layout->links->rect.y) / layout->links->pitch);

  if (token >= attn_maps_get_n (maps, side))
    return false;
  hit->role = is_query ? ATTN_DRAW_ROLE_QUERY_LABEL : ATTN_DRAW_ROLE_KEY_LABEL;
  if (is_query)
    hit->query = token;
  else
    hit->key = token;
  return true;
}

bool
attn_draw_links_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit)
{
  const AttnDrawLinks *links = layout->links;
  double left = links->rect.x, right = left + links->rect.width;

  if (y < links->rect.y || y >= links->rect.y + links->rect.height || x < links->labels_left ||
      x >= links->labels_right)
    return false;
  if (x < left || x >= right)
    return pick_label (layout, x < left, y, hit);
  const AttnDrawLink *link = find_nearest (links, x, y);
  if (link == NULL)
    return false;
  hit->role = ATTN_DRAW_ROLE_MAP;
  hit->panel = links->panels[link->slot];
  hit->query = link->query;
  hit->key = link->key;
  return true;
}
