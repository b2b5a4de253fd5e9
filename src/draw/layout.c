/* SPDX-License-Identifier: MIT */
/* Making a layout: what all views share, and choosing the view that fills it. */
#include "bar.h"
#include "layout-private.h"
#include "panels-private.h"
#include "values.h"

#include <math.h>
#include <string.h>

#define DEFAULT_WIDTH 800.0
#define MAX_WIDTH 200000.0
#define MARGIN 1.2        /* em */
#define MARGIN_SHARE 0.05 /* of the width, at most */

static void
clear_item_cb (void *data)
{
  AttnDrawItem *item = data;
  g_clear_object (&item->text);
}

static double
clamp_width (double width)
{
  if (isnan (width))
    return DEFAULT_WIDTH;
  return CLAMP (round (width), 1, MAX_WIDTH);
}

/* 0 for no limit. */
static double
clamp_height (double height)
{
  return height > 0 && isfinite (height) ? MAX (floor (height), 1) : 0;
}

/* The part of [0, @n) that is drawn; all of it where the crop lies outside. */
static AttnDrawSpan
find_drawn (size_t first, size_t n_drawn, size_t n)
{
  if (n_drawn == 0 || first >= n)
    return (AttnDrawSpan){0, n};
  return (AttnDrawSpan){first, first + MIN (n_drawn, n - first)};
}

/* Which of a compared panel's rows or columns stand at the places @drawn; they follow one another.
 */
static AttnDrawSpan
find_compared (const AttnDrawPanels *panels, size_t panel, AttnSide side, AttnDrawSpan drawn)
{
  AttnDrawSpan span = {0, 0};

  for (size_t place = drawn.first; place < drawn.end; place++) {
    size_t token = attn_draw_panels_get_joint_at (panels, side, place);
    size_t index = attn_draw_panels_find_joint (panels, panel, side, token);
    if (index == G_MAXSIZE)
      continue;
    if (span.end == 0)
      span.first = index;
    span.end = index + 1;
  }
  return span;
}

static void
set_drawn (AttnDrawLayout *layout)
{
  AttnDrawPanels *panels = layout->panels;
  AttnDrawCrop crop =
      attn_draw_kind_has_cells (layout->view->kind) ? layout->view->crop : (AttnDrawCrop){0};

  layout->rows = find_drawn (crop.first_query, crop.n_queries,
                             attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY));
  layout->columns = find_drawn (crop.first_key, crop.n_keys,
                                attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY));
  if (attn_draw_panels_peek_joint (panels) == NULL)
    return;
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    layout->compared_rows[panel] = find_compared (panels, panel, ATTN_SIDE_QUERY, layout->rows);
    layout->compared_columns[panel] = find_compared (panels, panel, ATTN_SIDE_KEY, layout->columns);
  }
}

static void
set_plain_strings (AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_COMPARE)
    attn_draw_view_set_compared_strings (view, &(AttnDrawSubject){0}, &(AttnDrawSubject){0}, NULL,
                                         NULL);
  else
    attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
}

static void
set_colors (AttnDrawLayout *layout)
{
  const uint32_t *lut = attn_draw_color_map_peek_lut (layout->view->color_map);
  bool reverses = attn_draw_view_reverses_map (layout->view);

  if (attn_draw_panels_is_signed (layout->panels, G_MAXSIZE)) {
    lut = attn_draw_view_peek_diverging (layout->view);
    reverses = false;
  }
  for (size_t i = 0; i < 256; i++)
    layout->lut[i] = layout->ramp[i] = lut[reverses ? 255 - i : i];
}

static AttnDrawLayout *
layout_alloc (const AttnDrawView *view, AttnDrawPanels *panels)
{
  AttnDrawLayout *layout = g_new0 (AttnDrawLayout, 1);

  layout->view = attn_draw_view_copy (view);
  if (layout->view->strings.title == NULL)
    set_plain_strings (layout->view);
  layout->view->width_px = clamp_width (view->width_px);
  layout->asked_width = view->width_px;
  layout->view->max_height_px = clamp_height (view->max_height_px);
  layout->panels = attn_draw_panels_ref (panels);
  set_drawn (layout);
  layout->ink = attn_draw_palette_peek_ink (view->palette);
  layout->items = g_array_new (FALSE, FALSE, sizeof (AttnDrawItem));
  g_array_set_clear_func (layout->items, clear_item_cb);
  layout->pointed = g_array_new (FALSE, FALSE, sizeof (AttnDrawItem));
  g_array_set_clear_func (layout->pointed, clear_item_cb);
  layout->places = g_new0 (AttnDrawPlace, attn_draw_panels_get_n (panels));
  set_colors (layout);
  return layout;
}

