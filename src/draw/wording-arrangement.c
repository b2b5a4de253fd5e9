/* SPDX-License-Identifier: MIT */
/* What an arrangement did to the maps, in words. */
#include "looked.h"
#include "wording.h"

#include "attn/number.h"

/* Marks a sentence for translators; it is translated when the strings are made. */
#define N_(english) (english)

#define MOST_RUNS 6     /* of heads that are named; further ones are counted */
#define LEAST_IN_RUN 3  /* "1, 2" is no longer than "1–2", and plainer */
#define SEPARATOR " · " /* as between the other parts of a title */

typedef struct {
  AttnDrawTranslate translate;
  void *data;
} Language;

static const char *
say (const Language *language, const char *english)
{
  return language->translate (english, language->data);
}

static void
append_part (GString *text, const char *part)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? SEPARATOR : "", part);
}

static char *
fill_number (const Language *language, const char *english, const char *number)
{
  return attn_draw_fill (say (language, english), &number, 1);
}

/* ---- combined heads ---- */

static size_t
count_heads (const AttnHeadSet *heads)
{
  size_t n = 0;
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX; head++)
    n += attn_head_set_has (heads, head) ? 1 : 0;
  return n;
}

/* "1, 4, 7–9", or "1, 3, 5, 7, 9, 11 and 12 more" */
static char *
dup_heads (const AttnHeadSet *heads, const Language *language)
{
  g_autoptr (GString) list = g_string_new (NULL);
  size_t n_runs = 0, n_named = 0;
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX && n_runs < MOST_RUNS; head++) {
    size_t end = head;
    while (end < ATTN_HEAD_SET_MAX && attn_head_set_has (heads, end))
      end++;
    if (end == head)
      continue;
    if (end - head < LEAST_IN_RUN)
      end = head + 1;
    g_string_append_printf (list, "%s%zu", n_runs > 0 ? say (language, N_ (", ")) : "", head + 1);
    if (end > head + 1)
      g_string_append_printf (list, "–%zu", end);
    n_named += end - head;
    n_runs++;
    head = end - 1;
  }
  size_t n_more = count_heads (heads) - n_named;
  if (n_more == 0)
    return g_string_free (g_steal_pointer (&list), FALSE);
  g_autofree char *more = g_strdup_printf ("%zu", n_more);
  const char *const arguments[] = {list->str, more};
  return attn_draw_fill (say (language, N_ ("%1$s and %2$s more")), arguments, 2);
}

static char *
dup_combination (const AttnArrangement *arrangement, const Language *language)
{
  bool mean = arrangement->combine == ATTN_COMBINE_MEAN;
  if (attn_head_set_is_empty (&arrangement->heads))
    return g_strdup (say (language, mean ? N_ ("mean of all heads") : N_ ("maximum of all heads")));
  g_autofree char *heads = dup_heads (&arrangement->heads, language);
  if (count_heads (&arrangement->heads) == 1)
    return fill_number (language, mean ? N_ ("mean of head %s") : N_ ("maximum of head %s"), heads);
  return fill_number (language, mean ? N_ ("mean of heads %s") : N_ ("maximum of heads %s"), heads);
}

/* "Layer 3", or the layers that a picture of several has. */
static char *
dup_place (const AttnDrawView *view, const Language *language)
{
  size_t first = view->layer, n = 1;
  if (view->arrangement.combine != ATTN_COMBINE_NONE && view->arrangement.combine_layers)
    return g_strdup (say (language, N_ ("All layers")));
  if (view->kind == ATTN_DRAW_LAYERS) {
    first = view->first_layer;
    n = view->n_layers;
  } else if (attn_lens_peek_about (view->lens)->level == ATTN_LENS_LEVEL_MODEL) {
    first = 0; /* it is of all layers up to the one that is looked at */
    n = view->layer + 1;
  }
  if (n == 0)
    return g_strdup (say (language, N_ ("Each layer")));
  g_autofree char *from = g_strdup_printf ("%zu", first + 1);
  g_autofree char *to = g_strdup_printf ("%zu", first + n);
  const char *const arguments[] = {from, to};
  if (n == 1)
    return fill_number (language, N_ ("Layer %s"), from);
  return attn_draw_fill (say (language, N_ ("Layers %1$s to %2$s")), arguments, 2);
}

char *
attn_draw_combined_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  const Language language = {translate, data};
  if (view->arrangement.combine == ATTN_COMBINE_NONE)
    return NULL;
  g_autofree char *place = dup_place (view, &language);
  g_autofree char *heads = dup_combination (&view->arrangement, &language);
  return g_strjoin (SEPARATOR, place, heads, say (&language, N_ ("attention weights")), NULL);
}

