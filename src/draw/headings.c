/* SPDX-License-Identifier: MIT */
/* The lines of text over and under the maps. */
#include "bar.h"
#include "layout-private.h"
#include "panels-private.h"
#include "plain-text.h"

#include <math.h>
#include <string.h>

#define TITLE_SIZE 1.15 /* em */
#define SUBTITLE_SIZE 0.92
#define TITLE_GAP 2.0   /* px from title to subtitle */
#define HEADING_GAP 0.6 /* em from the heading to the maps */
#define NOTE_SIZE 0.88
#define NOTES_GAP 0.8    /* em from the maps to the notes */
#define NOTE_LINE 1.45   /* em of a note from line to line */
#define NOTE_GAP 1.6     /* em between two notes on a line */
#define NOTES_WIDTH 28.0 /* em that lines of notes may be long where the maps are narrower */
#define MOST_KEYS 60     /* of columns that have no names beside them, likewise */
#define MOST_NAMES 6     /* of tokens without a partner; of more their number is told */
#define LEAST_WIDTH 3.0  /* em; narrower pictures have no lines of text */

static double
get_content_width (const AttnDrawBuild *build)
{
  return build->width - 2 * build->margin;
}

/* Takes a text in under the others. */
static AttnDrawExtents
take_line (AttnDrawLines *lines, PangoLayout *text, AttnDrawRole role, double x, double y)
{
  AttnDrawExtents extents = attn_draw_text_measure (text);

  lines->lines[lines->n].text = text;
  lines->lines[lines->n].role = role;
  lines->lines[lines->n].x = x;
  lines->lines[lines->n].y = y;
  lines->lines[lines->n].ends_right = false;
  lines->n++;
  lines->width = MAX (lines->width, x + extents.width);
  return extents;
}

static void
take_heading (AttnDrawBuild *build,
              AttnDrawLines *lines,
              const char *text,
              AttnDrawRole role,
              const AttnDrawStyle *style)
{
  if (text == NULL || *text == '\0')
    return;
  double y = lines->n > 0 ? lines->height + TITLE_GAP : 0;
  PangoLayout *shaped = attn_draw_fonts_shape_within (build->fonts, text, style);
  lines->height = ceil (y + take_line (lines, shaped, role, 0, y).height);
}

/* On one line; where an arrangement makes it too long, that has lines of its own, all of it. */
static void
take_title (AttnDrawBuild *build, AttnDrawLines *lines, const AttnDrawStyle *style)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  AttnDrawStyle whole = {.size_px = style->size_px, .bold = style->bold};
  AttnDrawStyle arranged = {
      .size_px = SUBTITLE_SIZE * build->em, .wraps = true, .max_width = style->max_width};

  if (strings->arranged == NULL || *strings->arranged == '\0' ||
      attn_draw_text_measure (attn_draw_fonts_shape (build->fonts, strings->title, &whole)).width <=
          style->max_width) {
    take_heading (build, lines, strings->title, ATTN_DRAW_ROLE_TITLE, style);
    return;
  }
  take_heading (build, lines, strings->subject, ATTN_DRAW_ROLE_TITLE, style);
  take_heading (build, lines, strings->arranged, ATTN_DRAW_ROLE_TITLE, &arranged);
}

AttnDrawLines
attn_draw_lines_heading (AttnDrawBuild *build)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  double width = get_content_width (build);
  AttnDrawStyle title = {.size_px = TITLE_SIZE * build->em,
                         .bold = true,
                         .wraps = true, /* one that is cut tells something else */
                         .max_width = width};
  AttnDrawStyle subtitle = {.size_px = SUBTITLE_SIZE * build->em, .max_width = width};
  AttnDrawLines lines = {.n = 0};

  if (width < LEAST_WIDTH * build->em)
    return lines;
  take_title (build, &lines, &title);
  take_heading (build, &lines, strings->subtitle, ATTN_DRAW_ROLE_SUBTITLE, &subtitle);
  take_heading (build, &lines, strings->subtitle_b, ATTN_DRAW_ROLE_SUBTITLE, &subtitle);
  lines.height = ceil (lines.height + HEADING_GAP * build->em);
  return lines;
}

typedef struct {
  PangoLayout *texts[ATTN_DRAW_MAX_LINES];
  AttnDrawExtents extents[ATTN_DRAW_MAX_LINES];
  size_t n;
} Notes;

static void
shape_note (AttnDrawBuild *build, Notes *notes, const char *text)
{
  double width = get_content_width (build);
  AttnDrawStyle style = {.size_px = NOTE_SIZE * build->em, .wraps = true, .max_width = width};

  if (text == NULL || *text == '\0')
    return;
  notes->texts[notes->n] = attn_draw_fonts_shape_within (build->fonts, text, &style);
  notes->extents[notes->n] = attn_draw_text_measure (notes->texts[notes->n]);
  notes->n++;
}

