/* SPDX-License-Identifier: MIT */
/* The view of the text: which piece of it each token is, where it stands, how it is shaded. */
#include "cells.h"
#include "layout-checks.h"
#include "shades.h"
#include "ticks.h"

#include "attn-draw/paint.h"
#include "attn/attn.h"

#include <math.h>
#include <string.h>

static AttnModel *model;

static AttnMaps *
run_input (const AttnTokenizerInput *input)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), input, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  return attn_maps_new_from_trace (trace);
}

static AttnMaps *
run (const char *text, const char *pair)
{
  AttnTokenizerInput input = {
      .text = text,
      .text_length = strlen (text),
      .pair = pair,
      .pair_length = pair != NULL ? strlen (pair) : 0,
  };
  return run_input (&input);
}

static AttnDrawLayout *
make_layout (AttnMaps *maps, const AttnDrawView *view)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return attn_draw_layout_new (view, panels);
}

static AttnDrawView *
make_view (size_t pin_query)
{
  AttnDrawView *view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_TEXT;
  view->layer = 1;
  view->head = 3;
  view->has_pin = pin_query != G_MAXSIZE;
  view->pin_query = pin_query;
  return view;
}

static const AttnDrawPassage *
peek_passage (const AttnDrawLayout *layout, guint index)
{
  return g_ptr_array_index (layout->prose->passages, index);
}

/* The text of a passage that belongs to a key. */
static char *
dup_piece (const AttnDrawLayout *layout, guint passage_index, size_t key)
{
  const AttnDrawPassage *passage = peek_passage (layout, passage_index);
  for (guint i = 0; i < passage->pieces->len; i++) {
    const AttnDrawPiece *piece = &g_array_index (passage->pieces, AttnDrawPiece, i);
    if (attn_draw_layout_get_unit (layout, piece->unit).key == key)
      return g_strndup (passage->text + piece->start, piece->end - piece->start);
  }
  return NULL;
}

/* The text is there as it was typed, every token has its piece of it, the template's are chips. */
static void
test_pieces (void)
{
  const char *text = "The cat  sat\non the mat.";
  g_autoptr (AttnMaps) maps = run (text, NULL);
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  AttnTokens *tokens = attn_trace_peek_tokens (attn_maps_peek_trace (maps));

  g_assert_cmpuint (layout->prose->passages->len, ==, 1);
  g_assert_cmpstr (peek_passage (layout, 0)->text, ==,
                   ATTN_DRAW_CHIP_CHARACTER " The cat  sat\non the mat. " ATTN_DRAW_CHIP_CHARACTER);
  g_assert_cmpuint (attn_draw_layout_get_n_units (layout), ==, attn_tokens_get_n (tokens));
  for (size_t key = 0; key < attn_tokens_get_n (tokens); key++) {
    const AttnToken *token = attn_tokens_peek (tokens, key);
    g_autofree char *piece = dup_piece (layout, 0, key);
    g_autofree char *wanted = token->special
                                  ? g_strdup (ATTN_DRAW_CHIP_CHARACTER)
                                  : g_strndup (text + token->start, token->end - token->start);
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, key);
    g_assert_cmpstr (piece, ==, wanted);
    g_assert_cmpuint (unit.query, ==, key);
    g_assert_cmpuint (unit.key, ==, key);
  }
}

/* The second text is a passage of its own; the separator between stays with the first. */
static void
test_pair (void)
{
  g_autoptr (AttnMaps) maps = run ("a cat", "a mat");
  g_autoptr (AttnDrawView) view = make_view (2);
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);

  g_assert_cmpuint (layout->prose->passages->len, ==, 2);
  g_assert_cmpstr (peek_passage (layout, 0)->text, ==,
                   ATTN_DRAW_CHIP_CHARACTER " a cat " ATTN_DRAW_CHIP_CHARACTER);
  g_assert_cmpstr (peek_passage (layout, 1)->text, ==, "a mat " ATTN_DRAW_CHIP_CHARACTER);
}