char *
attn_draw_chosen_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  const AttnHeadSet *chosen = &view->arrangement.heads;
  const Language language = {translate, data};
  g_autofree char *layer = g_strdup_printf ("%zu", view->layer + 1);
  if (attn_head_set_is_empty (chosen))
    return fill_number (&language, N_ ("Layer %s · all heads · attention weights"), layer);
  g_autofree char *heads = dup_heads (chosen, &language);
  const char *const arguments[] = {layer, heads};
  const char *format = count_heads (chosen) == 1
                           ? N_ ("Layer %1$s, head %2$s · attention weights")
                           : N_ ("Layer %1$s · heads %2$s · attention weights");
  return attn_draw_fill (say (&language, format), arguments, G_N_ELEMENTS (arguments));
}

/* "heads 2 to 5" of those that a picture has, "" for the one map of a lens of whole layers. */
static char *
dup_shown_heads (const AttnDrawView *view, const Language *language)
{
  const AttnHeadSet *chosen = &view->arrangement.heads;
  const bool lines = view->kind == ATTN_DRAW_LINES && !attn_head_set_is_empty (chosen);
  const bool all = view->kind == ATTN_DRAW_LAYERS || view->kind == ATTN_DRAW_LINES ||
                   (view->kind == ATTN_DRAW_HEADS && view->n_heads == 0);
  if (attn_lens_is_joint (view->lens))
    return g_strdup ("");
  if (view->arrangement.combine != ATTN_COMBINE_NONE)
    return dup_combination (&view->arrangement, language);
  if (lines) {
    g_autofree char *heads = dup_heads (chosen, language);
    return fill_number (language, count_heads (chosen) == 1 ? N_ ("head %s") : N_ ("heads %s"),
                        heads);
  }
  if (all)
    return g_strdup (say (language, N_ ("all heads")));
  const bool part = view->kind == ATTN_DRAW_HEADS;
  g_autofree char *first = g_strdup_printf ("%zu", (part ? view->first_head : view->head) + 1);
  g_autofree char *last = g_strdup_printf ("%zu", view->first_head + view->n_heads);
  const char *const arguments[] = {first, last};
  if (part && view->n_heads > 1)
    return attn_draw_fill (say (language, N_ ("heads %1$s to %2$s")), arguments, 2);
  return fill_number (language, N_ ("head %s"), first);
}

/* "Layer 3, head 5", as titles of weights have it, where that is what is seen; else NULL. */
static char *
dup_one_head (const AttnDrawView *view, const Language *language)
{
  const AttnHeadSet *chosen = &view->arrangement.heads;
  const bool lines = view->kind == ATTN_DRAW_LINES && count_heads (chosen) == 1;
  const bool part = view->kind == ATTN_DRAW_HEADS && view->n_heads == 1;
  size_t head = part ? view->first_head : view->head;
  if (attn_draw_view_is_joint (view) || view->kind == ATTN_DRAW_LAYERS ||
      (view->kind == ATTN_DRAW_LINES && !lines) || (view->kind == ATTN_DRAW_HEADS && !part))
    return NULL;
  for (head = lines ? 0 : head; lines && !attn_head_set_has (chosen, head);)
    head++;
  g_autofree char *layer = g_strdup_printf ("%zu", view->layer + 1);
  g_autofree char *number = g_strdup_printf ("%zu", head + 1);
  const char *const arguments[] = {layer, number};
  return attn_draw_fill (say (language, N_ ("Layer %1$s, head %2$s")), arguments, 2);
}

char *
attn_draw_lens_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  const Language language = {translate, data};
  if (view->lens == ATTN_LENS_RAW)
    return NULL;
  const bool all =
      view->kind == ATTN_DRAW_LAYERS && view->n_layers == 0 && !attn_draw_view_is_joint (view);
  g_autofree char *place =
      all ? g_strdup (say (&language, N_ ("All layers"))) : dup_place (view, &language);
  g_autofree char *heads = dup_shown_heads (view, &language);
  g_autofree char *one = dup_one_head (view, &language);
  g_autoptr (GString) title = g_string_new (one != NULL ? one : place);
  if (one == NULL && *heads != '\0')
    append_part (title, heads);
  append_part (title, say (&language, attn_lens_peek_about (view->lens)->title));
  return g_string_free (g_steal_pointer (&title), FALSE);
}

const char *
attn_draw_combined_name (const AttnArrangement *arrangement)
{
  switch (arrangement->combine) {
  case ATTN_COMBINE_MEAN:
    return N_ ("mean");
  case ATTN_COMBINE_MAX:
    return N_ ("maximum");
  case ATTN_COMBINE_NONE:
  default:
    return NULL;
  }
}

