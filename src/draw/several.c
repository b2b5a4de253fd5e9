/* SPDX-License-Identifier: MIT */
/* The figure on why there are several heads: distances, a pair, one head in the place of all. */
#include "attn-draw/several.h"

#include "plain-text.h"
#include "values.h"
#include "wording.h"

#include "attn/number.h"

#include <math.h>

#define N_(english) (english)

#define LEAST_CELL 1.0    /* px of a map's cell; smaller ones share one */
#define DISTANCES_EM 23.0 /* the widest that distances are drawn */
#define NARROW_EM 46.0    /* below this blocks stand under each other */
#define LARGE_EM 14.0     /* a small map at most … */
#define SMALL_EM 7.5      /* … and at least, but for want of room */
#define WIDE_MAP_EM 23.0  /* the one head's */
#define PAIR_EM 28.0      /* each of the two, labels included */
#define GAP_EM 1.6
#define SMALL_TEXT 0.85 /* of the font's size: numbers and labels beside cells */
#define LABEL_EM 6.0    /* labels are cut beyond */
#define VALUE_PAD_EM 0.4

/* A figure in the making. */
typedef struct {
  AttnDrawFigureBuilder *builder;
  const AttnDrawSeveral *several;
  const AttnLayerHeads *heads;
  size_t pair[2];
  double em;
} Making;

static const char *
say (const Making *making, const char *english)
{
  const AttnDrawSeveral *several = making->several;
  return several->translate != NULL ? several->translate (english, several->translate_data)
                                    : english;
}

static double
get_distance (const Making *making, size_t a, size_t b)
{
  return making->heads->distances[a * making->heads->n_heads + b];
}

static char *
dup_number (double value)
{
  return isnan (value) ? g_strdup ("NaN") : g_strdup_printf ("%.4f", value);
}

/* Returns: the height of a text that wraps at @width. */
static double
add_text (Making *making,
          const char *text,
          double x,
          double y,
          double width,
          double size,
          bool bold,
          AttnDrawTone tone)
{
  const AttnDrawFigureText item = {
      .text = text, .size = size, .is_bold = bold, .tone = tone, .max_width = width, .wraps = true};
  return attn_draw_figure_add_text (making->builder, &item, x, y).height;
}

static double
add_heading (Making *making, const char *text, double x, double y, double width)
{
  return add_text (making, text, x, y, width, 1.15, true, ATTN_DRAW_TONE_TEXT) + 0.4 * making->em;
}

/* Heads' numbers at two sides of the distances. */
static void
add_numbers (Making *making, AttnDrawRect rect)
{
  const size_t n = making->heads->n_heads;
  const double cell = rect.width / (double)n;
  const size_t every = (size_t)ceil (1.3 * making->em / cell);
  for (size_t head = 0; head < n; head += MAX (every, 1)) {
    g_autofree char *number = g_strdup_printf ("%zu", head + 1);
    AttnDrawFigureText item = {.text = number,
                               .size = SMALL_TEXT,
                               .tone = ATTN_DRAW_TONE_DIM,
                               .align = ATTN_DRAW_ALIGN_MIDDLE};
    const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &item);
    const double middle = ((double)head + 0.5) * cell;
    attn_draw_figure_add_text (making->builder, &item, rect.x + middle,
                               rect.y - size.height - 0.2 * making->em);
    item.align = ATTN_DRAW_ALIGN_END;
    attn_draw_figure_add_text (making->builder, &item, rect.x - 0.4 * making->em,
                               rect.y + middle - size.height / 2);
  }
}

/* Frames of what is picked, both ways round. */
static void
add_pair_frames (Making *making, AttnDrawRect rect)
{
  const double cell = rect.width / (double)making->heads->n_heads;
  const AttnDrawColor accent = attn_draw_tone_get (&making->several->style, ATTN_DRAW_TONE_ACCENT);
  for (int turn = 0; turn < 2; turn++) {
    const AttnDrawRect frame = {rect.x + (double)making->pair[turn] * cell,
                                rect.y + (double)making->pair[1 - turn] * cell, cell, cell};
    attn_draw_figure_add_frame (making->builder, frame, accent, 2);
  }
}

