/* SPDX-License-Identifier: MIT */
/* Layouts: nothing overlaps, nothing leaves the picture, thinning is told, pictures fit. */
#include "bar.h"
#include "draw-fixture.h"

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

static char *
describe (const AttnDrawLayout *layout, const AttnDrawItem *item)
{
  const AttnDrawView *view = attn_draw_layout_peek_view (layout);
  return g_strdup_printf (
      "kind %d width %g height %g font %s %g: item kind %d role %d token %zu \"%s\"", view->kind,
      view->width_px, view->max_height_px, view->font_family, view->font_size_pt, item->kind,
      item->role, item->token, item->text != NULL ? pango_layout_get_text (item->text) : "");
}

/* Texts, panels and the bar keep clear of each other and, when there is room at all, inside. */
static void
assert_clear (const AttnDrawLayout *layout)
{
  size_t n = attn_draw_layout_get_n_items (layout);
  g_autofree Box *boxes = g_new (Box, n);
  g_autofree const AttnDrawItem **items = g_new (const AttnDrawItem *, n);
  size_t n_boxes = 0;

  for (size_t i = 0; i < n; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_text = item->kind == ATTN_DRAW_ITEM_TEXT;
    if (!is_text && item->kind != ATTN_DRAW_ITEM_PANEL && item->kind != ATTN_DRAW_ITEM_BAR)
      continue;
    items[n_boxes] = item;
    boxes[n_boxes] = is_text ? box_from_text (item) : box_from_rect (item->rect);
    for (size_t other = 0; other < n_boxes; other++) {
      if (!overlaps (&boxes[other], &boxes[n_boxes]))
        continue;
      g_autofree char *first = describe (layout, items[other]);
      g_autofree char *second = describe (layout, item);
      g_error ("%s overlaps %s", first, second);
    }
    n_boxes++;
  }
}

static void
assert_inside (const AttnDrawLayout *layout)
{
  double width = attn_draw_layout_get_width (layout);
  double height = attn_draw_layout_get_height (layout);

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = item->rect;
    if (rect.x >= -0.5 && rect.y >= -0.5 && rect.x + rect.width <= width + 0.5 &&
        rect.y + rect.height <= height + 0.5)
      continue;
    g_autofree char *text = describe (layout, item);
    g_error ("%g, %g, %g × %g leaves a picture of %g × %g: %s", rect.x, rect.y, rect.width,
             rect.height, width, height, text);
  }
}

static bool
has_note (const AttnDrawLayout *layout, const char *part)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_NOTE && strstr (pango_layout_get_text (item->text), part))
      return true;
  }
  return false;
}

static size_t
count_labels (const AttnDrawLayout *layout, AttnDrawRole role)
{
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    n += item->role == role && item->panel == 0;
  }
  return n;
}

/* The note is there exactly when a label is missing. */
static void
assert_thinning_told (const AttnDrawLayout *layout)
{
  const AttnMap *map = attn_draw_panels_peek (attn_draw_layout_peek_panels (layout), 0);
  size_t n_queries = count_labels (layout, ATTN_DRAW_ROLE_QUERY_LABEL);
  size_t n_keys = count_labels (layout, ATTN_DRAW_ROLE_KEY_LABEL);
  bool has_keys = attn_draw_layout_peek_view (layout)->kind == ATTN_DRAW_HEATMAP;
  bool is_missing = n_queries < map->n_queries || (has_keys && n_keys < map->n_keys);

  if (n_queries > 0)
    g_assert_cmpint (is_missing, ==, has_note (layout, "label in"));
}

static void
assert_whole (double number)
{
  g_assert_cmpfloat (number, ==, round (number));
}

static void
assert_sane (const AttnDrawLayout *layout)
{
  assert_whole (attn_draw_layout_get_width (layout));
  assert_whole (attn_draw_layout_get_height (layout));
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    g_assert_true (item->rect.width >= 0 && item->rect.height >= 0);
    g_assert_true (isfinite (item->rect.x + item->rect.y + item->rect.width + item->rect.height));
    g_assert_cmpint (item->kind == ATTN_DRAW_ITEM_TEXT, ==, item->text != NULL);
    if (item->kind != ATTN_DRAW_ITEM_PANEL)
      continue;
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, item->panel);
    g_assert_cmpmem (&rect, sizeof rect, &item->rect, sizeof item->rect);
    assert_whole (rect.x);
    assert_whole (rect.y);
    assert_whole (rect.width);
    assert_whole (rect.height);
    g_assert_true (rect.width >= 1 && rect.height >= 1);
  }
}

