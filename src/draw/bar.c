/* SPDX-License-Identifier: MIT */
/* The colour bar with its numbers. */
#include "bar.h"

#include "panels-private.h"
#include "ticks.h"
#include "wording.h"

#include <math.h>

#define BAR_WIDTH 1.2 /* em */
#define NUMBER_SIZE 0.9
#define USUAL_STEPS 6.0
#define LEAST_STEP 2.2  /* em */
#define TICK_LENGTH 3.0 /* px */
#define NUMBER_GAP 0.35 /* em from tick to number */
#define HUGE_BAR 1000.0 /* em: has all the numbers that any bar may have */

static bool
has_own_ranges (const AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;
  AttnDrawRange range = attn_draw_view_resolve_range (view);

  if (range == ATTN_DRAW_RANGE_LAYER)
    return view->kind == ATTN_DRAW_LAYERS;
  return range == ATTN_DRAW_RANGE_MAP &&
         (attn_draw_kind_has_layer (view->kind) || view->kind == ATTN_DRAW_LAYERS);
}

static bool
is_of_difference (const AttnDrawBuild *build, size_t panel)
{
  return panel != G_MAXSIZE && attn_draw_panels_is_difference (build->layout->panels, panel);
}

/* From −max to max; where nothing differs there is no end to tell, unless one was chosen. */
static AttnDrawTicks
find_difference_ticks (const AttnDrawBuild *build, size_t panel, double height)
{
  AttnDrawPanels *panels = build->layout->panels;
  bool is_chosen = attn_draw_view_resolve_range (build->layout->view) == ATTN_DRAW_RANGE_FIXED;
  bool has_ends = is_chosen || !attn_draw_panels_has_no_difference (panels);
  double spacing = MAX (height / USUAL_STEPS, LEAST_STEP * build->em);

  return attn_draw_ticks_find_signed ((double)attn_draw_panels_get_max (panels, panel),
                                      has_ends ? height : 0, spacing);
}

/* Ticks of a bar of @height px. Where each map has a range of its own, numbers are the same for
 * all: shares of its end, which has none. */
static AttnDrawTicks
find_ticks (const AttnDrawBuild *build, size_t panel, double height)
{
  if (is_of_difference (build, panel))
    return find_difference_ticks (build, panel, height);
  bool is_signed = attn_draw_panels_is_signed (build->layout->panels, panel);
  AttnDrawScale scale = is_signed ? ATTN_DRAW_SCALE_LINEAR : build->layout->view->scale;
  bool is_own = has_own_ranges (build) && scale != ATTN_DRAW_SCALE_RANK;
  double max =
      is_own ? 1 : (double)attn_draw_layout_get_max (build->layout, panel != G_MAXSIZE ? panel : 0);
  double spacing = MAX (height / USUAL_STEPS, LEAST_STEP * build->em);
  if (is_signed) /* of ranges of their own only 0 is common */
    return attn_draw_ticks_find_signed (max, is_own ? 0 : height, spacing);
  AttnDrawTicks ticks = attn_draw_ticks_find (scale, max, height, spacing);

  ticks.is_share = is_own;
  if (is_own && scale == ATTN_DRAW_SCALE_LINEAR)
    ticks.n = 1; /* only 0 is common */
  return ticks;
}

static char *
format_tick (const AttnDrawBuild *build, const AttnDrawTicks *ticks, size_t panel, size_t index)
{
  g_autofree char *number = attn_draw_ticks_format (ticks, index);
  bool is_weight = ticks->scale != ATTN_DRAW_SCALE_RANK && !ticks->is_share;
  bool is_end = index > 0 && index + 1 == ticks->n;
  bool is_clipped =
      is_of_difference (build, panel)
          ? attn_draw_panels_peek_joint (build->layout->panels)->is_clipped
          : attn_draw_panels_is_clipped (build->layout->panels) && build->layout->mean_max == 0;
  if (ticks->is_signed) {
    bool is_last = index == 0 || index + 1 == ticks->n;
    if (!is_last || !is_clipped || !(fabs (ticks->values[index]) > 0))
      return g_steal_pointer (&number);
    return g_strconcat (ticks->values[index] > 0 ? "≥ " : "≤ ", number, NULL);
  }
  if (is_weight && is_end && is_clipped)
    return g_strconcat ("≥ ", number, NULL);
  return g_steal_pointer (&number);
}

char *
attn_draw_bar_format_max (const AttnDrawBuild *build, size_t panel)
{
  return attn_draw_ticks_format_max ((double)attn_draw_layout_get_max (build->layout, panel));
}

static PangoLayout *
shape_number (AttnDrawBuild *build, const char *text)
{
  AttnDrawStyle style = {.size_px = NUMBER_SIZE * build->em};
  return attn_draw_fonts_shape (build->fonts, text, &style);
}

double
attn_draw_bar_measure (AttnDrawBuild *build, size_t panel)
{
  double bar = round (BAR_WIDTH * build->em);
  AttnDrawTicks ticks = find_ticks (build, panel, HUGE_BAR * build->em);
  double widest = 0;

  for (size_t i = 0; i < ticks.n; i++) {
    g_autofree char *number = format_tick (build, &ticks, panel, i);
    /* a fine step may need a digit more than the end has */
    bool may_grow = ticks.scale == ATTN_DRAW_SCALE_LINEAR && (i == 0 || i + 1 == ticks.n);
    g_autofree char *longest = g_strconcat (number, may_grow ? "0" : "", NULL);
    widest = MAX (widest, attn_draw_text_measure (shape_number (build, longest)).width);
  }
  return bar + TICK_LENGTH + NUMBER_GAP * build->em + ceil (widest);
}

static void
add_number (AttnDrawBuild *build, const char *number, double x, double middle_y)
{
  PangoLayout *text = shape_number (build, number);
  AttnDrawExtents extents = attn_draw_text_measure (text);
  double middle = attn_draw_labels_get_middle (&extents, NUMBER_SIZE * build->em);

  attn_draw_build_add_text (build, text,
                            &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_BAR,
                                                 .panel = G_MAXSIZE,
                                                 .token = G_MAXSIZE,
                                                 .x = x - extents.left,
                                                 .y = middle_y - middle,
                                                 .color = build->layout->ink->text});
}

void
attn_draw_bar_add (AttnDrawBuild *build, size_t panel, double x, double y, double height)
{
  AttnDrawRect rect = {x, y, round (BAR_WIDTH * build->em), height};
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_BAR,
      .role = ATTN_DRAW_ROLE_BAR,
      .rect = rect,
      .panel = panel,
      .token = G_MAXSIZE,
  };
  AttnDrawRect frame = {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2};
  attn_draw_build_add_rule (build, ATTN_DRAW_ROLE_BAR, G_MAXSIZE, frame);
  g_array_append_val (build->layout->items, item);

  AttnDrawTicks ticks = find_ticks (build, panel, height);
  double right = rect.x + rect.width;
  for (size_t i = 0; i < ticks.n; i++) {
    double tick_y = y + height * (1 - ticks.places[i]);
    AttnDrawRect tick = {right + 1, floor (CLAMP (tick_y, y, y + height - 1)), TICK_LENGTH, 1};
    g_autofree char *number = format_tick (build, &ticks, panel, i);
    attn_draw_build_add_rule (build, ATTN_DRAW_ROLE_BAR, G_MAXSIZE, tick);
    add_number (build, number, right + 1 + TICK_LENGTH + NUMBER_GAP * build->em, tick.y + 0.5);
  }
}
