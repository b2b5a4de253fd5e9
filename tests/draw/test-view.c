/* SPDX-License-Identifier: MIT */
/* The view: defaults, copies, names, and its sentences in any language. */
#include "wording.h"

#include "attn-draw/view.h"
#include "attn/model.h"

#include <pango/pango.h>

#include <string.h>

static void
test_defaults (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();

  g_assert_cmpint (view->kind, ==, ATTN_DRAW_HEATMAP);
  g_assert_cmpuint (view->layer, ==, 0);
  g_assert_cmpuint (view->head, ==, 0);
  g_assert_cmpint (view->palette, ==, ATTN_DRAW_PALETTE_PAPER);
  g_assert_cmpint (view->color_map, ==, ATTN_DRAW_COLOR_MAP_YLGNBU);
  g_assert_cmpstr (view->font_family, ==, "Sans");
  g_assert_cmpfloat (view->font_size_pt, ==, 10);
  g_assert_false (view->has_pin);
  g_assert_cmpint (attn_draw_view_resolve_range (view), ==, ATTN_DRAW_RANGE_MAP);
  view->kind = ATTN_DRAW_HEADS;
  g_assert_cmpint (attn_draw_view_resolve_range (view), ==, ATTN_DRAW_RANGE_LAYER);
  view->range = ATTN_DRAW_RANGE_MODEL;
  g_assert_cmpint (attn_draw_view_resolve_range (view), ==, ATTN_DRAW_RANGE_MODEL);
}

static void
test_copy (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  attn_draw_view_set_strings (view, "model", "text", NULL, NULL, NULL);
  view->layer = 3;

  g_autoptr (AttnDrawView) copy = attn_draw_view_copy (view);
  g_assert_cmpuint (copy->layer, ==, 3);
  g_assert_cmpstr (copy->font_family, ==, view->font_family);
  g_assert_true (copy->font_family != view->font_family);
  g_assert_cmpstr (copy->strings.subtitle, ==, "model · text");
  g_assert_true (copy->strings.subtitle != view->strings.subtitle);
  attn_draw_view_free (NULL);
}

static void
test_names (void)
{
  for (AttnDrawKind kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_COMPARE; kind++) {
    AttnDrawKind found = (AttnDrawKind)99;
    g_assert_true (attn_draw_kind_find (attn_draw_kind_peek_name (kind), &found));
    g_assert_cmpint (found, ==, kind);
  }
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++) {
    AttnDrawPalette found = (AttnDrawPalette)99;
    g_assert_true (attn_draw_palette_find (attn_draw_palette_peek_name (p), &found));
    g_assert_cmpint (found, ==, p);
  }
  for (AttnDrawScale s = ATTN_DRAW_SCALE_LINEAR; s <= ATTN_DRAW_SCALE_RANK; s++) {
    AttnDrawScale found = (AttnDrawScale)99;
    g_assert_true (attn_draw_scale_find (attn_draw_scale_peek_name (s), &found));
    g_assert_cmpint (found, ==, s);
  }
  AttnDrawKind kind = ATTN_DRAW_HEADS;
  g_assert_false (attn_draw_kind_find ("curtains", &kind));
  g_assert_cmpint (kind, ==, ATTN_DRAW_HEADS);
  g_assert_true (attn_draw_kind_find ("HeatMap", &kind));
  g_assert_cmpint (kind, ==, ATTN_DRAW_HEATMAP);
  AttnDrawPalette palette;
  g_assert_false (attn_draw_palette_find ("", &palette));
}

static void
test_english (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->layer = 2;
  view->head = 4;
  attn_draw_view_set_strings (view, "mini", "The cat", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "Layer 3, head 5 · attention weights");
  g_assert_cmpstr (view->strings.subtitle, ==, "mini · The cat");
  g_assert_cmpstr (view->strings.range, ==, "range: this map, 0 – %s");

  view->kind = ATTN_DRAW_HEADS;
  attn_draw_view_set_strings (view, "mini", "The cat", "sat", NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "Layer 3 · all heads · attention weights");
  g_assert_cmpstr (view->strings.subtitle, ==, "mini · The cat | sat");
  g_assert_cmpstr (view->strings.range, ==, "range: the heads of this layer, 0 – %s");
  attn_draw_view_set_strings (view, NULL, "", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.subtitle, ==, "");

  view->kind = ATTN_DRAW_LAYERS;
  attn_draw_view_set_strings (view, "mini", "The cat", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "All layers · all heads · attention weights");
  g_assert_cmpstr (view->strings.range, ==, "range: all heads of the model, 0 – %s");
  view->first_layer = 2;
  view->n_layers = 3;
  attn_draw_view_set_strings (view, "mini", "The cat", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "Layers 3 to 5 · all heads · attention weights");
  view->n_layers = 1;
  attn_draw_view_set_strings (view, "mini", "The cat", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, "Layer 3 · all heads · attention weights");
}

