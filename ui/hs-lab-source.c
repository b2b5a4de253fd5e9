/* SPDX-License-Identifier: MIT */
/* The trace behind the session's answer, and sentences for when there is none. */
#include "hs-lab-source.h"

#include <glib/gi18n.h>

AttnTrace *
hs_lab_peek_trace (HsSession *session)
{
  HsSide *side = hs_session_peek_side (session);
  HsAnswer *answer = hs_side_peek_answer (side);

  if (hs_side_peek_attention (side) != NULL || answer == NULL)
    return NULL;
  return attn_maps_peek_trace (answer->maps);
}

char *
hs_lab_dup_reason (HsSession *session)
{
  const char *message = hs_session_peek_message (session);
  const char *detail = hs_session_peek_detail (session);

  if (hs_side_peek_attention (hs_session_peek_side (session)) != NULL)
    return g_strdup (_ ("A file of attention has weights alone, not the numbers they were made of: "
                        "this page needs a model"));
  switch (hs_session_get_state (session)) {
  case HS_STATE_EMPTY:
    return g_strdup (_ ("Type a text above: this page is about what the model does with it"));
  case HS_STATE_FAILED:
    return g_strconcat (message != NULL ? message : "", detail != NULL ? "\n" : "", detail, NULL);
  case HS_STATE_BUSY:
  case HS_STATE_READY:
  default:
    return g_strdup (message != NULL ? message : _ ("The model runs…"));
  }
}

AttnDrawFigureStyle
hs_lab_get_style (HsSession *session)
{
  const AttnDrawView *view = hs_session_peek_view (session);

  return (AttnDrawFigureStyle){
      .palette = view->palette,
      .color_map = view->color_map,
      .font_family = view->font_family,
      .font_size_pt = view->font_size_pt,
      .language = view->language,
  };
}
