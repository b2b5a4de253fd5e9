/* SPDX-License-Identifier: MIT */
/* The table of the heads' colours. Found by search: each new one is as far as can be from those
 * before it, as seen by people with usual colour vision, without red cones and without green ones.
 */
#include "head-colors.h"

static const uint32_t colors[][ATTN_DRAW_N_HEAD_COLORS] = {
    {
        /* on white */
        0xff1200c0, 0xff0b5f00, 0xff0097ff, 0xff2aa902, 0xff299792, 0xff04548b,
        0xff472553, 0xffc80058, 0xff1f58f9, 0xff42008f, 0xff54270f, 0xff6d4aba,
        0xff6b7b00, 0xffc059d8, 0xff8f9765, 0xff147db7, 0xff845e85, 0xff908fc1,
        0xff7a2e6b, 0xffe65c95, 0xff1a6d55, 0xff9d1296, 0xff810038, 0xffae001c,
    },
    {
        /* on dark grey */
        0xff2675ff, 0xffa6af7a, 0xff48ffff, 0xffb6ff8b, 0xff07906e, 0xff04c4bf,
        0xffcb7ded, 0xfff40116, 0xff04c707, 0xff827bbf, 0xffffe902, 0xff9bdac5,
        0xff77823c, 0xffff96ed, 0xffaed828, 0xff0fceff, 0xffbb40db, 0xff01ee99,
        0xffb25b9b, 0xffbb8597, 0xff28ad4e, 0xffe843c8, 0xffe82e71, 0xfffa94a2,
    },
};

uint32_t
attn_draw_head_color (AttnDrawPalette palette, size_t head)
{
  size_t set = palette == ATTN_DRAW_PALETTE_SCREEN_DARK ? 1 : 0;
  return colors[set][head % ATTN_DRAW_N_HEAD_COLORS];
}
