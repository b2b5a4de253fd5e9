/* SPDX-License-Identifier: MIT */
/* Arranged maps in pictures: which panels there are, and that titles state exactly what is drawn.
 */
#include "draw-fixture.h"
#include "picture-options.h"

#include "attn-draw/panels.h"
#include "attn/error.h"

#include <string.h>

static AttnHeadSet
choose (const size_t *heads, size_t n)
{
  AttnHeadSet set = {{0}};
  for (size_t i = 0; i < n; i++)
    attn_head_set_put (&set, heads[i] - 1, true);
  return set;
}

#define HEADS(...) \
  choose ((const size_t[]){__VA_ARGS__}, G_N_ELEMENTS (((const size_t[]){__VA_ARGS__})))

/* Titles name what was left out as its model does, and nothing that was never there. */
static void
test_token_names (void)
{
  static const struct {
    const char *cls, *sep, *notes;
  } cases[] = {
      {NULL, NULL, "without [CLS] and [SEP]"},
      {"<s>", "</s>", "without <s> and </s>"},
      {"", "<|end|>", "without <|end|>"},
      {"", "", ""},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    view->arrangement.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP;
    view->cls_name = g_strdup (cases[i].cls);
    view->sep_name = g_strdup (cases[i].sep);
    g_autoptr (AttnDrawView) copy = attn_draw_view_copy (view);
    attn_draw_view_set_strings (copy, "m", "t", NULL, NULL, NULL);
    g_assert_cmpstr (copy->strings.arranged, ==, cases[i].notes);
  }
}

static void
assert_title (AttnDrawKind kind, AttnArrangement arrangement, const char *title)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = kind;
  view->layer = 2;
  view->head = 4;
  view->arrangement = arrangement;
  attn_draw_view_set_strings (view, "m", "t", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, title);
}

static void
test_combined_titles (void)
{
  AttnArrangement mean = {.combine = ATTN_COMBINE_MEAN};
  AttnArrangement max = {.combine = ATTN_COMBINE_MAX, .combine_layers = true};
  assert_title (ATTN_DRAW_HEATMAP, mean, "Layer 3 · mean of all heads · attention weights");
  assert_title (ATTN_DRAW_LAYERS, mean, "Each layer · mean of all heads · attention weights");
  assert_title (ATTN_DRAW_HEADS, max, "All layers · maximum of all heads · attention weights");
  assert_title (ATTN_DRAW_LAYERS, max, "All layers · maximum of all heads · attention weights");
  mean.heads = HEADS (1, 4, 7);
  assert_title (ATTN_DRAW_HEATMAP, mean, "Layer 3 · mean of heads 1, 4, 7 · attention weights");
  max.heads = HEADS (12);
  assert_title (ATTN_DRAW_HEATMAP, max, "All layers · maximum of head 12 · attention weights");
}

/* Long lists of heads are told by their runs, and cut before they fill the title. */
static void
test_many_heads (void)
{
  AttnArrangement mean = {.combine = ATTN_COMBINE_MEAN};
  mean.heads = HEADS (1, 2);
  assert_title (ATTN_DRAW_HEATMAP, mean, "Layer 3 · mean of heads 1, 2 · attention weights");
  mean.heads = HEADS (1, 2, 3, 5, 8, 9, 10, 11);
  assert_title (ATTN_DRAW_HEATMAP, mean,
                "Layer 3 · mean of heads 1–3, 5, 8–11 · attention weights");
  mean.heads = HEADS (1, 3, 5, 7, 9, 11);
  assert_title (ATTN_DRAW_HEATMAP, mean,
                "Layer 3 · mean of heads 1, 3, 5, 7, 9, 11 · attention weights");
  mean.heads = HEADS (1, 3, 5, 7, 9, 11, 13, 14, 15);
  assert_title (ATTN_DRAW_HEATMAP, mean,
                "Layer 3 · mean of heads 1, 3, 5, 7, 9, 11 and 3 more · attention weights");
  mean.heads = HEADS (254, 255, 256);
  assert_title (ATTN_DRAW_HEATMAP, mean, "Layer 3 · mean of heads 254–256 · attention weights");
}

