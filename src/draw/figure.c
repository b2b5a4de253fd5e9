/* SPDX-License-Identifier: MIT */
/* A finished figure: its colours, where things are, and files of it. */
#include "figure-private.h"
#include "head-colors.h"
#include "write-formats.h"

#include <math.h>

#define BAR_INDEX 190      /* of bars on a colour map: strong, yet no end */
#define BAR_INDEX_LESS 52  /* as far from the middle of a diverging map … */
#define BAR_INDEX_MORE 204 /* … on the other side */
#define GROUND_SHARE 0.07  /* of the text's colour */

static AttnDrawColor
get_diverging (const AttnDrawFigureStyle *style, unsigned index)
{
  const bool is_dark = style->palette == ATTN_DRAW_PALETTE_SCREEN_DARK;
  const uint32_t *lut =
      attn_draw_diverging_peek_lut (is_dark ? ATTN_DRAW_DIVERGING_DARK : ATTN_DRAW_DIVERGING_LIGHT);
  return attn_draw_color_from_pixel (lut[index]);
}

static AttnDrawColor
get_weight (const AttnDrawFigureStyle *style)
{
  const AttnDrawView view = {.palette = style->palette, .color_map = style->color_map};
  const uint32_t *lut = attn_draw_color_map_peek_lut (style->color_map);
  return attn_draw_color_from_pixel (
      lut[attn_draw_view_reverses_map (&view) ? 255 - BAR_INDEX : BAR_INDEX]);
}

AttnDrawColor
attn_draw_tone_get (const AttnDrawFigureStyle *style, AttnDrawTone tone)
{
  const AttnDrawInk *ink = attn_draw_palette_peek_ink (style->palette);
  switch (tone) {
  case ATTN_DRAW_TONE_TEXT:
    return ink->text;
  case ATTN_DRAW_TONE_DIM:
    return ink->dim;
  case ATTN_DRAW_TONE_RULE:
    return ink->rule;
  case ATTN_DRAW_TONE_BACKGROUND:
    return ink->background;
  case ATTN_DRAW_TONE_GROUND:
    return attn_draw_color_mix (ink->background, ink->text, GROUND_SHARE);
  case ATTN_DRAW_TONE_ACCENT:
    return ink->accent;
  case ATTN_DRAW_TONE_ACCENT_TEXT:
    return ink->accent_text;
  case ATTN_DRAW_TONE_MORE:
    return get_diverging (style, BAR_INDEX_MORE);
  case ATTN_DRAW_TONE_LESS:
    return get_diverging (style, BAR_INDEX_LESS);
  case ATTN_DRAW_TONE_WEIGHT:
    return get_weight (style);
  }
  g_return_val_if_reached (ink->text);
}

AttnDrawColor
attn_draw_tone_get_series (const AttnDrawFigureStyle *style, size_t index)
{
  return attn_draw_color_from_pixel (attn_draw_head_color (style->palette, index));
}

AttnDrawFigure *
attn_draw_figure_ref (AttnDrawFigure *figure)
{
  figure->n_references++;
  return figure;
}

void
attn_draw_figure_unref (AttnDrawFigure *figure)
{
  if (figure == NULL || --figure->n_references > 0)
    return;
  g_ptr_array_unref (figure->parts);
  attn_draw_fonts_free (figure->fonts);
  g_free (figure->font_family);
  g_free (figure->language);
  g_free (figure);
}

double
attn_draw_figure_get_width (const AttnDrawFigure *figure)
{
  return figure->width;
}

double
attn_draw_figure_get_height (const AttnDrawFigure *figure)
{
  return figure->height;
}

size_t
attn_draw_figure_get_n_items (const AttnDrawFigure *figure)
{
  return figure->parts->len;
}

const AttnDrawFigureItem *
attn_draw_figure_peek_item (const AttnDrawFigure *figure, size_t index)
{
  return &attn_draw_figure_peek_part (figure, index)->item;
}

size_t
attn_draw_figure_find (const AttnDrawFigure *figure,
                       unsigned id,
                       AttnDrawFigureKind kind,
                       size_t first)
{
  for (size_t i = first; i < figure->parts->len; i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->id == id && item->kind == kind)
      return i;
  }
  return G_MAXSIZE;
}

AttnDrawRect
attn_draw_figure_place (const AttnDrawFigure *figure, size_t index, size_t row, size_t column)
{
  const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, index);
  AttnDrawRect rect = item->rect;
  if (item->kind != ATTN_DRAW_FIGURE_MATRIX)
    return rect;
  if (row < item->n_rows) {
    rect.y = attn_draw_figure_edge (item->rect.y, item->rect.height, item->n_rows, row);
    rect.height = item->rect.height / (double)item->n_rows;
  }
  if (column < item->n_columns) {
    rect.x = attn_draw_figure_edge (item->rect.x, item->rect.width, item->n_columns, column);
    rect.width = item->rect.width / (double)item->n_columns;
  }
  return rect;
}

static bool
contains (const AttnDrawRect *rect, double x, double y)
{
  return x >= rect->x && y >= rect->y && x < rect->x + rect->width && y < rect->y + rect->height;
}

/* Which of @n values @at px from the beginning of @length px is on; exact at the edges. */
static size_t
find_index (double origin, double length, size_t n, double at)
{
  size_t index = MIN ((size_t)((at - origin) / length * (double)n), n - 1);
  while (index > 0 && at < attn_draw_figure_edge (origin, length, n, index))
    index--;
  while (index + 1 < n && at >= attn_draw_figure_edge (origin, length, n, index + 1))
    index++;
  return index;
}

bool
attn_draw_figure_pick (const AttnDrawFigure *figure, double x, double y, AttnDrawFigureHit *hit)
{
  for (size_t i = figure->parts->len; i-- > 0;) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->id == 0 || !contains (&item->rect, x, y))
      continue;
    *hit = (AttnDrawFigureHit){i, item->id, item->row, item->column};
    if (item->kind == ATTN_DRAW_FIGURE_MATRIX) {
      hit->row = find_index (item->rect.y, item->rect.height, item->n_rows, y);
      hit->column = find_index (item->rect.x, item->rect.width, item->n_columns, x);
    }
    return true;
  }
  return false;
}

static bool
paint (
    const void *figure, cairo_t *cr, AttnProgressFunc progress, void *progress_data, GError **error)
{
  if (!attn_progress_tell (progress, progress_data, 0, error))
    return false;
  attn_draw_figure_paint (figure, cr);
  return true;
}

GBytes *
attn_draw_figure_write (const AttnDrawFigure *figure,
                        AttnDrawFormat format,
                        double scale,
                        const AttnDrawProvenance *provenance,
                        GError **error)
{
  const AttnDrawCanvas canvas = {
      .width = figure->width,
      .height = figure->height,
      .print_width = figure->width,
      .picture = figure,
      .paint = paint,
  };
  return attn_draw_canvas_write (&canvas, format, scale, provenance, error);
}

bool
attn_draw_figure_write_to_file (const AttnDrawFigure *figure,
                                AttnDrawFormat format,
                                double scale,
                                const AttnDrawProvenance *provenance,
                                const char *path,
                                GError **error)
{
  g_autoptr (GBytes) bytes = attn_draw_figure_write (figure, format, scale, provenance, error);
  return bytes != NULL && attn_draw_write_save (bytes, path, error);
}