/* Returns: the tone of a palette that is easier to read on a distance's colour. */
static AttnDrawTone
choose_tone (const Making *making, double distance, double largest)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const AttnDrawView view = {.palette = style->palette, .color_map = style->color_map};
  const unsigned index = attn_draw_color_index ((float)distance, (float)largest);
  const uint32_t *lut = attn_draw_color_map_peek_lut (style->color_map);
  const uint32_t ground = lut[attn_draw_view_reverses_map (&view) ? 255 - index : index];
  const AttnDrawTone tones[] = {ATTN_DRAW_TONE_TEXT, ATTN_DRAW_TONE_BACKGROUND};
  double contrasts[2];
  for (size_t i = 0; i < 2; i++)
    contrasts[i] = attn_draw_values_get_contrast (
        attn_draw_color_to_pixel (attn_draw_tone_get (style, tones[i])), ground);
  return contrasts[0] >= contrasts[1] ? tones[0] : tones[1];
}

/* Distances in their cells, where these have room; the diagonal is all 0. */
static void
add_values (Making *making, AttnDrawRect rect, double largest)
{
  const size_t n = making->heads->n_heads;
  const double cell = rect.width / (double)n;
  AttnDrawFigureText text = {.text = "0.00", .size = SMALL_TEXT, .align = ATTN_DRAW_ALIGN_MIDDLE};
  const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &text);
  if (cell < size.width + VALUE_PAD_EM * making->em || cell < size.height)
    return;
  for (size_t i = 0; i < n * n; i++) {
    const size_t row = i / n, column = i % n;
    if (row == column || isnan (making->heads->distances[i])) /* which are grey */
      continue;
    g_autofree char *value = g_strdup_printf ("%.2f", making->heads->distances[i]);
    text.text = value;
    text.tone = choose_tone (making, making->heads->distances[i], largest);
    attn_draw_figure_add_text (making->builder, &text, rect.x + ((double)column + 0.5) * cell,
                               rect.y + ((double)row + 0.5) * cell - size.height / 2);
  }
}

static double
find_largest (const Making *making)
{
  double largest = 0;
  for (size_t i = 0; i < making->heads->n_heads * making->heads->n_heads; i++)
    if (making->heads->distances[i] > largest)
      largest = making->heads->distances[i];
  return largest;
}

static double
add_distance_matrix (Making *making, double x, double y, double side, double largest)
{
  const size_t n = making->heads->n_heads;
  g_autofree float *values = g_new (float, n *n);
  for (size_t i = 0; i < n * n; i++)
    values[i] = (float)making->heads->distances[i];
  const double margin = 2.2 * making->em;
  const AttnDrawRect rect = {round (x + margin), round (y + margin), round (side - margin),
                             round (side - margin)};
  const AttnDrawFigureMatrix matrix = {
      .n_rows = n, .n_columns = n, .values = values, .max = largest > 0 ? largest : 1};
  attn_draw_figure_add_matrix (making->builder, &matrix, rect, ATTN_DRAW_SEVERAL_DISTANCE);
  add_values (making, rect, matrix.max);
  add_numbers (making, rect);
  add_pair_frames (making, rect);
  return side + 0.5 * making->em;
}

/* "Most alike: heads 2 and 5, 0.0123" */
static double
add_pair_line (
    Making *making, const char *english, const size_t pair[2], double x, double y, double width)
{
  g_autofree char *a = g_strdup_printf ("%zu", pair[0] + 1);
  g_autofree char *b = g_strdup_printf ("%zu", pair[1] + 1);
  g_autofree char *distance = dup_number (get_distance (making, pair[0], pair[1]));
  const char *const arguments[] = {a, b, distance};
  g_autofree char *line = attn_draw_fill (say (making, english), arguments, 3);
  return add_text (making, line, x, y, width, 1, false, ATTN_DRAW_TONE_TEXT);
}

/* What is nearest and farthest, as far as there are such pairs, and how many are neither. */
static double
add_pair_lines (Making *making, double x, double y, double width)
{
  const AttnLayerHeads *heads = making->heads;
  const double top = y;
  if (heads->alike[0] != heads->alike[1]) {
    y += add_pair_line (making, N_ ("Most alike: heads %s and %s, %s"), heads->alike, x, y, width);
    y += add_pair_line (making, N_ ("Most different: heads %s and %s, %s"), heads->unlike, x, y,
                        width);
  }
  if (heads->n_unknown == 0)
    return y - top;
  g_autofree char *unknown = g_strdup_printf ("%zu", heads->n_unknown);
  g_autofree char *all = g_strdup_printf ("%zu", heads->n_heads * (heads->n_heads - 1) / 2);
  const char *const arguments[] = {unknown, all};
  g_autofree char *line = attn_draw_fill (
      say (making, N_ ("Not compared: %s of %s pairs, which have weights that are not numbers")),
      arguments, 2);
  return y - top + add_text (making, line, x, y, width, 1, false, ATTN_DRAW_TONE_TEXT);
}