typedef struct {
  AttnDrawKind kind;
  size_t n_queries, n_keys;
  double width, font_size_pt;
  const char *font;
  bool pins, causal;
  double max_height;
} Case;

static AttnDrawView *
make_view (const Case *c)
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

static AttnDrawPanels *
make_panels (const Case *c, const AttnDrawView *view)
{
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = c->kind == ATTN_DRAW_HEADS ? 12 : 1,
      .n_queries = c->n_queries,
      .n_keys = c->n_keys,
      .labels = fixture_words,
      .n_labels = fixture_n_words,
      .causal = c->causal,
  };
  return fixture_make_panels (&fixture, view);
}

static AttnDrawLayout *
make_layout (const Case *c)
{
  g_autoptr (AttnDrawView) view = make_view (c);
  g_autoptr (AttnDrawPanels) panels = make_panels (c, view);
  return attn_draw_layout_new (view, panels);
}

static const char *const fonts[] = {"Sans", "Serif", "Monospace"};

static void
test_clear_everywhere (void)
{
  static const size_t sizes[] = {1, 2, 3, 5, 8, 16, 24, 32, 47, 64, 90, 128, 200, 512};
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (int trial = 0; trial < 130; trial++) {
    Case c = {
        .kind = (AttnDrawKind)(trial % 2),
        .n_queries = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))],
        .width = g_rand_int_range (rand, 240, 1800),
        .font_size_pt = trial % 3 == 0 ? g_rand_double_range (rand, 5, 16) : 10,
        .font = fonts[trial % 3],
        .pins = trial % 4 < 2,
        .causal = trial % 5 == 0,
        .max_height = trial % 3 == 1 ? g_rand_int_range (rand, 150, 1200) : 0,
    };
    c.n_keys =
        trial % 7 == 0 ? sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))] : c.n_queries;
    g_autoptr (AttnDrawLayout) layout = make_layout (&c);
    assert_sane (layout);
    assert_clear (layout);
    assert_inside (layout);
    assert_thinning_told (layout);
    if (c.max_height > 0)
      g_assert_cmpfloat (attn_draw_layout_get_width (layout), <=, c.width);
    else
      g_assert_cmpfloat (attn_draw_layout_get_width (layout), ==, c.width);
  }
}

/* Any width, down to nothing: no crash, no negative size. */
static void
test_any_width (void)
{
  static const double widths[] = {1,   2,   7,   15,  40, 80,  119,  121,      160, 175,
                                  200, 239, 300, 0.2, 0,  -50, -1e9, INFINITY, NAN};
  static const size_t sizes[] = {1, 2, 16, 300};

  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
    for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int kind = 0; kind < 2; kind++) {
        Case c = {(AttnDrawKind)kind, sizes[s], sizes[s], widths[w], 10, NULL, s % 2 == 1, false};
        g_autoptr (AttnDrawLayout) layout = make_layout (&c);
        assert_sane (layout);
        g_assert_cmpfloat (attn_draw_layout_get_width (layout), >=, 1);
        g_assert_cmpfloat (attn_draw_layout_get_height (layout), >=, 1);
      }
  for (size_t h = 0; h < G_N_ELEMENTS (widths); h++)
    for (size_t w = 0; w < G_N_ELEMENTS (widths); w += 4)
      for (int kind = 0; kind < 2; kind++) {
        Case c = {(AttnDrawKind)kind, 16, 16, widths[w], 10, NULL, false, false, widths[h]};
        g_autoptr (AttnDrawLayout) layout = make_layout (&c);
        assert_sane (layout);
      }
  Case large = {ATTN_DRAW_HEATMAP, 2048, 2048, 700, 10, NULL, true, true};
  g_autoptr (AttnDrawLayout) layout = make_layout (&large);
  assert_sane (layout);
  assert_clear (layout);
  g_assert_true (has_note (layout, "label in"));
  g_assert_true (has_note (layout, "each pixel"));
}