/* Of parts of a pair each side has its own pieces; both are there to be read and picked. */
static void
test_parts (void)
{
  g_autoptr (AttnMaps) maps = run ("a cat", "the mat");
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  view->arrangement.part = ATTN_PART_A_TO_B;
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  size_t n_queries = 0, n_keys = 0;

  g_assert_cmpuint (layout->prose->passages->len, ==, 2);
  for (size_t i = 0; i < attn_draw_layout_get_n_units (layout); i++) {
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, i);
    g_assert_true ((unit.query == G_MAXSIZE) != (unit.key == G_MAXSIZE));
    n_queries += unit.query != G_MAXSIZE;
    n_keys += unit.key != G_MAXSIZE;
  }
  g_assert_cmpuint (n_queries, ==,
                    attn_maps_get_n (attn_draw_panels_peek_maps (layout->panels), ATTN_SIDE_QUERY));
  g_assert_cmpuint (n_keys, ==,
                    attn_maps_get_n (attn_draw_panels_peek_maps (layout->panels), ATTN_SIDE_KEY));
  /* in the text's order, though keys were found first */
  g_assert_cmpuint (attn_draw_layout_get_unit (layout, 0).query, ==, 0);
}

/* U+0000 and other control characters are shown as their pictures, and every piece after them is
 * still where it should be. */
static void
test_control (void)
{
  const char text[] = "a\0b\x1b cat\x7f mat";
  g_autoptr (AttnMaps) maps =
      run_input (&(AttnTokenizerInput){.text = text, .text_length = sizeof text - 1});
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_KEY);

  g_assert_cmpstr (peek_passage (layout, 0)->text, ==,
                   ATTN_DRAW_CHIP_CHARACTER " a␀b␛ cat␡ mat " ATTN_DRAW_CHIP_CHARACTER);
  g_autofree char *last = dup_piece (layout, 0, n - 2);
  g_assert_cmpstr (last, ==, "mat");
}

/* Of a text that was cut only what was read is shown, with a sign that there is more. */
static void
test_cut (void)
{
  const char *text = "the cat sat on the mat";
  g_autoptr (AttnMaps) maps = run_input (
      &(AttnTokenizerInput){.text = text, .text_length = strlen (text), .max_tokens = 5});
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);

  g_assert_cmpstr (peek_passage (layout, 0)->text, ==,
                   ATTN_DRAW_CHIP_CHARACTER " the cat sat … " ATTN_DRAW_CHIP_CHARACTER);
}

/* A letter has as many marks as in labels, whatever joins them, which leaves a tall one's shaping
 * as quick as any; what comes after stands where it should. */
static void
test_marks (void)
{
  g_autoptr (GString) text = g_string_new ("cat e");
  for (int i = 0; i < 20000; i++)
    g_string_append (text, i % 2 == 0 ? "\u0301" : "\u0301\u200d");
  g_string_append (text, " mat");
  g_autoptr (AttnMaps) maps = run (text->str, NULL);
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  const char *shown = peek_passage (layout, 0)->text;
  size_t n_marks = 0;

  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC); /* was 12 s and more */
  for (const char *at = shown; *at != '\0'; at += g_utf8_skip[(guchar)*at])
    n_marks += g_unichar_ismark (g_utf8_get_char (at)) != 0; /* some bit of it */
  g_assert_cmpuint (n_marks, ==, 4);
  g_autofree char *last = dup_piece (layout, 0, attn_maps_get_n (maps, ATTN_SIDE_KEY) - 2);
  g_assert_cmpstr (last, ==, "mat");
  for (guint i = 0; i < peek_passage (layout, 0)->pieces->len; i++) {
    const AttnDrawPiece *piece =
        &g_array_index (peek_passage (layout, 0)->pieces, AttnDrawPiece, i);
    g_assert_cmpuint (piece->start, <, piece->end);
  }
}

/* ---- places ---- */

typedef struct {
  AttnDrawFonts *fonts;
  AttnDrawPassage passage;
  PangoLayout *shaped;
} Shaped;

/* Shapes @text with pieces that end at each of @ends in turn. */
static void
shaped_init (Shaped *shaped, const char *text, const size_t *ends, size_t n, double width)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  size_t start = 0;
  shaped->fonts = attn_draw_fonts_new (view);
  shaped->passage.text = g_strdup (text);
  shaped->passage.pieces = g_array_new (FALSE, FALSE, sizeof (AttnDrawPiece));
  for (size_t i = 0; i < n; i++) {
    AttnDrawPiece piece = {i, start, ends[i], false};
    g_array_append_val (shaped->passage.pieces, piece);
    start = ends[i];
  }
  AttnDrawPassageStyle style = {.size_px = 20, .max_width = width, .spacing = 1.5};
  shaped->shaped = attn_draw_fonts_new_passage (shaped->fonts, text, &style);
}

