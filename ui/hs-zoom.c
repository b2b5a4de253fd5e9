/* SPDX-License-Identifier: MIT */
/* A session's crop, moved by the rules of hs-crop.c within the maps that are shown. */
#include "hs-zoom.h"

bool
hs_zoom_get_crop (HsSession *session, AttnDrawCrop *crop, HsMapSize *map)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  AttnDrawKind kind = hs_session_peek_view (session)->kind;

  if (panels == NULL || kind == ATTN_DRAW_LINES || kind == ATTN_DRAW_TEXT)
    return false;
  map->n_queries = attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY);
  map->n_keys = attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY);
  *crop = hs_crop_resolve (hs_session_peek_crop (session), map);
  return true;
}

double
hs_zoom_get_factor (HsSession *session)
{
  AttnDrawCrop crop;
  HsMapSize map;

  return hs_zoom_get_crop (session, &crop, &map) ? hs_crop_get_factor (&crop, &map) : 1;
}

void
hs_zoom_set_crop (HsSession *session, const AttnDrawCrop *crop)
{
  AttnDrawCrop before;
  HsMapSize map;

  if (!hs_zoom_get_crop (session, &before, &map))
    return;
  hs_session_set_crop (session, hs_crop_is_whole (crop, &map) ? NULL : crop);
}

/* Tokens of a comparison have numbers of their own, and a crop is of places in reading order. */
size_t
hs_zoom_find_place (HsSession *session, AttnSide side, size_t token)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);

  return panels != NULL && token < attn_draw_panels_get_n_joint (panels, side)
             ? attn_draw_panels_find_place (panels, side, token)
             : G_MAXSIZE;
}

static size_t
find_place (HsSession *session, AttnSide side, guint token)
{
  return token == HS_NONE ? G_MAXSIZE : hs_zoom_find_place (session, side, token);
}

/* The middle of the row or column that is pointed at, if it is drawn; else of all that are. */
static double
find_middle (size_t hovered, size_t pinned, size_t first, size_t n)
{
  const size_t candidates[] = {hovered, pinned};

  for (size_t i = 0; i < G_N_ELEMENTS (candidates); i++)
    if (candidates[i] != G_MAXSIZE && candidates[i] >= first && candidates[i] < first + n)
      return (double)candidates[i] + 0.5;
  return (double)first + (double)n / 2;
}

void
hs_zoom_reset (HsSession *session)
{
  hs_session_set_magnification (session, 1);
  hs_session_set_crop (session, NULL);
}

void
hs_zoom_by (HsSession *session, double factor)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  AttnDrawCrop crop;
  HsMapSize map;

  if (hs_session_peek_view (session)->kind == ATTN_DRAW_LAYERS) {
    hs_session_set_magnification (session, hs_session_get_magnification (session) * factor);
    return;
  }
  if (!hs_zoom_get_crop (session, &crop, &map))
    return;
  double query =
      find_middle (find_place (session, ATTN_SIDE_QUERY, hovered->query),
                   find_place (session, ATTN_SIDE_QUERY, hs_session_get_pinned_query (session)),
                   crop.first_query, crop.n_queries);
  double key =
      find_middle (find_place (session, ATTN_SIDE_KEY, hovered->key),
                   find_place (session, ATTN_SIDE_KEY, hs_session_get_pinned_key (session)),
                   crop.first_key, crop.n_keys);
  crop = hs_crop_zoom (&crop, &map, factor, query, key);
  hs_zoom_set_crop (session, &crop);
}

/* The token that stands as far on as the crop has moved. */
static guint
move_along (HsSession *session, AttnSide side, guint token, size_t before, size_t now)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  size_t place = find_place (session, side, token);

  if (place == G_MAXSIZE || place + now < before ||
      place + now - before >= attn_draw_panels_get_n_joint (panels, side))
    return HS_NONE;
  return (guint)attn_draw_panels_get_joint_at (panels, side, place + now - before);
}

bool
hs_zoom_pan (HsSession *session, ptrdiff_t n_queries, ptrdiff_t n_keys)
{
  HsCell hovered = *hs_session_peek_hovered (session);
  AttnDrawCrop before, now;
  HsMapSize map;

  if (!hs_zoom_get_crop (session, &before, &map))
    return false;
  now = hs_crop_pan (&before, &map, n_queries, n_keys);
  if (now.first_query == before.first_query && now.first_key == before.first_key)
    return false;
  hs_zoom_set_crop (session, &now);
  hovered.query =
      move_along (session, ATTN_SIDE_QUERY, hovered.query, before.first_query, now.first_query);
  hovered.key = move_along (session, ATTN_SIDE_KEY, hovered.key, before.first_key, now.first_key);
  hs_session_set_hovered (session, &hovered);
  return true;
}

void
hs_zoom_reveal (HsSession *session, size_t query, size_t key)
{
  AttnDrawCrop crop;
  HsMapSize map;

  if (!hs_zoom_get_crop (session, &crop, &map))
    return;
  crop = hs_crop_reveal (&crop, &map, hs_zoom_find_place (session, ATTN_SIDE_QUERY, query),
                         hs_zoom_find_place (session, ATTN_SIDE_KEY, key));
  hs_zoom_set_crop (session, &crop);
}
