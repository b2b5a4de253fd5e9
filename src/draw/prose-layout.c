/* SPDX-License-Identifier: MIT */
/* Reading a layout of the text: shades, places, and what is at a point. */
#include "cells.h"
#include "layout-private.h"
#include "panels-private.h"
#include "scale.h"
#include "wording.h"

#include <math.h>

static uint16_t
find_code (const AttnDrawCoder *coder, float weight)
{
  if (!isfinite (weight))
    return ATTN_DRAW_CODE_NAN;
  return (uint16_t)attn_draw_coder_code (coder, weight);
}

float
attn_draw_prose_find_mean_max (const AttnDrawLayout *layout)
{
  const AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  bool is_signed = attn_draw_panels_is_signed (layout->panels, 0);
  float max = 0;

  if (attn_draw_view_resolve_range (layout->view) != ATTN_DRAW_RANGE_MAP ||
      attn_draw_prose_get_pinned (layout) != G_MAXSIZE)
    return 0;
  for (size_t key = 0; key < attn_maps_get_n (maps, ATTN_SIDE_KEY); key++)
    if (isfinite (layout->prose->means[key]))
      max = MAX (max, is_signed ? fabsf (layout->prose->means[key]) : layout->prose->means[key]);
  return max;
}

void
attn_draw_prose_find_codes (const AttnDrawLayout *layout, size_t query, uint16_t *codes)
{
  const AttnMap *map = attn_draw_panels_peek (layout->panels, 0);
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, 0);
  AttnDrawCoder coder;

  attn_draw_coder_init (&coder, layout, 0);
  if (query < map->n_queries)
    attn_draw_coder_set_max (&coder, attn_draw_panels_get_max (layout->panels, 0));
  for (size_t key = 0; key < map->n_keys; key++) {
    if (query >= map->n_queries)
      codes[key] = find_code (&coder, layout->prose->means[key]);
    else if (key < blocks->first[query] || key >= blocks->end[query])
      codes[key] = ATTN_DRAW_CODE_HIDDEN;
    else
      codes[key] = find_code (&coder, map->weights[query * map->n_keys + key]);
  }
}

size_t
attn_draw_prose_get_pinned (const AttnDrawLayout *layout)
{
  const AttnDrawView *view = layout->view;
  const AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  bool has_query = view->has_pin && view->pin_query < attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  return has_query ? view->pin_query : G_MAXSIZE;
}

AttnDrawColor
attn_draw_prose_get_shade (const AttnDrawLayout *layout, uint16_t code)
{
  if (code == ATTN_DRAW_CODE_HIDDEN)
    return attn_draw_color_from_pixel (layout->ink->hidden);
  if (code == ATTN_DRAW_CODE_NAN)
    return attn_draw_color_from_pixel (layout->ink->not_a_number);
  return attn_draw_color_from_pixel (layout->ramp[code]);
}

void
attn_draw_layout_get_shades (const AttnDrawLayout *layout, size_t query, AttnDrawColor *shades)
{
  g_return_if_fail (layout->prose != NULL);
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_autofree uint16_t *codes = g_new (uint16_t, n_keys);

  attn_draw_prose_find_codes (
      layout, query != G_MAXSIZE ? query : attn_draw_prose_get_pinned (layout), codes);
  for (size_t key = 0; key < n_keys; key++)
    shades[key] = attn_draw_prose_get_shade (layout, codes[key]);
}

size_t
attn_draw_layout_get_n_pointed (const AttnDrawLayout *layout)
{
  return layout->pointed->len;
}

const AttnDrawItem *
attn_draw_layout_peek_pointed (const AttnDrawLayout *layout, size_t index)
{
  g_return_val_if_fail (index < layout->pointed->len, NULL);
  return &g_array_index (layout->pointed, AttnDrawItem, index);
}

size_t
attn_draw_layout_get_n_units (const AttnDrawLayout *layout)
{
  return layout->prose != NULL ? layout->prose->units->len : 0;
}

AttnDrawUnit
attn_draw_layout_get_unit (const AttnDrawLayout *layout, size_t unit)
{
  g_return_val_if_fail (unit < attn_draw_layout_get_n_units (layout),
                        ((AttnDrawUnit){G_MAXSIZE, G_MAXSIZE}));
  return g_array_index (layout->prose->units, AttnDrawUnit, unit);
}

AttnDrawRect
attn_draw_prose_place (const AttnDrawLayout *layout, size_t query, size_t key)
{
  for (size_t i = 0; i < layout->items->len; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role != ATTN_DRAW_ROLE_TOKEN)
      continue;
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, item->token);
    if (key != G_MAXSIZE ? unit.key == key : query != G_MAXSIZE && unit.query == query)
      return item->rect;
  }
  return layout->places[0].rect;
}

bool
attn_draw_prose_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit)
{
  for (size_t i = layout->items->len; i-- > 0;) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = item->rect;
    if (item->role != ATTN_DRAW_ROLE_TOKEN || x < rect.x || y < rect.y ||
        x >= rect.x + rect.width || y >= rect.y + rect.height)
      continue;
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, item->token);
    hit->role = ATTN_DRAW_ROLE_TOKEN;
    hit->panel = 0;
    hit->query = unit.query;
    hit->key = unit.key;
    return true;
  }
  return false;
}
