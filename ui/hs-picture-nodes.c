/* SPDX-License-Identifier: MIT */
/* Rectangles and colours of a layout as render nodes. */
#include "hs-picture-nodes.h"

graphene_rect_t
hs_nodes_rect (AttnDrawRect rect)
{
  return GRAPHENE_RECT_INIT ((float)rect.x, (float)rect.y, (float)rect.width, (float)rect.height);
}

GdkRGBA
hs_nodes_color (AttnDrawColor color, float alpha)
{
  return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, alpha};
}

void
hs_nodes_append_outline (GtkSnapshot *snapshot, AttnDrawRect rect, float line, const GdkRGBA *color)
{
  graphene_rect_t bounds = hs_nodes_rect (rect);
  graphene_rect_inset (&bounds, -line, -line);
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &bounds, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){line, line, line, line},
                              (GdkRGBA[4]){*color, *color, *color, *color});
}

bool
hs_nodes_is_visible (AttnDrawRect rect, const graphene_rect_t *visible)
{
  graphene_rect_t bounds = hs_nodes_rect (rect);
  return graphene_rect_intersection (&bounds, visible, NULL);
}
