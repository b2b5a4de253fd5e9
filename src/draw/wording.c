/* SPDX-License-Identifier: MIT */
/* The picture's sentences. */
#include "wording.h"

#include "looked.h"

#include "attn/model.h"

/* Marks a sentence for translators; it is translated when the strings are made. */
#define N_(english) (english)

#define EXCERPT_MAX_CHARACTERS 90
#define PAIR_MAX_CHARACTERS 45

const char *
attn_draw_stay_english (const char *english, void *data G_GNUC_UNUSED)
{
  return english;
}

void
attn_draw_set_string (char **string, char *text)
{
  g_free (*string);
  *string = text;
}

static char *
make_layers_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  g_autofree char *first = g_strdup_printf ("%zu", view->first_layer + 1);
  g_autofree char *last = g_strdup_printf ("%zu", view->first_layer + view->n_layers);
  const char *const arguments[] = {first, last};

  if (view->n_layers == 0)
    return g_strdup (translate (N_ ("All layers · all heads · attention weights"), data));
  if (view->n_layers == 1)
    return attn_draw_fill (translate (N_ ("Layer %s · all heads · attention weights"), data),
                           arguments, 1);
  return attn_draw_fill (
      translate (N_ ("Layers %1$s to %2$s · all heads · attention weights"), data), arguments, 2);
}

static char *
make_heads_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  g_autofree char *layer = g_strdup_printf ("%zu", view->layer + 1);
  g_autofree char *first = g_strdup_printf ("%zu", view->first_head + 1);
  g_autofree char *last = g_strdup_printf ("%zu", view->first_head + view->n_heads);
  const char *const arguments[] = {layer, first, last};

  if (view->n_heads == 0)
    return attn_draw_fill (translate (N_ ("Layer %s · all heads · attention weights"), data),
                           arguments, 1);
  if (view->n_heads == 1)
    return attn_draw_fill (translate (N_ ("Layer %1$s, head %2$s · attention weights"), data),
                           arguments, 2);
  return attn_draw_fill (
      translate (N_ ("Layer %1$s · heads %2$s to %3$s · attention weights"), data), arguments, 3);
}

static char *
make_plain_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  g_autofree char *layer = g_strdup_printf ("%zu", view->layer + 1);
  g_autofree char *head = g_strdup_printf ("%zu", view->head + 1);
  const char *const arguments[] = {layer, head};

  if (view->kind == ATTN_DRAW_LAYERS)
    return make_layers_title (view, translate, data);
  if (view->kind == ATTN_DRAW_LINES)
    return attn_draw_chosen_title (view, translate, data);
  if (view->kind == ATTN_DRAW_HEADS)
    return make_heads_title (view, translate, data);
  return attn_draw_fill (translate (N_ ("Layer %1$s, head %2$s · attention weights"), data),
                         arguments, 2);
}

static char *
make_subject (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  char *lens = attn_draw_lens_title (view, translate, data);
  char *combined = lens != NULL ? lens : attn_draw_combined_title (view, translate, data);
  return combined != NULL ? combined : make_plain_title (view, translate, data);
}

/* One text of the subtitle; text written from right to left would turn the model's name and the dot
 * around. */
static char *
make_excerpt (const char *text, size_t max_characters)
{
  g_autofree char *line = attn_draw_one_line (text);
  g_autofree char *cut = attn_draw_cut (line, max_characters);
  return attn_draw_isolate (cut);
}

char *
attn_draw_make_subtitle (const AttnDrawSubject *subject, AttnDrawTranslate translate, void *data)
{
  const char *model_name = subject->model_name, *text = subject->text, *pair = subject->pair;
  g_autoptr (GString) subtitle = g_string_new (NULL);

  if (g_strcmp0 (model_name, ATTN_MODEL_BUILT_IN) == 0)
    g_string_append (subtitle, translate (ATTN_MODEL_BUILT_IN, data));
  else if (model_name != NULL)
    g_string_append (subtitle, model_name);
  if (text != NULL && *text != '\0') {
    g_autofree char *excerpt =
        make_excerpt (text, pair == NULL ? EXCERPT_MAX_CHARACTERS : PAIR_MAX_CHARACTERS);
    g_string_append_printf (subtitle, "%s%s", subtitle->len > 0 ? " · " : "", excerpt);
  }
  if (pair != NULL && *pair != '\0') {
    g_autofree char *excerpt = make_excerpt (pair, PAIR_MAX_CHARACTERS);
    g_string_append_printf (subtitle, "%s%s", subtitle->len > 0 ? " | " : "", excerpt);
  }
  return g_string_free (g_steal_pointer (&subtitle), FALSE);
}

