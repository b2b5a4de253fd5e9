/* SPDX-License-Identifier: MIT */
/* A finished figure: where things are, and files of it. */
#include "figure-private.h"
#include "write-formats.h"

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

const AttnDrawPoint *
attn_draw_figure_peek_points (const AttnDrawFigure *figure, size_t index, size_t *n)
{
  const AttnDrawFigurePart *part = attn_draw_figure_peek_part (figure, index);
  *n = part->n_points;
  return part->points;
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

size_t
attn_draw_figure_find_part (const AttnDrawFigure *figure, unsigned part)
{
  for (size_t i = 0; i < figure->parts->len; i++)
    if (attn_draw_figure_peek_item (figure, i)->part == part)
      return i;
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

static bool
find_reach (const AttnDrawFigure *figure, double x, double y, AttnDrawFigureHit *hit)
{
  for (size_t i = 0; i < figure->parts->len; i++) {
    const AttnDrawFigurePart *part = g_ptr_array_index (figure->parts, i);
    if (part->item.id == 0 || !contains (&part->reach, x, y))
      continue;
    *hit = (AttnDrawFigureHit){i, part->item.id, part->item.row, part->item.column};
    return true;
  }
  return false;
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
  return find_reach (figure, x, y, hit);
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