static void
test_odd_font_sizes (void)
{
  static const double sizes[] = {0, -3, NAN, INFINITY, 0.01, 60};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < 2; kind++) {
      Case c = {(AttnDrawKind)kind, 9, 9, 800, sizes[s], NULL, true, false};
      g_autoptr (AttnDrawLayout) layout = make_layout (&c);
      assert_sane (layout);
    }
}

/* The numbers a person would compute for a small heat map. */
static void
test_closed_form (void)
{
  Case c = {ATTN_DRAW_HEATMAP, 8, 8, 700, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) layout = make_layout (&c);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);

  g_assert_cmpfloat (attn_draw_layout_get_width (layout), ==, 700);
  g_assert_cmpfloat (rect.width, ==, rect.height);
  g_assert_cmpfloat (fmod (rect.width, 8), ==, 0);
  g_assert_cmpfloat (rect.width, >=, 0.65 * 700);
  for (size_t query = 0; query < 8; query++)
    for (size_t key = 0; key < 8; key++) {
      AttnDrawRect cell = attn_draw_layout_place (layout, 0, query, key);
      g_assert_cmpfloat (cell.width, ==, rect.width / 8);
      g_assert_cmpfloat (cell.height, ==, rect.height / 8);
      g_assert_cmpfloat (cell.x, ==, rect.x + (double)key * rect.width / 8);
      g_assert_cmpfloat (cell.y, ==, rect.y + (double)query * rect.height / 8);
    }
  AttnDrawRect row = attn_draw_layout_place (layout, 0, 3, G_MAXSIZE);
  g_assert_cmpfloat (row.x, ==, rect.x);
  g_assert_cmpfloat (row.width, ==, rect.width);
  g_assert_cmpfloat (row.height, ==, rect.height / 8);
  AttnDrawRect column = attn_draw_layout_place (layout, 0, G_MAXSIZE, 3);
  g_assert_cmpfloat (column.height, ==, rect.height);
  AttnDrawRect all = attn_draw_layout_place (layout, 0, G_MAXSIZE, G_MAXSIZE);
  g_assert_cmpmem (&all, sizeof all, &rect, sizeof rect);
}

/* All maps of a grid are equally large and stand in rows; the number of columns is kept. */
static void
test_grid (void)
{
  static const size_t asked[] = {0, 1, 3, 5, 12, 99};
  static const size_t got[] = {4, 1, 3, 5, 12, 12};

  for (size_t a = 0; a < G_N_ELEMENTS (asked); a++) {
    Case c = {ATTN_DRAW_HEADS, 16, 16, 900, 10, NULL, false, false};
    g_autoptr (AttnDrawView) view = make_view (&c);
    view->n_columns = asked[a];
    g_autoptr (AttnDrawPanels) panels = make_panels (&c, view);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);
    for (size_t panel = 1; panel < 12; panel++) {
      AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
      AttnDrawRect before = attn_draw_layout_get_panel_rect (layout, panel - 1);
      g_assert_cmpfloat (rect.width, ==, first.width);
      g_assert_cmpfloat (rect.height, ==, first.height);
      if (panel % got[a] == 0) {
        g_assert_cmpfloat (rect.x, ==, first.x);
        g_assert_cmpfloat (rect.y, >=, before.y + before.height);
      } else {
        g_assert_cmpfloat (rect.y, ==, before.y);
        g_assert_cmpfloat (rect.x, >=, before.x + before.width);
      }
    }
  }
}

/* Where every map has a range of its own, its end stands over it; the bar has no number but 0. */
static void
test_own_ranges (void)
{
  Case c = {ATTN_DRAW_HEADS, 16, 16, 900, 10, NULL, false, false};
  g_autoptr (AttnDrawView) view = make_view (&c);
  view->range = ATTN_DRAW_RANGE_MAP;
  attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
  g_autoptr (AttnDrawPanels) panels = make_panels (&c, view);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  size_t n_ends = 0, n_numbers = 0;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->text == NULL)
      continue;
    double number = g_ascii_strtod (pango_layout_get_text (item->text), NULL);
    n_numbers += item->role == ATTN_DRAW_ROLE_BAR;
    if (item->role != ATTN_DRAW_ROLE_HEAD_TITLE || number == 0)
      continue;
    n_ends++;
    /* two significant digits */
    double max = (double)attn_draw_panels_get_max (panels, item->panel);
    g_assert_cmpfloat (fabs (number - max), <=, 0.05 * max);
  }
  g_assert_cmpuint (n_ends, ==, 12);
  g_assert_cmpuint (n_numbers, ==, 1);
  g_assert_true (has_note (layout, "each map by itself"));
}

