/* SPDX-License-Identifier: MIT */
/* A picture that fits first, then one with larger maps. */
#include "hs-magnifier.h"

#include <glib.h>

#include <math.h>

#define LIMIT_SHARE 0.9 /* of the window's shorter side, of a map */
#define LEAST_PX 24.0   /* maps that fit but are smaller are enlarged to this */

static double
get_side (const AttnDrawLayout *layout)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  return MAX (rect.width, rect.height);
}

AttnDrawLayout *
hs_magnifier_make_layout (const AttnDrawView *view,
                          AttnDrawPanels *panels,
                          double magnification,
                          double *most)
{
  g_autoptr (AttnDrawLayout) fitting = attn_draw_layout_new (view, panels);
  double fitting_px = get_side (fitting), least_px = MAX (fitting_px, LEAST_PX);
  double limit_px = LIMIT_SHARE * MIN (view->width_px, view->max_height_px);

  *most = MAX (limit_px / least_px, 1);
  if (view->kind != ATTN_DRAW_LAYERS)
    return g_steal_pointer (&fitting);
  double map_px = least_px * MIN (magnification, *most);
  if (map_px <= fitting_px)
    return g_steal_pointer (&fitting);
  g_autoptr (AttnDrawView) larger = attn_draw_view_copy (view);
  larger->map_px = map_px;
  return attn_draw_layout_new (larger, panels);
}

/* px from one map to the next; of a single one its size. */
static AttnDrawRect
get_pitch (const AttnDrawLayout *layout)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);
  size_t right = attn_draw_panels_find (panels, 0, 1);
  size_t below = attn_draw_panels_find (panels, 1, 0);
  AttnDrawRect pitch = first;

  if (right != G_MAXSIZE)
    pitch.width = attn_draw_layout_get_panel_rect (layout, right).x - first.x;
  if (below != G_MAXSIZE)
    pitch.height = attn_draw_layout_get_panel_rect (layout, below).y - first.y;
  return pitch;
}

HsSheetPoint
hs_magnifier_find_point (const AttnDrawLayout *layout, double x, double y)
{
  AttnDrawRect pitch = get_pitch (layout);
  return (HsSheetPoint){(x - pitch.x) / pitch.width, (y - pitch.y) / pitch.height};
}

void
hs_magnifier_place_point (const AttnDrawLayout *layout,
                          const HsSheetPoint *point,
                          double *x,
                          double *y)
{
  AttnDrawRect pitch = get_pitch (layout);
  *x = pitch.x + point->column * pitch.width;
  *y = pitch.y + point->row * pitch.height;
}