/* Which part of the maps is drawn; tokens count from 1 where people read. */
static void
shape_part (AttnDrawBuild *build, Notes *notes)
{
  const AttnDrawLayout *layout = build->layout;
  const AttnDrawPanels *panels = layout->panels;
  const size_t numbers[] = {layout->rows.first + 1,
                            layout->rows.end,
                            attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY),
                            layout->columns.first + 1,
                            layout->columns.end,
                            attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY)};
  char texts[G_N_ELEMENTS (numbers)][24];
  const char *arguments[G_N_ELEMENTS (numbers)];

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_snprintf (texts[i], sizeof texts[i], "%zu", numbers[i]);
    arguments[i] = texts[i];
  }
  g_autofree char *part =
      attn_draw_fill (layout->view->strings.part, arguments, G_N_ELEMENTS (arguments));
  shape_note (build, notes, part);
}

/* Tokens that have no partner, by name while they are few: "A: it, was · B: too". */
static char *
name_alone (const AttnDrawJoint *joint, AttnSide side)
{
  GString *names = g_string_new (NULL);

  for (int of = 0; of < 2; of++) {
    const AttnDrawJointSide *joint_side = &joint->sides[side];
    size_t n_alone = attn_alignment_get_n_alone (joint_side->alignment, of == 1), n = 0;
    if (n_alone > 0)
      g_string_append_printf (names, "%s%s: ", names->len > 0 ? " · " : "", of == 0 ? "A" : "B");
    for (size_t i = 0; n < MIN (n_alone, MOST_NAMES); i++) {
      if (attn_alignment_find (joint_side->alignment, of == 1, i) != G_MAXSIZE)
        continue;
      g_autofree char *name =
          attn_draw_visible_label (attn_maps_peek_label (joint->maps[of], side, i));
      g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", name);
      n++;
    }
    if (n_alone > n)
      g_string_append_printf (names, ", … (%zu)", n_alone);
  }
  return g_string_free (names, FALSE);
}

static void
shape_alone (AttnDrawBuild *build, Notes *notes)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  const AttnDrawJoint *joint = attn_draw_panels_peek_joint (build->layout->panels);
  g_autofree char *queries = name_alone (joint, ATTN_SIDE_QUERY);
  g_autofree char *keys = name_alone (joint, ATTN_SIDE_KEY);
  g_autofree char *all = attn_draw_format_string (strings->alone, queries);
  g_autofree char *of_queries = attn_draw_format_string (strings->alone_queries, queries);
  g_autofree char *of_keys = attn_draw_format_string (strings->alone_keys, keys);
  bool is_same = strcmp (queries, keys) == 0;

  if (*queries != '\0')
    shape_note (build, notes, is_same ? all : of_queries);
  if (*keys != '\0' && !is_same)
    shape_note (build, notes, of_keys);
}

/* Small maps have names beside their rows alone; where columns are called otherwise they are told.
 */
static void
shape_two_lists (AttnDrawBuild *build, Notes *notes)
{
  const AttnDrawLayout *layout = build->layout;
  const AttnMaps *maps = attn_draw_panels_peek_maps (layout->panels);
  const char *format = layout->view->strings.two_lists;
  size_t end = MIN (layout->columns.end, layout->columns.first + MOST_KEYS);
  bool has_text = layout->view->kind == ATTN_DRAW_TEXT && attn_maps_peek_trace (maps) != NULL;

  if (*format == '\0' || has_text || attn_maps_has_same_labels (maps))
    return;
  g_autoptr (GString) names = g_string_new (NULL);
  for (size_t key = layout->columns.first; key < end; key++) {
    g_autofree char *name =
        attn_draw_visible_label (attn_maps_peek_label (maps, ATTN_SIDE_KEY, key));
    g_string_append_printf (names, "%s%s", names->len > 0 ? "  " : "", name);
  }
  if (end < layout->columns.end)
    g_string_append_printf (names, " … (%zu)", layout->columns.end - end);
  g_autofree char *note = attn_draw_format_string (format, names->str);
  shape_note (build, notes, note);
}

/* What has to be said of A − B. */
static void
shape_comparison (AttnDrawBuild *build, Notes *notes)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  AttnDrawPanels *panels = build->layout->panels;
  size_t difference = attn_draw_panels_get_n (panels) - 1;

  if (!attn_draw_panels_is_difference (panels, difference)) {
    shape_note (build, notes, strings->apart);
    return;
  }
  g_autofree char *max = attn_draw_bar_format_max (build, difference);
  g_autofree char *range = attn_draw_format_string (strings->difference_range, max);
  if (attn_draw_panels_has_no_difference (panels)) {
    shape_note (build, notes, strings->no_difference);
  } else {
    shape_note (build, notes, range);
    shape_note (build, notes, strings->signs);
  }
  shape_alone (build, notes);
}

