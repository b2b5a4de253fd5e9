/* SPDX-License-Identifier: MIT */
/* Lays the map out and looks at where its parts stand. */
#include "hs-map-width.h"

#include <math.h>

#define MARGIN_PX 20 /* on both sides */

static bool
is_map_part (AttnDrawRole role)
{
  return role == ATTN_DRAW_ROLE_MAP || role == ATTN_DRAW_ROLE_QUERY_LABEL ||
         role == ATTN_DRAW_ROLE_KEY_LABEL || role == ATTN_DRAW_ROLE_BAR;
}

/* Lines of text do not count: they can be shorter, or more. */
static int
measure_map (const AttnDrawLayout *layout)
{
  double left = attn_draw_layout_get_width (layout), right = 0;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (!is_map_part (item->role))
      continue;
    left = MIN (left, item->rect.x);
    right = MAX (right, item->rect.x + item->rect.width);
  }
  return (int)ceil (right - left) + 2 * MARGIN_PX;
}

int
hs_map_width_measure (
    HsMapWidth *self, const AttnDrawView *view, AttnDrawPanels *panels, int width, int height)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (panels);
  if (self->maps != maps || self->width != width || self->height != height) {
    g_autoptr (AttnDrawView) sized = attn_draw_view_copy (view);
    sized->width_px = width;
    sized->max_height_px = height;
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (sized, panels);
    attn_maps_ref (maps);
    hs_map_width_clear (self);
    *self = (HsMapWidth){maps, width, height, measure_map (layout)};
  }
  return MIN (self->needed, width);
}

void
hs_map_width_clear (HsMapWidth *self)
{
  g_clear_pointer (&self->maps, attn_maps_unref);
}
