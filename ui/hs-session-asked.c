/* SPDX-License-Identifier: MIT */
/* What the person asks to see: setters that are quiet when nothing changes. */
#include "hs-session-private.h"

AttnDrawKind
hs_session_get_kind (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_HEATMAP);
  return self->asked->kind;
}

void
hs_session_set_kind (HsSession *self, AttnDrawKind kind)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->kind == kind)
    return;
  self->asked->kind = kind;
  hs_session_notify (self, HS_SESSION_PROP_KIND);
}

guint
hs_session_get_layer (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->layer;
}

/* Without a model there is nothing to clamp to yet. */
static guint
clamp_index (guint index, guint n)
{
  return n > 0 ? MIN (index, n - 1) : index;
}

void
hs_session_set_layer (HsSession *self, guint layer)
{
  g_return_if_fail (HS_IS_SESSION (self));

  layer = clamp_index (layer, self->n_layers);
  if (self->asked->layer == layer)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->asked->layer = layer;
  self->head_lent = false;
  hs_session_set_head_chosen (self, TRUE);
  hs_session_notify (self, HS_SESSION_PROP_LAYER);
  hs_session_update_head_b (self);
  g_object_thaw_notify (G_OBJECT (self));
}

guint
hs_session_get_head (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->head;
}

void
hs_session_set_head (HsSession *self, guint head)
{
  g_return_if_fail (HS_IS_SESSION (self));

  head = clamp_index (head, self->n_heads);
  if (self->asked->head == head)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  self->asked->head = head;
  self->head_lent = false;
  hs_session_set_head_chosen (self, TRUE);
  hs_session_notify (self, HS_SESSION_PROP_HEAD);
  hs_session_update_head_b (self);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
replace_layer_b (HsSession *self, size_t layer)
{
  layer = clamp_index ((guint)layer, self->n_layers_b);
  if (self->asked->layer_b == layer)
    return;
  self->asked->layer_b = layer;
  hs_session_notify (self, HS_SESSION_PROP_LAYER_B);
}

static void
replace_head_b (HsSession *self, size_t head)
{
  head = clamp_index ((guint)head, self->n_heads_b);
  if (self->asked->head_b == head)
    return;
  self->asked->head_b = head;
  hs_session_notify (self, HS_SESSION_PROP_HEAD_B);
}

void
hs_session_update_head_b (HsSession *self)
{
  const AttnDrawView *asked = self->asked;

  replace_layer_b (self, self->follows ? asked->layer : asked->layer_b);
  replace_head_b (self, self->follows ? asked->head : asked->head_b);
}

/* Whether B's head is A's, or the last one that B's model has before it. */
static bool
is_as_a (HsSession *self)
{
  const AttnDrawView *asked = self->asked;

  return asked->layer_b == clamp_index ((guint)asked->layer, self->n_layers_b) &&
         asked->head_b == clamp_index ((guint)asked->head, self->n_heads_b);
}

guint
hs_session_get_layer_b (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->layer_b;
}

void
hs_session_set_layer_b (HsSession *self, guint layer)
{
  g_return_if_fail (HS_IS_SESSION (self));

  replace_layer_b (self, layer);
  self->follows = is_as_a (self);
}

guint
hs_session_get_head_b (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->head_b;
}

void
hs_session_set_head_b (HsSession *self, guint head)
{
  g_return_if_fail (HS_IS_SESSION (self));

  replace_head_b (self, head);
  self->follows = is_as_a (self);
}

guint
hs_session_get_n_layers (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_layers;
}

guint
hs_session_get_n_heads (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_heads;
}

guint
hs_session_get_n_layers_b (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_layers_b;
}

guint
hs_session_get_n_heads_b (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_heads_b;
}

AttnDrawRange
hs_session_get_range (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_RANGE_AUTO);
  return self->asked->range;
}

void
hs_session_set_range (HsSession *self, AttnDrawRange range)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->range == range)
    return;
  self->asked->range = range;
  hs_session_notify (self, HS_SESSION_PROP_RANGE);
}

double
hs_session_get_range_max (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 1);
  return self->asked->range_max;
}

void
hs_session_set_range_max (HsSession *self, double max)
{
  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (max > 0);

  if (self->asked->range_max == max)
    return;
  self->asked->range_max = max;
  hs_session_notify (self, HS_SESSION_PROP_RANGE_MAX);
}

const AttnArrangement *
hs_session_peek_arrangement (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->asked->arrangement;
}