/* Each range is named as what it is. */
static void
test_ranges_are_named (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (AttnDrawRange r = ATTN_DRAW_RANGE_MAP; r <= ATTN_DRAW_RANGE_FIXED; r++) {
    view->range = r;
    attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
    g_assert_true (g_hash_table_add (seen, g_strdup (view->strings.range)));
  }
  view->kind = ATTN_DRAW_HEADS;
  view->range = ATTN_DRAW_RANGE_MAP;
  attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
  g_assert_true (g_hash_table_add (seen, g_strdup (view->strings.range)));
  view->kind = ATTN_DRAW_LAYERS;
  for (AttnDrawRange r = ATTN_DRAW_RANGE_MAP; r <= ATTN_DRAW_RANGE_LAYER; r++) {
    view->range = r;
    attn_draw_view_set_strings (view, NULL, NULL, NULL, NULL, NULL);
    g_assert_true (g_hash_table_add (seen, g_strdup (view->strings.range)));
  }
}

typedef struct {
  const char *english, *translated;
} Entry;

static const char *
translate_cb (const char *english, void *data)
{
  for (const Entry *entry = data; entry->english != NULL; entry++)
    if (strcmp (entry->english, english) == 0)
      return entry->translated;
  return english;
}

/* Languages put numbers where they need them. */
static void
test_translated (void)
{
  Entry traditional[] = {
      {"Layer %1$s, head %2$s · attention weights", "第 %1$s 層第 %2$s 頭 · 注意力權重"},
      {"head %s", "第 %s 頭"},
      {"1 label in %s shown", "每 %s 個標籤顯示一個"},
      {"Built-in model", "內建模型"},
      {NULL, NULL},
  };
  Entry simplified[] = {
      {"Layer %1$s, head %2$s · attention weights", "注意力权重 · 头 %2$s（第 %1$s 层）"},
      {"head %s", "头 %s"},
      {NULL, NULL},
  };
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();

  view->layer = 2;
  view->head = 4;
  attn_draw_view_set_strings (view, "m", "貓", NULL, translate_cb, traditional);
  g_assert_cmpstr (view->strings.title, ==, "第 3 層第 5 頭 · 注意力權重");
  g_autofree char *head = attn_draw_format_string (view->strings.head_format, "7");
  g_assert_cmpstr (head, ==, "第 7 頭");
  g_autofree char *thinned = attn_draw_format_string (view->strings.thinned, "4");
  g_assert_cmpstr (thinned, ==, "每 4 個標籤顯示一個");
  attn_draw_view_set_strings (view, ATTN_MODEL_BUILT_IN, "貓", NULL, translate_cb, traditional);
  g_assert_cmpstr (view->strings.subtitle, ==, "內建模型 · 貓");
  attn_draw_view_set_strings (view, "m", "猫", NULL, translate_cb, simplified);
  g_assert_cmpstr (view->strings.title, ==, "注意力权重 · 头 5（第 3 层）");
  g_assert_cmpstr (view->strings.thinned, ==, "1 label in %s shown");
}

/* Every sentence goes through the callback, and none is asked for that does not arrive. */
static const char *
mark_cb (const char *english, void *data)
{
  g_ptr_array_add (data, g_strdup (english));
  return "★";
}

static void
test_all_through_callback (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (g_free);

  attn_draw_view_set_strings (view, "m", "t", NULL, mark_cb, asked);
  const AttnDrawStrings *strings = &view->strings;
  const char *all[] = {strings->title,        strings->axes,         strings->range,
                       strings->head_format,  strings->thinned,      strings->pooled,
                       strings->hidden,       strings->zero,         strings->part,
                       strings->not_a_number, strings->layer_format, strings->left_out,
                       strings->too_many,     strings->heads,        strings->from,
                       strings->mean,         strings->strip,        strings->mean_range,
                       strings->infinite,     strings->not_finite,   strings->negative};
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_cmpstr (all[i], ==, "★");
  g_assert_cmpuint (asked->len, ==, G_N_ELEMENTS (all));
}

/* A wrong translation gives an odd sentence, nothing worse. */
static void
test_broken_formats (void)
{
  static const struct {
    const char *format, *expected;
  } cases[] = {
      {"%s and %s", "a and b"},
      {"%2$s %1$s", "b a"},
      {"%3$s|", "|"},
      {"%9$zu|", "|"},
      {"%n%d%x", "%n%d%x"},
      {"100%", "100%"},
      {"100%%", "100%"},
      {"%s %s %s", "a b "},
      {"%zu", "a"},
      {"%z", "%z"},
      {"", ""},
      {"%$s", "%$s"},
      {"%0$s", "a"},
      {"%*s%1000000s", "%*s%1000000s"},
  };
  const char *const arguments[] = {"a", "b"};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = attn_draw_fill (cases[i].format, arguments, 2);
    g_assert_cmpstr (text, ==, cases[i].expected);
  }
}

