/* SPDX-License-Identifier: MIT */
/* A layout as render nodes: textures for cells, text as text, hover and pin on top. */
#include "hs-picture-paint.h"

#include "hs-format.h"
#include "hs-picture-titles.h"

#include <math.h>
#include <string.h>

#define HOVER_LINE_PX 1.0f
#define SELECTED_LINE_PX 2.0f
#define EDGE_LINE_PX 1.0f /* in the ground's colour, around what is framed on cells */
#define FOLLOWED_PX 56    /* on smaller maps than this a row is marked only where the pointer is */
#define HOVER_ALPHA 0.6f
#define FOUND_COLOR ((GdkRGBA){0.16f, 0.44f, 0.72f, 1}) /* blue: orange is for what was picked */
#define FOUND_ALPHA 0.3f                                /* behind a label */
#define FOUND_PAD_PX 2.0f
#define FOUND_TICK_PX 3.0        /* beside its row or column, where there may be no label */
#define HOVERED_LINE_EDGE_PX 1.5 /* of ground beside a line that the pointer is on */
#define FAINT_LINE 0.1 /* of the opacity: such a line can hardly be told from the ground */
#define DASH_PX 4.0
#define SWATCH_GAP_PX 2.0

static graphene_rect_t
to_graphene (AttnDrawRect rect)
{
  return GRAPHENE_RECT_INIT ((float)rect.x, (float)rect.y, (float)rect.width, (float)rect.height);
}

static GdkRGBA
to_rgba (AttnDrawColor color, float alpha)
{
  return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, alpha};
}

static void
append_outline (GtkSnapshot *snapshot, AttnDrawRect rect, float line, const GdkRGBA *color)
{
  graphene_rect_t bounds = to_graphene (rect);
  graphene_rect_inset (&bounds, -line, -line);
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &bounds, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){line, line, line, line},
                              (GdkRGBA[4]){*color, *color, *color, *color});
}

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
  append_outline (snapshot, outside, EDGE_LINE_PX, ground);
  append_outline (snapshot, rect, line, ink);
}

/* The number of a label's token that all panels have in common. */
static size_t
get_joint (const AttnDrawLayout *layout, const AttnDrawItem *item)
{
  AttnSide side = item->role == ATTN_DRAW_ROLE_QUERY_LABEL ? ATTN_SIDE_QUERY : ATTN_SIDE_KEY;
  if (item->panel == G_MAXSIZE)
    return item->token;
  return attn_draw_panels_get_joint (attn_draw_layout_peek_panels (layout), item->panel, side,
                                     item->token);
}

static bool
is_emphasised (const AttnDrawLayout *layout, const AttnDrawItem *item, const HsPictureMarks *marks)
{
  if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL)
    return get_joint (layout, item) == marks->query;
  if (item->role == ATTN_DRAW_ROLE_KEY_LABEL)
    return get_joint (layout, item) == marks->key;
  if (item->role == ATTN_DRAW_ROLE_LAYER_TITLE)
    return item->token == marks->layer;
  if (item->role == ATTN_DRAW_ROLE_LEGEND)
    return item->panel != G_MAXSIZE && item->panel == marks->panel;
  if (item->role != ATTN_DRAW_ROLE_HEAD_TITLE)
    return false;
  return item->panel != G_MAXSIZE ? item->panel == marks->panel : item->token == marks->head;
}

/* The same text in bold; a copy, since layouts are immutable. */
static PangoLayout *
dup_bold (PangoLayout *text)
{
  PangoLayout *bold = pango_layout_copy (text);
  PangoAttrList *old = pango_layout_get_attributes (text);
  PangoAttrList *attributes = old != NULL ? pango_attr_list_copy (old) : pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (bold, attributes);
  pango_attr_list_unref (attributes);
  return bold;
}

static int
get_width (PangoLayout *text)
{
  int width = 0;
  pango_layout_get_pixel_size (text, &width, NULL);
  return width;
}

/* How much of what it is wider when bold: a right-aligned text grows to the left, one over a column
 * to both sides, a turned one along its own line. */
static float
get_growth_to_left (const AttnDrawItem *item)
{
  if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL || item->role == ATTN_DRAW_ROLE_LAYER_TITLE)
    return 1;
  return item->role == ATTN_DRAW_ROLE_HEAD_TITLE && item->panel == G_MAXSIZE ? 0.5f : 0;
}

static bool
is_found (const GArray *matches, AttnSide side, size_t token)
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

static bool
is_found_label (const AttnDrawLayout *layout, const AttnDrawItem *item, const HsPictureMarks *marks)
{
  if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL)
    return is_found (marks->matches, ATTN_SIDE_QUERY, get_joint (layout, item));
  return item->role == ATTN_DRAW_ROLE_KEY_LABEL &&
         is_found (marks->matches, ATTN_SIDE_KEY, get_joint (layout, item));
}

