/* SPDX-License-Identifier: MIT */
/* Pictures that have to fit a width and a height: the largest maps, whole labels and titles. */
#include "layout-checks.h"

#include <math.h>

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
  /* narrower grids have no bar */
  for (double tried = MIN (width, 320); tried <= width;
       tried += fabs (tried - attn_draw_layout_get_width (layout)) < 12 ? 1 : 8) {
    g_autoptr (AttnDrawLayout) natural = make_layout_within (view, panels, tried, 0);
    g_assert_cmpfloat (attn_draw_layout_get_width (natural), ==, tried);
    if (attn_draw_layout_get_height (natural) <= max_height)
      g_assert_cmpfloat (get_map_size (natural), <=, size);
  }
  if (attn_draw_layout_get_height (layout) > max_height)
    return;
  /* a height that is just enough is used */
  double needed = attn_draw_layout_get_height (layout);
  g_autoptr (AttnDrawLayout) exact = make_layout_within (view, panels, width, needed);
  g_assert_cmpfloat (get_map_size (exact), ==, size);
  for (double limit = max_height; limit < max_height + 120; limit += 3) {
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
  } cases[] = {{16, 900, 640}, {60, 1000, 500}, {1, 500, 400},  {300, 640, 480},
               {7, 333, 700},  {301, 901, 611}, {16, 450, 330}, {16, 830, 560}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int kind = 0; kind < 3; kind++) {
      LayoutCase c = {(AttnDrawKind)kind, cases[i].n, cases[i].n, 123, 10, NULL, false, false};
      Fixture fixture = {
          .n_layers = 4, .n_heads = 12, .n_queries = cases[i].n, .n_keys = cases[i].n};
      g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
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
      LayoutCase c = {(AttnDrawKind)kind, 16, 16, 370, 10, NULL, false, false, heights[h]};
      g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
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
    LayoutCase c = {ATTN_DRAW_HEADS, 16, 16, cases[i].width, 10, NULL, false, false,
                    cases[i].height};
    Fixture fixture = {.n_layers = 1, .n_heads = cases[i].n_heads, .n_queries = 16, .n_keys = 16};
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
    g_autoptr (AttnDrawLayout) chosen = attn_draw_layout_new (view, panels);
    double best = 0, usual = 0;
    g_assert_cmpfloat (attn_draw_layout_get_height (chosen), <=, cases[i].height);
    for (size_t n = 1; n <= cases[i].n_heads; n++) {
      view->n_columns = n;
      g_autoptr (AttnDrawLayout) tried = attn_draw_layout_new (view, panels);
      double size = get_map_size (tried);
      g_assert_cmpuint (layout_count_columns (tried), ==, n);
      if (attn_draw_layout_get_height (tried) > cases[i].height)
        continue;
      best = MAX (best, size);
      if (n == MIN (4, cases[i].n_heads))
        usual = size;
    }
    size_t n_columns = layout_count_columns (chosen);
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
  LayoutCase c = {
      kind,      G_N_ELEMENTS (pieces), G_N_ELEMENTS (pieces), width, 10, NULL, false, false,
      max_height};
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = kind == ATTN_DRAW_HEADS ? 8 : 1,
      .n_queries = G_N_ELEMENTS (pieces),
      .n_keys = G_N_ELEMENTS (pieces),
      .labels = pieces,
      .n_labels = G_N_ELEMENTS (pieces),
  };
  g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  return attn_draw_layout_new (view, panels);
}

/* Labels of usual length are whole at every size of window, and so are titles unless the picture
 * takes all the width there is. */
static void
test_nothing_cut (void)
{
  for (double width = 400; width <= 1300; width += 65)
    for (double max_height = 0; max_height <= 900; max_height += 75)
      for (int kind = 0; kind < 2; kind++) {
        g_autoptr (AttnDrawLayout) layout =
            make_pieces_layout ((AttnDrawKind)kind, width, max_height);
        bool is_full = attn_draw_layout_get_width (layout) == width;
        for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
          const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
          if (item->text == NULL || !pango_layout_is_ellipsized (item->text))
            continue;
          g_autofree char *text = layout_describe (layout, item);
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
  LayoutCase c = {ATTN_DRAW_HEATMAP, 12, 12, 830, 10, NULL, false, false, 450};
  g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (view, panels);
  const AttnDrawItem *label = layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 1);

  g_assert_nonnull (label);
  g_assert_false (pango_layout_is_ellipsized (label->text));
  layout_assert_clear (layout);
  layout_assert_inside (layout);
}

/* The maps are in the middle where the lines of text are longer; the lines begin together. */
static void
test_middle (void)
{
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 8, .n_keys = 8};
  LayoutCase c = {ATTN_DRAW_HEATMAP, 8, 8, 1200, 10, NULL, false, false, 320};
  g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
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
    LayoutCase c = {(AttnDrawKind)kind, 40, 40, 800.3, 10, NULL, true, false, 600.7};
    g_autoptr (AttnDrawView) view = layout_case_make_view (&c);
    g_autoptr (AttnDrawPanels) panels = layout_case_make_panels (&c, view);
    g_autoptr (AttnDrawLayout) fitting = attn_draw_layout_new (view, panels);
    g_autoptr (AttnDrawView) chosen = attn_draw_view_copy (attn_draw_layout_peek_view (fitting));
    g_autoptr (AttnDrawLayout) again = attn_draw_layout_new (chosen, panels);
    assert_equal (fitting, again);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/fitting", test_fitting);
  g_test_add_func ("/fit/least-useful", test_least_useful);
  g_test_add_func ("/fit/fitting-columns", test_fitting_columns);
  g_test_add_func ("/fit/nothing-cut", test_nothing_cut);
  g_test_add_func ("/fit/long-labels", test_long_labels);
  g_test_add_func ("/fit/middle", test_middle);
  g_test_add_func ("/fit/same-again", test_same_again);
  return g_test_run ();
}
