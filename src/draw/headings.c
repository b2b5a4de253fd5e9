/* SPDX-License-Identifier: MIT */
/* The lines of text over and under the maps. */
#include "bar.h"
#include "layout-private.h"
#include "panels-private.h"

#include <math.h>

#define TITLE_SIZE 1.15 /* em */
#define SUBTITLE_SIZE 0.92
#define NOTE_SIZE 0.88
#define NOTE_LINE 1.45  /* em of a note from line to line */
#define NOTE_GAP 1.6    /* em between two notes on a line */
#define LEAST_WIDTH 3.0 /* em; narrower pictures have no lines of text */
#define MAX_NOTES 6

static double
get_content_width (const AttnDrawBuild *build)
{
  return build->width - 2 * build->margin;
}

static double
add_heading_line (
    AttnDrawBuild *build, const char *text, AttnDrawRole role, const AttnDrawStyle *style, double y)
{
  if (text == NULL || *text == '\0')
    return y;
  const AttnDrawInk *ink = build->layout->ink;
  PangoLayout *shaped = attn_draw_fonts_shape_within (build->fonts, text, style);
  AttnDrawExtents extents = attn_draw_text_measure (shaped);

  attn_draw_build_add_text (
      build, shaped,
      &(AttnDrawTextPlace){.role = role,
                           .panel = G_MAXSIZE,
                           .token = G_MAXSIZE,
                           .x = build->margin - extents.left,
                           .y = y,
                           .color = role == ATTN_DRAW_ROLE_TITLE ? ink->text : ink->dim});
  return ceil (y + extents.height);
}

double
attn_draw_build_heading (AttnDrawBuild *build)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  double y = build->margin;
  double width = get_content_width (build);
  AttnDrawStyle title = {.size_px = TITLE_SIZE * build->em, .bold = true, .max_width = width};
  AttnDrawStyle subtitle = {.size_px = SUBTITLE_SIZE * build->em, .max_width = width};

  if (width < LEAST_WIDTH * build->em)
    return y;
  y = add_heading_line (build, strings->title, ATTN_DRAW_ROLE_TITLE, &title, y);
  y = add_heading_line (build, strings->subtitle, ATTN_DRAW_ROLE_SUBTITLE, &subtitle, y + 2);
  return ceil (y + 0.6 * build->em);
}

typedef struct {
  PangoLayout *texts[MAX_NOTES];
  AttnDrawExtents extents[MAX_NOTES];
  size_t n;
} Notes;

static void
add_note (AttnDrawBuild *build, Notes *notes, const char *text)
{
  double width = get_content_width (build);
  AttnDrawStyle style = {.size_px = NOTE_SIZE * build->em, .wraps = true, .max_width = width};

  if (text == NULL || *text == '\0')
    return;
  notes->texts[notes->n] = attn_draw_fonts_shape_within (build->fonts, text, &style);
  notes->extents[notes->n] = attn_draw_text_measure (notes->texts[notes->n]);
  notes->n++;
}

static void
place_note (AttnDrawBuild *build, const Notes *notes, size_t index, double x, double y)
{
  attn_draw_build_add_text (build, notes->texts[index],
                            &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_NOTE,
                                                 .panel = G_MAXSIZE,
                                                 .token = G_MAXSIZE,
                                                 .x = x - notes->extents[index].left,
                                                 .y = y,
                                                 .color = build->layout->ink->dim});
}

/* One after the other from the left; a note that does not fit begins a line. */
static double
flow_notes (AttnDrawBuild *build, const Notes *notes, size_t first, double y)
{
  double line = NOTE_LINE * NOTE_SIZE * build->em;
  double gap = NOTE_GAP * build->em;
  double end = build->margin + get_content_width (build);
  double x = build->margin, height = 0;

  for (size_t i = first; i < notes->n; i++) {
    const AttnDrawExtents *extents = &notes->extents[i];
    if (x > build->margin && x + extents->width > end) {
      y += height;
      x = build->margin;
      height = 0;
    }
    place_note (build, notes, i, x, y);
    x += extents->width + gap;
    height = MAX (height, MAX (extents->height, line));
  }
  return y + height;
}

double
attn_draw_build_notes (
    AttnDrawBuild *build, double y, double right, size_t stride, bool is_thinned, bool is_pooled)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  AttnDrawPanels *panels = build->layout->panels;
  g_autofree char *max = attn_draw_bar_format_max (build, 0);
  g_autofree char *range = attn_draw_format_string (strings->range, max);
  g_autofree char *stride_text = g_strdup_printf ("%zu", stride);
  g_autofree char *thinned = attn_draw_format_string (strings->thinned, stride_text);
  Notes notes = {.n = 0};

  if (get_content_width (build) < LEAST_WIDTH * build->em)
    return y;
  add_note (build, &notes, strings->axes);
  add_note (build, &notes, range);
  if (is_thinned)
    add_note (build, &notes, thinned);
  if (is_pooled)
    add_note (build, &notes, strings->pooled);
  if (attn_draw_panels_has_hidden (panels))
    add_note (build, &notes, strings->hidden);
  if (attn_draw_panels_has_nan (panels))
    add_note (build, &notes, strings->not_a_number);

  double used = notes.extents[0].width + notes.extents[1].width + NOTE_GAP * build->em;
  if (notes.n < 2 || build->margin + used > right)
    return ceil (flow_notes (build, &notes, 0, y));
  place_note (build, &notes, 0, build->margin, y);
  place_note (build, &notes, 1, right - notes.extents[1].width, y);
  y += NOTE_LINE * NOTE_SIZE * build->em;
  return ceil (flow_notes (build, &notes, 2, y));
}
