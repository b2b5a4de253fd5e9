/* SPDX-License-Identifier: MIT */
/* The text as it was typed, each piece shaded by how much it is looked at. */
#include "bar.h"
#include "cells.h"
#include "layout-private.h"
#include "plain-text.h"
#include "shades.h"

#include <math.h>
#include <string.h>

/* all in em of the view's font */
#define BAR_GAP 2.0
#define BAR_HEIGHT_MAX 12.0
#define LEAST_BAR 6.0
#define BAR_FROM 22.0
#define USUAL_SIZE 1.5 /* of the letters, where the height is not limited; more on one line */
/* all in em of the letters */
#define LONGEST_LINE 44.0 /* longer lines are hard to read */
#define SPACING 1.5       /* of lines' heights */
#define PASSAGE_GAP 0.7
#define UP 1.06 /* a shade reaches over and under the line the letters stand on */
#define DOWN 0.36
#define CHIP_SIZE 0.66
#define CHIP_PAD 0.45 /* of a chip's letters */
#define CHIP_UP 0.86
#define CHIP_DOWN 0.2
#define LEAST_CHIP 0.5
#define INSET 0.5 /* px at both sides of a shade, so that neighbours are told apart */
#define PIN_LINE 2.0

/* The letters' sizes that are tried, in em. */
static const double sizes[] = {2.6, 2.2, 1.9, 1.65, 1.45, 1.25};

typedef struct {
  bool has_bar;
  double bar_room; /* px at the right, with its gap */
  double size_px;
  double width, height; /* px of the passages */
  GPtrArray *shaped;    /* PangoLayout of each passage */
  AttnDrawParts parts;
} Page;

static const AttnDrawPassage *
peek_passage (const AttnDrawBuild *build, size_t index)
{
  return g_ptr_array_index (build->layout->prose->passages, index);
}

static const AttnDrawPiece *
peek_piece (const AttnDrawPassage *passage, size_t index)
{
  return &g_array_index (passage->pieces, AttnDrawPiece, index);
}

static AttnDrawUnit
get_unit (const AttnDrawBuild *build, size_t unit)
{
  return g_array_index (build->layout->prose->units, AttnDrawUnit, unit);
}

static double
get_chip_size (const AttnDrawBuild *build, const Page *page)
{
  return MAX (CHIP_SIZE * page->size_px, LEAST_CHIP * build->em);
}

static PangoLayout *
shape_chip (AttnDrawBuild *build, const Page *page, size_t unit)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (build->layout->panels);
  AttnDrawUnit of = get_unit (build, unit);
  double size = get_chip_size (build, page);
  AttnDrawStyle style = {.size_px = size, .max_width = MAX (page->width - 3 * size, 1)};
  g_autofree char *label = attn_draw_prose_dup_label (maps, &of);
  return attn_draw_fonts_shape_within (build->fonts, label, &style);
}

static PangoLayout *
shape_passage (AttnDrawBuild *build, const Page *page, const AttnDrawPassage *passage)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (AttnDrawGap));
  double pad = CHIP_PAD * get_chip_size (build, page);

  for (size_t i = 0; i < passage->pieces->len; i++) {
    const AttnDrawPiece *piece = peek_piece (passage, i);
    if (!piece->is_chip)
      continue;
    double width = attn_draw_text_measure (shape_chip (build, page, piece->unit)).width;
    AttnDrawGap gap = {piece->start, piece->end, width + 2 * pad};
    g_array_append_val (gaps, gap);
  }
  AttnDrawPassageStyle style = {
      .size_px = page->size_px,
      .max_width = page->width,
      .spacing = SPACING,
      .gaps = (const AttnDrawGap *)(const void *)gaps->data,
      .n_gaps = gaps->len,
  };
  return attn_draw_fonts_new_passage (build->fonts, passage->text, &style);
}

/* As wide as the lines are; all there is where lines begin at the right. */
static double
measure_width (const Page *page)
{
  double width = 0;
  for (size_t i = 0; i < page->shaped->len; i++) {
    AttnDrawExtents extents = attn_draw_text_measure (g_ptr_array_index (page->shaped, i));
    width = MAX (width, extents.left + extents.width);
  }
  return ceil (MIN (width, page->width));
}