static size_t
count_columns (const AttnDrawLayout *layout)
{
  size_t n_heads = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout)), n = 1;
  while (n < n_heads && attn_draw_layout_get_panel_rect (layout, n).y ==
                            attn_draw_layout_get_panel_rect (layout, 0).y)
    n++;
  return n;
}

/* More columns where the picture is wide, fewer where it is narrow. */
static void
test_grid_columns (void)
{
  static const struct {
    double width;
    size_t n_columns;
  } cases[] = {{150, 1}, {300, 2}, {700, 4}, {1000, 4}, {1600, 6}, {3000, 12}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c = {ATTN_DRAW_HEADS, 16, 16, cases[i].width, 10, NULL, false, false};
    g_autoptr (AttnDrawLayout) layout = make_layout (&c);
    size_t n = count_columns (layout);
    g_test_message ("width %g: %zu columns", cases[i].width, n);
    g_assert_cmpuint (n, ==, cases[i].n_columns);
  }
}

static const AttnDrawItem *
find_label (const AttnDrawLayout *layout, AttnDrawRole role, size_t token)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == role && item->token == token)
      return item;
  }
  return NULL;
}

/* What is pinned keeps its label however many are left out, bold and in its own colour. */
static void
test_pins (void)
{
  static const size_t sizes[] = {8, 100, 512};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    Case c = {ATTN_DRAW_HEATMAP, sizes[s], sizes[s], 600, 10, NULL, true, false};
    g_autoptr (AttnDrawLayout) layout = make_layout (&c);
    const AttnDrawItem *pinned =
        find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, c.n_queries * 2 / 3);
    const AttnDrawItem *other = find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 0);
    const AttnDrawItem *key = find_label (layout, ATTN_DRAW_ROLE_KEY_LABEL, c.n_keys / 3);
    size_t n_marks = 0;
    g_assert_nonnull (pinned);
    g_assert_nonnull (key);
    g_assert_nonnull (other);
    g_assert_cmpint (
        pango_font_description_get_weight (pango_layout_get_font_description (pinned->text)), ==,
        PANGO_WEIGHT_BOLD);
    g_assert_cmpfloat (pinned->color.red, >, other->color.red);
    for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
      if (item->kind != ATTN_DRAW_ITEM_MARK)
        continue;
      n_marks++;
      g_assert_cmpfloat (item->line_width, >, 0);
      g_assert_cmpfloat (item->color.red, ==, attn_draw_layout_get_accent (layout).red);
    }
    g_assert_cmpuint (n_marks, ==, 3);
  }
  Case none = {ATTN_DRAW_HEATMAP, 8, 8, 600, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) layout = make_layout (&none);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    g_assert_cmpint (attn_draw_layout_peek_item (layout, i)->kind, !=, ATTN_DRAW_ITEM_MARK);
}

static double
get_map_size (const AttnDrawLayout *layout)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  return MAX (rect.width, rect.height);
}

static AttnDrawLayout *
make_layout_within (AttnDrawView *view, AttnDrawPanels *panels, double width, double max_height)
{
  view->width_px = width;
  view->max_height_px = max_height;
  return attn_draw_layout_new (view, panels);
}