static bool
combines_layers (const AttnDrawView *view)
{
  return view->arrangement.combine != ATTN_COMBINE_NONE && view->arrangement.combine_layers;
}

/* With a place for the end of the range. */
static const char *
choose_compared_range (const AttnDrawView *view)
{
  const bool is_signed = attn_draw_view_is_signed (view);
  switch (attn_draw_view_resolve_range (view)) {
  case ATTN_DRAW_RANGE_LAYER:
    return is_signed ? N_ ("range of A and B: the heads of their layers, ± %s")
                     : N_ ("range of A and B: the heads of their layers, 0 – %s");
  case ATTN_DRAW_RANGE_MODEL:
    return is_signed ? N_ ("range of A and B: all heads of both, ± %s")
                     : N_ ("range of A and B: all heads of both, 0 – %s");
  case ATTN_DRAW_RANGE_FIXED:
    return is_signed ? N_ ("range of A and B: chosen, ± %s")
                     : N_ ("range of A and B: chosen, 0 – %s");
  case ATTN_DRAW_RANGE_AUTO:
  case ATTN_DRAW_RANGE_MAP:
  default:
    return is_signed ? N_ ("range of A and B: both maps, ± %s")
                     : N_ ("range of A and B: both maps, 0 – %s");
  }
}

/* The same of weights that may be below 0. */
static const char *
choose_signed_range (const AttnDrawView *view)
{
  const bool combines = attn_draw_view_is_joint (view);
  const bool has_layers = view->kind == ATTN_DRAW_LAYERS;
  switch (attn_draw_view_resolve_range (view)) {
  case ATTN_DRAW_RANGE_LAYER:
    if (has_layers)
      return N_ ("range: each layer by itself, as far on both sides of 0 as its largest number");
    return combines ? N_ ("range: this map, ± %s") : N_ ("range: the heads of this layer, ± %s");
  case ATTN_DRAW_RANGE_MODEL:
    if (combines_layers (view))
      return N_ ("range: this map, ± %s");
    return combines ? N_ ("range: all layers, ± %s") : N_ ("range: all heads of the model, ± %s");
  case ATTN_DRAW_RANGE_FIXED:
    return N_ ("range: chosen, ± %s");
  case ATTN_DRAW_RANGE_AUTO:
  case ATTN_DRAW_RANGE_MAP:
  default:
    if (view->kind == ATTN_DRAW_HEADS)
      return N_ ("range: each map by itself, ± the number above it");
    if (has_layers)
      return N_ ("range: each map by itself, as far on both sides of 0 as its largest number");
    if (view->kind == ATTN_DRAW_LINES)
      return N_ ("range: each head by itself, from 0 to both sides");
    return N_ ("range: this map, ± %s");
  }
}

static const char *
choose_range (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_COMPARE)
    return choose_compared_range (view);
  if (attn_draw_view_is_signed (view))
    return choose_signed_range (view);
  bool combines = attn_draw_view_is_joint (view);
  switch (attn_draw_view_resolve_range (view)) {
  case ATTN_DRAW_RANGE_LAYER:
    if (view->kind == ATTN_DRAW_LAYERS)
      return N_ ("range: each layer by itself, from 0 to its largest weight");
    return combines ? N_ ("range: this map, 0 – %s")
                    : N_ ("range: the heads of this layer, 0 – %s");
  case ATTN_DRAW_RANGE_MODEL:
    if (combines_layers (view))
      return N_ ("range: this map, 0 – %s");
    return combines ? N_ ("range: all layers, 0 – %s")
                    : N_ ("range: all heads of the model, 0 – %s");
  case ATTN_DRAW_RANGE_FIXED:
    return N_ ("range: chosen, 0 – %s");
  case ATTN_DRAW_RANGE_AUTO:
  case ATTN_DRAW_RANGE_MAP:
  default:
    if (view->kind == ATTN_DRAW_HEADS)
      return N_ ("range: each map by itself, 0 – the number above it");
    if (view->kind == ATTN_DRAW_LAYERS)
      return N_ ("range: each map by itself, from 0 to its largest weight");
    if (view->kind == ATTN_DRAW_LINES)
      return N_ ("range: each head by itself, from 0");
    return N_ ("range: this map, 0 – %s");
  }
}

