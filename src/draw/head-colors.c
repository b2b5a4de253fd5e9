/* SPDX-License-Identifier: MIT */
/* The table of the heads' colours. Found by search: each new one is as far as can be from those
 * before it, as seen by people with usual colour vision, without red cones, without green ones and
 * without blue ones. */
#include "head-colors.h"

static const uint32_t colors[][ATTN_DRAW_N_HEAD_COLORS] = {
    {
        /* on white */
        0xff1b12e1, 0xffab9000, 0xff870036, 0xff0099d8, 0xffd81b87, 0xff7e6312,
        0xffd87587, 0xff1b63fc, 0xff242d90, 0xfffc36cf, 0xff007e63, 0xff63126c,
        0xff8748bd, 0xff636c99, 0xffe1002d, 0xff992475, 0xff005a5a, 0xffa275b4,
        0xff519963, 0xff6300bd, 0xff753f00, 0xff7e7efc, 0xff514899, 0xffb424e1,
    },
    {
        /* on dark grey */
        0xff00ea00, 0xffb451d8, 0xfff3c6fc, 0xff51872d, 0xff7ea2cf, 0xffc6f390,
        0xfffc1b99, 0xffbd9000, 0xffb4fcf3, 0xfffc87a2, 0xffc65a6c, 0xff009087,
        0xfff30036, 0xff90d8cf, 0xffa275b4, 0xfffcfc00, 0xffbdabf3, 0xffe175fc,
        0xff75c600, 0xff7e6cfc, 0xff51bdb4, 0xffabcf75, 0xff09fcc6, 0xff7ea263,
    },
};

uint32_t
attn_draw_head_color (AttnDrawPalette palette, size_t head)
{
  size_t set = palette == ATTN_DRAW_PALETTE_SCREEN_DARK ? 1 : 0;
  return colors[set][head % ATTN_DRAW_N_HEAD_COLORS];
}