static void
test_one_line (void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"a\nb", "a b"},
      {"  a \t\r\n b  ", "a b"},
      {"a\u2028b\xc2\x85"
       "c\u3000d",
       "a b c d"},
      {"a\x01\u202e\u200b"
       "b",
       "ab"},
      {"\xff"
       "a",
       "\ufffd"
       "a"},
      {"", ""},
      {"👩\u200d👧", "👩\u200d👧"},
      {"a\u0301\u0301\u0301\u0301\u0301\u0301b\u0301", "a\u0301\u0301\u0301\u0301b\u0301"},
      {"a\u0301\u0301\u0301\u200b\u0301\u0301", "a\u0301\u0301\u0301\u0301"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *line = attn_draw_one_line (cases[i].text);
    g_assert_cmpstr (line, ==, cases[i].expected);
  }
}

/* Cut between what a person takes for characters. */
static void
test_cut (void)
{
  static const struct {
    const char *text;
    size_t max;
    const char *expected;
  } cases[] = {
      {"abcdef", 6, "abcdef"},
      {"abcdef", 5, "abcd…"},
      {"abc def", 5, "abc…"},
      {"a", 1, "a"},
      {"", 3, ""},
      {"ab", 1, "…"},
      {"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
      {"👩\u200d👧👩\u200d👧👩\u200d👧", 2, "👩\u200d👧…"},
      {"🇹🇼🇨🇳🇬🇧", 2, "🇹🇼…"},
      {"中文字", 3, "中文字"},
      {"中文字", 2, "中…"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *cut = attn_draw_cut (cases[i].text, cases[i].max);
    g_assert_cmpstr (cut, ==, cases[i].expected);
  }
  g_autoptr (GString) tower = g_string_new ("a");
  for (int i = 0; i < 100000; i++)
    g_string_append (tower, "\u0301");
  g_autofree char *cut = attn_draw_cut (tower->str, 10);
  g_assert_true (g_str_has_suffix (cut, "…"));
  g_assert_cmpuint (strlen (cut), <, 400);
}

static void
test_long_text_in_subtitle (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  while (text->len < 3000000)
    g_string_append (text, "word\n");

  attn_draw_view_set_strings (view, "m", text->str, text->str, NULL, NULL);
  g_assert_cmpint (g_utf8_strlen (view->strings.subtitle, -1), <, 110);
  g_assert_null (strchr (view->strings.subtitle, '\n'));
  g_assert_nonnull (strstr (view->strings.subtitle, "…"));
  attn_draw_view_set_strings (view, "m", "שלום", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.subtitle, ==, "m · \u2068שלום\u2069");
}

static void
test_labels (void)
{
  static const struct {
    const char *piece, *expected;
  } cases[] = {
      {"cat", "cat"},
      {"", "∅"},
      {" ", "␣"},
      {"\n", "↵"},
      {"\t", "⇥"},
      {"a b", "a␣b"},
      {"\x01", "U+0001"},
      {"\x7f", "U+007F"},
      {"\u202e", "U+202E"},
      {"\u00a0", "U+00A0"},
      {"\u0301", "◌\u0301"},
      {"e\u0301", "e\u0301"},
      {"\xc3", "\ufffd"},
      {"##ing", "##ing"},
      {"\u200b", "U+200B"},
      {"a\u0301\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301"},
      {"a\u0301\u0301\u200d\u0301\u0301\u0301", "a\u0301\u0301\u200d\u0301\u0301"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *label = attn_draw_visible_label (cases[i].piece);
    g_assert_cmpstr (label, ==, cases[i].expected);
  }
  g_autoptr (GString) tower = g_string_new ("e");
  for (int i = 0; i < 5000; i++)
    g_string_append (tower, "\u0301");
  g_autofree char *cut = attn_draw_visible_label (tower->str);
  g_assert_cmpstr (cut, ==, "e\u0301\u0301\u0301\u0301");
  g_autofree char *long_piece = g_strnfill (1000000, 'x');
  g_autofree char *label = attn_draw_visible_label (long_piece);
  g_assert_cmpint (g_utf8_strlen (label, -1), ==, 48);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/defaults", test_defaults);
  g_test_add_func ("/view/copy", test_copy);
  g_test_add_func ("/view/names", test_names);
  g_test_add_func ("/view/english", test_english);
  g_test_add_func ("/view/ranges-are-named", test_ranges_are_named);
  g_test_add_func ("/view/translated", test_translated);
  g_test_add_func ("/view/all-through-callback", test_all_through_callback);
  g_test_add_func ("/view/broken-formats", test_broken_formats);
  g_test_add_func ("/view/one-line", test_one_line);
  g_test_add_func ("/view/cut", test_cut);
  g_test_add_func ("/view/long-text-in-subtitle", test_long_text_in_subtitle);
  g_test_add_func ("/view/labels", test_labels);
  return g_test_run ();
}