static void
shaped_clear (Shaped *shaped)
{
  g_object_unref (shaped->shaped);
  g_free (shaped->passage.text);
  g_array_unref (shaped->passage.pieces);
  attn_draw_fonts_free (shaped->fonts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Shaped, shaped_clear)

static AttnDrawRect
get_spot (const GArray *spots, guint index, size_t piece)
{
  g_assert_cmpuint (index, <, spots->len);
  g_assert_cmpuint (g_array_index (spots, AttnDrawSpot, index).piece, ==, piece);
  return g_array_index (spots, AttnDrawSpot, index).rect;
}

static double
get_x (PangoLayout *layout, size_t byte)
{
  PangoRectangle box;
  pango_layout_index_to_pos (layout, (int)byte, &box);
  return box.x / (double)PANGO_SCALE;
}

/* From a piece's first letter to its last, as Pango's cursor says; blanks at the ends are left out.
 */
static void
test_spots (void)
{
  static const size_t ends[] = {4, 7, 11};
  g_auto (Shaped) shaped = {0};
  shaped_init (&shaped, "the mats sat", ends, 3, 1000); /* "the ", "mat", "s sa"; "t" is nobody's */
  g_autoptr (GArray) spots = attn_draw_prose_find_spots (&shaped.passage, shaped.shaped, 20, 6);
  g_assert_cmpuint (spots->len, ==, 3);
  AttnDrawRect the = get_spot (spots, 0, 0), mat = get_spot (spots, 1, 1);
  AttnDrawRect rest = get_spot (spots, 2, 2);
  /* a Pango unit is 1/1024 px */
  g_assert_cmpfloat_with_epsilon (the.x, 0, 0.002);
  g_assert_cmpfloat_with_epsilon (the.x + the.width, get_x (shaped.shaped, 3), 0.002);
  g_assert_cmpfloat_with_epsilon (mat.x, get_x (shaped.shaped, 4), 0.002);
  g_assert_cmpfloat_with_epsilon (mat.x + mat.width, get_x (shaped.shaped, 7), 0.002);
  g_assert_cmpfloat_with_epsilon (rest.x, get_x (shaped.shaped, 7), 0.002);
  g_assert_cmpfloat (the.height, ==, 26);
  double baseline = pango_layout_get_baseline (shaped.shaped) / (double)PANGO_SCALE;
  g_assert_cmpfloat_with_epsilon (the.y, baseline - 20, 0.002);
}

/* A piece that is broken over lines has a place in each. */
static void
test_broken (void)
{
  static const size_t ends[] = {3, 30};
  g_auto (Shaped) shaped = {0};
  shaped_init (&shaped, "abcwwwwwwwwwwwwwwwwwwwwwwwwwww", ends, 2, 120);
  g_autoptr (GArray) spots = attn_draw_prose_find_spots (&shaped.passage, shaped.shaped, 20, 6);
  size_t n_lines = (size_t)pango_layout_get_line_count (shaped.shaped);
  g_assert_cmpuint (n_lines, >=, 3);
  g_assert_cmpuint (spots->len, ==, n_lines + 1);
  for (guint i = 2; i < spots->len; i++)
    g_assert_cmpfloat (get_spot (spots, i, 1).y, >, get_spot (spots, i - 1, 1).y + 20);
}

/* Written from right to left the second piece is at the left of the first. */
static void
test_right_to_left (void)
{
  static const size_t ends[] = {4, 8}; /* two letters each */
  g_auto (Shaped) shaped = {0};
  shaped_init (&shaped, "שלום", ends, 2, 500);
  g_autoptr (GArray) spots = attn_draw_prose_find_spots (&shaped.passage, shaped.shaped, 20, 6);
  AttnDrawRect first = {0}, second = {0};
  g_assert_cmpuint (spots->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const AttnDrawSpot *spot = &g_array_index (spots, AttnDrawSpot, i);
    *(spot->piece == 0 ? &first : &second) = spot->rect;
  }
  g_assert_cmpfloat (second.x + second.width, <=, first.x + 0.01);
  g_assert_cmpfloat (first.x + first.width, >, 490); /* the line begins at the right */
}

/* The bytes of one character share its place. */
static void
test_shared (void)
{
  static const size_t ends[] = {1, 2, 4, 5}; /* 🙂 in three pieces, then "a" */
  g_auto (Shaped) shaped = {0};
  shaped_init (&shaped, "🙂a", ends, 4, 500);
  g_autoptr (GArray) spots = attn_draw_prose_find_spots (&shaped.passage, shaped.shaped, 20, 6);
  double width = get_x (shaped.shaped, 4);
  g_assert_cmpuint (spots->len, ==, 4);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpfloat_with_epsilon (get_spot (spots, i, i).x, i * width / 3, 0.01);
    g_assert_cmpfloat_with_epsilon (get_spot (spots, i, i).width, width / 3, 0.01);
  }
  g_assert_cmpfloat_with_epsilon (get_spot (spots, 3, 3).x, width, 0.01);
}

