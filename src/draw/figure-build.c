/* SPDX-License-Identifier: MIT */
/* Items added one after the other until they are a figure. */
#include "figure-private.h"
#include "plain-text.h"

#include <math.h>
#include <string.h>

#define DEFAULT_SIZE_PT 10.0

struct _AttnDrawFigureBuilder {
  AttnDrawFigure *figure;
};

static void
part_free (void *data)
{
  AttnDrawFigurePart *part = data;
  g_free (part->text);
  g_free (part->codes);
  g_free (part->points);
  g_free (part);
}

AttnDrawFigureBuilder *
attn_draw_figure_builder_new (const AttnDrawFigureStyle *style)
{
  AttnDrawFigureBuilder *builder = g_new0 (AttnDrawFigureBuilder, 1);
  AttnDrawFigure *figure = g_new0 (AttnDrawFigure, 1);
  const char *family = style->font_family != NULL ? style->font_family : "Sans";
  const char *language = style->language != NULL ? style->language : "en";
  figure->n_references = 1;
  figure->style = *style;
  figure->style.font_family = figure->font_family = g_strdup (family);
  figure->style.language = figure->language = g_strdup (language);
  if (!(style->font_size_pt > 0))
    figure->style.font_size_pt = DEFAULT_SIZE_PT;
  const AttnDrawView view = {
      .font_family = figure->font_family,
      .language = figure->language,
      .font_size_pt = figure->style.font_size_pt,
  };
  figure->fonts = attn_draw_fonts_new (&view);
  figure->parts = g_ptr_array_new_with_free_func (part_free);
  builder->figure = figure;
  return builder;
}

void
attn_draw_figure_builder_free (AttnDrawFigureBuilder *builder)
{
  if (builder == NULL)
    return;
  attn_draw_figure_unref (builder->figure);
  g_free (builder);
}

AttnDrawFigure *
attn_draw_figure_builder_end (AttnDrawFigureBuilder *builder, double width, double height)
{
  AttnDrawFigure *figure = g_steal_pointer (&builder->figure);
  figure->width = MAX (ceil (width), 1);
  figure->height = MAX (ceil (height), 1);
  attn_draw_figure_builder_free (builder);
  return figure;
}

double
attn_draw_figure_builder_get_em (const AttnDrawFigureBuilder *builder)
{
  return attn_draw_fonts_get_em (builder->figure->fonts);
}

const AttnDrawFigureStyle *
attn_draw_figure_builder_peek_style (const AttnDrawFigureBuilder *builder)
{
  return &builder->figure->style;
}

static AttnDrawFigurePart *
add (AttnDrawFigureBuilder *builder, AttnDrawFigureKind kind, AttnDrawRect rect)
{
  AttnDrawFigurePart *part = g_new0 (AttnDrawFigurePart, 1);
  part->item.kind = kind;
  part->item.rect = rect;
  g_ptr_array_add (builder->figure->parts, part);
  return part;
}

void
attn_draw_figure_widen (AttnDrawFigureBuilder *builder, AttnDrawRect rect)
{
  GPtrArray *parts = builder->figure->parts;
  g_return_if_fail (parts->len > 0);
  AttnDrawFigurePart *last = g_ptr_array_index (parts, parts->len - 1);
  last->reach = rect;
}

void
attn_draw_figure_identify (AttnDrawFigureBuilder *builder, unsigned id, size_t row, size_t column)
{
  GPtrArray *parts = builder->figure->parts;
  g_return_if_fail (parts->len > 0);
  AttnDrawFigureItem *last =
      &((AttnDrawFigurePart *)g_ptr_array_index (parts, parts->len - 1))->item;
  last->id = id;
  last->row = row;
  last->column = column;
}

void
attn_draw_figure_name_part (AttnDrawFigureBuilder *builder, unsigned part)
{
  GPtrArray *parts = builder->figure->parts;
  g_return_if_fail (parts->len > 0);
  AttnDrawFigurePart *last = g_ptr_array_index (parts, parts->len - 1);
  last->item.part = part;
}

void
attn_draw_figure_add_rule (AttnDrawFigureBuilder *builder,
                           AttnDrawRect rect,
                           AttnDrawColor color,
                           unsigned id,
                           size_t row,
                           size_t column)
{
  AttnDrawFigureItem *item = &add (builder, ATTN_DRAW_FIGURE_RULE, rect)->item;
  item->color = color;
  item->id = id;
  item->row = row;
  item->column = column;
}

void
attn_draw_figure_add_frame (AttnDrawFigureBuilder *builder,
                            AttnDrawRect rect,
                            AttnDrawColor color,
                            double line_width)
{
  AttnDrawFigurePart *part = add (builder, ATTN_DRAW_FIGURE_FRAME, rect);
  part->item.color = color;
  part->line_width = line_width;
}

