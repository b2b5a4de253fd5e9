/* SPDX-License-Identifier: MIT */
/* Queries at the left, keys at the right, a line for each weight between them. */
#include "bar.h"
#include "layout-private.h"
#include "legend.h"
#include "links.h"
#include "shades.h"

#include <math.h>

/* all in em of the view's font */
#define LABEL_MAX 11.0 /* more where the lines leave it */
#define LABEL_GAP 0.5
#define MAX_PITCH 2.6     /* from row to row where few have much room */
#define USUAL_PITCH 1.75  /* where the height is not limited … */
#define USUAL_HEIGHT 70.0 /* … and the rows are not higher than this together */
#define LEAST_PITCH 1.25
#define MAX_WIDTH 34.0 /* of the lines */
#define LEAST_WIDTH 4.0
#define ROW_WIDTHS 1.3 /* the lines' width over their height, where that is not tiny … */
#define WIDE 2.4       /* … and where the height is not limited, before rows are moved apart */
#define LEAST_MAX_WIDTH 16.0
#define LEGEND_GAP 0.5
#define BAR_GAP 1.8
#define BAR_HEIGHT_MAX 18.0
#define LABELS_FROM 12.0 /* narrower pictures have no labels */
#define BAR_FROM 20.0    /* … and no bar */
#define ONE_HEAD_LINE 0.13
#define MANY_HEADS_LINE 0.085
#define SPREAD 0.66      /* of the row, in which all heads' lines begin */
#define LABEL_SHARE 0.25 /* of the picture's width, at most */

typedef struct {
  bool has_labels, has_bar, has_legend;
  double bar_room;      /* px at the right, with its gap */
  double pitch, width;  /* px of a row's height and of the lines' width */
  double left, right;   /* px of the labels with their gap */
  double legend_height; /* px with its gap */
  AttnDrawLegend legend;
  AttnDrawLabelPlan queries, keys;
  AttnDrawParts parts;
} Columns;

static double
get_inside (const AttnDrawBuild *build, const Columns *columns)
{
  return build->width - 2 * build->margin - columns->bar_room;
}

static double
count_rows (const AttnDrawBuild *build)
{
  size_t n_queries = attn_draw_labels_get_n (build->queries);
  return (double)MAX (n_queries, attn_draw_labels_get_n (build->keys));
}

/* As much as the height has for each, within what reads well; lower pictures scroll or are cut.
 * Where the height is free, wide lines are higher ones. */
static double
choose_pitch (const AttnDrawBuild *build, const Columns *columns)
{
  double n_rows = count_rows (build), em = build->em;

  if (!isfinite (build->max_height)) {
    double usual = CLAMP (USUAL_HEIGHT * em / n_rows, LEAST_PITCH * em, USUAL_PITCH * em);
    return floor (CLAMP (columns->width / WIDE / n_rows, usual, MAX_PITCH * em));
  }
  double room = build->max_height - 2 * build->margin - columns->parts.heading.height -
                columns->legend_height - columns->parts.notes.height;
  return floor (CLAMP (room / n_rows, LEAST_PITCH * em, MAX_PITCH * em));
}

static AttnDrawLabelPlan
plan_side (const AttnDrawBuild *build, const Columns *columns, AttnDrawLabels *labels)
{
  double most = (get_inside (build, columns) - LEAST_WIDTH * build->em) / 2 - LABEL_GAP * build->em;
  double usual = MIN (LABEL_MAX * build->em, LABEL_SHARE * build->width);
  AttnDrawLabelRoom room = {
      .pitch = columns->pitch,
      .max_length = MAX (floor (MIN (usual, most)), 1),
      .max_size = build->em,
  };
  return attn_draw_labels_plan (labels, &room);
}

static void
plan_labels (AttnDrawBuild *build, Columns *columns)
{
  columns->queries = plan_side (build, columns, build->queries);
  columns->keys = plan_side (build, columns, build->keys);
  columns->left = ceil (columns->queries.length + LABEL_GAP * build->em);
  columns->right = ceil (columns->keys.length + LABEL_GAP * build->em);
}

/* Whoever sets the height gets a picture as wide as it needs to be, whoever does not, one that
 * fills its width. */
static void
plan_width (const AttnDrawBuild *build, Columns *columns)
{
  double room = get_inside (build, columns) - columns->left - columns->right;
  double by_height = ROW_WIDTHS * columns->pitch * count_rows (build);
  double most = CLAMP (by_height, LEAST_MAX_WIDTH * build->em, MAX_WIDTH * build->em);

  columns->width = floor (MAX (isfinite (build->max_height) ? MIN (room, most) : room, 1));
}

static void
plan_legend (AttnDrawBuild *build, Columns *columns)
{
  if (!columns->has_legend)
    return;
  columns->legend = attn_draw_legend_plan (build, build->width - 2 * build->margin);
  columns->legend_height = columns->legend.height + ceil (LEGEND_GAP * build->em);
}

static void
plan_parts (AttnDrawBuild *build, Columns *columns)
{
  const AttnDrawLinkSet *set = &build->layout->links->shown;
  AttnDrawParts *parts = &columns->parts;

  parts->width = columns->left + columns->width + columns->right + columns->bar_room;
  parts->height = columns->legend_height + columns->pitch * count_rows (build);
  if (columns->has_legend)
    parts->overhang = MAX (columns->legend.width - parts->width, 0);
  AttnDrawNotes notes = {
      .width = parts->width,
      .stride = MAX (columns->queries.stride, columns->keys.stride),
      .is_thinned =
          columns->has_labels && (columns->queries.is_thinned || columns->keys.is_thinned),
      .least_code = set->is_cut ? set->least : 0,
  };
  parts->notes = attn_draw_lines_notes (build, &notes);
}

