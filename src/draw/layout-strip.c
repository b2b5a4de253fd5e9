/* SPDX-License-Identifier: MIT */
/* The heads of a layer as a narrow strip: small maps with their numbers beside them. */
#include "layout-private.h"

#include <math.h>

/* all in em of the view's font */
#define MARGIN 0.8
#define CAPTION_SIZE 0.88
#define CAPTION_GAP 0.5
#define NUMBER_SIZE 0.8
#define NUMBER_GAP 0.35 /* from a number to its map */
#define COLUMN_GAP 0.9
#define ROW_GAP 0.7
#define LEAST_MAP 2.7 /* smaller ones show nothing */
#define GOOD_MAP 5.0  /* columns are added only until maps are this large … */
#define MOST_MAP 7.0  /* … and none is larger than this */

typedef struct {
  size_t n_columns, n_rows;
  PangoLayout *caption;
  double margin, top, number_width;                   /* px, whole */
  double column_gap, row_gap, pitch_x, pitch_y, size; /* px; from map to map; a map's longer side */
  AttnDrawCells cells;
} Strip;

static PangoLayout *
shape_number (AttnDrawBuild *build, size_t head)
{
  AttnDrawStyle style = {.size_px = NUMBER_SIZE * build->em};
  g_autofree char *number = g_strdup_printf ("%zu", head + 1);

  return attn_draw_fonts_shape (build->fonts, number, &style);
}

static Strip
begin_strip (AttnDrawBuild *build)
{
  size_t n = attn_draw_panels_get_n (build->layout->panels);
  AttnDrawStyle style = {.size_px = CAPTION_SIZE * build->em};
  const char *caption = build->layout->view->strings.strip;
  double widest = 0;

  for (size_t head = 0; head < n; head++)
    widest = MAX (widest, attn_draw_text_measure (shape_number (build, head)).width);
  Strip strip = {
      .caption = attn_draw_fonts_shape (build->fonts, caption, &style),
      .margin = round (MARGIN * build->em),
      .number_width = ceil (widest + NUMBER_GAP * build->em),
      .column_gap = round (COLUMN_GAP * build->em),
      .row_gap = round (ROW_GAP * build->em),
  };
  double height = attn_draw_text_measure (strip.caption).height;
  strip.top = strip.margin + ceil (height + CAPTION_GAP * build->em);
  return strip;
}

/* The largest maps in @n_columns columns of @width × @height px. */
static void
fit_strip (AttnDrawBuild *build, Strip *strip, size_t n_columns, double width, double height)
{
  double n_queries = (double)attn_draw_labels_get_n (build->queries);
  double n_keys = (double)attn_draw_labels_get_n (build->keys);
  double columns = (double)n_columns;
  size_t n = attn_draw_panels_get_n (build->layout->panels);

  strip->n_columns = n_columns;
  strip->n_rows = (n + n_columns - 1) / n_columns;
  double rows = (double)strip->n_rows;
  double room_x = (width - 2 * strip->margin - columns * strip->number_width -
                   (columns - 1) * strip->column_gap) /
                  columns;
  double room_y = (height - strip->top - strip->margin - (rows - 1) * strip->row_gap) / rows;
  double cell = MIN (room_x / n_keys, room_y / n_queries);
  cell = MIN (cell, MOST_MAP * build->em / MAX (n_queries, n_keys));
  double map_width = MAX (floor (room_x), 1);
  do /* whole px may be more than the room */
    strip->cells = attn_draw_build_fit_cells (build, map_width, MAX (cell, 0));
  while (strip->cells.height > room_y && --map_width >= 1);
  bool fits = cell > 0 && strip->cells.width <= room_x && strip->cells.height <= room_y;
  strip->size = fits ? MAX (strip->cells.width, strip->cells.height) : 0;
  strip->pitch_x = strip->number_width + strip->cells.width + strip->column_gap;
  strip->pitch_y = strip->cells.height + strip->row_gap;
}

static double
get_width (const AttnDrawBuild *build, const Strip *strip)
{
  double maps = (double)strip->n_columns * strip->pitch_x - strip->column_gap;
  double caption = ceil (attn_draw_text_measure (strip->caption).width);
  (void)build;

  return 2 * strip->margin + MAX (maps, caption);
}

/* Few columns rather than the largest maps. Returns: whether the maps are of use. */
static bool
plan_strip (AttnDrawBuild *build, Strip *strip, double width, double height)
{
  Strip best = *strip, tried = *strip;

  for (size_t n = 1; n <= attn_draw_panels_get_n (build->layout->panels); n++) {
    fit_strip (build, &tried, n, width, height);
    if (tried.size > best.size)
      best = tried;
    if (best.size >= GOOD_MAP * build->em)
      break;
  }
  *strip = best;
  return best.size >= LEAST_MAP * build->em && get_width (build, strip) <= width;
}

static void
add_text (
    AttnDrawBuild *build, PangoLayout *text, AttnDrawRole role, size_t panel, double x, double y)
{
  attn_draw_build_add_text (build, text,
                            &(AttnDrawTextPlace){.role = role,
                                                 .panel = panel,
                                                 .token = G_MAXSIZE,
                                                 .x = x - attn_draw_text_measure (text).left,
                                                 .y = y,
                                                 .color = build->layout->ink->dim});
}

static void
add_head (AttnDrawBuild *build, const Strip *strip, size_t panel)
{
  double x = strip->margin + (double)(panel % strip->n_columns) * strip->pitch_x;
  double y = strip->top + (double)(panel / strip->n_columns) * strip->pitch_y;
  PangoLayout *number = shape_number (build, panel);
  AttnDrawExtents extents = attn_draw_text_measure (number);
  double right = x + strip->number_width - NUMBER_GAP * build->em;

  add_text (build, number, ATTN_DRAW_ROLE_HEAD_TITLE, panel, right - extents.width,
            y - MAX (extents.ink_top, 0));
  attn_draw_build_add_panel (build, panel, x + strip->number_width, y, &strip->cells, -1);
  attn_draw_build_add_row_pin (build, panel);
}

bool
attn_draw_layout_strip (AttnDrawBuild *build)
{
  AttnDrawLayout *layout = build->layout;
  size_t n = attn_draw_panels_get_n (layout->panels);
  Strip strip = begin_strip (build);

  if (!plan_strip (build, &strip, build->width, build->max_height))
    return false;
  layout->width = get_width (build, &strip);
  layout->height = strip.top + (double)strip.n_rows * strip.pitch_y - strip.row_gap + strip.margin;
  add_text (build, strip.caption, ATTN_DRAW_ROLE_TITLE, G_MAXSIZE, strip.margin, strip.margin);
  for (size_t panel = 0; panel < n; panel++)
    add_head (build, &strip, panel);
  return true;
}
