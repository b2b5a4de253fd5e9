/* SPDX-License-Identifier: MIT */
/* Layouts: nothing overlaps, nothing leaves the picture, thinning is told. */
#include "layout-checks.h"
#include "ticks.h"

#include <math.h>
#include <string.h>

#define N_KINDS (ATTN_DRAW_TEXT + 1) /* the first ones, which have layouts of their own */

static const char *const fonts[] = {"Sans", "Serif", "Monospace"};

static void
test_clear_everywhere (void)
{
  static const size_t sizes[] = {1, 2, 3, 5, 8, 16, 24, 32, 47, 64, 90, 128, 200, 512};
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (int trial = 0; trial < 200; trial++) {
    LayoutCase c = {
        .kind = (AttnDrawKind)(trial % N_KINDS),
        .n_queries = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))],
        .width = g_rand_int_range (rand, 240, 1800),
        .font_size_pt = trial % 3 == 0 ? g_rand_double_range (rand, 5, 16) : 10,
        .font = fonts[trial % 3],
        .pins = trial / N_KINDS % 2 == 0,
        .causal = trial % 5 == 0,
        .max_height = trial % 3 == 1 ? g_rand_int_range (rand, 150, 1200) : 0,
    };
    c.n_keys =
        trial % 7 == 0 ? sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))] : c.n_queries;
    g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
    layout_assert_sane (layout);
    layout_assert_clear (layout);
    layout_assert_inside (layout);
    layout_assert_thinning_told (layout);
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
      for (int kind = 0; kind < N_KINDS; kind++) {
        LayoutCase c = {(AttnDrawKind)kind, sizes[s], sizes[s], widths[w], 10, NULL,
                        s % 2 == 1,         false};
        g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
        layout_assert_sane (layout);
        g_assert_cmpfloat (attn_draw_layout_get_width (layout), >=, 1);
        g_assert_cmpfloat (attn_draw_layout_get_height (layout), >=, 1);
      }
  for (size_t h = 0; h < G_N_ELEMENTS (widths); h++)
    for (size_t w = 0; w < G_N_ELEMENTS (widths); w += 4)
      for (int kind = 0; kind < N_KINDS; kind++) {
        LayoutCase c = {(AttnDrawKind)kind, 16, 16, widths[w], 10, NULL, false, false, widths[h]};
        g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
        layout_assert_sane (layout);
      }
  LayoutCase large = {ATTN_DRAW_HEATMAP, 2048, 2048, 700, 10, NULL, true, true};
  g_autoptr (AttnDrawLayout) layout = layout_case_make (&large);
  layout_assert_sane (layout);
  layout_assert_clear (layout);
  g_assert_true (layout_has_note (layout, "label in"));
  g_assert_true (layout_has_note (layout, "each pixel"));
}

static void
test_odd_font_sizes (void)
{
  static const double sizes[] = {0, -3, NAN, INFINITY, 0.01, 60};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < N_KINDS; kind++) {
      LayoutCase c = {(AttnDrawKind)kind, 9, 9, 800, sizes[s], NULL, true, false};
      g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
      layout_assert_sane (layout);
    }
}

