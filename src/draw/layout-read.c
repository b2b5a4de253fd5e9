/* SPDX-License-Identifier: MIT */
/* Reading a layout: its size, its items, and which rows, columns and colours its panels have. */
#include "layout-private.h"
#include "panels-private.h"

#include <math.h>

float
attn_draw_layout_get_max (const AttnDrawLayout *layout, size_t panel)
{
  return layout->mean_max > 0 ? layout->mean_max : attn_draw_panels_get_max (layout->panels, panel);
}

const AttnDrawView *
attn_draw_layout_peek_view (const AttnDrawLayout *layout)
{
  return layout->view;
}

AttnDrawPanels *
attn_draw_layout_peek_panels (const AttnDrawLayout *layout)
{
  return layout->panels;
}

double
attn_draw_layout_get_width (const AttnDrawLayout *layout)
{
  return layout->width;
}

double
attn_draw_layout_get_print_width (const AttnDrawLayout *layout)
{
  bool is_asked = fabs (layout->asked_width - layout->width) < 1; /* false for NaN */
  return is_asked ? layout->asked_width : layout->width;
}

double
attn_draw_layout_get_height (const AttnDrawLayout *layout)
{
  return layout->height;
}

AttnDrawColor
attn_draw_layout_get_background (const AttnDrawLayout *layout)
{
  return layout->ink->background;
}

AttnDrawColor
attn_draw_layout_get_accent (const AttnDrawLayout *layout)
{
  return layout->ink->accent;
}

size_t
attn_draw_layout_get_n_items (const AttnDrawLayout *layout)
{
  return layout->items->len;
}

const AttnDrawItem *
attn_draw_layout_peek_item (const AttnDrawLayout *layout, size_t index)
{
  g_return_val_if_fail (index < layout->items->len, NULL);
  return &g_array_index (layout->items, AttnDrawItem, index);
}

AttnDrawRect
attn_draw_layout_get_panel_rect (const AttnDrawLayout *layout, size_t index)
{
  g_return_val_if_fail (index < attn_draw_panels_get_n (layout->panels), (AttnDrawRect){0});
  return layout->places[index].rect;
}

AttnDrawCrop
attn_draw_layout_get_panel_crop (const AttnDrawLayout *layout, size_t panel)
{
  g_return_val_if_fail (panel < attn_draw_panels_get_n (layout->panels), (AttnDrawCrop){0});
  AttnDrawSpan rows = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, panel);

  return (AttnDrawCrop){
      .first_query = rows.first,
      .n_queries = attn_draw_span_get_n (&rows),
      .first_key = columns.first,
      .n_keys = attn_draw_span_get_n (&columns),
  };
}

AttnDrawCrop
attn_draw_layout_get_crop (const AttnDrawLayout *layout)
{
  return (AttnDrawCrop){
      .first_query = layout->rows.first,
      .n_queries = attn_draw_span_get_n (&layout->rows),
      .first_key = layout->columns.first,
      .n_keys = attn_draw_span_get_n (&layout->columns),
  };
}

bool
attn_draw_layout_is_part (const AttnDrawLayout *layout)
{
  const AttnDrawPanels *panels = layout->panels;
  return attn_draw_span_get_n (&layout->rows) <
             attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY) ||
         attn_draw_span_get_n (&layout->columns) <
             attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY);
}

AttnDrawSpan
attn_draw_layout_get_rows (const AttnDrawLayout *layout, size_t panel)
{
  if (attn_draw_panels_peek_joint (layout->panels) == NULL)
    return layout->rows;
  return layout->compared_rows[panel];
}

AttnDrawSpan
attn_draw_layout_get_columns (const AttnDrawLayout *layout, size_t panel)
{
  if (attn_draw_panels_peek_joint (layout->panels) == NULL)
    return layout->columns;
  return layout->compared_columns[panel];
}

const uint32_t *
attn_draw_layout_peek_lut (const AttnDrawLayout *layout, size_t panel)
{
  if (panel == G_MAXSIZE)
    return layout->ramp;
  if (!attn_draw_panels_is_signed (layout->panels, panel))
    return layout->lut;
  return attn_draw_view_peek_diverging (layout->view);
}
