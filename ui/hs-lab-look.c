/* SPDX-License-Identifier: MIT */
/* How the lab's figures look in a window. */
#include "hs-lab-look.h"

#include "hs-format.h"

AttnDrawLabLook
hs_lab_look_get (HsSession *session, double width)
{
  const AttnDrawView *asked = hs_session_peek_asked (session);

  return (AttnDrawLabLook){
      .style = {.palette = hs_session_get_dark (session) ? ATTN_DRAW_PALETTE_SCREEN_DARK
                                                         : ATTN_DRAW_PALETTE_SCREEN,
                .color_map = asked->color_map,
                .font_family = asked->font_family,
                .font_size_pt = asked->font_size_pt,
                .language = asked->language},
      .width = width,
      .translate = hs_translate,
  };
}

AttnDrawLabLook
hs_lab_look_get_for_file (HsSession *session)
{
  AttnDrawLabLook look = ATTN_DRAW_LAB_LOOK;

  look.style.language = g_intern_string (hs_session_peek_asked (session)->language);
  look.style.font_family = g_intern_string (hs_session_peek_asked (session)->font_family);
  look.translate = hs_translate;
  return look;
}