/* No picture of any width or of any limit, as long as it is no higher, has larger maps. */
static void
assert_largest (AttnDrawView *view, AttnDrawPanels *panels, double width, double max_height)
{
  g_autoptr (AttnDrawLayout) layout = make_layout_within (view, panels, width, max_height);
  double size = get_map_size (layout);

  g_test_message ("kind %d, %g × %g: maps of %g px in %g × %g", view->kind, width, max_height, size,
                  attn_draw_layout_get_width (layout), attn_draw_layout_get_height (layout));
  g_assert_cmpfloat (attn_draw_layout_get_width (layout), <=, width);
  for (double tried = MIN (width, 320); tried <= width;
       tried += 3) { /* narrower ones have no bar */
    g_autoptr (AttnDrawLayout) natural = make_layout_within (view, panels, tried, 0);
    g_assert_cmpfloat (attn_draw_layout_get_width (natural), ==, tried);
    if (attn_draw_layout_get_height (natural) <= max_height)
      g_assert_cmpfloat (get_map_size (natural), <=, size);
  }
  if (attn_draw_layout_get_height (layout) > max_height)
    return;
  for (double limit = max_height; limit < max_height + 120; limit += 2) {
    g_autoptr (AttnDrawLayout) higher = make_layout_within (view, panels, width, limit);
    g_assert_cmpfloat (get_map_size (higher), >=, size);
    if (attn_draw_layout_get_height (higher) <= max_height)
      g_assert_cmpfloat (get_map_size (higher), <=, size);
  }
}

/* Labels are short here, so that no width cuts them: then only the room counts. */
static void
test_fitting (void)
{
  static const struct {
    size_t n;
    double width, height;
  } cases[] = {{16, 900, 640}, {60, 1000, 500}, {1, 500, 400}, {300, 640, 480},
               {7, 333, 700},  {16, 450, 330},  {16, 830, 560}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int kind = 0; kind < 2; kind++) {
      Case c = {(AttnDrawKind)kind, cases[i].n, cases[i].n, 123, 10, NULL, false, false};
      Fixture fixture = {
          .n_layers = 1, .n_heads = 12, .n_queries = cases[i].n, .n_keys = cases[i].n};
      g_autoptr (AttnDrawView) view = make_view (&c);
      view->n_columns = 3; /* which is chosen, is tested below */
      g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
      assert_largest (view, panels, cases[i].width, cases[i].height);
    }
}

/* A picture is higher than it should be only with maps of the smallest useful size. */
static void
test_least_useful (void)
{
  static const double heights[] = {20, 100, 180, 260};

  for (size_t h = 0; h < G_N_ELEMENTS (heights); h++)
    for (int kind = 0; kind < 2; kind++) {
      Case c = {(AttnDrawKind)kind, 16, 16, 370, 10, NULL, false, false, heights[h]};
      g_autoptr (AttnDrawLayout) layout = make_layout (&c);
      double em = 10 * 96 / 72.0, size = get_map_size (layout);
      double least = kind == ATTN_DRAW_HEATMAP ? 10 * em : 4 * em;
      double most = kind == ATTN_DRAW_HEATMAP ? least : MAX (least, heights[h] / 2);
      g_assert_cmpfloat (attn_draw_layout_get_height (layout), >, heights[h]);
      g_assert_cmpfloat (size, >=, 0.9 * least);
      g_assert_cmpfloat (size, <=, 1.2 * most);
    }
}

/* Against trying every number of columns: four unless another has clearly larger maps. */
static void
test_fitting_columns (void)
{
  static const struct {
    size_t n_heads;
    double width, height;
    size_t wanted; /* 0 for any */
  } cases[] = {{8, 830, 560, 4},   {12, 830, 560, 4},  {8, 450, 330, 4},  {12, 2000, 500, 6},
               {12, 600, 1800, 2}, {12, 1400, 420, 0}, {8, 1600, 300, 8}, {5, 700, 700, 0},
               {2, 900, 500, 2},   {1, 500, 500, 1}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c = {ATTN_DRAW_HEADS, 16, 16, cases[i].width, 10, NULL, false, false, cases[i].height};
    Fixture fixture = {.n_layers = 1, .n_heads = cases[i].n_heads, .n_queries = 16, .n_keys = 16};
    g_autoptr (AttnDrawView) view = make_view (&c);
    g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
    g_autoptr (AttnDrawLayout) chosen = attn_draw_layout_new (view, panels);
    double best = 0, usual = 0;
    g_assert_cmpfloat (attn_draw_layout_get_height (chosen), <=, cases[i].height);
    for (size_t n = 1; n <= cases[i].n_heads; n++) {
      view->n_columns = n;
      g_autoptr (AttnDrawLayout) tried = attn_draw_layout_new (view, panels);
      double size = get_map_size (tried);
      g_assert_cmpuint (count_columns (tried), ==, n);
      if (attn_draw_layout_get_height (tried) > cases[i].height)
        continue;
      best = MAX (best, size);
      if (n == MIN (4, cases[i].n_heads))
        usual = size;
    }
    size_t n_columns = count_columns (chosen);
    g_test_message ("%zu heads, %g × %g: %zu columns of %g px, best %g, usual %g", cases[i].n_heads,
                    cases[i].width, cases[i].height, n_columns, get_map_size (chosen), best, usual);
    if (usual >= 0.85 * best)
      g_assert_cmpuint (n_columns, ==, MIN (4, cases[i].n_heads));
    /* a last row that is not full counts a tenth less */
    g_assert_cmpfloat (get_map_size (chosen), >=, 0.85 * 0.9 * best);
    if (cases[i].wanted > 0)
      g_assert_cmpuint (n_columns, ==, cases[i].wanted);
  }
}

