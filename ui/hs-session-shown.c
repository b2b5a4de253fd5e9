/* SPDX-License-Identifier: MIT */
/* What is on screen: panels and their view, published in one step. */
#include "hs-format.h"
#include "hs-session-private.h"

#include "attn-hub/store.h"

HsAttention *
hs_session_find_attention (HsSession *self, AttnMaps *maps)
{
  HsSide *const sides[] = {self->side, self->side_b};

  g_return_val_if_fail (HS_IS_SESSION (self), NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++) {
    HsAnswer *answer = hs_side_peek_answer (sides[i]);
    HsAttention *const known[] = {hs_side_peek_attention (sides[i]),
                                  answer != NULL ? answer->attention : NULL};

    for (size_t k = 0; k < G_N_ELEMENTS (known); k++)
      if (known[k] != NULL && known[k]->maps == maps)
        return known[k];
  }
  return NULL;
}

static AttnDrawSubject
get_subject (HsSession *self, AttnMaps *maps)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  AttnTokens *tokens = trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
  HsAttention *attention = hs_session_find_attention (self, maps);

  if (attention != NULL)
    return (AttnDrawSubject){
        .model_name = attention->name, .text = attention->text, .pair = attention->pair};
  return (AttnDrawSubject){
      .model_name = trace != NULL ? attn_hub_peek_model_name (attn_trace_peek_model (trace)) : "",
      .text = tokens != NULL ? attn_tokens_peek_text (tokens, 0, NULL) : "",
      .pair = tokens != NULL ? attn_tokens_peek_text (tokens, 1, NULL) : NULL,
  };
}

/* The strings name the text that was run, not what has been typed since. */
static void
make_strings (HsSession *self)
{
  AttnMaps *source_b = attn_draw_panels_peek_source_b (self->panels);
  const AttnDrawSubject a = get_subject (self, attn_draw_panels_peek_source (self->panels));

  attn_draw_view_name_tokens (self->view, attn_draw_panels_peek_source (self->panels));
  if (source_b != NULL) {
    const AttnDrawSubject b = get_subject (self, source_b);
    attn_draw_view_set_compared_strings (self->view, &a, &b, hs_translate, NULL);
  } else {
    attn_draw_view_set_strings (self->view, a.model_name, a.text, a.pair, hs_translate, NULL);
  }
}

void
hs_session_take_over_look (HsSession *self)
{
  const bool changes_words = self->view->scale != self->asked->scale;

  self->view->color_map = self->asked->color_map;
  self->view->font_size_pt = self->asked->font_size_pt;
  if (!g_str_equal (self->view->font_family, self->asked->font_family)) {
    g_free (self->view->font_family);
    self->view->font_family = g_strdup (self->asked->font_family);
  }
  self->view->palette = self->asked->palette;
  self->view->scale = self->asked->scale;
  self->view->crop = self->asked->crop;
  self->view->hides_values = self->asked->hides_values;
  self->view->has_pin = self->asked->has_pin;
  self->view->pin_query = self->asked->pin_query;
  self->view->pin_key = self->asked->pin_key;
  if (changes_words && self->panels != NULL)
    make_strings (self);
}

void
hs_session_renew_language (HsSession *self)
{
  g_return_if_fail (HS_IS_SESSION (self));

  g_free (self->asked->language);
  self->asked->language = hs_session_dup_language ();
  g_free (self->view->language);
  self->view->language = g_strdup (self->asked->language);
  if (self->panels != NULL)
    make_strings (self);
  hs_session_notify (self, HS_SESSION_PROP_VIEW);
}

AttnDrawPanels *
hs_session_peek_panels (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->panels;
}

const AttnDrawView *
hs_session_peek_view (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->view;
}

/* One head's map, computed when somebody asks: never more than a fraction of a frame's time. */
static const AttnMap *
peek_own_map (HsSession *self, AttnMaps *maps, size_t layer, size_t head)
{
  if (self->map != NULL && self->map->maps == maps && self->map->layer == layer &&
      self->map->head == head)
    return self->map;
  g_clear_pointer (&self->map, attn_map_free);
  self->map = attn_maps_dup_map (maps, layer, head, NULL);
  return self->map;
}