void
attn_draw_figure_add_card (AttnDrawFigureBuilder *builder,
                           AttnDrawRect rect,
                           AttnDrawColor fill,
                           AttnDrawColor outline,
                           double radius)
{
  AttnDrawFigurePart *part = add (builder, ATTN_DRAW_FIGURE_FRAME, rect);
  part->item.color = outline;
  part->fill = fill;
  part->line_width = 1;
  part->radius = MAX (radius, 0.5);
}

static AttnDrawRect
find_bounds (const AttnDrawPoint *points, size_t n)
{
  if (n == 0)
    return (AttnDrawRect){0};
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (size_t i = 1; i < n; i++) {
    left = MIN (left, points[i].x);
    right = MAX (right, points[i].x);
    top = MIN (top, points[i].y);
    bottom = MAX (bottom, points[i].y);
  }
  return (AttnDrawRect){left, top, right - left, bottom - top};
}

static AttnDrawFigurePart *
add_points (AttnDrawFigureBuilder *builder,
            AttnDrawFigureKind kind,
            const AttnDrawPoint *points,
            size_t n,
            AttnDrawColor color)
{
  AttnDrawFigurePart *part = add (builder, kind, find_bounds (points, n));
  part->points = g_memdup2 (points, n * sizeof *points);
  part->n_points = n;
  part->item.color = color;
  return part;
}

void
attn_draw_figure_add_line (AttnDrawFigureBuilder *builder,
                           const AttnDrawPoint *points,
                           size_t n,
                           AttnDrawColor color,
                           double line_width)
{
  add_points (builder, ATTN_DRAW_FIGURE_LINE, points, n, color)->line_width = line_width;
}

void
attn_draw_figure_add_area (AttnDrawFigureBuilder *builder,
                           const AttnDrawPoint *points,
                           size_t n,
                           AttnDrawColor color,
                           double opacity)
{
  add_points (builder, ATTN_DRAW_FIGURE_LINE, points, n, color)->opacity = opacity;
}

void
attn_draw_figure_add_arrow (AttnDrawFigureBuilder *builder,
                            AttnDrawPoint from,
                            AttnDrawPoint to,
                            AttnDrawColor color)
{
  const AttnDrawPoint points[] = {from, to};
  attn_draw_figure_add_elbow (builder, points, G_N_ELEMENTS (points), color);
}

void
attn_draw_figure_add_elbow (AttnDrawFigureBuilder *builder,
                            const AttnDrawPoint *points,
                            size_t n,
                            AttnDrawColor color)
{
  add_points (builder, ATTN_DRAW_FIGURE_ARROW, points, n, color)->line_width = 1;
}

static PangoLayout *
shape (AttnDrawFigureBuilder *builder, const AttnDrawFigureText *text)
{
  AttnDrawFonts *fonts = builder->figure->fonts;
  const AttnDrawStyle style = {
      .size_px = attn_draw_fonts_get_em (fonts) * (text->size > 0 ? text->size : 1),
      .bold = text->is_bold,
      .markup = text->is_markup,
      .wraps = text->wraps && text->max_width > 0,
      .max_width = text->max_width,
  };
  if (text->max_width > 0 && !style.wraps) /* what wraps keeps its own line breaks, too */
    return attn_draw_fonts_shape_within (fonts, text->text, &style);
  return attn_draw_fonts_shape (fonts, text->text, &style);
}

static bool
turns (const AttnDrawFigureText *text)
{
  return text->is_turned && !attn_draw_text_stands (text->text);
}

static AttnDrawTextSize
get_size (const AttnDrawExtents *extents, bool is_turned)
{
  const double width = ceil (extents->width), height = ceil (extents->height);
  return is_turned ? (AttnDrawTextSize){height, width, extents->baseline}
                   : (AttnDrawTextSize){width, height, extents->baseline};
}

AttnDrawTextSize
attn_draw_figure_measure_text (AttnDrawFigureBuilder *builder, const AttnDrawFigureText *text)
{
  AttnDrawExtents extents = attn_draw_text_measure (shape (builder, text));
  return get_size (&extents, turns (text));
}

static double
find_start (AttnDrawAlign align, double at, double length)
{
  return align == ATTN_DRAW_ALIGN_START    ? at
         : align == ATTN_DRAW_ALIGN_MIDDLE ? at - length / 2
                                           : at - length;
}

AttnDrawTextSize
attn_draw_figure_add_text (AttnDrawFigureBuilder *builder,
                           const AttnDrawFigureText *text,
                           double x,
                           double y)
{
  PangoLayout *layout = shape (builder, text);
  const AttnDrawExtents extents = attn_draw_text_measure (layout);
  const AttnDrawTextSize size = get_size (&extents, turns (text));
  AttnDrawRect rect = {x, y, size.width, size.height};
  if (text->is_turned)
    rect.y = find_start (text->align, y, size.height);
  else
    rect.x = find_start (text->align, x, size.width);
  AttnDrawFigurePart *part = add (builder, ATTN_DRAW_FIGURE_TEXT, rect);
  part->item.text = part->text = g_strdup (text->text);
  part->item.layout = layout;
  part->item.color = attn_draw_tone_get (&builder->figure->style, text->tone);
  part->item.id = text->id;
  part->item.row = text->row;
  part->item.column = text->column;
  part->is_turned = turns (text);
  part->text_x = part->is_turned ? rect.x : rect.x - extents.left;
  part->text_y = part->is_turned ? rect.y + rect.height + extents.left : rect.y;
  return size;
}