/* With room for either of the ranges that the text may show. */
static double
measure_bar (AttnDrawBuild *build)
{
  AttnDrawLayout *layout = build->layout;
  float mean_max = layout->mean_max;
  double width = attn_draw_bar_measure (build, G_MAXSIZE);

  layout->mean_max = 0;
  width = MAX (width, attn_draw_bar_measure (build, G_MAXSIZE));
  layout->mean_max = mean_max;
  return width;
}

static void
build_init (AttnDrawBuild *build, AttnDrawLayout *layout)
{
  const AttnDrawView *view = layout->view;
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  size_t pin_query = view->has_pin ? view->pin_query : G_MAXSIZE;
  size_t pin_key = view->has_pin ? view->pin_key : G_MAXSIZE;

  /* a comparison plans with labels of its own, of each panel */
  bool is_compared = attn_draw_panels_peek_joint (layout->panels) != NULL;
  AttnDrawSpan rows = {0, attn_maps_get_n (maps, ATTN_SIDE_QUERY)};
  AttnDrawSpan columns = {0, attn_maps_get_n (maps, ATTN_SIDE_KEY)};

  build->layout = layout;
  build->fonts = attn_draw_fonts_new (view);
  build->em = attn_draw_fonts_get_em (build->fonts);
  build->queries = attn_draw_labels_new (build->fonts, maps, ATTN_SIDE_QUERY, pin_query,
                                         is_compared ? rows : layout->rows);
  build->keys = attn_draw_labels_new (build->fonts, maps, ATTN_SIDE_KEY, pin_key,
                                      is_compared ? columns : layout->columns);
  build->bar_width = measure_bar (build);
  build->width = view->width_px;
  build->max_height = view->max_height_px > 0 ? view->max_height_px : HUGE_VAL;
  build->margin = round (MIN (MARGIN * build->em, MARGIN_SHARE * build->width));
}

static void
build_clear (AttnDrawBuild *build)
{
  attn_draw_labels_free (build->queries);
  attn_draw_labels_free (build->keys);
  attn_draw_fonts_free (build->fonts);
}

AttnDrawLayout *
attn_draw_layout_new (const AttnDrawView *view, AttnDrawPanels *panels)
{
  AttnDrawLayout *layout = layout_alloc (view, panels);
  AttnDrawBuild build;

  if (view->kind == ATTN_DRAW_TEXT) {
    layout->prose = attn_draw_prose_new (panels);
    layout->mean_max = attn_draw_prose_find_mean_max (layout);
  }
  build_init (&build, layout);
  if (view->kind == ATTN_DRAW_HEADS)
    attn_draw_layout_heads (&build);
  else if (view->kind == ATTN_DRAW_LAYERS)
    attn_draw_layout_layers (&build);
  else if (view->kind == ATTN_DRAW_LINES)
    attn_draw_layout_lines (&build);
  else if (view->kind == ATTN_DRAW_TEXT)
    attn_draw_layout_text (&build);
  else if (attn_draw_panels_peek_joint (panels) != NULL)
    attn_draw_layout_compare (&build);
  else
    attn_draw_layout_heatmap (&build);
  if (attn_draw_kind_has_cells (layout->view->kind))
    layout->values = attn_draw_values_new (build.fonts, layout);
  build_clear (&build);
  return layout;
}

AttnDrawLayout *
attn_draw_layout_new_strip (const AttnDrawView *view,
                            AttnDrawPanels *panels,
                            double width,
                            double height)
{
  g_autoptr (AttnDrawLayout) layout = layout_alloc (view, panels);
  AttnDrawBuild build;

  build_init (&build, layout);
  build.width = width;
  build.max_height = height;
  bool is_useful = attn_draw_layout_strip (&build);
  build_clear (&build);
  return is_useful ? g_steal_pointer (&layout) : NULL;
}

void
attn_draw_layout_free (AttnDrawLayout *layout)
{
  if (layout == NULL)
    return;
  attn_draw_values_free (layout->values);
  g_array_unref (layout->items);
  g_array_unref (layout->pointed);
  g_free (layout->places);
  attn_draw_prose_free (layout->prose);
  attn_draw_links_free (layout->links);
  attn_draw_panels_unref (layout->panels);
  attn_draw_view_free (layout->view);
  g_free (layout);
}
