/* SPDX-License-Identifier: MIT */
/* What lies over a picture: what the pointer is on, what was looked for, the chosen head. */
#include "hs-picture-hover.h"

#include "hs-picture-nodes.h"

#include <math.h>

#define HOVER_LINE_PX 1.0f
#define SELECTED_LINE_PX 2.0f
#define EDGE_LINE_PX 1.0f /* in the ground's colour, around what is framed on cells */
#define FOLLOWED_PX 56    /* on smaller maps than this a row is marked only where the pointer is */
#define HOVER_ALPHA 0.6f
#define FOUND_TICK_PX 3.0        /* beside its row or column, where there may be no label */
#define HOVERED_LINE_EDGE_PX 1.5 /* of ground beside a line that the pointer is on */
#define FAINT_LINE 0.1 /* of the opacity: such a line can hardly be told from the ground */
#define DASH_PX 4.0
#define SWATCH_GAP_PX 2.0

/* Cells may have any colour, so there are two lines: whatever is dark has a bright one beside it.
 * Nothing for a row or column that the crop leaves out. */
static void
append_framed (
    GtkSnapshot *snapshot, AttnDrawRect rect, float line, const GdkRGBA *ink, const GdkRGBA *ground)
{
  AttnDrawRect outside = {rect.x - (double)line, rect.y - (double)line,
                          rect.width + 2 * (double)line, rect.height + 2 * (double)line};
  if (rect.width <= 0 || rect.height <= 0)
    return;
  hs_nodes_append_outline (snapshot, outside, EDGE_LINE_PX, ground);
  hs_nodes_append_outline (snapshot, rect, line, ink);
}

bool
hs_picture_hover_is_found (const GArray *matches, AttnSide side, size_t token)
{
  for (guint i = 0; matches != NULL && i < matches->len; i++) {
    const HsMatch *match = &g_array_index (matches, HsMatch, i);
    size_t first = side == ATTN_SIDE_QUERY ? match->query : match->key;
    size_t n = side == ATTN_SIDE_QUERY ? match->n_queries : match->n_keys;
    if (token >= first && token < first + n)
      return true;
  }
  return false;
}

/* Orange is for what was picked; what the pointer is merely on has the text's colour. */
static AttnDrawColor
get_text_color (const AttnDrawLayout *layout)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_TITLE)
      return item->color;
  }
  return attn_draw_layout_get_accent (layout);
}

static void
append_hover (GtkSnapshot *snapshot,
              const AttnDrawLayout *layout,
              const HsPictureMarks *marks,
              const graphene_rect_t *visible)
{
  GdkRGBA ink = hs_nodes_color (get_text_color (layout), 1), color = ink;
  GdkRGBA ground = hs_nodes_color (attn_draw_layout_get_background (layout), 1);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  size_t n_panels = attn_draw_panels_get_n (panels);
  bool marks_all = n_panels == 1 || attn_draw_panels_peek_source_b (panels) != NULL;
  color.alpha = HOVER_ALPHA;
  for (size_t panel = 0; panel < n_panels; panel++) {
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
    bool is_small = rect.height < FOLLOWED_PX && panel != marks->panel;
    size_t query = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, marks->query);
    size_t key = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, marks->key);
    if (!hs_nodes_is_visible (rect, visible) || is_small)
      continue;
    if (panel == marks->panel && !marks_all) /* one of several heads */
      hs_nodes_append_outline (snapshot, rect, HOVER_LINE_PX, &color);
    if (query != G_MAXSIZE)
      append_framed (snapshot, attn_draw_layout_place (layout, panel, query, G_MAXSIZE),
                     HOVER_LINE_PX, &ink, &ground);
    if (key != G_MAXSIZE && (marks_all || marks->panel == G_MAXSIZE || panel == marks->panel))
      append_framed (snapshot, attn_draw_layout_place (layout, panel, G_MAXSIZE, key),
                     HOVER_LINE_PX, &ink, &ground);
    if (marks_all && query != G_MAXSIZE && key != G_MAXSIZE)
      append_framed (snapshot, attn_draw_layout_place (layout, panel, query, key), SELECTED_LINE_PX,
                     &ink, &ground);
  }
}