/* Behind a label that was looked for; in the label's own directions. */
static void
append_found (GtkSnapshot *snapshot, PangoLayout *text)
{
  GdkRGBA color = FOUND_COLOR;
  int width = 0, height = 0;
  pango_layout_get_pixel_size (text, &width, &height);
  color.alpha = FOUND_ALPHA;
  gtk_snapshot_append_color (
      snapshot, &color,
      &GRAPHENE_RECT_INIT (-FOUND_PAD_PX, 0, (float)width + 2 * FOUND_PAD_PX, (float)height));
}

static void
append_text (GtkSnapshot *snapshot, const AttnDrawItem *item, bool emphasised, bool found)
{
  g_autoptr (PangoLayout) text = emphasised ? dup_bold (item->text) : g_object_ref (item->text);
  GdkRGBA color = to_rgba (item->color, 1);
  float x = (float)item->text_x;
  if (emphasised)
    x -= get_growth_to_left (item) * (float)(get_width (text) - get_width (item->text));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, (float)item->text_y));
  if (item->angle < 0 || item->angle > 0)
    gtk_snapshot_rotate (snapshot, (float)(item->angle * 180 / G_PI));
  if (found)
    append_found (snapshot, text);
  gtk_snapshot_append_layout (snapshot, text, &color);
  gtk_snapshot_restore (snapshot);
}

static void
append_item (GtkSnapshot *snapshot,
             const AttnDrawLayout *layout,
             HsTextures *textures,
             const AttnDrawItem *item,
             const HsPictureMarks *marks)
{
  graphene_rect_t rect = to_graphene (item->rect);
  GdkRGBA color = to_rgba (item->color, 1);
  switch (item->kind) {
  case ATTN_DRAW_ITEM_PANEL:
  case ATTN_DRAW_ITEM_BAR:
    hs_textures_append (textures, snapshot, item);
    break;
  case ATTN_DRAW_ITEM_LINES: /* are tiles */
    break;
  case ATTN_DRAW_ITEM_TEXT:
    append_text (snapshot, item, is_emphasised (layout, item, marks),
                 is_found_label (layout, item, marks));
    break;
  case ATTN_DRAW_ITEM_RULE:
    gtk_snapshot_append_color (snapshot, &color, &rect);
    break;
  case ATTN_DRAW_ITEM_MARK:
    append_outline (snapshot, item->rect, (float)item->line_width, &color);
    break;
  }
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

static bool
is_visible (AttnDrawRect rect, const graphene_rect_t *visible)
{
  graphene_rect_t bounds = to_graphene (rect);
  return graphene_rect_intersection (&bounds, visible, NULL);
}

static void
append_hover (GtkSnapshot *snapshot,
              const AttnDrawLayout *layout,
              const HsPictureMarks *marks,
              const graphene_rect_t *visible)
{
  GdkRGBA ink = to_rgba (get_text_color (layout), 1), color = ink;
  GdkRGBA ground = to_rgba (attn_draw_layout_get_background (layout), 1);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  size_t n_panels = attn_draw_panels_get_n (panels);
  bool marks_all = n_panels == 1 || attn_draw_panels_peek_source_b (panels) != NULL;
  color.alpha = HOVER_ALPHA;
  for (size_t panel = 0; panel < n_panels; panel++) {
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
    bool is_small = rect.height < FOLLOWED_PX && panel != marks->panel;
    size_t query = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, marks->query);
    size_t key = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, marks->key);
    if (!is_visible (rect, visible) || is_small)
      continue;
    if (panel == marks->panel && !marks_all) /* one of several heads */
      append_outline (snapshot, rect, HOVER_LINE_PX, &color);
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
  GdkRGBA color = FOUND_COLOR;
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  for (size_t i = 0; i < match->n_queries; i++) {
    size_t query = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, match->query + i);
    if (query == G_MAXSIZE)
      continue; /* a token of the other side of a comparison */
    AttnDrawRect row = attn_draw_layout_place (layout, panel, query, G_MAXSIZE);
    AttnDrawRect tick = {map.x - 1 - FOUND_TICK_PX, row.y, FOUND_TICK_PX, MAX (row.height, 1)};
    graphene_rect_t bounds = to_graphene (tick);
    if (row.height > 0)
      gtk_snapshot_append_color (snapshot, &color, &bounds);
  }
  for (size_t i = 0; i < match->n_keys; i++) {
    size_t key = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, match->key + i);
    if (key == G_MAXSIZE)
      continue;
    AttnDrawRect column = attn_draw_layout_place (layout, panel, G_MAXSIZE, key);
    AttnDrawRect tick = {column.x, map.y - 1 - FOUND_TICK_PX, MAX (column.width, 1), FOUND_TICK_PX};
    graphene_rect_t bounds = to_graphene (tick);
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
      if (is_visible (attn_draw_layout_get_panel_rect (layout, panel), visible))
        append_ticks (snapshot, layout, panel, &g_array_index (marks->matches, HsMatch, i));
}