/* ---- shades ---- */

/* Letters are read on every shade (WCAG's AA), the strongest is told from the ground, and a
 * stronger one is never nearer to it. */
static void
test_contrast (void)
{
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++)
    for (AttnDrawColorMap map = 0; map < ATTN_DRAW_N_COLOR_MAPS; map++) {
      const AttnDrawInk *ink = attn_draw_palette_peek_ink (p);
      uint32_t ramp[256];
      double last = 1;
      attn_draw_shades_find (ink, map, ramp);
      g_assert_cmphex (ramp[0], ==, attn_draw_color_to_pixel (ink->background));
      for (size_t i = 0; i < 256; i++) {
        AttnDrawColor shade = attn_draw_color_from_pixel (ramp[i]);
        double from_ground = fixture_get_contrast (shade, ink->background);
        g_assert_cmpfloat (fixture_get_contrast (shade, ink->text), >=, 4.5);
        g_assert_cmpfloat (from_ground, >=, last - 0.02); /* channels are whole numbers */
        last = from_ground;
      }
      g_test_message ("palette %d, %s: %.2f", p, attn_draw_color_map_peek_name (map), last);
      g_assert_cmpfloat (last, >=, 1.8);
      g_assert_cmpfloat (fixture_get_contrast (attn_draw_color_from_pixel (ink->hidden), ink->text),
                         >=, 4.5);
      g_assert_cmpfloat (
          fixture_get_contrast (attn_draw_color_from_pixel (ink->not_a_number), ink->text), >=,
          4.5);
    }
}

static const AttnDrawItem *
find_token (const AttnDrawLayout *layout, size_t key)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->role == ATTN_DRAW_ROLE_TOKEN && item->kind == ATTN_DRAW_ITEM_RULE &&
        attn_draw_layout_get_unit (layout, item->token).key == key)
      return item;
  }
  g_assert_not_reached ();
}

static float
find_largest_mean (const AttnMap *map)
{
  double largest = 0;
  for (size_t key = 0; key < map->n_keys; key++) {
    double sum = 0;
    for (size_t query = 0; query < map->n_queries; query++)
      sum += (double)map->weights[query * map->n_keys + key];
    largest = MAX (largest, sum / (double)map->n_queries);
  }
  return (float)largest;
}

/* A key's shade is the bar's colour of its weight: of the pinned query, else of the column's mean,
 * the largest of which is the end of the range. */
static void
test_shades (void)
{
  static const size_t pins[] = {G_MAXSIZE, 3};
  g_autoptr (AttnMaps) maps = run ("The animal didn't cross the street.", NULL);

  for (size_t p = 0; p < G_N_ELEMENTS (pins); p++) {
    g_autoptr (AttnDrawView) view = make_view (pins[p]);
    g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
    const AttnMap *map = attn_draw_panels_peek (layout->panels, 0);
    float max = attn_draw_panels_get_max (layout->panels, 0);
    float end = pins[p] != G_MAXSIZE ? max : find_largest_mean (map);
    for (size_t key = 0; key < map->n_keys; key++) {
      double sum = 0;
      for (size_t query = 0; query < map->n_queries; query++)
        sum += (double)map->weights[query * map->n_keys + key];
      float weight = pins[p] != G_MAXSIZE ? map->weights[pins[p] * map->n_keys + key]
                                          : (float)(sum / (double)map->n_queries);
      g_assert_cmphex (attn_draw_color_to_pixel (find_token (layout, key)->color), ==,
                       layout->ramp[attn_draw_color_index (weight, end)]);
    }
    g_autofree AttnDrawColor *shades = g_new (AttnDrawColor, map->n_keys);
    attn_draw_layout_get_shades (layout, 5, shades);
    g_assert_cmphex (attn_draw_color_to_pixel (shades[2]), ==,
                     layout->ramp[attn_draw_color_index (map->weights[5 * map->n_keys + 2], max)]);
  }
}

