/* SPDX-License-Identifier: MIT */
/* Colour maps: their names, their tables and the rounding rules. */
#include "attn-draw/color-map.h"

#include "color-map-tables.h"

static const char *const names[ATTN_DRAW_N_COLOR_MAPS] = {
    [ATTN_DRAW_COLOR_MAP_YLGNBU] = "YlGnBu",   [ATTN_DRAW_COLOR_MAP_VIRIDIS] = "viridis",
    [ATTN_DRAW_COLOR_MAP_CIVIDIS] = "cividis", [ATTN_DRAW_COLOR_MAP_MAGMA] = "magma",
    [ATTN_DRAW_COLOR_MAP_GREY] = "grey",
};

const char *
attn_draw_color_map_peek_name (AttnDrawColorMap map)
{
  g_return_val_if_fail ((unsigned)map < ATTN_DRAW_N_COLOR_MAPS, names[0]);
  return names[map];
}

bool
attn_draw_color_map_find (const char *name, AttnDrawColorMap *map)
{
  for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++)
    if (g_ascii_strcasecmp (name, names[m]) == 0) {
      *map = (AttnDrawColorMap)m;
      return true;
    }
  return false;
}

bool
attn_draw_color_map_suits_all (AttnDrawColorMap map)
{
  return map != ATTN_DRAW_COLOR_MAP_YLGNBU; /* whose lightest colours are alike to some */
}

bool
attn_draw_color_map_begins_light (AttnDrawColorMap map)
{
  return map == ATTN_DRAW_COLOR_MAP_YLGNBU || map == ATTN_DRAW_COLOR_MAP_GREY;
}

const uint32_t *
attn_draw_color_map_peek_lut (AttnDrawColorMap map)
{
  g_return_val_if_fail ((unsigned)map < ATTN_DRAW_N_COLOR_MAPS, attn_draw_color_map_tables[0]);
  return attn_draw_color_map_tables[map];
}

unsigned
attn_draw_color_index (float value, float max)
{
  float place = value / max * 255.0f;
  if (!(place > 0)) /* NaN, too */
    return 0;
  return place >= 255.0f ? 255 : (unsigned)(place + 0.5f);
}

const uint32_t *
attn_draw_diverging_peek_lut (AttnDrawDiverging table)
{
  g_return_val_if_fail ((unsigned)table < ATTN_DRAW_N_DIVERGING, attn_draw_diverging_tables[0]);
  return attn_draw_diverging_tables[table];
}

unsigned
attn_draw_diverging_index (float value, float max)
{
  const unsigned n_steps = ATTN_DRAW_DIVERGING_MIDDLE - 1;
  float place = value / max * (float)n_steps;
  float size = place < 0 ? -place : place;
  unsigned steps = 0;

  if (size > 0) /* false for NaN, too */
    steps = size >= (float)n_steps ? n_steps : (unsigned)(size + 0.5f);
  return place < 0 ? ATTN_DRAW_DIVERGING_MIDDLE - steps : ATTN_DRAW_DIVERGING_MIDDLE + steps;
}