typedef struct {
  const AttnDrawLayout *layout;
  const HsPictureMarks *marks;
} Titles;

static void
append_title_cb (GtkSnapshot *snapshot, const AttnDrawItem *item, gconstpointer data)
{
  const Titles *titles = data;
  append_text (snapshot, item, is_emphasised (titles->layout, item, titles->marks), false);
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
  GdkRGBA ground = to_rgba (attn_draw_layout_get_background (layout), 1);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float)line->left_x, (float)line->left_y));
  gtk_snapshot_rotate (snapshot, (float)(atan2 (height, width) * 180 / G_PI));
  append_along (snapshot, 0, length, line->width + 2 * HOVERED_LINE_EDGE_PX, ground);
  append_along (snapshot, 0, length, line->width, to_rgba (line->color, (float)line->strength));
  if (line->strength < FAINT_LINE)
    for (double x = 0; x < length; x += 2 * DASH_PX)
      append_along (snapshot, x, MIN (DASH_PX, length - x), HOVER_LINE_PX,
                    to_rgba (get_text_color (layout), HOVER_ALPHA));
  gtk_snapshot_restore (snapshot);
}

static void
append_lines_hover (GtkSnapshot *snapshot,
                    const AttnDrawLayout *layout,
                    const HsPictureMarks *marks)
{
  GdkRGBA color = to_rgba (get_text_color (layout), HOVER_ALPHA);
  AttnDrawLine line;
  if (marks->query != G_MAXSIZE)
    append_outline (snapshot, attn_draw_layout_place (layout, 0, marks->query, G_MAXSIZE),
                    HOVER_LINE_PX, &color);
  if (marks->key != G_MAXSIZE)
    append_outline (snapshot, attn_draw_layout_place (layout, 0, G_MAXSIZE, marks->key),
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
  GdkRGBA accent = to_rgba (attn_draw_layout_get_accent (layout), 1);
  GdkRGBA hover = to_rgba (get_text_color (layout), HOVER_ALPHA);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = {item->rect.x - SWATCH_GAP_PX, item->rect.y - SWATCH_GAP_PX,
                         item->rect.width + 2 * SWATCH_GAP_PX,
                         item->rect.height + 2 * SWATCH_GAP_PX};
    if (item->role != ATTN_DRAW_ROLE_LEGEND || item->kind != ATTN_DRAW_ITEM_RULE)
      continue;
    if (item->panel == marks->selected)
      append_outline (snapshot, rect, SELECTED_LINE_PX, &accent);
    else if (item->panel == marks->panel)
      append_outline (snapshot, rect, HOVER_LINE_PX, &hover);
  }
}

/* ---- the text ---- */

/* Shades as seen from the query that is pointed at, while none is pinned. */
static AttnDrawColor *
dup_preview (const AttnDrawLayout *layout, const HsPictureMarks *marks)
{
  const AttnDrawView *view = attn_draw_layout_peek_view (layout);
  AttnMaps *maps = attn_draw_panels_peek_maps (attn_draw_layout_peek_panels (layout));
  bool has_pin = view->has_pin && view->pin_query != G_MAXSIZE;
  if (view->kind != ATTN_DRAW_TEXT || has_pin || marks->query == G_MAXSIZE)
    return NULL;
  AttnDrawColor *shades = g_new (AttnDrawColor, attn_maps_get_n (maps, ATTN_SIDE_KEY));
  attn_draw_layout_get_shades (layout, marks->query, shades);
  return shades;
}

static void
append_shade (GtkSnapshot *snapshot,
              const AttnDrawLayout *layout,
              const AttnDrawItem *item,
              const AttnDrawColor *shades)
{
  size_t key = attn_draw_layout_get_unit (layout, item->token).key;
  GdkRGBA color = to_rgba (key != G_MAXSIZE ? shades[key] : item->color, 1);
  graphene_rect_t rect = to_graphene (item->rect);
  gtk_snapshot_append_color (snapshot, &color, &rect);
}