static const char *const pieces[] = {
    "[CLS]", "two",   "masks", ":",     "[MASK]", "and",   "[MASK]", "naive",    "dona",
    "##uda", "##mpf", "##sch", "##iff", "##fahr", "##rts", "##ges",  "##schaft", "one",
    "two",   "three", "four",  "five",  "six",    "seven", "[SEP]",
};

static AttnDrawLayout *
make_pieces_layout (AttnDrawKind kind, double width, double max_height)
{
  Case c = {kind,      G_N_ELEMENTS (pieces), G_N_ELEMENTS (pieces), width, 10, NULL, false, false,
            max_height};
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = kind == ATTN_DRAW_HEADS ? 8 : 1,
      .n_queries = G_N_ELEMENTS (pieces),
      .n_keys = G_N_ELEMENTS (pieces),
      .labels = pieces,
      .n_labels = G_N_ELEMENTS (pieces),
  };
  g_autoptr (AttnDrawView) view = make_view (&c);
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  return attn_draw_layout_new (view, panels);
}

/* Labels of usual length are whole at every size of window, and so are titles unless the picture
 * takes all the width there is. */
static void
test_nothing_cut (void)
{
  for (double width = 400; width <= 1300; width += 45)
    for (double max_height = 0; max_height <= 900; max_height += 75)
      for (int kind = 0; kind < 2; kind++) {
        g_autoptr (AttnDrawLayout) layout =
            make_pieces_layout ((AttnDrawKind)kind, width, max_height);
        bool is_full = attn_draw_layout_get_width (layout) == width;
        for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
          const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
          if (item->text == NULL || !pango_layout_is_ellipsized (item->text))
            continue;
          g_autofree char *text = describe (layout, item);
          bool is_heading =
              item->role == ATTN_DRAW_ROLE_TITLE || item->role == ATTN_DRAW_ROLE_SUBTITLE;
          bool is_key =
              item->role == ATTN_DRAW_ROLE_KEY_LABEL && max_height > 0 && max_height < 300;
          if (!is_key && !(is_heading && is_full))
            g_error ("%s is cut", text);
        }
      }
}

/* A label that is longer than usual takes the room that the height leaves beside the map. */
static void
test_long_labels (void)
{
  static const char *const labels[] = {"a", "Donaudampfschifffahrtsgesellschaftskapitän", "b", "c"};
  Fixture fixture = {
      .n_layers = 1, .n_heads = 1, .n_queries = 12, .n_keys = 12, .labels = labels, .n_labels = 4};
  Case c = {ATTN_DRAW_HEATMAP, 12, 12, 830, 10, NULL, false, false, 450};
  g_autoptr (AttnDrawView) view = make_view (&c);
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  const AttnDrawItem *label = find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 1);

  g_assert_nonnull (label);
  g_assert_false (pango_layout_is_ellipsized (label->text));
  assert_clear (layout);
  assert_inside (layout);
}