/* The range, and how a weight's place in it becomes a colour. */
static char *
make_range (const AttnDrawView *view, const char *plain, AttnDrawTranslate translate, void *data)
{
  const char *range = translate (plain, data);

  if (attn_draw_view_is_signed (view)) /* as A − B is */
    return view->scale == ATTN_DRAW_SCALE_LINEAR
               ? g_strdup (range)
               : attn_draw_fill (translate (N_ ("%s, linear"), data), &range, 1);
  switch (view->scale) {
  case ATTN_DRAW_SCALE_LOG:
    return attn_draw_fill (translate (N_ ("%s, logarithmic"), data), &range, 1);
  case ATTN_DRAW_SCALE_RANK:
    return g_strdup (translate (
        N_ ("shown by rank: the share of the map's other weights that are smaller"), data));
  case ATTN_DRAW_SCALE_LINEAR:
  default:
    return g_strdup (range);
  }
}

/* Of lenses that follow the input up through the layers. */
static const char *
choose_axes_of_model (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_LINES)
    return N_ ("left: token after these layers · right: input token it comes from");
  if (view->kind == ATTN_DRAW_LAYERS)
    return N_ ("a row for each layer · in each map: rows are tokens after it, columns the input "
               "tokens they come from");
  return N_ ("rows: token after these layers · columns: input token it comes from");
}

static const char *
choose_axes (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_TEXT && attn_draw_view_is_signed (view))
    return N_ ("the stronger the shade, the farther from 0 is the number of a piece of the text");
  if (view->kind == ATTN_DRAW_TEXT)
    return N_ ("the stronger the shade, the more a piece of the text is looked at");
  if (attn_lens_peek_about (view->lens)->level == ATTN_LENS_LEVEL_MODEL)
    return choose_axes_of_model (view);
  if (view->kind == ATTN_DRAW_LINES)
    return N_ ("left: query (looks) · right: key (is looked at)");
  if (view->kind != ATTN_DRAW_LAYERS || combines_layers (view))
    return N_ ("rows: query (looks) · columns: key (is looked at)");
  if (attn_draw_view_is_joint (view))
    return N_ ("a row for each layer · in each map: rows are queries (look), columns keys (are "
               "looked at)");
  return N_ ("a row for each layer, a column for each head · in each map: rows are queries "
             "(look), columns keys (are looked at)");
}

static const char *
choose_pooled (const AttnDrawView *view)
{
  return attn_draw_view_is_signed (view)
             ? N_ ("each pixel shows the one of several numbers that is farthest from 0")
             : N_ ("each pixel shows the largest of several weights");
}

static const char *
choose_hidden (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_TEXT)
    return N_ ("grey: cannot be seen");
  if (view->lens == ATTN_LENS_SCORES && view->kind != ATTN_DRAW_LINES)
    return N_ ("hatched: cannot be seen, the score is −∞");
  return view->kind == ATTN_DRAW_LINES ? "" : N_ ("hatched: cannot be seen");
}

static const char *
choose_zero (const AttnDrawView *view)
{
  return attn_draw_kind_has_cells (view->kind) ? N_ ("dotted: exactly 0") : "";
}

static const char *
choose_two_lists (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_TEXT)
    return N_ ("above: queries, which look · below: keys, which are looked at");
  bool has_no_names = view->kind == ATTN_DRAW_HEADS || view->kind == ATTN_DRAW_LAYERS;
  return has_no_names ? N_ ("columns, from the left: %s") : "";
}

/* How weights look that are no weights: English, by view. */
typedef struct {
  const char *nan, *infinite, *both, *negative;
} Odd;

static Odd
choose_odd (const AttnDrawView *view)
{
  static const Odd cells = {N_ ("crossed: not a number"), N_ ("crossed: infinite"),
                            N_ ("crossed: not a number, or infinite"),
                            N_ ("negative weights have the colour of the smallest")};
  static const Odd lines = {N_ ("weights that are not numbers have no line"),
                            N_ ("infinite weights have no line"),
                            N_ ("weights that are not numbers, or infinite, have no line"),
                            N_ ("negative weights have no line")};
  static const Odd text = {N_ ("struck out: not a number"), N_ ("struck out: infinite"),
                           N_ ("struck out: not a number, or infinite"),
                           N_ ("negative weights have the shade of the smallest")};
  Odd odd = view->kind == ATTN_DRAW_LINES ? lines : view->kind == ATTN_DRAW_TEXT ? text : cells;

  if ((view->scale == ATTN_DRAW_SCALE_RANK && view->kind != ATTN_DRAW_LINES) ||
      attn_draw_view_is_signed (view))
    odd.negative = ""; /* they have ranks, or colours, of their own */
  return odd;
}

/* gettext would make a header of an empty sentence. */
static char *
translate_any (const char *english, AttnDrawTranslate translate, void *data)
{
  return g_strdup (*english != '\0' ? translate (english, data) : "");
}