const AttnMap *
hs_session_peek_map (HsSession *self)
{
  AttnMaps *maps;
  size_t layer, head, panel;

  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  if (self->panels == NULL)
    return NULL;
  maps = attn_draw_panels_peek_maps (self->panels);
  layer = MIN (self->view->layer, attn_maps_get_n_layers (maps) - 1);
  head = MIN (self->view->head, attn_maps_get_n_heads (maps) - 1);
  panel = attn_draw_panels_find (self->panels, layer, head);
  if (panel != G_MAXSIZE && attn_draw_panels_peek (self->panels, panel) != NULL)
    return attn_draw_panels_peek (self->panels, panel);
  return peek_own_map (self, maps, layer, head);
}

AttnDrawPanels *
hs_session_peek_heads (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->heads;
}

void
hs_session_set_heads (HsSession *self, AttnDrawPanels *heads)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->heads == heads)
    return;
  if (heads != NULL)
    attn_draw_panels_ref (heads);
  g_clear_pointer (&self->heads, attn_draw_panels_unref);
  self->heads = heads;
  hs_session_notify (self, HS_SESSION_PROP_HEADS);
}

HsChanges *
hs_session_peek_changes (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->changes;
}

void
hs_session_set_changes (HsSession *self, HsChanges *changes)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->changes == changes)
    return;
  if (changes != NULL)
    hs_changes_ref (changes);
  g_clear_pointer (&self->changes, hs_changes_unref);
  self->changes = changes;
  hs_session_notify (self, HS_SESSION_PROP_CHANGES);
}

bool
hs_session_get_wants_heads (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), false);
  return self->wants_heads;
}

void
hs_session_set_wants_heads (HsSession *self, bool wants)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->wants_heads == wants)
    return;
  self->wants_heads = wants;
  hs_session_notify (self, HS_SESSION_PROP_WANTS_HEADS);
}

bool
hs_session_is_current (HsSession *self)
{
  const AttnDrawView *a, *b;

  g_return_val_if_fail (HS_IS_SESSION (self), false);
  a = self->asked;
  b = self->view;
  return self->panels != NULL && a->kind == b->kind && a->layer == b->layer && a->head == b->head &&
         a->range == b->range && a->range_max == b->range_max && a->lens == b->lens &&
         (a->kind != ATTN_DRAW_COMPARE || (a->layer_b == b->layer_b && a->head_b == b->head_b)) &&
         attn_arrangement_equal (&a->arrangement, &b->arrangement) && a->words == b->words;
}

/* Whether rows and columns stand for the same; how they were computed does not matter. */
static bool
same_grouping (const AttnDrawView *a, const AttnDrawView *b)
{
  return a->arrangement.unit == b->arrangement.unit && a->arrangement.part == b->arrangement.part &&
         a->arrangement.hide == b->arrangement.hide && a->words == b->words;
}

/* Where the token that stands at @index of @before stands in @now; HS_NONE where it is not shown.
 */
static guint
follow_token (AttnMaps *before, AttnMaps *now, AttnSide side, guint index)
{
  AttnOrigin origin;
  size_t found;

  if (index == HS_NONE || index >= attn_maps_get_n (before, side) ||
      !attn_maps_get_origin (before, side, index, &origin))
    return HS_NONE;
  found = attn_maps_find_token (now, side, origin.first);
  return found < HS_NONE ? (guint)found : HS_NONE;
}

/* Rows and columns have other numbers when the same maps are arranged anew: pins stay with their
 * tokens, what was pointed at and zoomed to is forgotten. */
static void
follow_arrangement (HsSession *self, AttnDrawPanels *panels, const AttnDrawView *asked)
{
  AttnMaps *before, *now;

  if (self->panels == NULL || panels == NULL ||
      attn_draw_panels_peek_source (self->panels) != attn_draw_panels_peek_source (panels) ||
      same_grouping (self->view, asked))
    return;
  before = attn_draw_panels_peek_maps (self->panels);
  now = attn_draw_panels_peek_maps (panels);
  hs_session_set_hovered (self, NULL);
  hs_session_set_crop (self, NULL);
  hs_session_set_pinned (self, follow_token (before, now, ATTN_SIDE_QUERY, self->pinned_query),
                         follow_token (before, now, ATTN_SIDE_KEY, self->pinned_key));
}

static guint
keep_below (guint index, size_t n)
{
  return index < n ? index : HS_NONE;
}

/* A's tokens have the same numbers in every view; those that only B has are in no other view, and
 * in none with another B. */