/* Returns: (transfer full): texts of @role, of what is drawn or of what is while a query is pointed
 * at. */
static char *
dup_texts (const AttnDrawLayout *layout, AttnDrawRole role, bool is_pointed)
{
  GString *texts = g_string_new (NULL);
  size_t n =
      is_pointed ? attn_draw_layout_get_n_pointed (layout) : attn_draw_layout_get_n_items (layout);
  for (size_t i = 0; i < n; i++) {
    const AttnDrawItem *item = is_pointed ? attn_draw_layout_peek_pointed (layout, i)
                                          : attn_draw_layout_peek_item (layout, i);
    if (item->role == role && item->text != NULL)
      g_string_append_printf (texts, "%s|", pango_layout_get_text (item->text));
  }
  return g_string_free (texts, FALSE);
}

/* The bar and its note tell the range that is shaded by: of the means, or of the weights while a
 * query is pointed at; with a pin or a chosen range there is only that. */
static void
test_range (void)
{
  g_autoptr (AttnMaps) maps = run ("The animal didn't cross the street.", NULL);
  g_autoptr (AttnDrawView) plain = make_view (G_MAXSIZE), pinned = make_view (3);
  g_autoptr (AttnDrawLayout) a = make_layout (maps, plain), b = make_layout (maps, pinned);
  g_autofree char *end =
      attn_draw_ticks_format_max ((double)find_largest_mean (attn_draw_panels_peek (a->panels, 0)));
  g_autofree char *of_mean = g_strconcat ("range: the largest mean, 0 – ", end, "|", NULL);
  g_autofree char *notes = dup_texts (a, ATTN_DRAW_ROLE_NOTE, false);
  g_autofree char *bar = dup_texts (a, ATTN_DRAW_ROLE_BAR, false);
  g_autofree char *pointed_bar = dup_texts (a, ATTN_DRAW_ROLE_BAR, true);
  g_autofree char *pointed_note = dup_texts (a, ATTN_DRAW_ROLE_NOTE, true);
  g_autofree char *pinned_bar = dup_texts (b, ATTN_DRAW_ROLE_BAR, false);
  g_autofree char *pinned_notes = dup_texts (b, ATTN_DRAW_ROLE_NOTE, false);

  g_assert_nonnull (strstr (notes, of_mean));
  g_assert_nonnull (strstr (bar, end));
  g_assert_cmpstr (pointed_bar, ==, pinned_bar);
  g_assert_cmpstr (pointed_bar, !=, bar);
  g_assert_nonnull (strstr (pinned_notes, pointed_note));
  g_assert_true (g_str_has_prefix (pointed_note, "range: this map, 0 – "));
  g_assert_cmpuint (attn_draw_layout_get_n_pointed (b), ==, 0);

  plain->range = ATTN_DRAW_RANGE_FIXED;
  plain->range_max = 0.5;
  g_autoptr (AttnDrawLayout) fixed = make_layout (maps, plain);
  g_autofree char *fixed_notes = dup_texts (fixed, ATTN_DRAW_ROLE_NOTE, false);
  g_assert_cmpuint (attn_draw_layout_get_n_pointed (fixed), ==, 0);
  g_assert_nonnull (strstr (fixed_notes, "range: chosen, 0 – 0.5"));
}