static void
shape_all (AttnDrawBuild *build, Page *page, double size)
{
  double room = build->width - 2 * build->margin - page->bar_room;

  page->size_px = size;
  page->width = floor (MAX (MIN (room, LONGEST_LINE * size), 1));
  page->height = 0;
  g_ptr_array_set_size (page->shaped, 0);
  for (size_t i = 0; i < build->layout->prose->passages->len; i++) {
    PangoLayout *shaped = shape_passage (build, page, peek_passage (build, i));
    g_ptr_array_add (page->shaped, shaped);
    page->height += (i > 0 ? PASSAGE_GAP * size : 0) + attn_draw_text_measure (shaped).height;
  }
  page->height = ceil (page->height);
}

static double
get_bar_height (const AttnDrawBuild *build, const Page *page)
{
  return page->has_bar
             ? round (CLAMP (page->height, LEAST_BAR * build->em, BAR_HEIGHT_MAX * build->em))
             : 0;
}

static AttnDrawSize
plan_parts (AttnDrawBuild *build, Page *page)
{
  AttnDrawNotes notes = {
      .hides_hidden = attn_draw_prose_get_pinned (build->layout) == G_MAXSIZE,
  };
  page->parts.width = measure_width (page) + page->bar_room;
  page->parts.height = MAX (page->height, get_bar_height (build, page));
  notes.width = page->parts.width;
  page->parts.notes = attn_draw_lines_notes (build, &notes);
  return attn_draw_parts_measure (build, &page->parts);
}

/* Returns: whether all is seen at once. */
static bool
try_size (AttnDrawBuild *build, Page *page, double size)
{
  shape_all (build, page, size * build->em);
  return plan_parts (build, page).height <= build->max_height;
}

/* Returns: whether no text is broken. */
static bool
is_on_one_line (const Page *page)
{
  for (guint i = 0; i < page->shaped->len; i++)
    if (pango_layout_get_line_count (g_ptr_array_index (page->shaped, i)) > 1)
      return false;
  return true;
}

/* The height is free, so letters are of a usual size, and larger where the width would be empty. */
static void
plan_free_page (AttnDrawBuild *build, Page *page)
{
  double size = USUAL_SIZE;

  shape_all (build, page, size * build->em);
  bool fits = is_on_one_line (page);
  for (size_t i = 0; fits && sizes[i] > USUAL_SIZE; i++) {
    shape_all (build, page, sizes[i] * build->em);
    if (is_on_one_line (page)) {
      size = sizes[i];
      break;
    }
  }
  if (page->size_px != size * build->em)
    shape_all (build, page, size * build->em);
  plan_parts (build, page);
}

/* The largest letters with which all is seen at once; more than that scrolls, in the smallest.
 * These are tried first: a long text, above all a long word, takes long to shape. */
static void
plan_page (AttnDrawBuild *build, Page *page)
{
  const size_t last = G_N_ELEMENTS (sizes) - 1;

  if (!isfinite (build->max_height)) {
    plan_free_page (build, page);
    return;
  }
  if (!try_size (build, page, sizes[last]))
    return;
  for (size_t i = 0; i <= last; i++)
    if (try_size (build, page, sizes[i]))
      return;
}

/* ---- adding ---- */

/* Two pieces that touch would look like one. */
static AttnDrawRect
inset (AttnDrawRect rect)
{
  if (rect.width > 4 * INSET) {
    rect.x += INSET;
    rect.width -= 2 * INSET;
  }
  return rect;
}

static void
add_token (AttnDrawBuild *build, size_t unit, AttnDrawRect rect, AttnDrawColor color)
{
  attn_draw_build_add_fill (build, ATTN_DRAW_ROLE_TOKEN, 0, rect, color);
  GArray *items = build->layout->items;
  g_array_index (items, AttnDrawItem, items->len - 1).token = unit;
}

static void
add_chip (
    AttnDrawBuild *build, const Page *page, size_t unit, AttnDrawRect rect, AttnDrawColor color)
{
  const AttnDrawInk *ink = build->layout->ink;
  PangoLayout *label = shape_chip (build, page, unit);
  AttnDrawExtents extents = attn_draw_text_measure (label);
  AttnDrawRect frame = {rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2};
  double size = get_chip_size (build, page);
  double middle = rect.y + rect.height / 2;

  attn_draw_build_add_fill (build, ATTN_DRAW_ROLE_PASSAGE, 0, frame, ink->rule);
  add_token (build, unit, rect, color);
  attn_draw_build_add_text (build, label,
                            &(AttnDrawTextPlace){
                                .role = ATTN_DRAW_ROLE_TOKEN,
                                .panel = 0,
                                .token = unit,
                                .x = rect.x + (rect.width - extents.width) / 2 - extents.left,
                                .y = middle - attn_draw_labels_get_middle (&extents, size),
                                .color = ink->text,
                            });
}

