/* SPDX-License-Identifier: MIT */
/* The sentences of a comparison: what A is, what B is, and what cannot be compared. */
#include "looked.h"
#include "wording.h"

/* Marks a sentence for translators; it is translated when the strings are made. */
#define N_(english) (english)

/* Combined heads are told apart by their layer alone, and those of all layers not at all. */
static bool
has_same_head (const AttnDrawView *view)
{
  if (!attn_draw_view_is_joint (view))
    return view->layer == view->layer_b && view->head == view->head_b;
  return (view->arrangement.combine != ATTN_COMBINE_NONE && view->arrangement.combine_layers) ||
         view->layer == view->layer_b;
}

/* "Layer 3, head 5", or which heads were combined. */
static char *
make_head (
    const AttnDrawView *view, size_t layer, size_t head, AttnDrawTranslate translate, void *data)
{
  g_autofree char *layer_text = g_strdup_printf ("%zu", layer + 1);
  g_autofree char *head_text = g_strdup_printf ("%zu", head + 1);
  const char *const arguments[] = {layer_text, head_text};
  g_autoptr (AttnDrawView) side = attn_draw_view_copy (view);

  side->layer = layer;
  side->head = head;
  char *combined = attn_draw_lens_title (side, translate, data);
  if (combined == NULL)
    combined = attn_draw_combined_title (side, translate, data);
  if (combined != NULL)
    return combined;
  return attn_draw_fill (translate (N_ ("Layer %1$s, head %2$s · attention weights"), data),
                         arguments, 2);
}

/* What both have in common: the head, where it is the same. */
static char *
make_subject (const AttnDrawView *view, AttnDrawTranslate translate, void *data)
{
  const char *compared = translate (N_ ("A and B compared"), data);
  g_autofree char *head = make_head (view, view->layer, view->head, translate, data);

  return has_same_head (view) ? g_strjoin (" · ", head, compared, NULL) : g_strdup (compared);
}

/* "A: model · text", with the head before it where A and B have not the same one. */
static char *
make_side (const AttnDrawView *view,
           const AttnDrawSubject *subject,
           bool of_b,
           AttnDrawTranslate translate,
           void *data)
{
  g_autofree char *what = attn_draw_make_subtitle (subject, translate, data);
  g_autofree char *head = make_head (view, of_b ? view->layer_b : view->layer,
                                     of_b ? view->head_b : view->head, translate, data);
  bool has_head = !has_same_head (view), has_what = *what != '\0';
  g_autofree char *both =
      g_strconcat (has_head ? head : "", has_head && has_what ? " · " : "", what, NULL);
  const char *const arguments[] = {of_b ? "B" : "A", both};

  return attn_draw_fill (translate (N_ ("%1$s: %2$s"), data), arguments, 2);
}

void
attn_draw_view_set_compared_strings (AttnDrawView *view,
                                     const AttnDrawSubject *a,
                                     const AttnDrawSubject *b,
                                     AttnDrawTranslate translate,
                                     void *data)
{
  AttnDrawStrings *strings = &view->strings;
  const struct {
    char **string;
    const char *english;
  } sentences[] = {
      {&strings->difference_range, view->scale == ATTN_DRAW_SCALE_LINEAR
                                       ? N_ ("range of A − B: ± %s")
                                       : N_ ("range of A − B: ± %s, linear")},
      {&strings->signs, N_ ("purple: more in A · green: more in B")},
      {&strings->no_difference, N_ ("every weight of A − B is exactly 0")},
      {&strings->apart, N_ ("A and B have no token in common, so there is no A − B")},
      {&strings->alone, N_ ("without a partner, so not in A − B: %s")},
      {&strings->alone_queries, N_ ("queries without a partner, so not in A − B: %s")},
      {&strings->alone_keys, N_ ("keys without a partner, so not in A − B: %s")},
  };

  if (translate == NULL)
    translate = attn_draw_stay_english;
  attn_draw_view_set_strings (view, NULL, NULL, NULL, translate, data);
  attn_draw_set_string (&strings->subject, make_subject (view, translate, data));
  attn_draw_set_string (&strings->title,
                        *strings->arranged != '\0'
                            ? g_strjoin (" · ", strings->subject, strings->arranged, NULL)
                            : g_strdup (strings->subject));
  attn_draw_set_string (&strings->subtitle, make_side (view, a, false, translate, data));
  attn_draw_set_string (&strings->subtitle_b, make_side (view, b, true, translate, data));
  for (size_t i = 0; i < G_N_ELEMENTS (sentences); i++)
    attn_draw_set_string (sentences[i].string, g_strdup (translate (sentences[i].english, data)));
}
