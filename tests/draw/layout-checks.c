/* SPDX-License-Identifier: MIT */
/* What has to hold for every layout, and layouts of many kinds to try it on. */
#include "layout-checks.h"

#include <math.h>
#include <string.h>

/* A rectangle turned by any angle: its four corners in order. */
typedef struct {
  double x[4], y[4];
} Box;

static Box
box_from_rect (AttnDrawRect rect)
{
  double right = rect.x + rect.width, bottom = rect.y + rect.height;
  return (Box){{rect.x, right, right, rect.x}, {rect.y, rect.y, bottom, bottom}};
}

/* The ink of a text where it stands, measured anew by Pango. */
static Box
box_from_text (const AttnDrawItem *item)
{
  PangoRectangle ink;
  pango_layout_get_extents (item->text, &ink, NULL);
  double left = ink.x / (double)PANGO_SCALE, top = ink.y / (double)PANGO_SCALE;
  double width = ink.width / (double)PANGO_SCALE, height = ink.height / (double)PANGO_SCALE;
  Box flat = box_from_rect ((AttnDrawRect){left, top, width, height});
  Box box;
  for (int i = 0; i < 4; i++) {
    box.x[i] = item->text_x + flat.x[i] * cos (item->angle) - flat.y[i] * sin (item->angle);
    box.y[i] = item->text_y + flat.x[i] * sin (item->angle) + flat.y[i] * cos (item->angle);
  }
  return box;
}

/* Whether an edge's direction of @a separates the two by @slack px or less overlap. */
static bool
is_separated_by (const Box *a, const Box *b, double slack)
{
  for (int i = 0; i < 2; i++) {
    double dx = a->x[i + 1] - a->x[i], dy = a->y[i + 1] - a->y[i];
    double length = hypot (dx, dy);
    if (length < 1e-9)
      return true; /* no ink at all */
    double min_a = INFINITY, max_a = -INFINITY, min_b = INFINITY, max_b = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
      double along_a = (a->x[corner] * dx + a->y[corner] * dy) / length;
      double along_b = (b->x[corner] * dx + b->y[corner] * dy) / length;
      min_a = MIN (min_a, along_a);
      max_a = MAX (max_a, along_a);
      min_b = MIN (min_b, along_b);
      max_b = MAX (max_b, along_b);
    }
    if (max_a - min_b <= slack || max_b - min_a <= slack)
      return true;
  }
  return false;
}

static bool
overlaps (const Box *a, const Box *b)
{
  const double slack = 0.1; /* px; less than an antialiased edge shows */
  return !is_separated_by (a, b, slack) && !is_separated_by (b, a, slack);
}

char *
layout_describe (const AttnDrawLayout *layout, const AttnDrawItem *item)
{
  const AttnDrawView *view = attn_draw_layout_peek_view (layout);
  return g_strdup_printf (
      "kind %d width %g height %g font %s %g: item kind %d role %d token %zu \"%s\"", view->kind,
      view->width_px, view->max_height_px, view->font_family, view->font_size_pt, item->kind,
      item->role, item->token, item->text != NULL ? pango_layout_get_text (item->text) : "");
}

/* A chip stands in its place in the text, among the letters. */
static bool
is_chip_in_text (const AttnDrawItem *a, const AttnDrawItem *b)
{
  return (a->role == ATTN_DRAW_ROLE_TOKEN && b->role == ATTN_DRAW_ROLE_PASSAGE) ||
         (b->role == ATTN_DRAW_ROLE_TOKEN && a->role == ATTN_DRAW_ROLE_PASSAGE);
}

/* Texts, panels and the bar keep clear of each other and, when there is room at all, inside. */
void
layout_assert_clear (const AttnDrawLayout *layout)
{
  size_t n = attn_draw_layout_get_n_items (layout);
  g_autofree Box *boxes = g_new (Box, n);
  g_autofree const AttnDrawItem **items = g_new (const AttnDrawItem *, n);
  size_t n_boxes = 0;

  for (size_t i = 0; i < n; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_text = item->kind == ATTN_DRAW_ITEM_TEXT;
    if (!is_text && item->kind != ATTN_DRAW_ITEM_PANEL && item->kind != ATTN_DRAW_ITEM_LINES &&
        item->kind != ATTN_DRAW_ITEM_BAR)
      continue;
    items[n_boxes] = item;
    boxes[n_boxes] = is_text ? box_from_text (item) : box_from_rect (item->rect);
    for (size_t other = 0; other < n_boxes; other++) {
      if (!overlaps (&boxes[other], &boxes[n_boxes]) || is_chip_in_text (items[other], item))
        continue;
      g_autofree char *first = layout_describe (layout, items[other]);
      g_autofree char *second = layout_describe (layout, item);
      g_error ("%s overlaps %s", first, second);
    }
    n_boxes++;
  }
}

void
layout_assert_inside (const AttnDrawLayout *layout)
{
  double width = attn_draw_layout_get_width (layout);
  double height = attn_draw_layout_get_height (layout);

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = item->rect;
    if (rect.x >= -0.5 && rect.y >= -0.5 && rect.x + rect.width <= width + 0.5 &&
        rect.y + rect.height <= height + 0.5)
      continue;
    g_autofree char *text = layout_describe (layout, item);
    g_error ("%g, %g, %g × %g leaves a picture of %g × %g: %s", rect.x, rect.y, rect.width,
             rect.height, width, height, text);
  }
}

