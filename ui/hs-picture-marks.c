/* SPDX-License-Identifier: MIT */
/* From what the session points at and has chosen to what is emphasised on a picture. */
#include "hs-picture-marks.h"

/* Returns: index of the shown panel of this head, or G_MAXSIZE. The layer counts only where panels
 * are of several. */
static size_t
find_panel (HsSession *session, guint layer, guint head)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  if (panels == NULL)
    return G_MAXSIZE;
  bool one_layer = hs_session_peek_view (session)->kind != ATTN_DRAW_LAYERS;
  return attn_draw_panels_find (
      panels, one_layer ? attn_draw_panels_get_layer (panels, 0) : (size_t)layer, head);
}

size_t
hs_picture_find_selected (HsSession *session)
{
  const AttnArrangement *arrangement = &hs_session_peek_view (session)->arrangement;
  bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  bool combines_layers = combines && arrangement->combine_layers;
  return find_panel (
      session, combines_layers ? 0 : hs_session_get_layer (session),
      attn_draw_view_is_joint (hs_session_peek_view (session)) ? 0 : hs_session_get_head (session));
}

static size_t
to_index (guint value)
{
  return value == HS_NONE ? G_MAXSIZE : value;
}

/* Of lines those of a token or of a head are left while the pointer is on it; on a line all are. */
static void
set_focus (HsPictureMarks *marks)
{
  bool has_query = marks->query != G_MAXSIZE, has_key = marks->key != G_MAXSIZE;
  marks->has_focus = has_query != has_key || (!has_query && marks->panel != G_MAXSIZE);
  marks->focus = (AttnDrawFocus){
      .panel = has_query || has_key ? G_MAXSIZE : marks->panel,
      .query = marks->query,
      .key = marks->key,
  };
}

/* What was hovered may belong to an older text for a moment: beyond the map is nowhere. */
HsPictureMarks
hs_picture_find_marks (HsSession *session, const AttnDrawLayout *layout)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  HsPictureMarks marks = {
      .panel = find_panel (session, hovered->layer, hovered->head),
      .layer = to_index (hovered->layer),
      .head = to_index (hovered->head),
      .query = to_index (hovered->query),
      .key = to_index (hovered->key),
      .selected = G_MAXSIZE,
      .matches = hs_session_peek_matches (session),
  };
  if (marks.query >= attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY))
    marks.query = G_MAXSIZE;
  if (marks.key >= attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY))
    marks.key = G_MAXSIZE;
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  if (kind == ATTN_DRAW_HEADS || kind == ATTN_DRAW_LAYERS || kind == ATTN_DRAW_LINES)
    marks.selected = hs_picture_find_selected (session);
  set_focus (&marks);
  return marks;
}