/* What stands under the lines is known when they are as wide as they will be, and takes height from
 * them in turn: the second round settles it. */
static Columns
plan_columns (AttnDrawBuild *build)
{
  Columns columns = {
      .has_labels = build->width >= LABELS_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
      .has_legend = build->width >= LABELS_FROM * build->em &&
                    attn_draw_panels_get_n (build->layout->panels) > 1,
      .parts.heading = attn_draw_lines_heading (build),
  };

  if (columns.has_bar)
    columns.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  plan_legend (build, &columns);
  for (int round = 0; round < 2; round++) {
    columns.pitch = MAX (choose_pitch (build, &columns), 1);
    if (columns.has_labels)
      plan_labels (build, &columns);
    plan_width (build, &columns);
    plan_parts (build, &columns);
  }
  return columns;
}

static double
choose_line_width (const AttnDrawBuild *build, const AttnDrawLinks *links)
{
  double apart = links->spread / (double)links->n_slots;
  double most = ONE_HEAD_LINE * build->em, least = MANY_HEADS_LINE * build->em;

  return links->n_slots == 1 ? most : CLAMP (apart, least, most);
}

static void
place_lines (AttnDrawBuild *build, const Columns *columns, double x, double y)
{
  AttnDrawLayout *layout = build->layout;
  AttnDrawLinks *links = layout->links;
  AttnDrawRect rect = {x, y, columns->width, columns->pitch * count_rows (build)};

  links->rect = rect;
  links->pitch = columns->pitch;
  links->spread = links->n_slots > 1 ? SPREAD * columns->pitch : 0;
  links->line_width = choose_line_width (build, links);
  links->labels_left = x - columns->left;
  links->labels_right = x + columns->width + columns->right;
  for (size_t panel = 0; panel < attn_draw_panels_get_n (layout->panels); panel++)
    layout->places[panel] = (AttnDrawPlace){rect, columns->has_labels ? links->labels_left : -1};
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_LINES,
      .role = ATTN_DRAW_ROLE_MAP,
      .rect = rect,
      .panel = G_MAXSIZE,
      .token = G_MAXSIZE,
  };
  g_array_append_val (layout->items, item);
}

static void
add_labels (AttnDrawBuild *build, const Columns *columns, double x, double y)
{
  double gap = LABEL_GAP * build->em;
  double right = x + columns->width + gap;

  for (size_t token = 0; token < attn_draw_labels_get_n (build->queries); token++)
    if (attn_draw_labels_is_shown (build->queries, &columns->queries, token))
      attn_draw_labels_add_query (build, &columns->queries, G_MAXSIZE, token, x - gap,
                                  y + ((double)token + 0.5) * columns->pitch);
  for (size_t token = 0; token < attn_draw_labels_get_n (build->keys); token++)
    if (attn_draw_labels_is_shown (build->keys, &columns->keys, token))
      attn_draw_labels_add_beside (build, &columns->keys, token, right,
                                   y + ((double)token + 0.5) * columns->pitch);
}

/* Around the labels of what is pinned. */
static void
add_pins (AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;

  if (!view->has_pin)
    return;
  if (view->pin_query < attn_draw_labels_get_n (build->queries))
    attn_draw_build_add_mark (build, 0, view->pin_query, G_MAXSIZE, 1);
  if (view->pin_key < attn_draw_labels_get_n (build->keys))
    attn_draw_build_add_mark (build, 0, G_MAXSIZE, view->pin_key, 1);
}

/* From the ground to the colour of the strongest lines: a head's, or that of the text for several;
 * of signed weights to the colours of both signs. */
static void
make_ramp (AttnDrawLayout *layout)
{
  const AttnDrawLinks *links = layout->links;
  AttnDrawColor ground = layout->ink->background;

  if (links->is_signed) {
    attn_draw_shades_diverge (ground, attn_draw_color_from_pixel (links->below),
                              attn_draw_color_from_pixel (links->above), layout->ramp);
    return;
  }
  AttnDrawColor most =
      links->n_slots == 1 ? attn_draw_color_from_pixel (links->colors[0]) : layout->ink->text;

  for (size_t code = 0; code < 256; code++)
    layout->ramp[code] =
        attn_draw_color_to_pixel (attn_draw_color_mix (ground, most, (double)code / 255));
}

void
attn_draw_layout_lines (AttnDrawBuild *build)
{
  AttnDrawLayout *layout = build->layout;
  double left, top;

  layout->links = attn_draw_links_new (layout);
  make_ramp (layout);
  Columns columns = plan_columns (build);
  attn_draw_parts_add (build, &columns.parts, &left, &top);
  double x = left + columns.left, y = top + columns.legend_height;
  if (columns.has_legend)
    attn_draw_legend_add (build, &columns.legend, left, top);
  place_lines (build, &columns, x, y);
  if (columns.has_labels) {
    add_labels (build, &columns, x, y);
    add_pins (build);
  }
  if (columns.has_bar) {
    double bar_x = left + columns.parts.width - columns.bar_room + round (BAR_GAP * build->em);
    attn_draw_bar_add (build, G_MAXSIZE, bar_x, y,
                       MIN (layout->links->rect.height, round (BAR_HEIGHT_MAX * build->em)));
  }
}
