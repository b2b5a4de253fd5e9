/* SPDX-License-Identifier: MIT */
/* Shades behind letters. */
#include "shades.h"

#include <math.h>

static double
get_luminance (AttnDrawColor color)
{
  static const double shares[] = {0.2126, 0.7152, 0.0722};
  const double channels[] = {color.red, color.green, color.blue};
  double luminance = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (channels); i++) {
    double c = channels[i];
    luminance += shares[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

static double
get_contrast (double a, double b)
{
  return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}

/* Of colours @first … @end - 1 of @lut. */
static AttnDrawColor
find_strongest (const AttnDrawInk *ink, const uint32_t *lut, size_t first, size_t end)
{
  double text = get_luminance (ink->text), ground = get_luminance (ink->background);
  AttnDrawColor strongest = ink->background;
  double most = 1;

  for (size_t i = first; i < end; i++) {
    AttnDrawColor color = attn_draw_color_from_pixel (lut[i]);
    double luminance = get_luminance (color);
    bool is_between = (luminance - ground) * (text - ground) >= 0;
    if (is_between && get_contrast (luminance, text) >= ATTN_DRAW_SHADE_CONTRAST &&
        get_contrast (luminance, ground) > most) {
      most = get_contrast (luminance, ground);
      strongest = color;
    }
  }
  return strongest;
}

void
attn_draw_shades_find (const AttnDrawInk *ink, AttnDrawColorMap map, uint32_t *ramp)
{
  AttnDrawColor from = ink->background;
  AttnDrawColor to = find_strongest (ink, attn_draw_color_map_peek_lut (map), 0, 256);

  for (size_t i = 0; i < 256; i++)
    ramp[i] = attn_draw_color_to_pixel (attn_draw_color_mix (from, to, (double)i / 255));
}

void
attn_draw_shades_diverge (AttnDrawColor ground,
                          AttnDrawColor below,
                          AttnDrawColor above,
                          uint32_t *ramp)
{
  const double middle = ATTN_DRAW_DIVERGING_MIDDLE;

  for (size_t i = 0; i < 256; i++) {
    double share = CLAMP (((double)i - middle) / (middle - 1), -1, 1);
    ramp[i] = attn_draw_color_to_pixel (
        attn_draw_color_mix (ground, share < 0 ? below : above, fabs (share)));
  }
}

void
attn_draw_shades_find_signed (const AttnDrawInk *ink, const uint32_t *lut, uint32_t *ramp)
{
  AttnDrawColor below = find_strongest (ink, lut, 0, ATTN_DRAW_DIVERGING_MIDDLE);
  AttnDrawColor above = find_strongest (ink, lut, ATTN_DRAW_DIVERGING_MIDDLE, 256);

  attn_draw_shades_diverge (ink->background, below, above, ramp);
}
