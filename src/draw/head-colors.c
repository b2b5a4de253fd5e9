/* SPDX-License-Identifier: MIT */
/* The table of the heads' colours. Found by search: each new one is as far as can be from those
 * before it, as seen by people with usual colour vision, without red cones and without green ones.
 */
#include "head-colors.h"

static const uint32_t colors[][ATTN_DRAW_N_HEAD_COLORS] = {
    {
        /* on white */
        0xff574800, 0xff5c49f9, 0xff491b68, 0xff879c07, 0xffa285b6, 0xff14608b,
        0xff0497ff, 0xff9f4756, 0xff200b9b, 0xfff3507b, 0xff71043d, 0xff208502,
        0xffa90476, 0xff6574cd, 0xff03987b, 0xff4e42a2, 0xff5b200e, 0xff035dcc,
        0xffae6d4f, 0xff062bd2, 0xff086439, 0xffa845ab, 0xffa80026, 0xff6b3f58,
    },
    {
        /* on dark grey */
        0xff62afb9, 0xffffe402, 0xff23fbc6, 0xffaca10d, 0xff7761ff, 0xff08a2fd,
        0xffffcd8f, 0xff468c5e, 0xff97f9ff, 0xffd33bcc, 0xffdf538e, 0xff91b4ff,
        0xffff808a, 0xff277fc6, 0xff8cd2cd, 0xff00951d, 0xff06deff, 0xfff70869,
        0xfff52329, 0xffad8ad5, 0xff07bd89, 0xff438fa5, 0xff40d302, 0xffb09a64,
    },
};

uint32_t
attn_draw_head_color (AttnDrawPalette palette, size_t head)
{
  size_t set = palette == ATTN_DRAW_PALETTE_SCREEN_DARK ? 1 : 0;
  return colors[set][head % ATTN_DRAW_N_HEAD_COLORS];
}