/* Small marks at the edges of a map beside the rows and columns that were found, since not every
 * label may be shown. */
static void
append_ticks (GtkSnapshot *snapshot,
              const AttnDrawLayout *layout,
              size_t panel,
              const HsMatch *match)
{
  AttnDrawRect map = attn_draw_layout_get_panel_rect (layout, panel);
  GdkRGBA color = HS_FOUND_COLOR;
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  for (size_t i = 0; i < match->n_queries; i++) {
    size_t query = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, match->query + i);
    if (query == G_MAXSIZE)
      continue; /* a token of the other side of a comparison */
    AttnDrawRect row = attn_draw_layout_place (layout, panel, query, G_MAXSIZE);
    AttnDrawRect tick = {map.x - 1 - FOUND_TICK_PX, row.y, FOUND_TICK_PX, MAX (row.height, 1)};
    graphene_rect_t bounds = hs_nodes_rect (tick);
    if (row.height > 0)
      gtk_snapshot_append_color (snapshot, &color, &bounds);
  }
  for (size_t i = 0; i < match->n_keys; i++) {
    size_t key = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, match->key + i);
    if (key == G_MAXSIZE)
      continue;
    AttnDrawRect column = attn_draw_layout_place (layout, panel, G_MAXSIZE, key);
    AttnDrawRect tick = {column.x, map.y - 1 - FOUND_TICK_PX, MAX (column.width, 1), FOUND_TICK_PX};
    graphene_rect_t bounds = hs_nodes_rect (tick);
    if (column.width > 0)
      gtk_snapshot_append_color (snapshot, &color, &bounds);
  }
}

static void
append_matches (GtkSnapshot *snapshot,
                const AttnDrawLayout *layout,
                const HsPictureMarks *marks,
                const graphene_rect_t *visible)
{
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  size_t n_panels = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout));
  if (kind != ATTN_DRAW_HEATMAP && kind != ATTN_DRAW_HEADS && kind != ATTN_DRAW_COMPARE)
    return;
  if (marks->matches == NULL)
    return;
  for (size_t panel = 0; panel < n_panels; panel++)
    for (guint i = 0; i < marks->matches->len; i++)
      if (hs_nodes_is_visible (attn_draw_layout_get_panel_rect (layout, panel), visible))
        append_ticks (snapshot, layout, panel, &g_array_index (marks->matches, HsMatch, i));
}

/* A thin rectangle along a line, whose own directions are set. */
static void
append_along (GtkSnapshot *snapshot, double from, double length, double width, GdkRGBA color)
{
  gtk_snapshot_append_color (
      snapshot, &color,
      &GRAPHENE_RECT_INIT ((float)from, (float)(-width / 2), (float)length, (float)width));
}

/* The line the pointer is on, over all others and as strong as its weight, like them: it stands out
 * by the ground at its sides. One that cannot be seen is told by dashes that have no head's colour.
 */
static void
append_hovered_line (GtkSnapshot *snapshot, const AttnDrawLayout *layout, const AttnDrawLine *line)
{
  double width = line->right_x - line->left_x, height = line->right_y - line->left_y;
  double length = hypot (width, height);
  GdkRGBA ground = hs_nodes_color (attn_draw_layout_get_background (layout), 1);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float)line->left_x, (float)line->left_y));
  gtk_snapshot_rotate (snapshot, (float)(atan2 (height, width) * 180 / G_PI));
  append_along (snapshot, 0, length, line->width + 2 * HOVERED_LINE_EDGE_PX, ground);
  append_along (snapshot, 0, length, line->width,
                hs_nodes_color (line->color, (float)line->strength));
  if (line->strength < FAINT_LINE)
    for (double x = 0; x < length; x += 2 * DASH_PX)
      append_along (snapshot, x, MIN (DASH_PX, length - x), HOVER_LINE_PX,
                    hs_nodes_color (get_text_color (layout), HOVER_ALPHA));
  gtk_snapshot_restore (snapshot);
}