static double
add_distances (Making *making, double x, double y, double width)
{
  const double top = y, largest = find_largest (making);
  y += add_heading (making, say (making, N_ ("How differently the heads look")), x, y, width);
  y += add_distance_matrix (making, x, y, MIN (width, DISTANCES_EM * making->em), largest);
  g_autofree char *number = dup_number (largest);
  const char *const arguments[] = {number};
  g_autofree char *range = attn_draw_fill (
      say (making,
           N_ ("0 to %s nats: Jensen–Shannon divergence, mean over the queries; 0 is the same "
               "map, ln 2 = 0.6931 nothing in common")),
      arguments, 1);
  y += add_text (making, range, x, y, width, SMALL_TEXT, false, ATTN_DRAW_TONE_DIM) +
       0.4 * making->em;
  return y - top + add_pair_lines (making, x, y, width);
}

/* One map with the followed query's row framed. */
static void
add_map (Making *making, const float *weights, AttnDrawRect rect, unsigned id)
{
  const size_t T = making->heads->n_tokens;
  const AttnDrawFigureMatrix matrix = {
      .n_rows = T,
      .n_columns = T,
      .values = weights,
      .max = 1,
      .rows_per_cell = attn_draw_figure_find_share (T, rect.height, LEAST_CELL, 0),
      .columns_per_cell = attn_draw_figure_find_share (T, rect.width, LEAST_CELL, 0),
  };
  attn_draw_figure_add_matrix (making->builder, &matrix, rect, id);
  const size_t query = making->several->query;
  if (query >= T)
    return;
  const double row = rect.height / (double)T;
  attn_draw_figure_add_frame (
      making->builder, (AttnDrawRect){rect.x, rect.y + (double)query * row, rect.width, row},
      attn_draw_tone_get (&making->several->style, ATTN_DRAW_TONE_ACCENT), row > 4 ? 2 : 1);
}

/* Returns: the height of a map's title and what is below it. */
static double
add_map_title (Making *making, size_t head, double x, double y, double width, double size)
{
  g_autofree char *number = g_strdup_printf ("%zu", head + 1);
  const char *const arguments[] = {number};
  g_autofree char *title = attn_draw_fill (say (making, N_ ("Head %s")), arguments, 1);
  const bool is_chosen = head == making->several->head;
  const AttnDrawFigureText text = {
      .text = title,
      .size = size,
      .is_bold = is_chosen,
      .tone = is_chosen ? ATTN_DRAW_TONE_ACCENT_TEXT : ATTN_DRAW_TONE_TEXT,
      .max_width = width,
  };
  return attn_draw_figure_add_text (making->builder, &text, x, y).height + 0.2 * making->em;
}

static const float *
peek_weights (const Making *making, size_t head)
{
  const size_t T = making->heads->n_tokens;
  return making->heads->weights + head * T * T;
}

/* A head's map under its number. Returns: the height of both. */
static double
add_head (Making *making, size_t head, double x, double y, double side)
{
  const double below = add_map_title (making, head, x, y, side, SMALL_TEXT);
  const AttnDrawRect rect = {round (x), round (y + below), round (side), round (side)};
  add_map (making, peek_weights (making, head), rect, ATTN_DRAW_SEVERAL_MAPS + (unsigned)head);
  if (head == making->several->head)
    attn_draw_figure_add_frame (making->builder, rect,
                                attn_draw_tone_get (&making->several->style, ATTN_DRAW_TONE_ACCENT),
                                2);
  return below + side;
}

/* ---- the pair ---- */

static AttnDrawFigureText
make_label (const Making *making, AttnSide side, size_t token)
{
  const bool is_followed = side == ATTN_SIDE_QUERY && token == making->several->query;
  return (AttnDrawFigureText){
      .text = attn_maps_peek_label (making->heads->maps, side, token),
      .size = SMALL_TEXT,
      .is_bold = is_followed,
      .tone = is_followed ? ATTN_DRAW_TONE_ACCENT_TEXT : ATTN_DRAW_TONE_DIM,
      .align = side == ATTN_SIDE_QUERY ? ATTN_DRAW_ALIGN_END : ATTN_DRAW_ALIGN_START,
      .max_width = LABEL_EM * making->em,
      .is_turned = side == ATTN_SIDE_KEY,
  };
}

