/* SPDX-License-Identifier: MIT */
/* The figure of an atlas: which blocks it has, and where. */
#include "attn-draw/atlas.h"

#include "atlas-private.h"

#include <math.h>

#define NARROW_EM 52.0 /* below this the passport stands under the map */
#define GAP_EM 2.4
#define LEFT_SHARE 0.56  /* of the width: the map */
#define MOST_MAP_EM 60.0 /* wide */
#define MOST_TEXT_EM 46.0

/* What is no pattern has no colour. */
AttnDrawColor
attn_draw_atlas_get_color (const AttnDrawFigureStyle *style, AttnPattern pattern)
{
  return pattern < ATTN_PATTERN_MIXED    ? attn_draw_tone_get_series (style, (size_t)pattern)
         : pattern == ATTN_PATTERN_MIXED ? attn_draw_tone_get (style, ATTN_DRAW_TONE_DIM)
                                         : attn_draw_tone_get (style, ATTN_DRAW_TONE_TEXT);
}

void
attn_draw_atlas_dot (Making *making, AttnDrawColor color, double x, double y, double size)
{
  const AttnDrawRect rect = {x - size / 2, y - size / 2, size, size};
  attn_draw_figure_add_card (making->builder, rect, color,
                             attn_draw_tone_get (making->style, ATTN_DRAW_TONE_BACKGROUND),
                             size / 2);
}

bool
attn_draw_atlas_is_wanted (const Making *making, size_t layer, size_t head)
{
  const AttnDrawAtlas *asked = making->asked;
  const AttnPassport *passport = &making->passports[layer * asked->atlas->n_heads + head];
  return (asked->filter.pattern == 0 || passport->pattern + 1 == asked->filter.pattern) &&
         (asked->filter.layer == 0 || asked->filter.layer > asked->atlas->n_layers ||
          layer + 1 == asked->filter.layer);
}

static void
making_clear (Making *making)
{
  g_free (making->passports);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Making, making_clear)

static void
look_at_heads (Making *making)
{
  const AttnAtlas *atlas = making->asked->atlas;
  making->passports = g_new (AttnPassport, atlas->n_layers * atlas->n_heads);
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++)
    making->passports[i] = attn_atlas_get_passport (atlas, i / atlas->n_heads, i % atlas->n_heads);
}

AttnDrawFigure *
attn_draw_atlas_new (const AttnDrawAtlas *asked)
{
  g_auto (Making)
      making = {.builder = attn_draw_figure_builder_new (&asked->style), .asked = asked};
  making.style = attn_draw_figure_builder_peek_style (making.builder);
  making.em = attn_draw_figure_builder_get_em (making.builder);
  look_at_heads (&making);
  const double margin = making.em, gap = GAP_EM * making.em;
  const double width = asked->width - 2 * margin;
  double height;
  if (asked->width < NARROW_EM * making.em) {
    height = attn_draw_atlas_add_map (&making, margin, margin, width) + gap;
    height += attn_draw_atlas_add_passport (&making, margin, margin + height, width);
  } else {
    const double left = MIN ((width - gap) * LEFT_SHARE, MOST_MAP_EM * making.em);
    const double right = MIN (width - gap - left, MOST_TEXT_EM * making.em);
    height = attn_draw_atlas_add_map (&making, margin, margin, left);
    height =
        MAX (height, attn_draw_atlas_add_passport (&making, margin + left + gap, margin, right));
  }
  return attn_draw_figure_builder_end (making.builder, asked->width, height + 2 * margin);
}
