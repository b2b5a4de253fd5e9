/* SPDX-License-Identifier: MIT */
/* The colours of figures. */
#include "figure-private.h"
#include "head-colors.h"

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