/* Returns: px that labels need left of a map and above it, @side px of room for both; 0 where rows
 * are too low for them. */
static double
find_margin (Making *making, double side)
{
  double widest = 0, highest = 0;
  for (size_t t = 0; t < making->heads->n_tokens; t++) {
    const AttnDrawFigureText label = make_label (making, ATTN_SIDE_QUERY, t);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &label);
    widest = MAX (widest, size.width);
    highest = MAX (highest, size.height);
    if (highest * (double)making->heads->n_tokens > side)
      return 0;
  }
  const double margin = ceil (widest + 0.4 * making->em);
  return highest * (double)making->heads->n_tokens <= side - margin ? margin : 0;
}

static void
add_labels (Making *making, AttnDrawRect rect)
{
  const double cell = rect.height / (double)making->heads->n_tokens, gap = 0.4 * making->em;
  for (size_t t = 0; t < making->heads->n_tokens; t++) {
    const double middle = ((double)t + 0.5) * cell;
    AttnDrawFigureText label = make_label (making, ATTN_SIDE_QUERY, t);
    const double height = attn_draw_figure_measure_text (making->builder, &label).height;
    attn_draw_figure_add_text (making->builder, &label, rect.x - gap, rect.y + middle - height / 2);
    label = make_label (making, ATTN_SIDE_KEY, t);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &label);
    attn_draw_figure_add_text (making->builder, &label, rect.x + middle - size.width / 2,
                               rect.y - gap - size.height);
  }
}

/* One of the two, with its tokens where rows are high enough. Returns: its height. */
static double
add_large_map (Making *making, size_t which, double x, double y, double side)
{
  const size_t head = making->pair[which];
  const double below = add_map_title (making, head, x, y, side, 1);
  const double margin = find_margin (making, side);
  const AttnDrawRect rect = {round (x + margin), round (y + below + margin), round (side - margin),
                             round (side - margin)};
  add_map (making, peek_weights (making, head), rect, ATTN_DRAW_SEVERAL_PAIR + (unsigned)which);
  if (margin > 0)
    add_labels (making, rect);
  return below + side;
}

/* Two heads beside each other. */
static double
add_pair (Making *making, double x, double y, double width)
{
  const double top = y, gap = GAP_EM * making->em;
  const double side = MIN ((width - gap) / 2, PAIR_EM * making->em);
  g_autofree char *a = g_strdup_printf ("%zu", making->pair[0] + 1);
  g_autofree char *b = g_strdup_printf ("%zu", making->pair[1] + 1);
  g_autofree char *distance = dup_number (get_distance (making, making->pair[0], making->pair[1]));
  const char *const arguments[] = {a, b, distance};
  g_autofree char *heading =
      attn_draw_fill (say (making, N_ ("Heads %s and %s side by side: %s apart")), arguments, 3);
  y += add_heading (making, heading, x, y, width);
  double height = 0;
  for (size_t i = 0; i < 2; i++)
    height = add_large_map (making, i, x + (double)i * (side + gap), y, side);
  y += height + 0.5 * making->em;
  y += add_text (making,
                 say (making, N_ ("Rows are queries, columns are keys, in the order of the text; "
                                  "weights 0 to 1.")),
                 x, y, width, SMALL_TEXT, false, ATTN_DRAW_TONE_DIM);
  return y - top;
}

/* All heads small, as many beside each other as there is room for. */
static double
add_small_maps (Making *making, double x, double y, double width)
{
  const double gap = 0.9 * making->em;
  const size_t room = (size_t)((width + gap) / (SMALL_EM * making->em + gap));
  const size_t n_heads = making->heads->n_heads, n_most = CLAMP (room, 1, n_heads);
  const size_t n_rows = (n_heads + n_most - 1) / n_most;
  const size_t n_columns = (n_heads + n_rows - 1) / n_rows; /* no row much shorter than others */
  const double share = (width + gap) / (double)n_columns - gap;
  const double side = MIN (share, LARGE_EM * making->em);
  double height = 0;
  for (size_t head = 0; head < n_heads; head++) {
    const double row_height = side + 2 * making->em + gap;
    const double left = x + (double)(head % n_columns) * (side + gap);
    const double top = (double)(head / n_columns) * row_height;
    height = top + add_head (making, head, left, y + top, side);
  }
  return height;
}

