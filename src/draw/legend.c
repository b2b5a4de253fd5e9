/* SPDX-License-Identifier: MIT */
/* The legend of heads. */
#include "legend.h"

#include "head-colors.h"
#include "panels-private.h"

#include <math.h>

/* all in em of the view's font */
#define NUMBER_SIZE 0.9
#define SWATCH 0.85
#define NUMBER_GAP 0.45 /* the chosen head's mark goes around its colour alone */
#define ENTRY_GAP 0.9
#define ROW 1.5
#define TITLE_GAP 0.8
#define LEAST_FOR_TITLE 16.0 /* narrower ones have no word before the first */

static PangoLayout *
shape_number (AttnDrawBuild *build, size_t panel)
{
  AttnDrawStyle style = {.size_px = NUMBER_SIZE * build->em};
  g_autofree char *number =
      g_strdup_printf ("%zu", attn_draw_panels_get_head (build->layout->panels, panel) + 1);
  return attn_draw_fonts_shape (build->fonts, number, &style);
}

static PangoLayout *
shape_title (AttnDrawBuild *build)
{
  AttnDrawStyle style = {.size_px = NUMBER_SIZE * build->em};
  return attn_draw_fonts_shape (build->fonts, build->layout->view->strings.heads, &style);
}

AttnDrawLegend
attn_draw_legend_plan (AttnDrawBuild *build, double width)
{
  size_t n = attn_draw_panels_get_n (build->layout->panels);
  double swatch = round (SWATCH * build->em);
  AttnDrawLegend legend = {.row_height = ceil (ROW * build->em)};

  for (size_t panel = 0; panel < n; panel++) {
    double number = attn_draw_text_measure (shape_number (build, panel)).width;
    legend.entry_width = MAX (legend.entry_width, number);
  }
  legend.entry_width = ceil (legend.entry_width + swatch + (NUMBER_GAP + ENTRY_GAP) * build->em);
  if (width >= LEAST_FOR_TITLE * build->em && build->layout->view->strings.heads != NULL)
    legend.title_width =
        ceil (attn_draw_text_measure (shape_title (build)).width + TITLE_GAP * build->em);
  double fitting = floor ((width - legend.title_width) / legend.entry_width);
  legend.n_columns = (size_t)CLAMP (fitting, 1, (double)n);
  size_t n_rows = (n + legend.n_columns - 1) / legend.n_columns;
  legend.width = legend.title_width + (double)legend.n_columns * legend.entry_width;
  legend.height = (double)n_rows * legend.row_height;
  return legend;
}

static void
add_text (AttnDrawBuild *build, PangoLayout *text, size_t panel, double x, double middle, bool dim)
{
  const AttnDrawInk *ink = build->layout->ink;
  AttnDrawExtents extents = attn_draw_text_measure (text);
  double down = attn_draw_labels_get_middle (&extents, NUMBER_SIZE * build->em);

  attn_draw_build_add_text (build, text,
                            &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_LEGEND,
                                                 .panel = panel,
                                                 .token = G_MAXSIZE,
                                                 .x = x - extents.left,
                                                 .y = middle - down,
                                                 .color = dim ? ink->dim : ink->text});
}

/* A square in the head's colour; only its frame where the head is not drawn. */
static void
add_swatch (AttnDrawBuild *build, size_t panel, AttnDrawRect rect, bool is_drawn)
{
  const AttnDrawLayout *layout = build->layout;
  size_t head = attn_draw_panels_get_head (layout->panels, panel);
  uint32_t color = attn_draw_panels_is_signed (layout->panels, panel)
                       ? attn_draw_color_to_pixel (layout->ink->text) /* colours tell signs */
                       : attn_draw_head_color (layout->view->palette, head);

  attn_draw_build_add_fill (build, ATTN_DRAW_ROLE_LEGEND, panel, rect,
                            attn_draw_color_from_pixel (color));
  if (is_drawn)
    return;
  double line = MAX (round (0.1 * rect.width), 1);
  AttnDrawRect inside = {rect.x + line, rect.y + line, rect.width - 2 * line,
                         rect.height - 2 * line};
  attn_draw_build_add_fill (build, ATTN_DRAW_ROLE_LEGEND, panel, inside, layout->ink->background);
}

void
attn_draw_legend_add (AttnDrawBuild *build, const AttnDrawLegend *legend, double x, double y)
{
  const AttnDrawLayout *layout = build->layout;
  double swatch = round (SWATCH * build->em);

  if (legend->title_width > 0)
    add_text (build, shape_title (build), G_MAXSIZE, x, y + legend->row_height / 2, true);
  for (size_t panel = 0; panel < attn_draw_panels_get_n (layout->panels); panel++) {
    size_t row = panel / legend->n_columns, column = panel % legend->n_columns;
    double left = round (x + legend->title_width + (double)column * legend->entry_width);
    double middle = y + ((double)row + 0.5) * legend->row_height;
    bool is_drawn = attn_draw_view_has_head (layout->view, layout->panels, panel);
    AttnDrawRect rect = {left, round (middle - swatch / 2), swatch, swatch};
    add_swatch (build, panel, rect, is_drawn);
    add_text (build, shape_number (build, panel), panel, left + swatch + NUMBER_GAP * build->em,
              middle, !is_drawn);
  }
}