/* The numbers a person would compute for a small heat map. */
static void
test_closed_form (void)
{
  LayoutCase c = {ATTN_DRAW_HEATMAP, 8, 8, 700, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
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
    LayoutCase c = {ATTN_DRAW_HEADS, 16, 16, 900, 10, NULL, false, false};
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    view->n_columns = asked[a];
    g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
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
  LayoutCase c = {ATTN_DRAW_HEADS, 16, 16, 900, 10, NULL, false, false};
  g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
  view->range = ATTN_DRAW_RANGE_MAP;
  attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
  g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
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
  g_assert_true (layout_has_note (layout, "each map by itself"));
}

/* All layers: rows of equally large maps, numbered on both sides, for every shape of a model. */
static void
test_sheet (void)
{
  static const struct {
    size_t n_layers, n_heads, n_queries, n_keys;
    double width, max_height;
  } cases[] = {
      {1, 1, 16, 16, 900, 0},       {12, 12, 16, 16, 1000, 0},   {12, 12, 512, 512, 1000, 700},
      {24, 16, 512, 512, 1600, 0},  {24, 16, 40, 40, 1100, 560}, {4, 8, 16, 16, 800, 500},
      {6, 12, 30, 7, 700, 0},       {6, 12, 7, 30, 700, 400},    {48, 96, 12, 12, 1000, 0},
      {48, 96, 12, 12, 4000, 2000}, {96, 2, 16, 16, 300, 0},     {2, 96, 16, 16, 300, 200},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    LayoutCase c = {ATTN_DRAW_LAYERS,
                    cases[i].n_queries,
                    cases[i].n_keys,
                    cases[i].width,
                    10,
                    NULL,
                    true,
                    false,
                    cases[i].max_height,
                    cases[i].n_layers,
                    cases[i].n_heads};
    g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
    AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);
    layout_assert_sane (layout);
    layout_assert_clear (layout);
    layout_assert_inside (layout);
    g_test_message ("%zu × %zu heads, %zu × %zu tokens in %g × %g: maps of %g × %g px", c.n_layers,
                    c.n_heads, c.n_queries, c.n_keys, c.width, c.max_height, first.width,
                    first.height);
    for (size_t panel = 1; panel < c.n_layers * c.n_heads; panel++) {
      AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
      size_t row = panel / c.n_heads, column = panel % c.n_heads;
      g_assert_cmpfloat (rect.width, ==, first.width);
      g_assert_cmpfloat (rect.height, ==, first.height);
      g_assert_cmpfloat (rect.x, >=, first.x + (double)column * (first.width + 1));
      g_assert_cmpfloat (rect.y, >=, first.y + (double)row * (first.height + 1));
    }
    g_assert_true (layout_has_note (layout, "a row for each layer"));
    g_assert_true (layout_has_note (layout, "range: all heads of the model"));
  }
}

/* A strip stays in its room, however many heads there are, or there is none. */
static void
test_strip (void)
{
  static const size_t heads[] = {1, 2, 5, 8, 12, 16, 25, 40, 96};
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  size_t n_useful = 0, n_useless = 0;

  for (int trial = 0; trial < 120; trial++) {
    LayoutCase c = {
        .kind = ATTN_DRAW_HEADS,
        .n_queries = (size_t)g_rand_int_range (rand, 1, 40),
        .width = 800,
        .font_size_pt = trial % 5 == 0 ? 14 : 10,
        .font = fonts[trial % 3],
        .pins = trial % 2 == 0,
        .n_layers = 1,
        .n_heads = heads[trial % G_N_ELEMENTS (heads)],
    };
    c.n_keys = trial % 3 == 0 ? (size_t)g_rand_int_range (rand, 1, 40) : c.n_queries;
    double width = g_rand_int_range (rand, 1, 500), height = g_rand_int_range (rand, 1, 900);
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
    g_autoptr (AttnDrawLayout) strip = attn_draw_layout_new_strip (view, panels, width, height);
    if (strip == NULL) {
      n_useless++;
      continue;
    }
    n_useful++;
    layout_assert_sane (strip);
    layout_assert_clear (strip);
    layout_assert_inside (strip);
    g_assert_cmpfloat (attn_draw_layout_get_width (strip), <=, width);
    g_assert_cmpfloat (attn_draw_layout_get_height (strip), <=, height);
    for (size_t head = 0; head < c.n_heads; head++) {
      AttnDrawRect rect = attn_draw_layout_get_panel_rect (strip, head);
      AttnDrawHit hit;
      g_assert_true (attn_draw_pick (strip, rect.x + 1, rect.y + 1, &hit));
      g_assert_cmpuint (hit.head, ==, head);
      g_assert_cmpfloat (MAX (rect.width, rect.height), >=, 0.9 * 2.7 * c.font_size_pt * 96 / 72);
    }
  }
  g_test_message ("%zu strips, %zu times no room", n_useful, n_useless);
  g_assert_cmpuint (n_useful, >, 20);
  g_assert_cmpuint (n_useless, >, 20);
}

