/* SPDX-License-Identifier: MIT */
/* Choosing labels' size, turn and number from what they measure. */
#include "labels.h"

#include "plain-text.h"

#include <math.h>

#define SLANT (-55 * G_PI / 180)
#define UPRIGHT (-G_PI_2)
#define MIN_SHARE 0.62       /* of the view's font size: the smallest labels */
#define SLANT_MIN_SHARE 0.78 /* smaller ones stand upright, which leaves more room */
#define FLAT_GAP 0.4         /* em between two flat labels */
#define FLAT_MAX_SHARE 1.2   /* of a column's width, of a flat label */
#define MIDDLE 0.36          /* em from the baseline up to the middle of a capital */
#define USUAL_UP 0.40        /* em over the middle line that Latin letters take … */
#define USUAL_DOWN 0.58      /* … and under it */
#define AIR 0.06             /* em between two lines */
#define THINNED_AIR 0.2      /* … where there is room anyway */

/* A label's measures at the view's font size, in em. */
typedef struct {
  bool is_known;
  double width, up, down;
} Measure;

struct _AttnDrawLabels {
  AttnDrawFonts *fonts;
  AttnMaps *maps;
  AttnSide side;
  size_t n, pin;
  AttnDrawSpan drawn;
  char **texts;      /* [n], made when asked for */
  Measure *measures; /* [n], likewise */
};

AttnDrawLabels *
attn_draw_labels_new (
    AttnDrawFonts *fonts, AttnMaps *maps, AttnSide side, size_t pin, AttnDrawSpan drawn)
{
  AttnDrawLabels *labels = g_new0 (AttnDrawLabels, 1);

  labels->fonts = fonts;
  labels->maps = maps;
  labels->side = side;
  labels->n = attn_maps_get_n (maps, side);
  labels->pin = pin < labels->n ? pin : G_MAXSIZE;
  labels->drawn = drawn;
  labels->texts = g_new0 (char *, labels->n);
  labels->measures = g_new0 (Measure, labels->n);
  return labels;
}

void
attn_draw_labels_free (AttnDrawLabels *labels)
{
  if (labels == NULL)
    return;
  for (size_t token = 0; token < labels->n; token++)
    g_free (labels->texts[token]);
  g_free (labels->texts);
  g_free (labels->measures);
  g_free (labels);
}

size_t
attn_draw_labels_get_n (const AttnDrawLabels *labels)
{
  return labels->drawn.end - labels->drawn.first;
}

AttnDrawSpan
attn_draw_labels_get_drawn (const AttnDrawLabels *labels)
{
  return labels->drawn;
}

bool
attn_draw_labels_is_pinned (const AttnDrawLabels *labels, size_t token)
{
  return token == labels->pin;
}

static const char *
peek_text (AttnDrawLabels *labels, size_t token)
{
  if (labels->texts[token] == NULL)
    labels->texts[token] =
        attn_draw_visible_label (attn_maps_peek_label (labels->maps, labels->side, token));
  return labels->texts[token];
}

static bool
stands (AttnDrawLabels *labels, size_t token)
{
  return attn_draw_text_stands (peek_text (labels, token));
}

double
attn_draw_labels_get_angle (AttnDrawLabels *labels, const AttnDrawLabelPlan *plan, size_t token)
{
  return stands (labels, token) ? 0 : plan->angle;
}

double
attn_draw_labels_get_middle (const AttnDrawExtents *extents, double size_px)
{
  return extents->baseline - MIDDLE * size_px;
}

static const Measure *
peek_measure (AttnDrawLabels *labels, size_t token)
{
  Measure *measure = &labels->measures[token];
  if (measure->is_known)
    return measure;

  double em = attn_draw_fonts_get_em (labels->fonts);
  AttnDrawStyle style = {.size_px = em, .bold = token == labels->pin};
  AttnDrawExtents extents = attn_draw_text_measure (
      attn_draw_fonts_shape (labels->fonts, peek_text (labels, token), &style));
  double middle = attn_draw_labels_get_middle (&extents, em);
  *measure = (Measure){
      .is_known = true,
      .width = extents.width / em,
      .up = (middle - extents.ink_top) / em,
      .down = (extents.ink_bottom - middle) / em,
  };
  return measure;
}

bool
attn_draw_labels_is_shown (const AttnDrawLabels *labels,
                           const AttnDrawLabelPlan *plan,
                           size_t token)
{
  if (token == labels->pin)
    return true;
  /* the same ones while the picture moves over the map, but always one */
  size_t origin = plan->stride >= attn_draw_labels_get_n (labels) ? labels->drawn.first : 0;
  if ((token - origin) % plan->stride != 0)
    return false;
  if (labels->pin == G_MAXSIZE || plan->pin_margin == 0)
    return true;
  size_t distance = token > labels->pin ? token - labels->pin : labels->pin - token;
  return distance > plan->pin_margin;
}

/* The largest measures of every stride-th label and the pinned one. */
static Measure
measure_shown (AttnDrawLabels *labels, size_t stride)
{
  Measure most = {.is_known = true, .width = 0, .up = USUAL_UP, .down = USUAL_DOWN};

  for (size_t token = 0; token < labels->n; token += stride) {
    const Measure *measure = peek_measure (labels, token);
    most.width = MAX (most.width, measure->width);
    most.up = MAX (most.up, measure->up);
    most.down = MAX (most.down, measure->down);
  }
  if (labels->pin != G_MAXSIZE) {
    const Measure *measure = peek_measure (labels, labels->pin);
    most.width = MAX (most.width, measure->width);
    most.up = MAX (most.up, measure->up);
    most.down = MAX (most.down, measure->down);
  }
  return most;
}