/* The title says from where one looks, and only what was picked is outlined. */
static void
test_title (void)
{
  g_autoptr (AttnMaps) maps = run ("a cat sat", NULL);
  g_autoptr (AttnDrawView) plain = make_view (G_MAXSIZE), pinned = make_view (2);
  g_autoptr (AttnDrawLayout) a = make_layout (maps, plain), b = make_layout (maps, pinned);
  size_t n_marks = 0;

  g_assert_cmpstr (attn_draw_layout_peek_view (a)->strings.title, ==,
                   "Layer 2, head 4 · attention weights · mean over all queries");
  g_assert_cmpstr (attn_draw_layout_peek_view (b)->strings.title, ==,
                   "Layer 2, head 4 · attention weights · from “cat”");
  for (size_t i = 0; i < attn_draw_layout_get_n_items (a); i++)
    g_assert_cmpint (attn_draw_layout_peek_item (a, i)->kind, !=, ATTN_DRAW_ITEM_MARK);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (b); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (b, i);
    AttnDrawRect token = find_token (b, 2)->rect;
    if (item->kind != ATTN_DRAW_ITEM_MARK)
      continue;
    n_marks++;
    g_assert_cmpfloat (fabs (item->rect.x - token.x), <=, 1);
    g_assert_cmpfloat (fabs (item->rect.width - token.width), <=, 2);
  }
  g_assert_cmpuint (n_marks, ==, 1);
}

/* Every point of a piece picks it, and nothing is picked between. */
static void
test_pick (void)
{
  g_autoptr (AttnMaps) maps = run ("The animal didn't cross the street.", "學習 עברית 🙂");
  g_autoptr (AttnDrawView) view = make_view (4);
  view->width_px = 500;
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  AttnDrawHit hit;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    AttnDrawRect rect = item->rect;
    if (item->role != ATTN_DRAW_ROLE_TOKEN || item->kind != ATTN_DRAW_ITEM_RULE)
      continue;
    AttnDrawUnit unit = attn_draw_layout_get_unit (layout, item->token);
    for (int corner = 0; corner < 4; corner++) {
      double x = rect.x + (corner % 2 == 0 ? 0 : rect.width - 0.001);
      double y = rect.y + (corner < 2 ? 0 : rect.height - 0.001);
      g_assert_true (attn_draw_pick (layout, x, y, &hit));
      g_assert_cmpint (hit.role, ==, ATTN_DRAW_ROLE_TOKEN);
      g_assert_cmpuint (hit.key, ==, unit.key);
      g_assert_cmpuint (hit.query, ==, unit.query);
      g_assert_cmpuint (hit.layer, ==, 1);
      g_assert_cmpuint (hit.head, ==, 3);
    }
    AttnDrawRect place = attn_draw_layout_place (layout, 0, G_MAXSIZE, unit.key);
    g_assert_true (
        attn_draw_pick (layout, place.x + place.width / 2, place.y + place.height / 2, &hit));
    g_assert_cmpuint (hit.key, ==, unit.key);
  }
  AttnDrawRect all = attn_draw_layout_get_panel_rect (layout, 0);
  g_assert_false (attn_draw_pick (layout, all.x - 3, all.y + 5, &hit));
}

/* On pixels: a piece has its shade, between two pieces and above them is the ground. */
static void
test_pixels (void)
{
  g_autoptr (AttnMaps) maps = run ("a cat sat", NULL);
  g_autoptr (AttnDrawView) view = make_view (2);
  g_autoptr (AttnDrawLayout) layout = make_layout (maps, view);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)attn_draw_layout_get_width (layout),
                                  (int)attn_draw_layout_get_height (layout));
  cairo_t *cr = cairo_create (surface);
  attn_draw_paint (layout, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface) / 4;
  const uint32_t *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data (surface);
  for (size_t key = 1; key < 4; key++) {
    const AttnDrawItem *item = find_token (layout, key);
    /* near the corner, where no letter reaches */
    size_t x = (size_t)round (item->rect.x) + 1, y = (size_t)round (item->rect.y) + 1;
    g_assert_cmphex (pixels[y * stride + x] & 0xffffff, ==,
                     attn_draw_color_to_pixel (item->color) & 0xffffff);
    g_assert_cmphex (pixels[(y - 5) * stride + x] & 0xffffff, ==, 0xffffff);
  }
  /* the bar has the shades, strongest at the top */
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *bar = attn_draw_layout_peek_item (layout, i);
    size_t x = (size_t)bar->rect.x + 2, top = (size_t)bar->rect.y;
    size_t bottom = (size_t)(bar->rect.y + bar->rect.height) - 1;
    if (bar->kind != ATTN_DRAW_ITEM_BAR)
      continue;
    g_assert_cmphex (pixels[top * stride + x] & 0xffffff, ==, layout->ramp[255] & 0xffffff);
    size_t n = bottom - top + 1, least = 255 - attn_draw_cells_span (n - 1, n, 256).first;
    g_assert_cmphex (pixels[bottom * stride + x] & 0xffffff, ==, layout->ramp[least] & 0xffffff);
  }
  cairo_surface_destroy (surface);
}