bool
layout_has_note (const AttnDrawLayout *layout, const char *part)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_NOTE && strstr (pango_layout_get_text (item->text), part))
      return true;
  }
  return false;
}

static size_t
count_labels (const AttnDrawLayout *layout, AttnDrawRole role, size_t panel)
{
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    /* beside lines a label belongs to all heads */
    n += item->role == role && (item->panel == panel || item->panel == G_MAXSIZE);
  }
  return n;
}

/* Whether a label of any map of a comparison is missing; each has its own. */
static bool
is_missing_any (const AttnDrawLayout *layout)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  bool is_missing = false;
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    const AttnMap *map = attn_draw_panels_peek (panels, panel);
    is_missing |= count_labels (layout, ATTN_DRAW_ROLE_QUERY_LABEL, panel) < map->n_queries ||
                  count_labels (layout, ATTN_DRAW_ROLE_KEY_LABEL, panel) < map->n_keys;
  }
  return is_missing;
}

/* The note is there exactly when a label is missing. */
void
layout_assert_thinning_told (const AttnDrawLayout *layout)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (attn_draw_layout_peek_panels (layout));
  size_t n_queries = count_labels (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 0);
  size_t n_keys = count_labels (layout, ATTN_DRAW_ROLE_KEY_LABEL, 0);
  AttnDrawKind kind = attn_draw_layout_peek_view (layout)->kind;
  bool has_keys = kind == ATTN_DRAW_HEATMAP || kind == ATTN_DRAW_LINES;
  bool is_missing = n_queries < attn_maps_get_n (maps, ATTN_SIDE_QUERY) ||
                    (has_keys && n_keys < attn_maps_get_n (maps, ATTN_SIDE_KEY));

  if (attn_draw_layout_peek_view (layout)->kind == ATTN_DRAW_COMPARE)
    is_missing = is_missing_any (layout);
  if (n_queries > 0)
    g_assert_cmpint (is_missing, ==, layout_has_note (layout, "label in"));
}

static void
assert_whole (double number)
{
  g_assert_cmpfloat (number, ==, round (number));
}

void
layout_assert_sane (const AttnDrawLayout *layout)
{
  assert_whole (attn_draw_layout_get_width (layout));
  assert_whole (attn_draw_layout_get_height (layout));
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    g_assert_true (item->rect.width >= 0 && item->rect.height >= 0);
    g_assert_true (isfinite (item->rect.x + item->rect.y + item->rect.width + item->rect.height));
    g_assert_cmpint (item->kind == ATTN_DRAW_ITEM_TEXT, ==, item->text != NULL);
    if (item->kind != ATTN_DRAW_ITEM_PANEL && item->kind != ATTN_DRAW_ITEM_LINES)
      continue;
    size_t panel = item->kind == ATTN_DRAW_ITEM_PANEL ? item->panel : 0;
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
    g_assert_cmpmem (&rect, sizeof rect, &item->rect, sizeof item->rect);
    assert_whole (rect.x);
    assert_whole (rect.y);
    assert_whole (rect.width);
    assert_whole (rect.height);
    g_assert_true (rect.width >= 1 && rect.height >= 1);
  }
}

AttnDrawView *
layout_case_make_view (const LayoutCase *c)
{
  AttnDrawView *view = attn_draw_view_new ();

  view->kind = c->kind;
  view->width_px = c->width;
  view->max_height_px = c->max_height;
  view->font_size_pt = c->font_size_pt;
  if (c->font != NULL) {
    g_free (view->font_family);
    view->font_family = g_strdup (c->font);
  }
  view->has_pin = c->pins;
  if (c->pins) {
    view->pin_query = c->n_queries * 2 / 3;
    view->pin_key = c->n_keys / 3;
  }
  attn_draw_view_set_strings (view, "some-model", "A text. Ein Text. 一段文字。", NULL, NULL, NULL);
  return view;
}

AttnDrawPanels *
layout_case_make_panels (const LayoutCase *c, const AttnDrawView *view)
{
  /* making up the weights of so many maps would take long; layouts are the same for all weights */
  g_autofree float *weights =
      c->kind == ATTN_DRAW_LAYERS ? g_new0 (float, c->n_queries * c->n_keys) : NULL;
  Fixture fixture = {
      .n_layers = c->n_layers > 0               ? c->n_layers
                  : c->kind == ATTN_DRAW_LAYERS ? 6
                                                : 1,
      .n_heads = c->n_heads > 0                 ? c->n_heads
                 : c->kind == ATTN_DRAW_HEATMAP ? 1
                                                : 12,
      .n_queries = c->n_queries,
      .n_keys = c->n_keys,
      .labels = fixture_words,
      .n_labels = fixture_n_words,
      .causal = c->causal,
      .weights = weights,
  };
  if (weights != NULL)
    weights[0] = 0.97f;
  return fixture_make_panels (&fixture, view);
}

AttnDrawLayout *
layout_case_make (const LayoutCase *c)
{
  g_autoptr (AttnDrawView) view = layout_case_make_view (c);
  g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (c, view);
  return attn_draw_layout_new (view, panels);
}

size_t
layout_count_columns (const AttnDrawLayout *layout)
{
  size_t n_heads = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout)), n = 1;
  while (n < n_heads && attn_draw_layout_get_panel_rect (layout, n).y ==
                            attn_draw_layout_get_panel_rect (layout, 0).y)
    n++;
  return n;
}

const AttnDrawItem *
layout_find_label (const AttnDrawLayout *layout, AttnDrawRole role, size_t token)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == role && item->token == token)
      return item;
  }
  return NULL;
}
