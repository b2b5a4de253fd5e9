/* SPDX-License-Identifier: MIT */
/* Two strips along the edges, with the titles moved onto them. */
#include "hs-picture-titles.h"

#include <math.h>
#include <stdbool.h>

#define MARGIN_PX 5      /* around the titles on a strip */
#define BOLD_SHARE 0.15f /* of a title's width that it grows to the left when it is emphasised */

static bool
is_title (const AttnDrawItem *item, AttnDrawRole role)
{
  return item->role == role && item->panel == G_MAXSIZE && item->kind == ATTN_DRAW_ITEM_TEXT;
}

/* The rectangle around all titles of a role. Returns: whether there are any. */
static bool
find_bounds (const AttnDrawLayout *layout, AttnDrawRole role, graphene_rect_t *bounds)
{
  bool found = false;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (!is_title (item, role))
      continue;
    graphene_rect_t rect = GRAPHENE_RECT_INIT ((float)item->rect.x, (float)item->rect.y,
                                               (float)item->rect.width, (float)item->rect.height);
    if (found)
      graphene_rect_union (bounds, &rect, bounds);
    else
      *bounds = rect;
    found = true;
  }
  return found;
}

HsTitleStrips
hs_title_strips_measure (const AttnDrawLayout *layout)
{
  graphene_rect_t far_away = GRAPHENE_RECT_INIT (1e6f, 1e6f, 1, 1);
  return hs_title_strips_find (layout, &far_away);
}

HsTitleStrips
hs_title_strips_find (const AttnDrawLayout *layout, const graphene_rect_t *visible)
{
  HsTitleStrips strips = {0};
  graphene_rect_t bounds;
  if (attn_draw_layout_peek_view (layout)->kind != ATTN_DRAW_LAYERS)
    return strips;
  if (find_bounds (layout, ATTN_DRAW_ROLE_HEAD_TITLE, &bounds) &&
      visible->origin.y > bounds.origin.y - MARGIN_PX) {
    strips.shift_y = (double)(visible->origin.y + MARGIN_PX - bounds.origin.y);
    strips.height = (double)bounds.size.height + 2 * MARGIN_PX;
  }
  if (find_bounds (layout, ATTN_DRAW_ROLE_LAYER_TITLE, &bounds)) {
    float left = MARGIN_PX + ceilf (BOLD_SHARE * bounds.size.width);
    if (visible->origin.x > bounds.origin.x - left) {
      strips.shift_x = (double)(visible->origin.x + left - bounds.origin.x);
      strips.width = (double)(bounds.size.width + left + MARGIN_PX);
    }
  }
  return strips;
}

void
hs_title_strips_map (const HsTitleStrips *strips,
                     const graphene_rect_t *visible,
                     double *x,
                     double *y)
{
  bool on_rows = *x - (double)visible->origin.x < strips->width;
  bool on_columns = *y - (double)visible->origin.y < strips->height;
  if (on_rows && on_columns)
    *x = -HUGE_VAL; /* in the corner there is nothing */
  else if (on_rows)
    *x -= strips->shift_x;
  else if (on_columns)
    *y -= strips->shift_y;
}

static void
append_titles (GtkSnapshot *snapshot,
               const AttnDrawLayout *layout,
               AttnDrawRole role,
               const graphene_rect_t *strip,
               const graphene_point_t *shift,
               HsTitleAppend append,
               gconstpointer data)
{
  gtk_snapshot_push_clip (snapshot, strip);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, shift);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    graphene_rect_t rect =
        GRAPHENE_RECT_INIT ((float)item->rect.x + shift->x, (float)item->rect.y + shift->y,
                            (float)item->rect.width, (float)item->rect.height);
    if (is_title (item, role) && graphene_rect_intersection (&rect, strip, NULL))
      append (snapshot, item, data);
  }
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
append_ground (GtkSnapshot *snapshot, const AttnDrawLayout *layout, const graphene_rect_t *rect)
{
  AttnDrawColor ground = attn_draw_layout_get_background (layout);
  GdkRGBA color = {(float)ground.red, (float)ground.green, (float)ground.blue, 1};
  gtk_snapshot_append_color (snapshot, &color, rect);
}

void
hs_title_strips_append (const HsTitleStrips *strips,
                        GtkSnapshot *snapshot,
                        const AttnDrawLayout *layout,
                        const graphene_rect_t *visible,
                        HsTitleAppend append,
                        gconstpointer data)
{
  const graphene_point_t *corner = &visible->origin;
  float width = (float)strips->width, height = (float)strips->height;
  graphene_rect_t columns = GRAPHENE_RECT_INIT (corner->x, corner->y, visible->size.width, height);
  graphene_rect_t rows = GRAPHENE_RECT_INIT (corner->x, corner->y, width, visible->size.height);
  if (height > 0)
    append_ground (snapshot, layout, &columns);
  if (width > 0)
    append_ground (snapshot, layout, &rows);
  columns.origin.x += width;
  rows.origin.y += height;
  if (height > 0)
    append_titles (snapshot, layout, ATTN_DRAW_ROLE_HEAD_TITLE, &columns,
                   &GRAPHENE_POINT_INIT (0, (float)strips->shift_y), append, data);
  if (width > 0)
    append_titles (snapshot, layout, ATTN_DRAW_ROLE_LAYER_TITLE, &rows,
                   &GRAPHENE_POINT_INIT ((float)strips->shift_x, 0), append, data);
}