static void
let_go_of_alone (HsSession *self, AttnDrawPanels *panels)
{
  AttnMaps *maps;
  size_t n_queries, n_keys;

  if (self->panels == NULL || panels == NULL ||
      attn_draw_panels_peek_source_b (self->panels) == attn_draw_panels_peek_source_b (panels))
    return;
  maps = attn_draw_panels_peek_maps (panels);
  n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  hs_session_set_hovered (self, NULL);
  hs_session_set_pinned (self, keep_below (self->pinned_query, n_queries),
                         keep_below (self->pinned_key, n_keys));
}

void
hs_session_show (HsSession *self, AttnDrawPanels *panels, const AttnDrawView *asked)
{
  bool changed;

  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (panels == NULL || asked != NULL);

  if (panels == NULL && self->panels == NULL)
    return;
  changed = panels != self->panels;
  g_object_freeze_notify (G_OBJECT (self));
  if (panels == NULL)
    hs_session_set_crop (self, NULL);
  follow_arrangement (self, panels, asked);
  let_go_of_alone (self, panels);
  if (panels != NULL)
    attn_draw_panels_ref (panels);
  g_clear_pointer (&self->panels, attn_draw_panels_unref);
  if (changed)
    g_clear_pointer (&self->map, attn_map_free);
  self->panels = panels;
  if (panels != NULL) {
    attn_draw_view_free (self->view);
    self->view = attn_draw_view_copy (asked);
    hs_session_take_over_look (self);
    make_strings (self);
  }
  if (changed) {
    hs_session_find_again (self);
    hs_session_notify (self, HS_SESSION_PROP_PANELS);
  }
  hs_session_notify (self, HS_SESSION_PROP_VIEW);
  g_object_thaw_notify (G_OBJECT (self));
}

static bool
same_token (AttnMaps *before, AttnMaps *now, AttnSide side, guint index)
{
  if (index == HS_NONE)
    return true;
  if (index >= attn_maps_get_n (before, side) || index >= attn_maps_get_n (now, side))
    return false;
  return g_str_equal (attn_maps_peek_label (before, side, index),
                      attn_maps_peek_label (now, side, index));
}

/* A pin follows a token that is still where it was, and no other. */
static bool
keeps_pins (HsSession *self, HsAnswer *answer)
{
  AttnMaps *before, *now;

  if (self->panels == NULL || answer->panels == NULL || !same_grouping (self->view, answer->view))
    return false;
  before = attn_draw_panels_peek_maps (self->panels);
  now = attn_draw_panels_peek_maps (answer->panels);
  return same_token (before, now, ATTN_SIDE_QUERY, self->pinned_query) &&
         same_token (before, now, ATTN_SIDE_KEY, self->pinned_key);
}

/* Zooming goes on while a text is changed only where as many tokens are shown; what is asked for
 * before there is anything to show is for the first text. */
static bool
keeps_crop (HsSession *self, HsAnswer *answer)
{
  AttnMaps *before, *now;

  if (self->panels == NULL)
    return true;
  if (answer->panels == NULL)
    return false;
  before = attn_draw_panels_peek_maps (self->panels);
  now = attn_draw_panels_peek_maps (answer->panels);
  return attn_maps_get_n (before, ATTN_SIDE_QUERY) == attn_maps_get_n (now, ATTN_SIDE_QUERY) &&
         attn_maps_get_n (before, ATTN_SIDE_KEY) == attn_maps_get_n (now, ATTN_SIDE_KEY);
}

void
hs_session_publish (HsSession *self, HsAnswer *answer)
{
  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (answer != NULL);

  g_object_freeze_notify (G_OBJECT (self));
  g_object_freeze_notify (G_OBJECT (self->side));
  hs_session_set_hovered (self, NULL);
  if (!keeps_pins (self, answer))
    hs_session_set_pinned (self, HS_NONE, HS_NONE);
  if (!keeps_crop (self, answer))
    hs_session_set_crop (self, NULL);
  hs_side_set_answer (self->side, answer);
  if (answer->panels != NULL || answer->refusal != NULL) /* a comparison is made of two answers */
    hs_session_show (self, answer->panels, answer->view);
  hs_session_set_state (self, HS_STATE_READY, NULL, NULL);
  g_object_thaw_notify (G_OBJECT (self->side));
  g_object_thaw_notify (G_OBJECT (self));
}
