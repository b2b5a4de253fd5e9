/* SPDX-License-Identifier: MIT */
/* The maps that are shown know which tokens their rows come from. */
#include "hs-lab-follow.h"

AttnMaps *
hs_lab_peek_shown (HsSession *session)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);

  return panels != NULL ? attn_draw_panels_peek_maps (panels) : NULL;
}

size_t
hs_lab_find_token (HsSession *session, guint row)
{
  AttnMaps *maps = hs_lab_peek_shown (session);
  AttnOrigin origin;

  if (row == HS_NONE || maps == NULL || row >= attn_maps_get_n (maps, ATTN_SIDE_QUERY) ||
      !attn_maps_get_origin (maps, ATTN_SIDE_QUERY, row, &origin))
    return G_MAXSIZE;
  return origin.first;
}

guint
hs_lab_find_row (HsSession *session, AttnSide side, size_t token)
{
  AttnMaps *maps = hs_lab_peek_shown (session);
  const size_t row = maps != NULL ? attn_maps_find_token (maps, side, token) : G_MAXSIZE;

  return row == G_MAXSIZE ? HS_NONE : (guint)row;
}

bool
hs_lab_get_followed (HsSession *session, size_t *token)
{
  const size_t found = hs_lab_find_token (session, hs_session_get_pinned_query (session));

  if (found == G_MAXSIZE)
    return false;
  *token = found;
  return true;
}

void
hs_lab_follow (HsSession *session, size_t token)
{
  const guint row = hs_lab_find_row (session, ATTN_SIDE_QUERY, token);
  const bool is_same = hs_session_get_pinned_query (session) == row;

  hs_session_set_pinned (session, is_same ? HS_NONE : row, HS_NONE);
}