/* What one head in the place of all would see, and what that does. */
static double
add_one (Making *making, double x, double y, double width)
{
  const double top = y, side = MIN (width, WIDE_MAP_EM * making->em);
  const AttnMatrix *map = making->heads->one->map;
  y += add_heading (making, say (making, N_ ("One head in their place")), x, y, width);
  add_map (making, map->values, (AttnDrawRect){round (x), round (y), round (side), round (side)},
           ATTN_DRAW_SEVERAL_ONE);
  y += side + 0.5 * making->em;
  const double percent = 100 * making->heads->one->lost;
  g_autofree char *share = isnan (percent) ? g_strdup ("NaN") : g_strdup_printf ("%.1f", percent);
  const char *const arguments[] = {share};
  g_autofree char *lost = attn_draw_fill (
      say (making,
           N_ ("One softmax over all columns of Q and K, so each token has one way of "
               "looking. The layer's output then differs by %s %% of its size. The model was not "
               "trained that way: this shows what merging changes, not what one trained "
               "head could do.")),
      arguments, 1);
  y += add_text (making, lost, x, y, width, 1, false, ATTN_DRAW_TONE_TEXT);
  return y - top;
}

static double
add_all (Making *making, double x, double y, double width)
{
  const double top = y;
  g_autofree char *n = g_strdup_printf ("%zu", making->heads->n_heads);
  const char *const arguments[] = {n};
  const bool is_one = making->heads->n_heads == 1;
  g_autofree char *heading = attn_draw_fill (
      say (making, is_one ? N_ ("What the head sees") : N_ ("What the %s heads see")), arguments,
      1);
  y += add_heading (making, heading, x, y, width);
  y += add_small_maps (making, x, y, width);
  return y - top;
}

typedef double (*AddBlock) (Making *making, double x, double y, double width);

/* Two blocks beside each other, the left one with @share of the width, or under each other. */
static double
add_row (Making *making, AddBlock left, AddBlock right, double left_width, double y)
{
  const double margin = making->em, gap = 2 * GAP_EM * making->em;
  const double width = making->several->width - 2 * margin;
  if (making->several->width < NARROW_EM * making->em) {
    const double height = left (making, margin, y, width);
    return height + gap / 2 + right (making, margin, y + height + gap / 2, width);
  }
  const double height = left (making, margin, y, left_width);
  const double other = right (making, margin + left_width + gap, y, width - left_width - gap);
  return MAX (height, other);
}

char *
attn_draw_several_dup_title (const AttnDrawSeveral *several)
{
  const Making making = {.several = several};
  g_autofree char *layer = g_strdup_printf ("%zu", several->heads->layer + 1);
  g_autofree char *n = g_strdup_printf ("%zu", several->heads->n_heads);
  const char *const arguments[] = {layer, n};
  const bool is_one = several->heads->n_heads == 1;
  return attn_draw_fill (
      say (&making, is_one ? N_ ("Layer %s: it has one head alone")
                           : N_ ("Layer %1$s: its %2$s heads, and one head in their place")),
      arguments, is_one ? 1 : 2);
}

static double
add_title (Making *making, double y)
{
  g_autofree char *title = attn_draw_several_dup_title (making->several);
  return add_text (making, title, making->em, y, making->several->width - 2 * making->em, 1.3, true,
                   ATTN_DRAW_TONE_TEXT);
}

AttnDrawFigure *
attn_draw_several_new (const AttnDrawSeveral *several)
{
  const AttnLayerHeads *heads = several->heads;
  Making making = {
      .builder = attn_draw_figure_builder_new (&several->style),
      .several = several,
      .heads = heads,
      .pair = {several->pair[0], several->pair[1]},
  };
  making.em = attn_draw_figure_builder_get_em (making.builder);
  if (making.pair[0] == making.pair[1] || MAX (making.pair[0], making.pair[1]) >= heads->n_heads) {
    const bool is_known = heads->unlike[0] != heads->unlike[1];
    making.pair[0] = is_known ? heads->unlike[0] : 0;
    making.pair[1] = is_known ? heads->unlike[1] : MIN (1, heads->n_heads - 1);
  }
  double y = making.em;
  y += add_title (&making, y) + making.em;
  if (heads->n_heads > 1)
    y += add_row (&making, add_distances, add_pair, DISTANCES_EM * making.em, y) + 2 * making.em;
  y += add_row (&making, add_one, add_all, WIDE_MAP_EM * making.em, y);
  return attn_draw_figure_builder_end (making.builder, several->width, y + making.em);
}