/* Maps of a chosen size, whatever the picture's; it is as wide as they need, and no less. */
static void
test_sheet_of_chosen_maps (void)
{
  static const double chosen[] = {0.3, 5, 20, 33, 64, 100, 480};

  for (size_t i = 0; i < G_N_ELEMENTS (chosen); i++) {
    LayoutCase c = {
        ATTN_DRAW_LAYERS, 30, 20, i % 2 == 0 ? 700 : 200, 10, NULL, true, false, 300, 6, 4};
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
    view->map_px = chosen[i];
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 23);
    double wanted = MAX (chosen[i], 2); /* less shows nothing */

    layout_assert_sane (layout);
    layout_assert_clear (layout);
    layout_assert_inside (layout);
    g_assert_cmpfloat (attn_draw_layout_get_width (layout), >=, c.width);
    /* cells are whole px where that costs at most a tenth */
    g_assert_cmpfloat (rect.height, <=, ceil (wanted));
    g_assert_cmpfloat (rect.height, >=, MIN (floor (0.9 * chosen[i]), wanted));
  }
}

/* Some rows of a sheet, for a page of a document: the others have no place. */
static void
test_sheet_pages (void)
{
  LayoutCase c = {ATTN_DRAW_LAYERS, 16, 16, 900, 10, NULL, false, false, 0, 6, 4};
  g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
  g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
  view->first_layer = 2;
  view->n_layers = 3;
  attn_draw_view_set_strings (view, "some-model", "A text.", NULL, NULL, NULL);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  size_t n_panels = 0, n_titles = 0;

  layout_assert_sane (layout);
  layout_assert_clear (layout);
  layout_assert_inside (layout);
  for (size_t panel = 0; panel < 24; panel++) {
    AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
    g_assert_cmpint (rect.width > 0, ==, panel >= 8 && panel < 20);
  }
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    n_panels += item->kind == ATTN_DRAW_ITEM_PANEL;
    if (item->role == ATTN_DRAW_ROLE_LAYER_TITLE) {
      g_autofree char *title = g_strdup_printf ("layer %zu", 3 + n_titles++);
      g_assert_cmpstr (pango_layout_get_text (item->text), ==, title);
    }
  }
  g_assert_cmpuint (n_panels, ==, 12);
  g_assert_cmpuint (n_titles, ==, 3);
  /* a page past the end shows what there is */
  view->first_layer = 5;
  g_autoptr (AttnDrawLayout) last = attn_draw_layout_new (view, panels);
  g_assert_cmpfloat (attn_draw_layout_get_panel_rect (last, 19).width, ==, 0);
  g_assert_cmpfloat (attn_draw_layout_get_panel_rect (last, 20).width, >, 0);
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
    LayoutCase c = {ATTN_DRAW_HEADS, 16, 16, cases[i].width, 10, NULL, false, false};
    g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
    size_t n = layout_count_columns (layout);
    g_test_message ("width %g: %zu columns", cases[i].width, n);
    g_assert_cmpuint (n, ==, cases[i].n_columns);
  }
}

/* What is pinned keeps its label however many are left out, bold and in its own colour. */
static void
test_pins (void)
{
  static const size_t sizes[] = {8, 100, 512};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    LayoutCase c = {ATTN_DRAW_HEATMAP, sizes[s], sizes[s], 600, 10, NULL, true, false};
    g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
    const AttnDrawItem *pinned =
        layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, c.n_queries * 2 / 3);
    const AttnDrawItem *other = layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 0);
    const AttnDrawItem *key = layout_find_label (layout, ATTN_DRAW_ROLE_KEY_LABEL, c.n_keys / 3);
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
  LayoutCase none = {ATTN_DRAW_HEATMAP, 8, 8, 600, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) layout = layout_case_make (&none);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    g_assert_cmpint (attn_draw_layout_peek_item (layout, i)->kind, !=, ATTN_DRAW_ITEM_MARK);
}