/* How numbers are shown that no softmax gives. */
static void
shape_odd (AttnDrawBuild *build, Notes *notes)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  unsigned odd = attn_draw_panels_get_odd (build->layout->panels);
  unsigned crossed = odd & ATTN_DRAW_ODD_CROSSED;

  if (attn_draw_panels_is_signed (build->layout->panels, G_MAXSIZE))
    shape_note (build, notes, strings->polarity);
  if (crossed != 0)
    shape_note (build, notes,
                crossed == ATTN_DRAW_ODD_NAN        ? strings->not_a_number
                : crossed == ATTN_DRAW_ODD_INFINITE ? strings->infinite
                                                    : strings->not_finite);
  if (crossed != 0 && *strings->mean_without != '\0')
    shape_note (build, notes, strings->mean_without);
  if ((odd & ATTN_DRAW_ODD_NEGATIVE) != 0 && *strings->negative != '\0')
    shape_note (build, notes, strings->negative);
}

static Notes
shape_notes (AttnDrawBuild *build, const AttnDrawNotes *told)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  AttnDrawPanels *panels = build->layout->panels;
  g_autofree char *max = attn_draw_bar_format_max (build, 0);
  g_autofree char *range = attn_draw_format_string (strings->range, max);
  g_autofree char *stride_text = g_strdup_printf ("%zu", told->stride);
  g_autofree char *thinned = attn_draw_format_string (strings->thinned, stride_text);
  Notes notes = {.n = 0};

  shape_note (build, &notes, strings->axes);
  shape_note (build, &notes, range);
  shape_two_lists (build, &notes);
  if (attn_draw_panels_peek_joint (panels) != NULL)
    shape_comparison (build, &notes);
  if (attn_draw_layout_is_part (build->layout))
    shape_part (build, &notes);
  if (told->is_thinned)
    shape_note (build, &notes, thinned);
  if (told->is_pooled)
    shape_note (build, &notes, strings->pooled);
  if (told->least_code > 255)
    shape_note (build, &notes, strings->too_many);
  else if (told->least_code > 0) {
    g_autofree char *percent = g_strdup_printf ("%.0f %%", 100 * told->least_code / 255.0);
    g_autofree char *left_out = attn_draw_format_string (strings->left_out, percent);
    shape_note (build, &notes, left_out);
  }
  if (attn_draw_panels_has_hidden (panels) && !told->hides_hidden)
    shape_note (build, &notes, strings->hidden);
  shape_odd (build, &notes);
  if (build->layout->view->scale != ATTN_DRAW_SCALE_LINEAR && attn_draw_panels_has_zero (panels))
    shape_note (build, &notes, strings->zero);
  return notes;
}

/* One after the other from the left; a note that does not fit under maps of @width px begins a
 * line. */
static double
flow_notes (AttnDrawBuild *build,
            const Notes *notes,
            size_t first,
            double width,
            double y,
            AttnDrawLines *lines)
{
  double line = NOTE_LINE * NOTE_SIZE * build->em;
  double gap = NOTE_GAP * build->em;
  double end = MIN (get_content_width (build), MAX (width, NOTES_WIDTH * build->em));
  double x = 0, height = 0;

  for (size_t i = first; i < notes->n; i++) {
    const AttnDrawExtents *extents = &notes->extents[i];
    if (x > 0 && x + extents->width > end) {
      y += height;
      x = 0;
      height = 0;
    }
    take_line (lines, notes->texts[i], ATTN_DRAW_ROLE_NOTE, x, y);
    x += extents->width + gap;
    height = MAX (height, MAX (extents->height, line));
  }
  return y + height;
}

/* Axes and range at both ends of the maps where they are wide enough, the others below. */
AttnDrawLines
attn_draw_lines_notes (AttnDrawBuild *build, const AttnDrawNotes *told)
{
  double y = round (NOTES_GAP * build->em);
  AttnDrawLines lines = {.height = y};

  if (get_content_width (build) < LEAST_WIDTH * build->em)
    return lines;
  Notes notes = shape_notes (build, told);
  double used = notes.extents[0].width + notes.extents[1].width + NOTE_GAP * build->em;
  size_t n_at_ends = notes.n >= 2 && used <= told->width ? 2 : 0;
  for (size_t i = 0; i < n_at_ends; i++)
    take_line (&lines, notes.texts[i], ATTN_DRAW_ROLE_NOTE, 0, y);
  if (n_at_ends > 0) {
    lines.lines[1].ends_right = true;
    y += NOTE_LINE * NOTE_SIZE * build->em;
  }
  lines.height = ceil (flow_notes (build, &notes, n_at_ends, told->width, y, &lines));
  return lines;
}

void
attn_draw_lines_add (
    AttnDrawBuild *build, const AttnDrawLines *lines, double x, double y, double right)
{
  const AttnDrawInk *ink = build->layout->ink;

  for (size_t i = 0; i < lines->n; i++) {
    AttnDrawRole role = lines->lines[i].role;
    AttnDrawExtents extents = attn_draw_text_measure (lines->lines[i].text);
    double start = lines->lines[i].ends_right ? right - extents.width : x + lines->lines[i].x;
    AttnDrawTextPlace place = {
        .role = role,
        .panel = G_MAXSIZE,
        .token = G_MAXSIZE,
        .x = start - extents.left,
        .y = y + lines->lines[i].y,
        .color = role == ATTN_DRAW_ROLE_TITLE ? ink->text : ink->dim,
    };
    attn_draw_build_add_text (build, lines->lines[i].text, &place);
  }
}
