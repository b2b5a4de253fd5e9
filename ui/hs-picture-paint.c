/* SPDX-License-Identifier: MIT */
/* A layout as render nodes: textures for cells, text as text; hs-picture-hover.c puts on top what
 * the pointer is on. */
#include "hs-picture-paint.h"

#include "hs-format.h"
#include "hs-picture-hover.h"
#include "hs-picture-nodes.h"
#include "hs-picture-titles.h"

#include <string.h>

#define FOUND_ALPHA 0.3f /* behind a label */
#define FOUND_PAD_PX 2.0f

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
is_found_label (const AttnDrawLayout *layout, const AttnDrawItem *item, const HsPictureMarks *marks)
{
  if (item->role == ATTN_DRAW_ROLE_QUERY_LABEL)
    return hs_picture_hover_is_found (marks->matches, ATTN_SIDE_QUERY, get_joint (layout, item));
  return item->role == ATTN_DRAW_ROLE_KEY_LABEL &&
         hs_picture_hover_is_found (marks->matches, ATTN_SIDE_KEY, get_joint (layout, item));
}

/* Behind a label that was looked for; in the label's own directions. */
static void
append_found (GtkSnapshot *snapshot, PangoLayout *text)
{
  GdkRGBA color = HS_FOUND_COLOR;
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
  GdkRGBA color = hs_nodes_color (item->color, 1);
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
  graphene_rect_t rect = hs_nodes_rect (item->rect);
  GdkRGBA color = hs_nodes_color (item->color, 1);
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
    hs_nodes_append_outline (snapshot, item->rect, (float)item->line_width, &color);
    break;
  }
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
  GdkRGBA color = hs_nodes_color (key != G_MAXSIZE ? shades[key] : item->color, 1);
  graphene_rect_t rect = hs_nodes_rect (item->rect);
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
  GdkRGBA color = hs_nodes_color (item->color, 1);
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

bool
hs_picture_paint (GtkSnapshot *snapshot,
                  const AttnDrawLayout *layout,
                  HsTextures *textures,
                  HsLineTiles *tiles,
                  const HsPictureMarks *marks,
                  const graphene_rect_t *visible,
                  const HsScreen *screen)
{
  GdkRGBA background = hs_nodes_color (attn_draw_layout_get_background (layout), 1);
  gtk_snapshot_append_color (snapshot, &background, visible);
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  g_autofree AttnDrawColor *shades = dup_preview (layout, marks);
  bool is_complete = true;
  size_t n_items = attn_draw_layout_get_n_items (layout);
  for (size_t i = 0; i < n_items; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (!hs_nodes_is_visible (item->rect, visible) ||
        append_preview (snapshot, layout, item, marks, shades))
      continue;
    if (item->kind == ATTN_DRAW_ITEM_LINES)
      is_complete &= hs_line_tiles_append (
          tiles, snapshot, layout, item, marks->has_focus ? &marks->focus : NULL, visible, screen);
    else
      append_item (snapshot, layout, textures, item, marks);
  }
  if (shades != NULL)
    append_pointed (snapshot, layout, textures, marks);
  hs_picture_hover_append (snapshot, layout, marks, visible);
  if (kind == ATTN_DRAW_TEXT || kind == ATTN_DRAW_LINES)
    return is_complete;
  Titles titles = {layout, marks};
  HsTitleStrips strips = hs_title_strips_find (layout, visible);
  hs_title_strips_append (&strips, snapshot, layout, visible, append_title_cb, &titles);
  return true;
}