static void
test_notes (void)
{
  static const struct {
    AttnArrangement arrangement;
    const char *notes;
  } cases[] = {
      {{.unit = ATTN_UNIT_WORDS}, "between words"},
      {{.unit = ATTN_UNIT_CHARACTERS}, "between characters"},
      {{.part = ATTN_PART_A_TO_A}, "first text → first text"},
      {{.part = ATTN_PART_A_TO_B}, "first text → second text"},
      {{.part = ATTN_PART_B_TO_A}, "second text → first text"},
      {{.part = ATTN_PART_B_TO_B}, "second text → second text"},
      {{.hide = ATTN_HIDE_CLS}, "without [CLS]"},
      {{.hide = ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION}, "without [SEP] and punctuation"},
      {{.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION, .renormalise = true},
       "without [CLS], [SEP] and punctuation · rows renormalised"},
      {{.renormalise = true}, "rows renormalised"},
      {{.keep = ATTN_KEEP_ABOVE, .threshold = 0.05}, "weights from 0.05 on"},
      {{.keep = ATTN_KEEP_TOP, .n_top = 1}, "the largest of each row"},
      {{.keep = ATTN_KEEP_TOP, .n_top = 3}, "the 3 largest of each row"},
      {{.unit = ATTN_UNIT_WORDS, .part = ATTN_PART_B_TO_A, .keep = ATTN_KEEP_TOP, .n_top = 2},
       "between words · second text → first text · the 2 largest of each row"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *title =
        g_strconcat ("Layer 3, head 5 · attention weights · ", cases[i].notes, NULL);
    assert_title (ATTN_DRAW_HEATMAP, cases[i].arrangement, title);
  }
  AttnArrangement both = {.combine = ATTN_COMBINE_MEAN, .unit = ATTN_UNIT_WORDS};
  assert_title (ATTN_DRAW_HEATMAP, both,
                "Layer 3 · mean of all heads · attention weights · between words");
}

static AttnDrawPanels *
make_panels (AttnDrawKind kind, AttnDrawRange range, AttnArrangement arrangement)
{
  const Fixture fixture = {
      .n_layers = 3, .n_heads = 4, .n_queries = 5, .n_keys = 6, .factor = 0.5F};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = kind;
  view->layer = 1;
  view->head = 3;
  view->range = range;
  view->arrangement = arrangement;
  return fixture_make_panels (&fixture, view);
}

static void
test_combined_panels (void)
{
  static const struct {
    AttnDrawKind kind;
    bool layers;
    size_t n, layer;
  } cases[] = {
      {ATTN_DRAW_HEATMAP, false, 1, 1}, {ATTN_DRAW_HEATMAP, true, 1, 0},
      {ATTN_DRAW_HEADS, false, 1, 1},   {ATTN_DRAW_HEADS, true, 1, 0},
      {ATTN_DRAW_LAYERS, false, 3, 0},  {ATTN_DRAW_LAYERS, true, 1, 0},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    AttnArrangement how = {.combine = ATTN_COMBINE_MAX, .combine_layers = cases[i].layers};
    g_autoptr (AttnDrawPanels) panels = make_panels (cases[i].kind, ATTN_DRAW_RANGE_MODEL, how);
    g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, cases[i].n);
    g_assert_cmpuint (attn_draw_panels_get_layer (panels, 0), ==, cases[i].layer);
    g_assert_cmpuint (attn_draw_panels_get_head (panels, 0), ==, 0);
    AttnMaps *source = attn_draw_panels_peek_source (panels);
    AttnMaps *maps = attn_draw_panels_peek_maps (panels);
    g_assert_cmpuint (attn_maps_get_n_heads (source), ==, 4);
    g_assert_cmpuint (attn_maps_get_n_layers (source), ==, 3);
    g_assert_cmpuint (attn_maps_get_n_heads (maps), ==, 1);
    g_assert_cmpuint (attn_maps_get_n_layers (maps), ==, cases[i].layers ? 1 : 3);
  }
}

/* Weights shrink from head to head, so that the range shows which ones were looked at. */
static void
test_combined_range (void)
{
  AttnArrangement mean = {.combine = ATTN_COMBINE_MEAN};
  AttnArrangement max = {.combine = ATTN_COMBINE_MAX};
  g_autoptr (AttnDrawPanels) a = make_panels (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_MAP, max);
  g_autoptr (AttnDrawPanels) b = make_panels (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_LAYER, max);
  g_autoptr (AttnDrawPanels) c = make_panels (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_MODEL, max);
  g_autoptr (AttnDrawPanels) d = make_panels (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_MAP, mean);
  g_assert_cmpfloat (attn_draw_panels_get_max (a, 0), ==, attn_draw_panels_get_max (b, 0));
  g_assert_cmpfloat (attn_draw_panels_get_max (c, 0), >, attn_draw_panels_get_max (a, 0));
  g_assert_cmpfloat (attn_draw_panels_get_max (d, 0), <, attn_draw_panels_get_max (a, 0));
}

