/* SPDX-License-Identifier: MIT */
/* The colour bar: round numbers at whole steps, and the range's end as it is. */
#include "bar.h"

#include "panels-private.h"
#include "wording.h"

#include "attn/number.h"

#include <math.h>

#define BAR_WIDTH 1.2 /* em */
#define NUMBER_SIZE 0.9
#define USUAL_STEPS 6.0
#define LEAST_STEP 2.2   /* em */
#define TICK_LENGTH 3.0  /* px */
#define NUMBER_GAP 0.35  /* em from tick to number */
#define LEAST_PLAIN 1e-6 /* ranges outside these are written with powers of ten */
#define MOST_PLAIN 1e6

/* The smallest step of 1, 2 or 5 times a power of ten that is at least @least. */
static double
find_step (double least, int *exponent)
{
  *exponent = (int)floor (log10 (least));
  double power = pow (10, *exponent);
  /* a tiny tolerance, or a quotient that is off by its last bit would skip a step */
  if (least <= power * (1 + 1e-9))
    return power;
  if (least <= 2 * power)
    return 2 * power;
  if (least <= 5 * power)
    return 5 * power;
  *exponent += 1;
  return 10 * power;
}

static int
count_decimals (double max, int step_exponent)
{
  if (max < LEAST_PLAIN || max >= MOST_PLAIN)
    return -1;
  int two_digits = 1 - (int)floor (log10 (max));
  return CLAMP (MAX (two_digits, -step_exponent), 0, 9);
}

AttnDrawTicks
attn_draw_bar_find_ticks (double max, double height, double spacing)
{
  AttnDrawTicks ticks = {.n = 1, .decimals = count_decimals (max, 0)};
  double share = height > 0 ? spacing / height : 2;

  if (share <= 0.5 && ticks.decimals >= 0) {
    int exponent;
    double step = find_step (MAX (max * share, max / (ATTN_DRAW_BAR_MAX_TICKS - 2)), &exponent);
    ticks.decimals = count_decimals (max, exponent);
    while (ticks.n < ATTN_DRAW_BAR_MAX_TICKS - 1 &&
           (double)ticks.n * step <= max * (1 - 0.75 * share)) {
      ticks.values[ticks.n] = (double)ticks.n * step;
      ticks.n++;
    }
  }
  if (share <= 1)
    ticks.values[ticks.n++] = max;
  return ticks;
}

static char *
format_number (double value, int decimals)
{
  char buffer[ATTN_NUMBER_SIZE];

  if (decimals < 0 && value != 0)
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.1e", value));
  return g_strdup (attn_number_format_fixed (buffer, value, MAX (decimals, 0)));
}

static bool
has_own_ranges (const AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;
  AttnDrawRange range = attn_draw_view_resolve_range (view);

  if (range == ATTN_DRAW_RANGE_LAYER)
    return view->kind == ATTN_DRAW_LAYERS;
  return range == ATTN_DRAW_RANGE_MAP &&
         (view->kind == ATTN_DRAW_HEADS || view->kind == ATTN_DRAW_LAYERS);
}

static char *
format_tick (const AttnDrawBuild *build, const AttnDrawTicks *ticks, size_t index)
{
  g_autofree char *number = format_number (ticks->values[index], ticks->decimals);
  bool is_end = index > 0 && index + 1 == ticks->n;
  if (is_end && attn_draw_panels_is_clipped (build->layout->panels))
    return g_strconcat ("≥ ", number, NULL);
  return g_steal_pointer (&number);
}

char *
attn_draw_bar_format_max (const AttnDrawBuild *build, size_t panel)
{
  double max = (double)attn_draw_panels_get_max (build->layout->panels, panel);
  return format_number (max, count_decimals (max, 0));
}

static PangoLayout *
shape_number (AttnDrawBuild *build, const char *text)
{
  AttnDrawStyle style = {.size_px = NUMBER_SIZE * build->em};
  return attn_draw_fonts_shape (build->fonts, text, &style);
}

double
attn_draw_bar_measure (AttnDrawBuild *build)
{
  double bar = round (BAR_WIDTH * build->em);
  /* one digit more than the end has: a fine step may need it */
  g_autofree char *number = attn_draw_bar_format_max (build, 0);
  bool is_clipped = attn_draw_panels_is_clipped (build->layout->panels);
  g_autofree char *widest = g_strconcat (is_clipped ? "≥ " : "", number, "0", NULL);
  AttnDrawExtents extents = attn_draw_text_measure (shape_number (build, widest));

  return bar + TICK_LENGTH + NUMBER_GAP * build->em + ceil (extents.width);
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
attn_draw_bar_add (AttnDrawBuild *build, double x, double y, double height)
{
  AttnDrawRect rect = {x, y, round (BAR_WIDTH * build->em), height};
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_BAR,
      .role = ATTN_DRAW_ROLE_BAR,
      .rect = rect,
      .panel = G_MAXSIZE,
      .token = G_MAXSIZE,
  };
  AttnDrawRect frame = {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2};
  attn_draw_build_add_rule (build, ATTN_DRAW_ROLE_BAR, G_MAXSIZE, frame);
  g_array_append_val (build->layout->items, item);

  double max = (double)attn_draw_panels_get_max (build->layout->panels, 0);
  AttnDrawTicks ticks =
      attn_draw_bar_find_ticks (max, height, MAX (height / USUAL_STEPS, LEAST_STEP * build->em));
  if (has_own_ranges (build))
    ticks.n = 1; /* each map's end is another; only 0 is common */
  double right = rect.x + rect.width;
  for (size_t i = 0; i < ticks.n; i++) {
    double tick_y = y + height * (1 - ticks.values[i] / max);
    AttnDrawRect tick = {right + 1, floor (CLAMP (tick_y, y, y + height - 1)), TICK_LENGTH, 1};
    g_autofree char *number = format_tick (build, &ticks, i);
    attn_draw_build_add_rule (build, ATTN_DRAW_ROLE_BAR, G_MAXSIZE, tick);
    add_number (build, number, right + 1 + TICK_LENGTH + NUMBER_GAP * build->em, tick.y + 0.5);
  }
}