void
hs_session_set_arrangement (HsSession *self, const AttnArrangement *arrangement)
{
  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (arrangement != NULL);

  if (attn_arrangement_equal (&self->asked->arrangement, arrangement))
    return;
  self->asked->arrangement = *arrangement;
  hs_session_notify (self, HS_SESSION_PROP_ARRANGEMENT);
}

AttnWordList *
hs_session_peek_words (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->asked->words;
}

void
hs_session_set_words (HsSession *self, AttnWordList *words)
{
  AttnWordList *before;

  g_return_if_fail (HS_IS_SESSION (self));

  before = self->asked->words;
  if (before == words)
    return;
  self->asked->words = words != NULL ? attn_word_list_ref (words) : NULL;
  attn_word_list_unref (before);
  hs_session_notify (self, HS_SESSION_PROP_WORDS);
}

AttnLens
hs_session_get_lens (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_LENS_RAW);
  return self->asked->lens;
}

void
hs_session_set_lens (HsSession *self, AttnLens lens)
{
  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail ((unsigned)lens < ATTN_N_LENSES);

  if (self->asked->lens == lens)
    return;
  self->asked->lens = lens;
  hs_session_notify (self, HS_SESSION_PROP_LENS);
}

/* A change of look: shown at once. */
static void
look_changed (HsSession *self, HsSessionProp prop)
{
  hs_session_take_over_look (self);
  hs_session_notify (self, prop);
  hs_session_notify (self, HS_SESSION_PROP_VIEW);
}

AttnDrawScale
hs_session_get_scale (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_SCALE_LINEAR);
  return self->asked->scale;
}

void
hs_session_set_scale (HsSession *self, AttnDrawScale scale)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->scale == scale)
    return;
  self->asked->scale = scale;
  look_changed (self, HS_SESSION_PROP_SCALE);
}

const AttnDrawCrop *
hs_session_peek_crop (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->asked->crop;
}

void
hs_session_set_crop (HsSession *self, const AttnDrawCrop *crop)
{
  const AttnDrawCrop now = crop != NULL ? *crop : (AttnDrawCrop){0};
  const AttnDrawCrop before = self->asked->crop;

  g_return_if_fail (HS_IS_SESSION (self));

  if (now.first_query == before.first_query && now.n_queries == before.n_queries &&
      now.first_key == before.first_key && now.n_keys == before.n_keys)
    return;
  self->asked->crop = now;
  look_changed (self, HS_SESSION_PROP_CROP);
}

bool
hs_session_get_shows_values (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), true);
  return !self->asked->hides_values;
}

void
hs_session_set_shows_values (HsSession *self, bool shows)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->hides_values == !shows)
    return;
  self->asked->hides_values = !shows;
  look_changed (self, HS_SESSION_PROP_SHOWS_VALUES);
}

double
hs_session_get_magnification (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 1);
  return self->magnification;
}

void
hs_session_set_magnification (HsSession *self, double magnification)
{
  g_return_if_fail (HS_IS_SESSION (self));

  magnification = CLAMP (magnification, 1, self->most_magnification);
  if (self->magnification == magnification)
    return;
  self->magnification = magnification;
  hs_session_notify (self, HS_SESSION_PROP_MAGNIFICATION);
}

void
hs_session_limit_magnification (HsSession *self, double most)
{
  g_return_if_fail (HS_IS_SESSION (self));

  self->most_magnification = MAX (most, 1);
  hs_session_set_magnification (self, self->magnification);
}

AttnDrawColorMap
hs_session_get_color_map (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_COLOR_MAP_YLGNBU);
  return self->asked->color_map;
}

void
hs_session_set_color_map (HsSession *self, AttnDrawColorMap color_map)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->color_map == color_map)
    return;
  self->asked->color_map = color_map;
  look_changed (self, HS_SESSION_PROP_COLOR_MAP);
}

bool
hs_session_get_dark (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), false);
  return self->dark;
}

void
hs_session_set_dark (HsSession *self, bool dark)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->dark == dark)
    return;
  self->dark = dark;
  self->asked->palette = dark ? ATTN_DRAW_PALETTE_SCREEN_DARK : ATTN_DRAW_PALETTE_SCREEN;
  look_changed (self, HS_SESSION_PROP_DARK);
}

void
hs_session_set_font (HsSession *self, const char *family, double size_pt)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->font_size_pt == size_pt && g_str_equal (self->asked->font_family, family))
    return;
  self->asked->font_size_pt = size_pt;
  g_free (self->asked->font_family);
  self->asked->font_family = g_strdup (family);
  hs_session_take_over_look (self);
  hs_session_notify (self, HS_SESSION_PROP_VIEW);
}

const AttnDrawView *
hs_session_peek_asked (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->asked;
}
