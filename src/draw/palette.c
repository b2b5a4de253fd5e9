/* SPDX-License-Identifier: MIT */
/* The colours around the cells. Text has a contrast of at least 4.5 : 1 with its background. */
#include "palette.h"

#include <math.h>

#define GREY(level) \
  { \
    (level) / 255.0, (level) / 255.0, (level) / 255.0 \
  }
#define RGB(red, green, blue) \
  { \
    (red) / 255.0, (green) / 255.0, (blue) / 255.0 \
  }

static const AttnDrawInk inks[] = {
    [ATTN_DRAW_PALETTE_PAPER] =
        {
            .background = GREY (255),
            .text = GREY (0),
            .dim = GREY (95),
            .rule = GREY (190),
            .accent = RGB (230, 97, 0),
            .accent_text = RGB (184, 74, 0),
            .hidden = 0xfff0f0f0,
            .hidden_line = 0xffb0b0b0,
            .not_a_number = 0xffe8e8e8,
            .not_a_number_line = 0xff505050,
            .zero = 0xffffffff,
            .zero_dot = 0xff909090,
        },
    [ATTN_DRAW_PALETTE_SCREEN] =
        {
            .background = GREY (255),
            .text = RGB (46, 52, 54),
            .dim = RGB (94, 92, 100),
            .rule = RGB (192, 191, 188),
            .accent = RGB (230, 97, 0),
            .accent_text = RGB (184, 74, 0),
            .hidden = 0xfff0f0f0,
            .hidden_line = 0xffb0b0b0,
            .not_a_number = 0xffe8e8e8,
            .not_a_number_line = 0xff505050,
            .zero = 0xffffffff,
            .zero_dot = 0xff909090,
        },
    [ATTN_DRAW_PALETTE_SCREEN_DARK] =
        {
            .background = GREY (48),
            .text = GREY (238),
            .dim = GREY (170),
            .rule = GREY (92),
            .accent = RGB (255, 120, 0),
            .accent_text = RGB (255, 163, 72),
            .hidden = 0xff3c3c3c,
            .hidden_line = 0xff6e6e6e,
            .not_a_number = 0xff464646,
            .not_a_number_line = 0xffc8c8c8,
            .zero = 0xff303030,
            .zero_dot = 0xff8a8a8a,
        },
};

const AttnDrawInk *
attn_draw_palette_peek_ink (AttnDrawPalette palette)
{
  return &inks[(size_t)palette < G_N_ELEMENTS (inks) ? palette : ATTN_DRAW_PALETTE_PAPER];
}

uint32_t
attn_draw_color_to_pixel (AttnDrawColor color)
{
  uint32_t red = (uint32_t)lround (255 * color.red);
  uint32_t green = (uint32_t)lround (255 * color.green);
  uint32_t blue = (uint32_t)lround (255 * color.blue);
  return 0xff000000 | red << 16 | green << 8 | blue;
}

AttnDrawColor
attn_draw_color_from_pixel (uint32_t pixel)
{
  return (AttnDrawColor){(pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0,
                         (pixel & 0xff) / 255.0};
}

AttnDrawColor
attn_draw_color_mix (AttnDrawColor from, AttnDrawColor to, double share)
{
  return (AttnDrawColor){
      from.red + (to.red - from.red) * share,
      from.green + (to.green - from.green) * share,
      from.blue + (to.blue - from.blue) * share,
  };
}