/* A character of Chinese is read as it stands, over its column, whatever is turned beside it. */
static void
test_wide_labels (void)
{
  static const char *const labels[] = {"[CLS]", "\xe5\x8c\x97", "\xe4\xba\xac", "English"};

  for (double width = 260; width < 700; width += 40) {
    const Fixture fixture = {1, 1, 32, 32, labels, G_N_ELEMENTS (labels)};
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    view->width_px = width;
    g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
    layout_assert_clear (layout);
    layout_assert_inside (layout);
    for (size_t token = 0; token < 32; token++) {
      const AttnDrawItem *item = layout_find_label (layout, ATTN_DRAW_ROLE_KEY_LABEL, token);
      if (item == NULL)
        continue; /* left out in a narrow picture */
      const bool is_wide = token % 4 == 1 || token % 4 == 2;
      g_assert_cmpfloat_with_epsilon (item->angle, is_wide ? 0 : -G_PI_2, 1e-9);
    }
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

/* All text, pinned labels too, reads well in every palette. */
static void
test_contrast (void)
{
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++) {
    LayoutCase c = {ATTN_DRAW_HEATMAP, 8, 8, 600, 10, NULL, true, true};
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    view->palette = p;
    g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
    g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
    AttnDrawColor ground = attn_draw_layout_get_background (layout);
    g_assert_cmpfloat (fixture_get_contrast (attn_draw_layout_get_accent (layout), ground), >=, 3);
    for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
      if (item->kind == ATTN_DRAW_ITEM_TEXT)
        g_assert_cmpfloat (fixture_get_contrast (item->color, ground), >=, 4.5);
    }
  }
}

static void
test_notes (void)
{
  LayoutCase plain = {ATTN_DRAW_HEATMAP, 8, 8, 700, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) a = layout_case_make (&plain);
  g_assert_true (layout_has_note (a, "rows: query"));
  g_assert_true (layout_has_note (a, "range: this map, 0 – 0."));
  g_assert_false (layout_has_note (a, "hatched"));
  g_assert_false (layout_has_note (a, "crossed"));
  g_assert_false (layout_has_note (a, "each pixel"));

  LayoutCase causal = {ATTN_DRAW_HEADS, 8, 8, 700, 10, NULL, false, true};
  g_autoptr (AttnDrawLayout) b = layout_case_make (&causal);
  g_assert_true (layout_has_note (b, "range: the heads of this layer, 0 – "));
  g_assert_true (layout_has_note (b, "hatched"));
}

/* What no softmax gives is told in words, by its kind, on every view that shows such a weight. */
static void
check_odd_notes (float odd, AttnDrawKind kind, const char *wanted)
{
  static const char *const all[] = {"not a number", "not numbers", "infinite", "negative",
                                    "left out of the mean"};
  const float weights[] = {0.5f, odd, 0.25f, 0.75f};
  Fixture fixture = {
      .n_layers = 2, .n_heads = 2, .n_queries = 2, .n_keys = 2, .weights = weights, .factor = 1};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = kind;
  view->width_px = 900;
  attn_draw_view_set_strings (view, "m", "t", NULL, NULL, NULL);
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_cmpint (layout_has_note (layout, all[i]), ==, strstr (wanted, all[i]) != NULL);
}

static void
test_odd_notes (void)
{
  for (AttnDrawKind kind = 0; kind <= ATTN_DRAW_TEXT; kind++) {
    bool is_text = kind == ATTN_DRAW_TEXT;
    check_odd_notes (0.125f, kind, "");
    check_odd_notes (NAN, kind,
                     is_text                   ? "not a number, left out of the mean"
                     : kind == ATTN_DRAW_LINES ? "not numbers"
                                               : "not a number");
    check_odd_notes (INFINITY, kind, is_text ? "infinite, left out of the mean" : "infinite");
    check_odd_notes (-INFINITY, kind, is_text ? "infinite, left out of the mean" : "infinite");
    check_odd_notes (-0.125f, kind, "negative");
  }
}

