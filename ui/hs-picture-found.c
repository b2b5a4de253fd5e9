/* SPDX-License-Identifier: MIT */
/* From a match to the labels of its tokens. */
#include "hs-picture-found.h"

#include "hs-zoom.h"

/* Scrolls to the first label of a token, where there is one. */
static void
reveal_label (HsPicture *self, AttnDrawRole role, size_t token)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (self);
  size_t n_items = layout != NULL ? attn_draw_layout_get_n_items (layout) : 0;
  AttnSide side = role == ATTN_DRAW_ROLE_QUERY_LABEL ? ATTN_SIDE_QUERY : ATTN_SIDE_KEY;
  for (size_t i = 0; i < n_items; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role != role)
      continue;
    size_t named = item->token;
    if (item->panel != G_MAXSIZE)
      named = attn_draw_panels_get_joint (attn_draw_layout_peek_panels (layout), item->panel, side,
                                          item->token);
    if (named != token)
      continue;
    hs_picture_reveal (self, item->rect);
    return;
  }
}

/* The part of the map, and then the part of the picture, that shows a token. */
void
hs_picture_reveal_found (HsPicture *self)
{
  HsSession *session = hs_picture_peek_session (self);
  guint found = hs_session_get_found (session);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (found == HS_NONE)
    return;
  const HsMatch *match = &g_array_index (hs_session_peek_matches (session), HsMatch, found);
  size_t query = match->n_queries > 0 ? match->query : G_MAXSIZE;
  size_t key = match->n_keys > 0 ? match->key : G_MAXSIZE;
  hs_zoom_reveal (session, query, key);
  reveal_label (self, ATTN_DRAW_ROLE_KEY_LABEL, key);
  reveal_label (self, ATTN_DRAW_ROLE_QUERY_LABEL, query);
}