static void
set_odd (AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  AttnDrawStrings *strings = &view->strings;
  const Odd odd = choose_odd (view);
  const char *mean = view->kind == ATTN_DRAW_TEXT
                         ? N_ ("rows with weights that are not finite are left out of the mean")
                         : "";

  attn_draw_set_string (&strings->not_a_number, translate_any (odd.nan, translate, data));
  attn_draw_set_string (&strings->infinite, translate_any (odd.infinite, translate, data));
  attn_draw_set_string (&strings->not_finite, translate_any (odd.both, translate, data));
  attn_draw_set_string (&strings->negative, translate_any (odd.negative, translate, data));
  attn_draw_set_string (
      &strings->polarity,
      translate_any (attn_draw_view_is_signed (view) ? N_ ("purple: above 0 · green: below 0") : "",
                     translate, data));
  attn_draw_set_string (&strings->mean_without, translate_any (mean, translate, data));
}

static char *
make_strip_caption (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  g_autofree char *layer = g_strdup_printf ("%zu", view->layer + 1);
  return attn_draw_format_string (translate (N_ ("heads of layer %s"), data), layer);
}

void
attn_draw_view_set_strings (AttnDrawView *view,
                            const char *model_name,
                            const char *text,
                            const char *pair,
                            AttnDrawTranslate translate,
                            void *data)
{
  const AttnDrawSubject subject = {model_name, text, pair};
  AttnDrawStrings *strings = &view->strings;
  const char *part = N_ ("part: rows %1$s – %2$s of %3$s, columns %4$s – %5$s of %6$s");
  const char *left_out = N_ ("lines fainter than %s are left out");
  const char *too_many = N_ ("too many lines to draw: point at a token to see its own");

  if (translate == NULL)
    translate = attn_draw_stay_english;
  attn_draw_set_string (&strings->subject, make_subject (view, translate, data));
  attn_draw_set_string (&strings->arranged, attn_draw_arrangement_notes (view, translate, data));
  attn_draw_set_string (&strings->title,
                        *strings->arranged != '\0'
                            ? g_strjoin (" · ", strings->subject, strings->arranged, NULL)
                            : g_strdup (strings->subject));
  attn_draw_set_string (&strings->subtitle, attn_draw_make_subtitle (&subject, translate, data));
  attn_draw_set_string (&strings->axes, g_strdup (translate (choose_axes (view), data)));
  attn_draw_set_string (&strings->range, make_range (view, choose_range (view), translate, data));
  attn_draw_set_string (&strings->mean_range,
                        make_range (view,
                                    attn_draw_view_is_signed (view)
                                        ? N_ ("range: the mean farthest from 0, ± %s")
                                        : N_ ("range: the largest mean, 0 – %s"),
                                    translate, data));
  const char *combined = attn_draw_combined_name (&view->arrangement);
  const char *head = combined != NULL                  ? combined
                     : attn_lens_is_joint (view->lens) ? N_ ("all heads")
                                                       : N_ ("head %s");
  const char *layer = combines_layers (view) ? N_ ("all layers") : N_ ("layer %s");
  attn_draw_set_string (&strings->head_format, g_strdup (translate (head, data)));
  attn_draw_set_string (&strings->strip, make_strip_caption (view, translate, data));
  attn_draw_set_string (&strings->layer_format, g_strdup (translate (layer, data)));
  attn_draw_set_string (&strings->thinned, g_strdup (translate (N_ ("1 label in %s shown"), data)));
  attn_draw_set_string (&strings->pooled, g_strdup (translate (choose_pooled (view), data)));
  attn_draw_set_string (&strings->hidden, translate_any (choose_hidden (view), translate, data));
  attn_draw_set_string (&strings->zero, translate_any (choose_zero (view), translate, data));
  attn_draw_set_string (&strings->part, g_strdup (translate (part, data)));
  set_odd (view, translate, data);
  attn_draw_set_string (&strings->two_lists,
                        translate_any (choose_two_lists (view), translate, data));
  attn_draw_set_string (&strings->left_out, g_strdup (translate (left_out, data)));
  attn_draw_set_string (&strings->too_many, g_strdup (translate (too_many, data)));
  attn_draw_set_string (&strings->from, g_strdup (translate (N_ ("from “%s”"), data)));
  attn_draw_set_string (&strings->mean, g_strdup (translate (N_ ("mean over all queries"), data)));
  attn_draw_set_string (&strings->heads, g_strdup (translate (N_ ("heads"), data)));
}