/* The maps are in the middle where the lines of text are longer; the lines begin together. */
static void
test_middle (void)
{
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 8, .n_keys = 8};
  Case c = {ATTN_DRAW_HEATMAP, 8, 8, 1200, 10, NULL, false, false, 320};
  g_autoptr (AttnDrawView) view = make_view (&c);
  attn_draw_view_set_strings (view, "some-model",
                              "A text that is a good deal longer than the map is wide, it is, on a "
                              "window that is low",
                              NULL, NULL, NULL);
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  double width = attn_draw_layout_get_width (layout), left = -1, maps_left = width, maps_right = 0;

  g_assert_cmpfloat (width, <, 1200);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_line = item->role == ATTN_DRAW_ROLE_TITLE || item->role == ATTN_DRAW_ROLE_SUBTITLE;
    if (is_line) {
      g_assert_false (pango_layout_is_ellipsized (item->text));
      g_assert_true (left < 0 || fabs (left - item->rect.x) < 0.5);
      left = item->rect.x;
    } else if (item->role != ATTN_DRAW_ROLE_NOTE) {
      maps_left = MIN (maps_left, item->rect.x);
      maps_right = MAX (maps_right, item->rect.x + item->rect.width);
    }
  }
  g_assert_cmpfloat (maps_left, >, left + 20);
  /* the numbers beside the bar have room for a digit more */
  g_assert_cmpfloat (fabs (maps_left - (width - maps_right)), <, 20);
}

/* A file of the window's view has the same items in the same places. */
static void
assert_equal (const AttnDrawLayout *a, const AttnDrawLayout *b)
{
  size_t n = attn_draw_layout_get_n_items (a);

  g_assert_cmpuint (n, ==, attn_draw_layout_get_n_items (b));
  g_assert_cmpfloat (attn_draw_layout_get_width (a), ==, attn_draw_layout_get_width (b));
  g_assert_cmpfloat (attn_draw_layout_get_height (a), ==, attn_draw_layout_get_height (b));
  for (size_t i = 0; i < n; i++) {
    const AttnDrawItem *one = attn_draw_layout_peek_item (a, i);
    const AttnDrawItem *two = attn_draw_layout_peek_item (b, i);
    g_assert_cmpint (one->kind, ==, two->kind);
    g_assert_cmpmem (&one->rect, sizeof one->rect, &two->rect, sizeof two->rect);
    if (one->text == NULL)
      continue;
    g_assert_cmpstr (pango_layout_get_text (one->text), ==, pango_layout_get_text (two->text));
    g_assert_cmpfloat (one->text_x, ==, two->text_x);
    g_assert_cmpfloat (one->text_y, ==, two->text_y);
  }
}

static void
test_same_again (void)
{
  for (int kind = 0; kind < 2; kind++) {
    Case c = {(AttnDrawKind)kind, 40, 40, 800.3, 10, NULL, true, false, 600.7};
    g_autoptr (AttnDrawView) view = make_view (&c);
    g_autoptr (AttnDrawPanels) panels = make_panels (&c, view);
    g_autoptr (AttnDrawLayout) fitting = attn_draw_layout_new (view, panels);
    g_autoptr (AttnDrawView) chosen = attn_draw_view_copy (attn_draw_layout_peek_view (fitting));
    g_autoptr (AttnDrawLayout) again = attn_draw_layout_new (chosen, panels);
    assert_equal (fitting, again);
  }
}

/* A layout lives on without the view it was made from, and makes strings where there are none. */
static void
test_owns_all (void)
{
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 4, .n_keys = 4};
  AttnDrawView *view = attn_draw_view_new ();
  AttnDrawPanels *panels = fixture_make_panels (&fixture, view);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  attn_draw_view_free (view);
  attn_draw_panels_unref (panels);

  g_assert_cmpuint (attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout)), ==, 1);
  const AttnDrawItem *title = NULL;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    if (attn_draw_layout_peek_item (layout, i)->role == ATTN_DRAW_ROLE_TITLE)
      title = attn_draw_layout_peek_item (layout, i);
  g_assert_nonnull (title);
  g_assert_cmpstr (pango_layout_get_text (title->text), ==, "Layer 1, head 1 · attention weights");
}

/* WCAG's relative luminance and contrast. */
static double
get_luminance (AttnDrawColor color)
{
  double channels[3] = {color.red, color.green, color.blue};
  for (int i = 0; i < 3; i++) {
    double c = channels[i];
    channels[i] = c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
  }
  return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
}

static double
get_contrast (AttnDrawColor a, AttnDrawColor b)
{
  double one = get_luminance (a) + 0.05, two = get_luminance (b) + 0.05;
  return MAX (one, two) / MIN (one, two);
}