double
attn_draw_figure_add_paragraph (AttnDrawFigureBuilder *builder,
                                const char *text,
                                double x,
                                double y,
                                double width,
                                double size,
                                AttnDrawTone tone)
{
  const AttnDrawFigureText item = {
      .text = text, .size = size, .tone = tone, .max_width = width, .wraps = true};
  return attn_draw_figure_add_text (builder, &item, x, y).height;
}

double
attn_draw_figure_add_heading (
    AttnDrawFigureBuilder *builder, const char *text, double x, double y, double width)
{
  const AttnDrawFigureText item = {
      .text = text, .size = 1.15, .is_bold = true, .max_width = width, .wraps = true};
  return attn_draw_figure_add_text (builder, &item, x, y).height +
         0.3 * attn_draw_figure_builder_get_em (builder);
}

size_t
attn_draw_figure_find_share (size_t n, double length, double least, size_t whole)
{
  const size_t most = (size_t)MAX (floor (length / least), 1);
  size_t share = MAX (attn_draw_figure_count_cells (n, most), 1);
  while (whole > 0 && share < whole && whole % share != 0)
    share++;
  return share;
}

/* Values that share a cell: what it shows of them. Hidden ones do not count. */
typedef struct {
  double sum; /* of a signed matrix's … */
  float most; /* … and of others the largest */
  size_t n;   /* of those that are not hidden; of the largest 1 */
  bool has_nan;
} Shared;

static void
take (Shared *shared, float value)
{
  if (isnan (value))
    shared->has_nan = true;
  if (!isfinite (value) && value < 0)
    return;
  shared->sum += (double)value;
  shared->n++;
}

static uint16_t
find_code (const Shared *shared, const AttnDrawFigureMatrix *matrix)
{
  const float max = (float)matrix->max;
  if (shared->has_nan)
    return ATTN_DRAW_FIGURE_NAN;
  if (shared->n == 0)
    return ATTN_DRAW_FIGURE_HIDDEN;
  if (matrix->is_signed)
    return (uint16_t)attn_draw_diverging_index ((float)(shared->sum / (double)shared->n), max);
  return (uint16_t)attn_draw_color_index (shared->most, max);
}

/* The largest alone, which is what counts of values without a sign. */
static void
take_largest (Shared *shared, const float *values, size_t n)
{
  float most = shared->n > 0 ? shared->most : -INFINITY;
  bool has_nan = false;
  for (size_t i = 0; i < n; i++) {
    has_nan |= isnan (values[i]) != 0;
    most = values[i] > most ? values[i] : most;
  }
  shared->has_nan |= has_nan;
  shared->most = most;
  shared->n = most > -INFINITY;
}

static uint16_t
code_cell (const AttnDrawFigureMatrix *matrix, const AttnDrawFigurePart *part, size_t y, size_t x)
{
  const size_t first_row = y * part->rows_per_cell, first = x * part->columns_per_cell;
  const size_t end_row = MIN (first_row + part->rows_per_cell, matrix->n_rows);
  const size_t end = MIN (first + part->columns_per_cell, matrix->n_columns);
  Shared shared = {0};
  for (size_t row = first_row; row < end_row; row++) {
    const float *values = matrix->values + row * matrix->n_columns;
    if (!matrix->is_signed)
      take_largest (&shared, values + first, end - first);
    for (size_t column = first; matrix->is_signed && column < end; column++)
      take (&shared, values[column]);
  }
  return find_code (&shared, matrix);
}

void
attn_draw_figure_add_matrix (AttnDrawFigureBuilder *builder,
                             const AttnDrawFigureMatrix *matrix,
                             AttnDrawRect rect,
                             unsigned id)
{
  const AttnDrawRect frame = {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2};
  attn_draw_figure_add_rule (
      builder, frame, attn_draw_tone_get (&builder->figure->style, ATTN_DRAW_TONE_RULE), 0, 0, 0);
  AttnDrawFigurePart *part = add (builder, ATTN_DRAW_FIGURE_MATRIX, rect);
  part->item.id = id;
  part->item.n_rows = matrix->n_rows;
  part->item.n_columns = matrix->n_columns;
  part->is_signed = matrix->is_signed;
  part->rows_per_cell = MAX (matrix->rows_per_cell, 1);
  part->columns_per_cell = MAX (matrix->columns_per_cell, 1);
  const size_t height = attn_draw_figure_count_cells (matrix->n_rows, part->rows_per_cell);
  const size_t width = attn_draw_figure_count_cells (matrix->n_columns, part->columns_per_cell);
  part->codes = g_new (uint16_t, height * width);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      part->codes[y * width + x] = code_cell (matrix, part, y, x);
}