/* px from one line to the next, across the text, when tokens are @pitch apart. */
static double
across (double pitch, double angle)
{
  return angle == 0 ? pitch : pitch * sin (-angle);
}

static void
count_shown (const AttnDrawLabels *labels, AttnDrawLabelPlan *plan, double pitch, double need)
{
  size_t n_shown = 0;

  if (plan->stride > 1 && pitch > 0)
    plan->pin_margin = (size_t)MIN (ceil (need / pitch), (double)labels->n) - 1;
  for (size_t token = labels->drawn.first; token < labels->drawn.end; token++)
    n_shown += attn_draw_labels_is_shown (labels, plan, token);
  plan->is_thinned = n_shown < attn_draw_labels_get_n (labels);
}

/* Whether every stride-th label at @angle fits with letters of at least @min_size px. */
static bool
try_plan (AttnDrawLabels *labels,
          const AttnDrawLabelRoom *room,
          double angle,
          size_t stride,
          double min_size,
          AttnDrawLabelPlan *plan)
{
  double pitch = across (room->pitch, angle);
  double air = stride > 1 ? THINNED_AIR : AIR;
  double least_need = USUAL_UP + USUAL_DOWN + air;
  bool is_last = stride >= attn_draw_labels_get_n (labels);
  if (!is_last && pitch * (double)stride < least_need * min_size)
    return false; /* without measuring any */

  Measure most = measure_shown (labels, stride);
  double need = most.up + most.down + air;
  double size = MIN (room->max_size, pitch * (double)stride / need);
  if (size < min_size && !is_last)
    return false;
  size = MAX (size, min_size);
  *plan = (AttnDrawLabelPlan){
      .size_px = size,
      .angle = angle,
      .stride = stride,
      .max_length = room->max_length,
      .up = most.up * size,
      .down = most.down * size,
      /* one that stands among turned ones is as high as a line */
      .length = MIN (MAX (most.width, most.up + most.down) * size, room->max_length),
  };
  count_shown (labels, plan, pitch, need * size);
  return true;
}

/* Whether flat labels leave room between them and do not stand out far at the sides. */
static bool
fits_flat (AttnDrawLabels *labels, double pitch)
{
  double em = attn_draw_fonts_get_em (labels->fonts);

  for (size_t token = 0; token < labels->n; token++) {
    double width = peek_measure (labels, token)->width * em;
    if (width > FLAT_MAX_SHARE * pitch)
      return false;
    if (token > 0) {
      double before = peek_measure (labels, token - 1)->width * em;
      if ((before + width) / 2 + FLAT_GAP * em > pitch)
        return false;
    }
  }
  return true;
}

/* Labels that lie flat over their columns. */
static bool
try_flat_keys (AttnDrawLabels *labels, const AttnDrawLabelRoom *room, AttnDrawLabelPlan *plan)
{
  double em = attn_draw_fonts_get_em (labels->fonts);
  if (room->min_stride > 1 || room->max_size < em || room->pitch < em)
    return false;
  if (!fits_flat (labels, room->pitch))
    return false;
  Measure most = measure_shown (labels, 1);
  *plan = (AttnDrawLabelPlan){
      .size_px = em,
      .stride = 1,
      .max_length = room->max_length,
      .up = most.up * em,
      .down = most.down * em,
      .length = most.width * em,
  };
  return true;
}

/* A slanted label would lean over the next one that stands. */
static bool
may_slant (AttnDrawLabels *labels)
{
  for (size_t token = 0; token < labels->n; token++)
    if (stands (labels, token))
      return false;
  return true;
}

AttnDrawLabelPlan
attn_draw_labels_plan (AttnDrawLabels *labels, const AttnDrawLabelRoom *room)
{
  double em = attn_draw_fonts_get_em (labels->fonts);
  double min_size = MIN (MIN_SHARE * em, room->max_size);
  double angle = room->turns ? UPRIGHT : 0;
  AttnDrawLabelPlan plan;

  if (room->turns && try_flat_keys (labels, room, &plan))
    return plan;
  if (room->slants && room->min_stride <= 1 && room->max_size >= SLANT_MIN_SHARE * em &&
      may_slant (labels) && try_plan (labels, room, SLANT, 1, SLANT_MIN_SHARE * em, &plan))
    return plan;
  for (size_t stride = MAX (room->min_stride, 1);; stride++)
    if (try_plan (labels, room, angle, stride, min_size, &plan))
      return plan;
}

PangoLayout *
attn_draw_labels_shape (AttnDrawLabels *labels,
                        const AttnDrawLabelPlan *plan,
                        size_t token,
                        double max_length)
{
  AttnDrawStyle style = {.size_px = plan->size_px, .bold = token == labels->pin};
  const char *text = peek_text (labels, token);
  double limit = MIN (plan->max_length, max_length);

  if (peek_measure (labels, token)->width * plan->size_px > limit)
    style.max_width = MAX (limit, 1);
  return attn_draw_fonts_shape (labels->fonts, text, &style);
}