/* What is no key has no shade. */
static AttnDrawColor
choose_color (const AttnDrawBuild *build, const uint16_t *codes, size_t unit)
{
  size_t key = get_unit (build, unit).key;
  return key != G_MAXSIZE ? attn_draw_prose_get_shade (build->layout, codes[key])
                          : build->layout->ink->background;
}

/* A line through what is not a number. */
static void
add_strike (AttnDrawBuild *build, const uint16_t *codes, size_t unit, AttnDrawRect rect)
{
  size_t key = get_unit (build, unit).key;
  AttnDrawRect line = {rect.x, round (rect.y + 0.55 * rect.height), rect.width, 1};
  if (key != G_MAXSIZE && codes[key] == ATTN_DRAW_CODE_NAN)
    attn_draw_build_add_fill (build, ATTN_DRAW_ROLE_PASSAGE, 0, line,
                              attn_draw_color_from_pixel (build->layout->ink->not_a_number_line));
}

static void
add_spots (AttnDrawBuild *build,
           const Page *page,
           const AttnDrawPassage *passage,
           const GArray *spots,
           const uint16_t *codes)
{
  for (guint i = 0; i < spots->len; i++) {
    const AttnDrawSpot *spot = &g_array_index (spots, AttnDrawSpot, i);
    const AttnDrawPiece *piece = peek_piece (passage, spot->piece);
    AttnDrawColor color = choose_color (build, codes, piece->unit);
    if (piece->is_chip)
      add_chip (build, page, piece->unit, spot->rect, color);
    else
      add_token (build, piece->unit, spot->rect, color);
    add_strike (build, codes, piece->unit, spot->rect);
  }
}

static void
add_marks (AttnDrawBuild *build, const AttnDrawPassage *passage, const GArray *spots)
{
  const AttnDrawView *view = build->layout->view;

  for (guint i = 0; i < spots->len && view->has_pin; i++) {
    const AttnDrawSpot *spot = &g_array_index (spots, AttnDrawSpot, i);
    AttnDrawUnit unit = get_unit (build, peek_piece (passage, spot->piece)->unit);
    if (unit.query != G_MAXSIZE && unit.query == view->pin_query)
      attn_draw_build_add_outline (build, 0, spot->rect, PIN_LINE);
    else if (unit.key != G_MAXSIZE && unit.key == view->pin_key)
      attn_draw_build_add_outline (build, 0, spot->rect, PIN_LINE / 2);
  }
}

/* From the passage's top left to the picture's, a chip's lower than letters' shades. */
static void
move_spots (const AttnDrawPassage *passage, const Page *page, GArray *spots, double x, double y)
{
  for (guint i = 0; i < spots->len; i++) {
    AttnDrawSpot *spot = &g_array_index (spots, AttnDrawSpot, i);
    double baseline = spot->rect.y + UP * page->size_px;
    if (peek_piece (passage, spot->piece)->is_chip) {
      spot->rect.y = baseline - CHIP_UP * page->size_px;
      spot->rect.height = (CHIP_UP + CHIP_DOWN) * page->size_px;
    } else {
      spot->rect = inset (spot->rect);
    }
    spot->rect.x += x;
    spot->rect.y += y;
  }
}

static void
add_passage (
    AttnDrawBuild *build, const Page *page, size_t index, double x, double y, const uint16_t *codes)
{
  const AttnDrawPassage *passage = peek_passage (build, index);
  PangoLayout *shaped = g_ptr_array_index (page->shaped, index);
  g_autoptr (GArray) spots =
      attn_draw_prose_find_spots (passage, shaped, UP * page->size_px, DOWN * page->size_px);

  move_spots (passage, page, spots, x, y);
  add_spots (build, page, passage, spots, codes);
  attn_draw_build_add_text (build, shaped,
                            &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_PASSAGE,
                                                 .panel = 0,
                                                 .token = G_MAXSIZE,
                                                 .x = x,
                                                 .y = y,
                                                 .color = build->layout->ink->text});
  add_marks (build, passage, spots);
}

/* The title says from where one looks. */
static void
complete_title (AttnDrawLayout *layout)
{
  AttnDrawStrings *strings = &layout->view->strings;
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  size_t query = attn_draw_prose_get_pinned (layout);
  g_autofree char *from = g_strdup (strings->mean);

  if (query != G_MAXSIZE) {
    g_autofree char *label =
        attn_draw_visible_label (attn_maps_peek_label (maps, ATTN_SIDE_QUERY, query));
    g_autofree char *isolated = attn_draw_isolate (label);
    g_free (from);
    from = attn_draw_format_string (strings->from, isolated);
    g_free (strings->mean_without); /* of no mean */
    strings->mean_without = g_strdup ("");
  }
  char **const titles[] = {&strings->title, &strings->subject};
  for (size_t i = 0; i < G_N_ELEMENTS (titles); i++) {
    char *whole = g_strjoin (" · ", *titles[i], from, NULL);
    g_free (*titles[i]);
    *titles[i] = whole;
  }
}

