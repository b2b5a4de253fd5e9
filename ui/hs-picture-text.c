/* SPDX-License-Identifier: MIT */
/* Pointer and keys on the picture of the text. */
#include "hs-picture-text.h"

#include <math.h>

static guint
to_guint (size_t index)
{
  return index == G_MAXSIZE ? HS_NONE : (guint)index;
}

/* Without a pin the piece is the query whose row is shown for the moment. */
HsCell
hs_picture_text_get_cell (HsSession *session, const AttnDrawHit *hit)
{
  guint pinned = hs_session_get_pinned_query (session);
  HsCell cell = {to_guint (hit->head), HS_NONE, HS_NONE, to_guint (hit->layer)};
  if (hit->role != ATTN_DRAW_ROLE_TOKEN)
    return HS_CELL_NONE;
  if (pinned != HS_NONE && hit->key != G_MAXSIZE) {
    cell.query = pinned;
    cell.key = (guint)hit->key;
  } else if (hit->query != G_MAXSIZE) {
    cell.query = (guint)hit->query;
  } else {
    cell.key = to_guint (hit->key);
  }
  return cell;
}

/* Returns: the unit that is hovered; else the pinned one; G_MAXSIZE for none. */
static size_t
find_unit (HsSession *session, const AttnDrawLayout *layout)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  guint query = hovered->query, key = hovered->key;
  if (query == HS_NONE && key == HS_NONE)
    query = hs_session_get_pinned_query (session);
  for (size_t unit = 0; unit < attn_draw_layout_get_n_units (layout); unit++) {
    AttnDrawUnit of = attn_draw_layout_get_unit (layout, unit);
    if (key != HS_NONE ? of.key == key : query != HS_NONE && of.query == query)
      return unit;
  }
  return G_MAXSIZE;
}

/* Returns: (nullable): the first shade of a unit. */
static const AttnDrawItem *
find_shade (const AttnDrawLayout *layout, size_t unit)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_TOKEN && item->token == unit)
      return item;
  }
  return NULL;
}

/* Returns: the unit of the nearest line above or below that is nearest in it; @unit where there is
 * none. */
static size_t
find_beside (const AttnDrawLayout *layout, size_t unit, bool above)
{
  const AttnDrawItem *from = find_shade (layout, unit);
  double nearest = G_MAXDOUBLE;
  size_t found = unit;
  if (from == NULL)
    return unit;
  double x = from->rect.x + from->rect.width / 2, y = from->rect.y + from->rect.height / 2;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    double across = fabs (item->rect.x + item->rect.width / 2 - x);
    double down = item->rect.y + item->rect.height / 2 - y;
    double away = (above ? -down : down) / from->rect.height;
    /* less than half a line away is the same line: chips are lower than letters' shades */
    if (item->role != ATTN_DRAW_ROLE_TOKEN || away < 0.5)
      continue;
    double distance = across + round (away) * attn_draw_layout_get_width (layout);
    if (distance < nearest) {
      nearest = distance;
      found = item->token;
    }
  }
  return found;
}

static size_t
step (const AttnDrawLayout *layout, size_t unit, HsMove move)
{
  size_t n = attn_draw_layout_get_n_units (layout);
  if (unit >= n)
    return 0;
  switch (move) {
  case HS_MOVE_LEFT:
    return unit > 0 ? unit - 1 : 0;
  case HS_MOVE_RIGHT:
    return MIN (unit + 1, n - 1);
  case HS_MOVE_HOME:
    return 0;
  case HS_MOVE_END:
    return n - 1;
  case HS_MOVE_UP:
  case HS_MOVE_PAGE_UP:
    return find_beside (layout, unit, true);
  case HS_MOVE_DOWN:
  case HS_MOVE_PAGE_DOWN:
    return find_beside (layout, unit, false);
  }
  return unit;
}

bool
hs_picture_text_move (HsSession *session,
                      const AttnDrawLayout *layout,
                      HsMove move,
                      AttnDrawRect *rect)
{
  size_t unit = step (layout, find_unit (session, layout), move);
  if (unit >= attn_draw_layout_get_n_units (layout))
    return false;
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  AttnDrawUnit of = attn_draw_layout_get_unit (layout, unit);
  AttnDrawHit hit = {
      .role = ATTN_DRAW_ROLE_TOKEN,
      .panel = 0,
      .layer = attn_draw_panels_get_layer (panels, 0),
      .head = attn_draw_panels_get_head (panels, 0),
      .query = of.query,
      .key = of.key,
  };
  HsCell cell = hs_picture_text_get_cell (session, &hit);
  const AttnDrawItem *shade = find_shade (layout, unit);
  hs_session_set_hovered (session, &cell);
  if (shade != NULL)
    *rect = shade->rect;
  return shade != NULL;
}

void
hs_picture_text_pin (HsSession *session, const AttnDrawLayout *layout)
{
  size_t unit = find_unit (session, layout);
  if (unit == G_MAXSIZE)
    return;
  guint query = to_guint (attn_draw_layout_get_unit (layout, unit).query);
  if (query == HS_NONE)
    return; /* it looks at nothing */
  bool is_pinned = query == hs_session_get_pinned_query (session);
  hs_session_set_pinned (session, is_pinned ? HS_NONE : query, HS_NONE);
}
