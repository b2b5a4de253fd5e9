/* SPDX-License-Identifier: MIT */
/* All heads as dots of a plane, near to each other where they look alike, with their names as far
 * as there is room, and a legend of the patterns. */
#include "atlas-private.h"
#include "plain-text.h"

#include <math.h>
#include <string.h>

#define DOT_EM 0.8
#define MANY 200 /* heads, whose dots are … */
#define MANY_DOT_EM 0.5
#define DIM_DOT 0.6       /* of the size */
#define PAD_EM 2.0        /* around the dots: their names */
#define LEAST_HEIGHT 0.45 /* of the width … */
#define MOST_HEIGHT 0.75  /* … so that a window has it all */
#define NAME_SIZE 0.78
#define N_SIDES 4      /* of a dot, where its name may stand */
#define MOST_DIGITS 16 /* characters of a name */

/* Places and what stands there already. */
typedef struct {
  Making *making;
  AttnDrawRect rect;   /* of the dots' middles */
  double dot;          /* px */
  AttnDrawPoint *dots; /* [n] */
  AttnDrawRect *names; /* [n_names] */
  size_t n, n_names;
  double widths[MOST_DIGITS], line; /* of names by their number of characters; 0: not measured */
} Plane;

static void
plane_clear (Plane *plane)
{
  g_free (plane->dots);
  g_free (plane->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plane, plane_clear)

typedef struct {
  double left, right, top, bottom;
} Bounds;

static Bounds
find_bounds (const AttnAtlasMap *map, size_t n)
{
  Bounds bounds = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (size_t i = 0; i < n; i++) {
    bounds.left = fmin (bounds.left, map->places[2 * i]);
    bounds.right = fmax (bounds.right, map->places[2 * i]);
    bounds.top = fmin (bounds.top, map->places[2 * i + 1]);
    bounds.bottom = fmax (bounds.bottom, map->places[2 * i + 1]);
  }
  return bounds;
}

/* One unit is as long across as down, or near heads would not look near. */
static void
place_dots (Plane *plane, const AttnAtlasMap *map, double x, double y, double width)
{
  const Bounds bounds = find_bounds (map, plane->n);
  const double pad = PAD_EM * plane->making->em, inner = MAX (width - 2 * pad, 1);
  const double across = bounds.right - bounds.left, down = bounds.bottom - bounds.top;
  const double share = across > 0 ? CLAMP (down / across, LEAST_HEIGHT, MOST_HEIGHT) : LEAST_HEIGHT;
  plane->rect = (AttnDrawRect){x + pad, y + pad, inner, ceil (inner * share)};
  double scale = across > 0 ? inner / across : 0;
  if (down > 0)
    scale = scale > 0 ? fmin (scale, plane->rect.height / down) : plane->rect.height / down;
  const double middle_x = plane->rect.x + inner / 2;
  const double middle_y = plane->rect.y + plane->rect.height / 2;
  for (size_t i = 0; i < plane->n; i++)
    plane->dots[i] = (AttnDrawPoint){
        middle_x + scale * (map->places[2 * i] - (bounds.left + bounds.right) / 2),
        middle_y - scale * (map->places[2 * i + 1] - (bounds.top + bounds.bottom) / 2)};
}

static bool
meet (const AttnDrawRect *a, const AttnDrawRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

static bool
is_free (const Plane *plane, const AttnDrawRect *rect)
{
  const double pad = PAD_EM * plane->making->em, dot = plane->dot;
  if (rect->x < plane->rect.x - pad ||
      rect->x + rect->width > plane->rect.x + plane->rect.width + pad)
    return false;
  for (size_t i = 0; i < plane->n; i++) {
    const AttnDrawRect other = {plane->dots[i].x - dot / 2, plane->dots[i].y - dot / 2, dot, dot};
    if (meet (rect, &other))
      return false;
  }
  for (size_t i = 0; i < plane->n_names; i++)
    if (meet (rect, &plane->names[i]))
      return false;
  return true;
}

/* Names of as many characters are as good as equally wide. */
static AttnDrawTextSize
measure (Plane *plane, const char *name)
{
  const size_t n = strlen (name);
  const AttnDrawFigureText item = {.text = name, .size = NAME_SIZE, .is_bold = true};
  if (n >= MOST_DIGITS || plane->widths[n] == 0) {
    const AttnDrawTextSize size = attn_draw_figure_measure_text (plane->making->builder, &item);
    plane->line = size.height;
    if (n >= MOST_DIGITS)
      return size;
    plane->widths[n] = size.width;
  }
  return (AttnDrawTextSize){plane->widths[n], plane->line, 0};
}

/* A head's name beside its dot, on the first side that is free; else nowhere. */
static void
add_name (Plane *plane, size_t index, bool is_chosen)
{
  Making *making = plane->making;
  const size_t H = making->asked->atlas->n_heads;
  g_autofree char *name = g_strdup_printf ("%zu-%zu", index / H + 1, index % H + 1);
  const AttnDrawTextSize size = measure (plane, name);
  const AttnDrawPoint dot = plane->dots[index];
  const double off = plane->dot / 2 + 2 + (is_chosen ? 0.3 * making->em : 0), width = size.width,
               height = size.height;
  const AttnDrawRect sides[N_SIDES] = {
      {dot.x + off, dot.y - height / 2, width, height},
      {dot.x - off - width, dot.y - height / 2, width, height},
      {dot.x - width / 2, dot.y - off - height, width, height},
      {dot.x - width / 2, dot.y + off, width, height},
  };
  size_t side = 0;
  while (side < N_SIDES && !is_free (plane, &sides[side]))
    side++;
  if (side == N_SIDES)
    return;
  const AttnDrawFigureText item = {.text = name,
                                   .size = NAME_SIZE,
                                   .is_bold = is_chosen,
                                   .tone =
                                       is_chosen ? ATTN_DRAW_TONE_ACCENT_TEXT : ATTN_DRAW_TONE_TEXT,
                                   .id = ATTN_DRAW_ATLAS_HEAD,
                                   .row = index / H,
                                   .column = index % H};
  attn_draw_figure_add_text (making->builder, &item, sides[side].x, sides[side].y);
  plane->names[plane->n_names++] = sides[side];
}

static void
add_dot (Plane *plane, size_t index, bool is_chosen)
{
  Making *making = plane->making;
  const size_t H = making->asked->atlas->n_heads;
  const AttnDrawPoint dot = plane->dots[index];
  const bool is_wanted = attn_draw_atlas_is_wanted (making, index / H, index % H);
  const double reach = plane->dot + 0.8 * making->em;
  if (is_chosen)
    attn_draw_atlas_dot (making, attn_draw_tone_get (making->style, ATTN_DRAW_TONE_ACCENT), dot.x,
                         dot.y, plane->dot + 0.6 * making->em);
  attn_draw_atlas_dot (
      making,
      is_wanted ? attn_draw_atlas_get_color (making->style, making->passports[index].pattern)
                : attn_draw_tone_get (making->style, ATTN_DRAW_TONE_RULE),
      dot.x, dot.y, is_wanted ? plane->dot : plane->dot * DIM_DOT);
  attn_draw_figure_identify (making->builder, ATTN_DRAW_ATLAS_HEAD, index / H, index % H);
  attn_draw_figure_widen (making->builder,
                          (AttnDrawRect){dot.x - reach / 2, dot.y - reach / 2, reach, reach});
}

/* Returns: the height. */
static double
add_plane (Making *making, double x, double y, double width)
{
  const AttnAtlas *atlas = making->asked->atlas;
  const size_t n = atlas->n_layers * atlas->n_heads, H = atlas->n_heads;
  const size_t chosen = making->asked->layer * H + making->asked->head;
  g_auto (Plane) plane = {.making = making,
                          .n = n,
                          .dot = (n > MANY ? MANY_DOT_EM : DOT_EM) * making->em,
                          .dots = g_new (AttnDrawPoint, n),
                          .names = g_new (AttnDrawRect, n)};
  place_dots (&plane, making->asked->map, x, y, width);
  const double height = plane.rect.height + 2 * PAD_EM * making->em;
  attn_draw_figure_add_card (making->builder, (AttnDrawRect){x, y, width, height},
                             attn_draw_tone_get (making->style, ATTN_DRAW_TONE_BACKGROUND),
                             attn_draw_tone_get (making->style, ATTN_DRAW_TONE_RULE), 4);
  for (int wanted = 0; wanted < 2; wanted++) /* dim ones lie below the others */
    for (size_t i = 0; i < n; i++)
      if (i != chosen && attn_draw_atlas_is_wanted (making, i / H, i % H) == (wanted > 0))
        add_dot (&plane, i, false);
  add_dot (&plane, chosen, true);
  add_name (&plane, chosen, true);
  for (size_t i = 0; i < n; i++)
    if (i != chosen && attn_draw_atlas_is_wanted (making, i / H, i % H))
      add_name (&plane, i, false);
  return height;
}

/* Returns: the height. */
static double
add_legend (Making *making, double x, double y, double width)
{
  const size_t n = making->asked->atlas->n_layers * making->asked->atlas->n_heads;
  const double em = making->em, line = 1.8 * em;
  double left = x, top = y;
  for (AttnPattern pattern = 0; pattern < ATTN_N_PATTERNS; pattern++) {
    size_t n_of = 0;
    for (size_t i = 0; i < n; i++)
      n_of += making->passports[i].pattern == pattern;
    const bool is_picked = making->asked->filter.pattern == pattern + 1;
    if (n_of == 0 && !is_picked)
      continue;
    g_autofree char *label =
        g_strdup_printf ("%s %zu", attn_draw_atlas_peek_pattern (making->asked, pattern), n_of);
    const AttnDrawFigureText item = {.text = label,
                                     .is_bold = is_picked,
                                     .tone = is_picked ? ATTN_DRAW_TONE_ACCENT_TEXT
                                                       : ATTN_DRAW_TONE_TEXT,
                                     .max_width = MAX (width - 1.4 * em, 1),
                                     .id = ATTN_DRAW_ATLAS_CLASS,
                                     .row = pattern};
    const double taken = 1.4 * em + attn_draw_figure_measure_text (making->builder, &item).width;
    if (left > x && left + taken > x + width) {
      left = x;
      y += line;
    }
    attn_draw_atlas_dot (making, attn_draw_atlas_get_color (making->style, pattern),
                         left + 0.6 * em, y + 0.7 * em, 0.9 * em);
    attn_draw_figure_add_text (making->builder, &item, left + 1.4 * em, y);
    attn_draw_figure_widen (making->builder, (AttnDrawRect){left, y - 0.2 * em, taken, line});
    left += taken + 1.6 * em;
  }
  return y + line - top;
}

static char *
dup_caption (const Making *making)
{
  const AttnAtlasMap *map = making->asked->map;
  if (map == NULL)
    return g_strdup (attn_draw_atlas_say (
        making->asked, N_ ("How far the heads are apart is not known, or not yet")));
  g_autofree char *kept = attn_draw_dup_number (100 * map->kept, 0);
  const char *const arguments[] = {isnan (map->kept) ? "100" : kept};
  return attn_draw_atlas_fill (
      making->asked,
      N_ ("Heads near each other look alike: distances are the root of the Jensen–Shannon "
          "divergence of their weights, laid flat by scaling (MDS), which keeps %s %% of the "
          "spread"),
      arguments, 1);
}

double
attn_draw_atlas_add_map (Making *making, double x, double y, double width)
{
  const double top = y;
  y += attn_draw_figure_add_heading (
      making->builder, attn_draw_atlas_say (making->asked, N_ ("Map of the heads")), x, y, width);
  y += add_legend (making, x, y, width) + 0.3 * making->em;
  if (making->asked->map != NULL)
    y += add_plane (making, x, y, width) + 0.5 * making->em;
  g_autofree char *caption = dup_caption (making);
  y += attn_draw_figure_add_paragraph (making->builder, caption, x, y, width, ATTN_DRAW_ATLAS_SMALL,
                                       ATTN_DRAW_TONE_DIM);
  return y - top;
}