static void
append_lines_hover (GtkSnapshot *snapshot,
                    const AttnDrawLayout *layout,
                    const HsPictureMarks *marks)
{
  GdkRGBA color = hs_nodes_color (get_text_color (layout), HOVER_ALPHA);
  AttnDrawLine line;
  if (marks->query != G_MAXSIZE)
    hs_nodes_append_outline (snapshot, attn_draw_layout_place (layout, 0, marks->query, G_MAXSIZE),
                             HOVER_LINE_PX, &color);
  if (marks->key != G_MAXSIZE)
    hs_nodes_append_outline (snapshot, attn_draw_layout_place (layout, 0, G_MAXSIZE, marks->key),
                             HOVER_LINE_PX, &color);
  if (marks->panel != G_MAXSIZE &&
      attn_draw_layout_find_line (layout, marks->panel, marks->query, marks->key, &line))
    append_hovered_line (snapshot, layout, &line);
}

/* Around a head's colour in the legend: orange for the chosen one, the text's colour for the
 * pointer's.
 */
static void
append_swatch_marks (GtkSnapshot *snapshot,
                     const AttnDrawLayout *layout,
                     const HsPictureMarks *marks)
{
  GdkRGBA accent = hs_nodes_color (attn_draw_layout_get_accent (layout), 1);
  GdkRGBA hover = hs_nodes_color (get_text_color (layout), HOVER_ALPHA);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = {item->rect.x - SWATCH_GAP_PX, item->rect.y - SWATCH_GAP_PX,
                         item->rect.width + 2 * SWATCH_GAP_PX,
                         item->rect.height + 2 * SWATCH_GAP_PX};
    if (item->role != ATTN_DRAW_ROLE_LEGEND || item->kind != ATTN_DRAW_ITEM_RULE)
      continue;
    if (item->panel == marks->selected)
      hs_nodes_append_outline (snapshot, rect, SELECTED_LINE_PX, &accent);
    else if (item->panel == marks->panel)
      hs_nodes_append_outline (snapshot, rect, HOVER_LINE_PX, &hover);
  }
}

/* Around the pieces the pointer is on, and around those that were looked for. */
static void
append_text_hover (GtkSnapshot *snapshot, const AttnDrawLayout *layout, const HsPictureMarks *marks)
{
  GdkRGBA hover = hs_nodes_color (get_text_color (layout), HOVER_ALPHA), found = HS_FOUND_COLOR;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role != ATTN_DRAW_ROLE_TOKEN || item->kind != ATTN_DRAW_ITEM_RULE)
      continue;
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, item->token);
    if (hs_picture_hover_is_found (marks->matches, ATTN_SIDE_QUERY, unit.query) ||
        hs_picture_hover_is_found (marks->matches, ATTN_SIDE_KEY, unit.key))
      hs_nodes_append_outline (snapshot, item->rect, SELECTED_LINE_PX, &found);
    if (marks->key != G_MAXSIZE ? unit.key == marks->key
                                : marks->query != G_MAXSIZE && unit.query == marks->query)
      hs_nodes_append_outline (snapshot, item->rect, HOVER_LINE_PX, &hover);
  }
}

void
hs_picture_hover_append (GtkSnapshot *snapshot,
                         const AttnDrawLayout *layout,
                         const HsPictureMarks *marks,
                         const graphene_rect_t *visible)
{
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  if (kind == ATTN_DRAW_TEXT) {
    append_text_hover (snapshot, layout, marks);
    return;
  }
  if (kind == ATTN_DRAW_LINES) {
    append_lines_hover (snapshot, layout, marks);
    append_swatch_marks (snapshot, layout, marks);
    return;
  }
  append_matches (snapshot, layout, marks, visible);
  append_hover (snapshot, layout, marks, visible);
  if (marks->selected != G_MAXSIZE) {
    GdkRGBA accent = hs_nodes_color (attn_draw_layout_get_accent (layout), 1);
    hs_nodes_append_outline (snapshot, attn_draw_layout_get_panel_rect (layout, marks->selected),
                             SELECTED_LINE_PX, &accent);
  }
}