static void
test_plain_panels (void)
{
  g_autoptr (AttnDrawPanels) panels =
      make_panels (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_AUTO, (AttnArrangement){0});
  g_assert_true (attn_draw_panels_peek_source (panels) == attn_draw_panels_peek_maps (panels));
}

/* The core's sentence, whatever the step. */
static void
test_refused (void)
{
  const Fixture fixture = {.n_layers = 1, .n_heads = 2, .n_queries = 3, .n_keys = 3};
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GError) error = NULL;
  view->arrangement.unit = ATTN_UNIT_WORDS;
  g_assert_null (attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  view->arrangement = (AttnArrangement){.combine = ATTN_COMBINE_MAX, .heads = HEADS (3)};
  g_assert_null (attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
}

static void
test_options (void)
{
  static const struct {
    AttnArrangement arrangement;
    const char *options;
  } cases[] = {
      {{0}, ""},
      {{.combine_layers = true, .threshold = 0.5, .n_top = 4}, ""},
      {{.combine = ATTN_COMBINE_MEAN}, " --combine mean"},
      {{.combine = ATTN_COMBINE_MAX, .combine_layers = true, .heads = {{0x49}}},
       " --combine max --heads 1,4,7 --all-layers"},
      {{.unit = ATTN_UNIT_CHARACTERS, .part = ATTN_PART_B_TO_A, .renormalise = true},
       " --unit characters --part b-a --renormalise"},
      {{.hide = ATTN_HIDE_CLS | ATTN_HIDE_PUNCTUATION, .keep = ATTN_KEEP_ABOVE, .threshold = 0.1},
       " --hide cls,punctuation --threshold 0.1"},
      {{.hide = ATTN_HIDE_SEP, .keep = ATTN_KEEP_TOP, .n_top = 3}, " --hide sep --top-keys 3"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) line = g_string_new (NULL);
    attn_draw_append_arrangement (line, &cases[i].arrangement);
    g_assert_cmpstr (line->str, ==, cases[i].options);
  }
}

/* All that the title's lines say, joined by spaces; checks that none of them is cut. */
static char *
dup_title_lines (double width_px, AttnArrangement arrangement)
{
  const Fixture fixture = {.n_layers = 3, .n_heads = 4, .n_queries = 5, .n_keys = 6};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->width_px = width_px;
  view->arrangement = arrangement;
  attn_draw_view_set_strings (view, "m", "t", NULL, NULL, NULL);
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  g_autoptr (GString) said = g_string_new (NULL);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role != ATTN_DRAW_ROLE_TITLE)
      continue;
    g_assert_false (pango_layout_is_ellipsized (item->text));
    g_assert_cmpfloat (item->rect.x + item->rect.width, <=, width_px);
    g_string_append_printf (said, "%s%s", said->len > 0 ? " | " : "",
                            pango_layout_get_text (item->text));
  }
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
test_title_lines (void)
{
  AttnArrangement all = {.combine = ATTN_COMBINE_MEAN,
                         .heads = HEADS (1, 3, 4),
                         .renormalise = true,
                         .keep = ATTN_KEEP_TOP,
                         .n_top = 3};
  g_autofree char *wide = dup_title_lines (1200, all);
  g_assert_cmpstr (wide, ==,
                   "Layer 1 · mean of heads 1, 3, 4 · attention weights · rows renormalised · the "
                   "3 largest of each row");
  for (double width = 200; width < 500; width += 50) {
    g_autofree char *narrow = dup_title_lines (width, all);
    g_assert_cmpstr (narrow, ==,
                     "Layer 1 · mean of heads 1, 3, 4 · attention weights | rows renormalised · "
                     "the 3 largest of each row");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrangement/titles/combined", test_combined_titles);
  g_test_add_func ("/arrangement/titles/many-heads", test_many_heads);
  g_test_add_func ("/arrangement/titles/notes", test_notes);
  g_test_add_func ("/arrangement/titles/token-names", test_token_names);
  g_test_add_func ("/arrangement/titles/lines", test_title_lines);
  g_test_add_func ("/arrangement/panels/combined", test_combined_panels);
  g_test_add_func ("/arrangement/panels/range", test_combined_range);
  g_test_add_func ("/arrangement/panels/plain", test_plain_panels);
  g_test_add_func ("/arrangement/panels/refused", test_refused);
  g_test_add_func ("/arrangement/options", test_options);
  return g_test_run ();
}