/* All text, pinned labels too, reads well in every palette. */
static void
test_contrast (void)
{
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++) {
    Case c = {ATTN_DRAW_HEATMAP, 8, 8, 600, 10, NULL, true, true};
    g_autoptr (AttnDrawView) view = make_view (&c);
    view->palette = p;
    g_autoptr (AttnDrawPanels) panels = make_panels (&c, view);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    AttnDrawColor ground = attn_draw_layout_get_background (layout);
    g_assert_cmpfloat (get_contrast (attn_draw_layout_get_accent (layout), ground), >=, 3);
    for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
      if (item->kind == ATTN_DRAW_ITEM_TEXT)
        g_assert_cmpfloat (get_contrast (item->color, ground), >=, 4.5);
    }
  }
}

static void
test_notes (void)
{
  Case plain = {ATTN_DRAW_HEATMAP, 8, 8, 700, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) a = make_layout (&plain);
  g_assert_true (has_note (a, "rows: query"));
  g_assert_true (has_note (a, "range: this map, 0 – 0."));
  g_assert_false (has_note (a, "hatched"));
  g_assert_false (has_note (a, "crossed"));
  g_assert_false (has_note (a, "each pixel"));

  Case causal = {ATTN_DRAW_HEADS, 8, 8, 700, 10, NULL, false, true};
  g_autoptr (AttnDrawLayout) b = make_layout (&causal);
  g_assert_true (has_note (b, "range: the heads of this layer, 0 – "));
  g_assert_true (has_note (b, "hatched"));
}

/* Round numbers, rising from 0 to the end, far enough apart. */
static void
test_ticks (void)
{
  static const double maxima[] = {1,    0.98, 0.5, 0.123,  0.02, 0.0003, 1e-7, 7,
                                  42.5, 1234, 5e8, 0.9999, 0.1,  0.2,    0.6,  1.1};

  for (size_t i = 0; i < G_N_ELEMENTS (maxima); i++)
    for (double height = 0; height < 900; height += 60) {
      AttnDrawTicks ticks = attn_draw_bar_find_ticks (maxima[i], height, 30);
      g_assert_cmpfloat (ticks.values[0], ==, 0);
      g_assert_cmpuint (ticks.n, <=, ATTN_DRAW_BAR_MAX_TICKS);
      double last = 0;
      for (size_t t = 0; t < ticks.n; t++)
        last = ticks.values[t];
      if (height >= 30)
        g_assert_cmpfloat (last, ==, maxima[i]);
      if (height >= 120 && ticks.decimals >= 0)
        g_assert_cmpuint (ticks.n, >=, 3);
      for (size_t t = 1; t < ticks.n; t++)
        g_assert_cmpfloat ((ticks.values[t] - ticks.values[t - 1]) / maxima[i] * height, >=,
                           0.74 * 30);
      for (size_t t = 1; t + 1 < ticks.n; t++) {
        double shown = ticks.values[t] * pow (10, ticks.decimals);
        g_assert_cmpfloat (fabs (shown - round (shown)), <, 1e-6);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/clear-everywhere", test_clear_everywhere);
  g_test_add_func ("/layout/any-width", test_any_width);
  g_test_add_func ("/layout/odd-font-sizes", test_odd_font_sizes);
  g_test_add_func ("/layout/closed-form", test_closed_form);
  g_test_add_func ("/layout/grid", test_grid);
  g_test_add_func ("/layout/grid-columns", test_grid_columns);
  g_test_add_func ("/layout/own-ranges", test_own_ranges);
  g_test_add_func ("/layout/pins", test_pins);
  g_test_add_func ("/layout/fitting", test_fitting);
  g_test_add_func ("/layout/least-useful", test_least_useful);
  g_test_add_func ("/layout/fitting-columns", test_fitting_columns);
  g_test_add_func ("/layout/nothing-cut", test_nothing_cut);
  g_test_add_func ("/layout/long-labels", test_long_labels);
  g_test_add_func ("/layout/middle", test_middle);
  g_test_add_func ("/layout/same-again", test_same_again);
  g_test_add_func ("/layout/owns-all", test_owns_all);
  g_test_add_func ("/layout/contrast", test_contrast);
  g_test_add_func ("/layout/notes", test_notes);
  g_test_add_func ("/layout/ticks", test_ticks);
  return g_test_run ();
}