/* The note tells the range that is drawn. Returns: (transfer full): what it tells without the mean.
 */
static char *
replace_range (AttnDrawLayout *layout)
{
  AttnDrawStrings *strings = &layout->view->strings;
  char *plain = strings->range;

  strings->range = g_strdup (layout->mean_max > 0 ? strings->mean_range : plain);
  return plain;
}

static void
add_bar (AttnDrawBuild *build, const Page *page, double left, double top)
{
  attn_draw_bar_add (build, G_MAXSIZE,
                     left + page->parts.width - page->bar_room + round (BAR_GAP * build->em), top,
                     get_bar_height (build, page));
}

/* The same note in other words, where it stands. */
static void
add_pointed_note (AttnDrawLayout *layout, const AttnDrawItem *item, const char *range)
{
  AttnDrawItem note = *item;

  note.is_of_mean = false;
  note.text = pango_layout_copy (item->text);
  pango_layout_set_text (note.text, range, -1);
  note.rect.width = attn_draw_text_measure (note.text).width;
  g_array_append_val (layout->pointed, note);
}

/* What tells the mean's range is marked, and made again for the weights of one query. */
static void
add_pointed (
    AttnDrawBuild *build, const Page *page, const char *plain_range, double left, double top)
{
  AttnDrawLayout *layout = build->layout;
  const float mean_max = layout->mean_max;
  GArray *items = layout->items;
  g_autofree char *mean_end = attn_draw_bar_format_max (build, 0);
  g_autofree char *mean_range = attn_draw_format_string (layout->view->strings.range, mean_end);

  layout->mean_max = 0;
  layout->items = layout->pointed;
  g_autofree char *end = attn_draw_bar_format_max (build, 0);
  g_autofree char *range = attn_draw_format_string (plain_range, end);
  if (page->has_bar)
    add_bar (build, page, left, top);
  layout->items = items;
  layout->mean_max = mean_max;
  for (guint i = 0; i < items->len; i++) {
    AttnDrawItem *item = &g_array_index (items, AttnDrawItem, i);
    bool is_note = item->role == ATTN_DRAW_ROLE_NOTE && item->text != NULL &&
                   strcmp (pango_layout_get_text (item->text), mean_range) == 0;
    item->is_of_mean = is_note || item->role == ATTN_DRAW_ROLE_BAR;
    if (is_note)
      add_pointed_note (layout, item, range);
  }
}

void
attn_draw_layout_text (AttnDrawBuild *build)
{
  AttnDrawLayout *layout = build->layout;
  AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  g_autofree uint16_t *codes = g_new (uint16_t, attn_maps_get_n (maps, ATTN_SIDE_KEY));
  g_autoptr (GPtrArray) shaped = g_ptr_array_new_with_free_func (g_object_unref);
  Page page = {.has_bar = build->width >= BAR_FROM * build->em, .shaped = shaped};
  double left, top;

  if (attn_draw_panels_is_signed (layout->panels, 0))
    attn_draw_shades_find_signed (layout->ink, attn_draw_view_peek_diverging (layout->view),
                                  layout->ramp);
  else
    attn_draw_shades_find (layout->ink, layout->view->color_map, layout->ramp);
  complete_title (layout);
  g_autofree char *plain_range = replace_range (layout);
  page.parts.heading = attn_draw_lines_heading (build);
  if (page.has_bar)
    page.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  plan_page (build, &page);
  attn_draw_parts_add (build, &page.parts, &left, &top);
  attn_draw_prose_find_codes (layout, attn_draw_prose_get_pinned (layout), codes);
  layout->places[0].rect =
      (AttnDrawRect){left, top, MAX (page.parts.width - page.bar_room, 1), MAX (page.height, 1)};
  double y = top;
  for (size_t i = 0; i < shaped->len; i++) {
    add_passage (build, &page, i, left, y, codes);
    y += attn_draw_text_measure (g_ptr_array_index (shaped, i)).height + PASSAGE_GAP * page.size_px;
  }
  if (page.has_bar)
    add_bar (build, &page, left, top);
  if (layout->mean_max > 0)
    add_pointed (build, &page, plain_range, left, top);
}