/* ---- what is shown of a map ---- */

static const char *
peek_part (AttnPart part)
{
  switch (part) {
  case ATTN_PART_A_TO_A:
    return N_ ("first text → first text");
  case ATTN_PART_A_TO_B:
    return N_ ("first text → second text");
  case ATTN_PART_B_TO_A:
    return N_ ("second text → first text");
  case ATTN_PART_B_TO_B:
    return N_ ("second text → second text");
  case ATTN_PART_ALL:
  default:
    return NULL;
  }
}

/* Returns: (nullable) (transfer none): the label of the first token of a side that the template
 * added, in front of all or elsewhere. */
static const char *
find_added (AttnMaps *maps, AttnSide side, bool front)
{
  AttnOrigin origin;
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    if (attn_maps_get_origin (maps, side, i, &origin) && origin.special &&
        (origin.first == 0) == front)
      return attn_maps_peek_label (maps, side, i);
  return NULL;
}

/* Returns: (transfer full): that of the keys, or of the queries where they alone have one; "" for
 * none. */
static char *
dup_added (AttnMaps *maps, bool front)
{
  const char *added = find_added (maps, ATTN_SIDE_KEY, front);
  if (added == NULL)
    added = find_added (maps, ATTN_SIDE_QUERY, front);
  return g_strdup (added != NULL ? added : "");
}

void
attn_draw_view_name_tokens (AttnDrawView *view, AttnMaps *maps)
{
  g_free (view->cls_name);
  g_free (view->sep_name);
  view->cls_name = dup_added (maps, true);
  view->sep_name = dup_added (maps, false);
}

/* "without [CLS], [SEP] and punctuation"; what the model does not add is not missed. */
static char *
dup_hidden (const AttnDrawView *view, const Language *language)
{
  const unsigned hide = view->arrangement.hide;
  const char *cls = view->cls_name != NULL ? view->cls_name : "[CLS]";
  const char *sep = view->sep_name != NULL ? view->sep_name : "[SEP]";
  static const char *const lists[] = {N_ ("without %s"), N_ ("without %1$s and %2$s"),
                                      N_ ("without %1$s, %2$s and %3$s")};
  const char *names[3];
  size_t n = 0;
  if ((hide & ATTN_HIDE_CLS) != 0 && *cls != '\0')
    names[n++] = cls;
  if ((hide & ATTN_HIDE_SEP) != 0 && *sep != '\0')
    names[n++] = sep;
  if ((hide & ATTN_HIDE_PUNCTUATION) != 0)
    names[n++] = say (language, N_ ("punctuation"));
  return n > 0 ? attn_draw_fill (say (language, lists[n - 1]), names, n) : NULL;
}

static char *
dup_kept (const AttnArrangement *arrangement, const Language *language)
{
  char buffer[ATTN_NUMBER_SIZE];
  g_autofree char *n_top = g_strdup_printf ("%zu", arrangement->n_top);
  switch (arrangement->keep) {
  case ATTN_KEEP_ABOVE:
    return fill_number (language, N_ ("weights from %s on"),
                        attn_number_format (buffer, arrangement->threshold, ATTN_NUMBER_CSV));
  case ATTN_KEEP_TOP:
    if (arrangement->n_top == 1)
      return g_strdup (say (language, N_ ("the largest of each row")));
    return fill_number (language, N_ ("the %s largest of each row"), n_top);
  case ATTN_KEEP_ALL:
  default:
    return NULL;
  }
}

char *
attn_draw_arrangement_notes (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  const AttnArrangement *arrangement = &view->arrangement;
  const Language language = {translate, data};
  GString *notes = g_string_new (NULL);
  if (arrangement->unit == ATTN_UNIT_CHARACTERS)
    append_part (notes, say (&language, N_ ("between characters")));
  if (arrangement->unit == ATTN_UNIT_WORDS)
    append_part (notes, say (&language, N_ ("between words")));
  if (arrangement->part != ATTN_PART_ALL)
    append_part (notes, say (&language, peek_part (arrangement->part)));
  g_autofree char *hidden = dup_hidden (view, &language);
  if (hidden != NULL)
    append_part (notes, hidden);
  if (arrangement->renormalise)
    append_part (notes,
                 attn_draw_view_is_signed (view)
                     ? say (&language, N_ ("not renormalised: numbers below 0 are no shares"))
                     : say (&language, N_ ("rows renormalised")));
  g_autofree char *kept = dup_kept (arrangement, &language);
  if (kept != NULL)
    append_part (notes, kept);
  return g_string_free (notes, FALSE);
}