/* The title, too, says from where one looks for the moment. */
static void
append_preview_title (GtkSnapshot *snapshot,
                      const AttnDrawLayout *layout,
                      const AttnDrawItem *item,
                      const HsPictureMarks *marks)
{
  const AttnDrawStrings *strings = &attn_draw_layout_peek_view (layout)->strings;
  AttnMaps *maps = attn_draw_panels_peek_maps (attn_draw_layout_peek_panels (layout));
  g_autoptr (PangoLayout) text = pango_layout_copy (item->text);
  g_autofree char *title = g_strdup (pango_layout_get_text (text));
  if (g_str_has_suffix (title, strings->mean)) {
    title[strlen (title) - strlen (strings->mean)] = '\0';
    g_autofree char *label = hs_format_token (maps, ATTN_SIDE_QUERY, marks->query);
    g_autofree char *from = attn_draw_format_string (strings->from, label);
    g_autofree char *whole = g_strconcat (title, from, NULL);
    pango_layout_set_text (text, whole, -1);
  }
  GdkRGBA color = to_rgba (item->color, 1);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float)item->text_x, (float)item->text_y));
  gtk_snapshot_append_layout (snapshot, text, &color);
  gtk_snapshot_restore (snapshot);
}

/* Returns: whether the item is drawn, which is otherwise drawn as it is. */
static bool
append_preview (GtkSnapshot *snapshot,
                const AttnDrawLayout *layout,
                const AttnDrawItem *item,
                const HsPictureMarks *marks,
                const AttnDrawColor *shades)
{
  if (shades == NULL)
    return false;
  if (item->role == ATTN_DRAW_ROLE_TITLE)
    append_preview_title (snapshot, layout, item, marks);
  else if (item->role == ATTN_DRAW_ROLE_TOKEN && item->kind == ATTN_DRAW_ITEM_RULE)
    append_shade (snapshot, layout, item, shades);
  else
    return item->is_of_mean; /* append_pointed() has it instead */
  return true;
}

/* The range of the weights that are previewed. */
static void
append_pointed (GtkSnapshot *snapshot,
                const AttnDrawLayout *layout,
                HsTextures *textures,
                const HsPictureMarks *marks)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_pointed (layout); i++)
    append_item (snapshot, layout, textures, attn_draw_layout_peek_pointed (layout, i), marks);
}

/* Around the pieces the pointer is on, and around those that were looked for. */
static void
append_text_hover (GtkSnapshot *snapshot, const AttnDrawLayout *layout, const HsPictureMarks *marks)
{
  GdkRGBA hover = to_rgba (get_text_color (layout), HOVER_ALPHA), found = FOUND_COLOR;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role != ATTN_DRAW_ROLE_TOKEN || item->kind != ATTN_DRAW_ITEM_RULE)
      continue;
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, item->token);
    if (is_found (marks->matches, ATTN_SIDE_QUERY, unit.query) ||
        is_found (marks->matches, ATTN_SIDE_KEY, unit.key))
      append_outline (snapshot, item->rect, SELECTED_LINE_PX, &found);
    if (marks->key != G_MAXSIZE ? unit.key == marks->key
                                : marks->query != G_MAXSIZE && unit.query == marks->query)
      append_outline (snapshot, item->rect, HOVER_LINE_PX, &hover);
  }
}

bool
hs_picture_paint (GtkSnapshot *snapshot,
                  const AttnDrawLayout *layout,
                  HsTextures *textures,
                  HsLineTiles *tiles,
                  const HsPictureMarks *marks,
                  const graphene_rect_t *visible,
                  const HsScreen *screen)
{
  GdkRGBA background = to_rgba (attn_draw_layout_get_background (layout), 1);
  gtk_snapshot_append_color (snapshot, &background, visible);
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  g_autofree AttnDrawColor *shades = dup_preview (layout, marks);
  bool is_complete = true;
  size_t n_items = attn_draw_layout_get_n_items (layout);
  for (size_t i = 0; i < n_items; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (!is_visible (item->rect, visible) || append_preview (snapshot, layout, item, marks, shades))
      continue;
    if (item->kind == ATTN_DRAW_ITEM_LINES)
      is_complete &= hs_line_tiles_append (
          tiles, snapshot, layout, item, marks->has_focus ? &marks->focus : NULL, visible, screen);
    else
      append_item (snapshot, layout, textures, item, marks);
  }
  if (kind == ATTN_DRAW_TEXT) {
    if (shades != NULL)
      append_pointed (snapshot, layout, textures, marks);
    append_text_hover (snapshot, layout, marks);
    return true;
  }
  if (kind == ATTN_DRAW_LINES) {
    append_lines_hover (snapshot, layout, marks);
    append_swatch_marks (snapshot, layout, marks);
    return is_complete;
  }
  append_matches (snapshot, layout, marks, visible);
  append_hover (snapshot, layout, marks, visible);
  if (marks->selected != G_MAXSIZE) {
    GdkRGBA accent = to_rgba (attn_draw_layout_get_accent (layout), 1);
    append_outline (snapshot, attn_draw_layout_get_panel_rect (layout, marks->selected),
                    SELECTED_LINE_PX, &accent);
  }
  Titles titles = {layout, marks};
  HsTitleStrips strips = hs_title_strips_find (layout, visible);
  hs_title_strips_append (&strips, snapshot, layout, visible, append_title_cb, &titles);
  return true;
}