/* Maps of no text are chips: one row of them, or one of queries and one of keys. */
static void
test_no_text (void)
{
  static const size_t n_keys[] = {6, 9};
  for (size_t i = 0; i < G_N_ELEMENTS (n_keys); i++) {
    Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 6, .n_keys = n_keys[i]};
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    view->kind = ATTN_DRAW_TEXT;
    g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
    size_t n_chips = 0;
    for (size_t k = 0; k < attn_draw_layout_get_n_items (layout); k++) {
      const AttnDrawItem *item = attn_draw_layout_peek_item (layout, k);
      n_chips += item->role == ATTN_DRAW_ROLE_TOKEN && item->kind == ATTN_DRAW_ITEM_TEXT;
    }
    g_assert_cmpuint (layout->prose->passages->len, ==, i + 1);
    g_assert_cmpuint (n_chips, ==, i == 0 ? 6 : 15);
  }
}

/* A causal query cannot see what follows: grey, and told; a mean is of all. */
static void
test_hidden (void)
{
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 5, .n_keys = 5, .causal = true};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_TEXT;
  view->has_pin = true;
  view->pin_query = 2;
  g_autoptr (AttnDrawLayout) pinned = fixture_make_layout (&fixture, view);
  view->has_pin = false;
  g_autoptr (AttnDrawLayout) plain = fixture_make_layout (&fixture, view);

  g_assert_cmphex (attn_draw_color_to_pixel (find_token (pinned, 3)->color), ==,
                   pinned->ink->hidden);
  g_assert_cmphex (attn_draw_color_to_pixel (find_token (pinned, 2)->color), !=,
                   pinned->ink->hidden);
  g_assert_true (layout_has_note (pinned, "grey: cannot be seen"));
  g_assert_false (layout_has_note (plain, "grey"));
}

/* Short texts are large, long ones small; what does not fit scrolls. */
static void
test_sizes (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 60; i++)
    g_string_append (text, "the animal crosses the street. ");
  g_autoptr (AttnMaps) small = run ("a cat", NULL), large = run (text->str, NULL);
  g_autoptr (AttnDrawView) view = make_view (G_MAXSIZE);
  view->max_height_px = 500;
  g_autoptr (AttnDrawLayout) a = make_layout (small, view), b = make_layout (large, view);

  g_assert_cmpfloat (find_token (a, 2)->rect.height, >, 1.5 * find_token (b, 2)->rect.height);
  g_assert_cmpfloat (attn_draw_layout_get_height (a), <=, 500);
  g_assert_cmpfloat (attn_draw_layout_get_height (b), >, 500);
  layout_assert_inside (b);
  layout_assert_clear (a);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_test_add_func ("/prose/pieces", test_pieces);
  g_test_add_func ("/prose/pair", test_pair);
  g_test_add_func ("/prose/parts", test_parts);
  g_test_add_func ("/prose/control", test_control);
  g_test_add_func ("/prose/cut", test_cut);
  g_test_add_func ("/prose/marks", test_marks);
  g_test_add_func ("/prose/spots", test_spots);
  g_test_add_func ("/prose/broken", test_broken);
  g_test_add_func ("/prose/right-to-left", test_right_to_left);
  g_test_add_func ("/prose/shared", test_shared);
  g_test_add_func ("/prose/contrast", test_contrast);
  g_test_add_func ("/prose/shades", test_shades);
  g_test_add_func ("/prose/range", test_range);
  g_test_add_func ("/prose/title", test_title);
  g_test_add_func ("/prose/pick", test_pick);
  g_test_add_func ("/prose/pixels", test_pixels);
  g_test_add_func ("/prose/no-text", test_no_text);
  g_test_add_func ("/prose/hidden", test_hidden);
  g_test_add_func ("/prose/sizes", test_sizes);
  int status = g_test_run ();
  attn_model_unref (model);
  return status;
}
