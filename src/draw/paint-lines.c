/* SPDX-License-Identifier: MIT */
/* Lines as paths, for paper. */
#include "paint-lines.h"

#include "layout-private.h"

static void
stroke (const AttnDrawLinks *links, const AttnDrawLink *link, cairo_t *cr)
{
  AttnDrawColor color = attn_draw_color_from_pixel (attn_draw_links_get_color (links, link));

  cairo_set_source_rgba (cr, color.red, color.green, color.blue, link->code / 255.0);
  cairo_stroke (cr);
}

void
attn_draw_paint_lines (const AttnDrawLayout *layout, cairo_t *cr)
{
  const AttnDrawLinks *links = layout->links;
  const AttnDrawLink *all = (const AttnDrawLink *)(const void *)links->shown.links->data;
  size_t n = links->shown.links->len;
  double right = links->rect.x + links->rect.width;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_line_width (cr, links->line_width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (size_t i = 0; i < n; i++) {
    cairo_move_to (cr, links->rect.x, attn_draw_links_get_end (links, all[i].query, all[i].slot));
    cairo_line_to (cr, right, attn_draw_links_get_end (links, all[i].key, all[i].slot));
    if (i + 1 == n || all[i + 1].code != all[i].code || all[i + 1].slot != all[i].slot ||
        all[i + 1].is_below != all[i].is_below)
      stroke (links, &all[i], cr);
  }
  cairo_restore (cr);
}