/* Keys that are called otherwise than queries are named where no labels stand at the columns. */
static void
test_two_lists (void)
{
  for (AttnDrawKind kind = 0; kind <= ATTN_DRAW_TEXT; kind++) {
    Fixture fixture = {.n_layers = 2, .n_heads = 2, .n_queries = 4, .n_keys = 6};
    bool is_small = kind == ATTN_DRAW_HEADS || kind == ATTN_DRAW_LAYERS;
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    view->kind = kind;
    view->width_px = 900;
    attn_draw_view_set_strings (view, "m", "t", NULL, NULL, NULL);
    g_autoptr (AttnDrawLayout) cross = fixture_make_layout (&fixture, view);
    g_assert_cmpint (layout_has_note (cross, "columns, from the left: t0  t1  t2  t3  t4  t5"), ==,
                     is_small);
    g_assert_cmpint (layout_has_note (cross, "below: keys"), ==, kind == ATTN_DRAW_TEXT);
    fixture.n_queries = fixture.n_keys;
    g_autoptr (AttnDrawLayout) same = fixture_make_layout (&fixture, view);
    g_assert_false (layout_has_note (same, "columns, from the left"));
    g_assert_false (layout_has_note (same, "below: keys"));
  }
}

/* The number at a range's end is no smaller than that end by more than rounding to two digits may
 * move it, and 1.027 is more than 1. */
static void
test_range_ends (void)
{
  static const struct {
    double max;
    const char *number;
  } ends[] = {{1.027, "1.03"}, {1, "1.0"},        {0.5, "0.50"},  {0.9999, "1.00"},
              {0.954, "0.95"}, {0.1049, "0.105"}, {12.3, "12.3"}, {42.1, "42"}};

  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++) {
    AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_LINEAR, ends[i].max, 60, 30);
    AttnDrawTicks signs = attn_draw_ticks_find_signed (ends[i].max, 60, 30);
    g_autofree char *written = attn_draw_ticks_format_max (ends[i].max);
    g_autofree char *top = attn_draw_ticks_format (&ticks, ticks.n - 1);
    g_autofree char *plus = attn_draw_ticks_format (&signs, signs.n - 1);
    g_autofree char *minus = attn_draw_ticks_format (&signs, 0);
    g_assert_cmpstr (written, ==, ends[i].number);
    g_assert_cmpfloat (g_ascii_strtod (top, NULL), ==, g_ascii_strtod (written, NULL));
    g_assert_cmpfloat (g_ascii_strtod (plus, NULL), ==, g_ascii_strtod (written, NULL));
    g_assert_true (g_str_has_suffix (minus, plus + 1));
  }
}

/* Round numbers, rising from 0 to the end, far enough apart. */
static void
test_ticks (void)
{
  static const double maxima[] = {1,    0.98, 0.5, 0.123,  0.02, 0.0003, 1e-7, 7,
                                  42.5, 1234, 5e8, 0.9999, 0.1,  0.2,    0.6,  1.1};

  for (size_t i = 0; i < G_N_ELEMENTS (maxima); i++)
    for (double height = 0; height < 900; height += 60) {
      AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_LINEAR, maxima[i], height, 30);
      g_assert_cmpfloat (ticks.values[0], ==, 0);
      g_assert_cmpuint (ticks.n, <=, ATTN_DRAW_MAX_TICKS);
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
  g_test_add_func ("/layout/strip", test_strip);
  g_test_add_func ("/layout/sheet", test_sheet);
  g_test_add_func ("/layout/sheet-of-chosen-maps", test_sheet_of_chosen_maps);
  g_test_add_func ("/layout/sheet-pages", test_sheet_pages);
  g_test_add_func ("/layout/grid-columns", test_grid_columns);
  g_test_add_func ("/layout/own-ranges", test_own_ranges);
  g_test_add_func ("/layout/pins", test_pins);
  g_test_add_func ("/layout/wide-labels", test_wide_labels);
  g_test_add_func ("/layout/owns-all", test_owns_all);
  g_test_add_func ("/layout/contrast", test_contrast);
  g_test_add_func ("/layout/notes", test_notes);
  g_test_add_func ("/layout/odd-notes", test_odd_notes);
  g_test_add_func ("/layout/two-lists", test_two_lists);
  g_test_add_func ("/layout/range-ends", test_range_ends);
  g_test_add_func ("/layout/ticks", test_ticks);
  return g_test_run ();
}
