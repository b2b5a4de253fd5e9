/* SPDX-License-Identifier: MIT */
/* The session's place in the lab. */
#include "hs-session-private.h"

gboolean
hs_session_get_in_lab (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), FALSE);
  return self->in_lab;
}

void
hs_session_set_in_lab (HsSession *self, gboolean in_lab)
{
  g_return_if_fail (HS_IS_SESSION (self));

  in_lab = !!in_lab;
  if (self->in_lab == in_lab)
    return;
  self->in_lab = in_lab;
  hs_session_set_hovered (self, &HS_CELL_NONE); /* that was pointed at elsewhere */
  hs_session_notify (self, HS_SESSION_PROP_IN_LAB);
}

AttnDrawLabPage
hs_session_get_lab_page (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_LAB_PIPELINE);
  return self->lab_page;
}

void
hs_session_set_lab_page (HsSession *self, AttnDrawLabPage page)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->lab_page == page)
    return;
  self->lab_page = page;
  hs_session_notify (self, HS_SESSION_PROP_LAB_PAGE);
}

/* ---- where in its pages ---- */

const AttnDrawLabPlace *
hs_session_peek_lab_place (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->lab_place;
}

static guint
to_number (size_t index)
{
  return index < HS_NONE ? (guint)index : HS_NONE;
}

guint
hs_session_get_lab_number (HsSession *self, HsSessionProp prop)
{
  const AttnDrawLabPlace *place = &self->lab_place;

  switch (prop) {
  case HS_SESSION_PROP_LAB_STEP:
    return place->step;
  case HS_SESSION_PROP_LAB_ROW:
    return to_number (place->row);
  case HS_SESSION_PROP_LAB_COLUMN:
    return to_number (place->column);
  case HS_SESSION_PROP_LAB_PAIR:
    return place->pair;
  case HS_SESSION_PROP_LAB_HEAD_A:
    return to_number (place->head_a);
  case HS_SESSION_PROP_LAB_HEAD_B:
    return to_number (place->head_b);
  default:
    return place->code;
  }
}

void
hs_session_set_lab_number (HsSession *self, HsSessionProp prop, guint number)
{
  AttnDrawLabPlace place = self->lab_place;
  const size_t index = number == HS_NONE ? G_MAXSIZE : number;

  if (prop == HS_SESSION_PROP_LAB_STEP)
    place.step = (AttnStep)number;
  else if (prop == HS_SESSION_PROP_LAB_ROW)
    place.row = index;
  else if (prop == HS_SESSION_PROP_LAB_COLUMN)
    place.column = index;
  else if (prop == HS_SESSION_PROP_LAB_PAIR)
    place.pair = (AttnDrawLabPair)number;
  else if (prop == HS_SESSION_PROP_LAB_HEAD_A)
    place.head_a = index;
  else if (prop == HS_SESSION_PROP_LAB_HEAD_B)
    place.head_b = index;
  else
    place.code = (AttnCode)number;
  hs_session_set_lab_place (self, &place);
}

void
hs_session_set_lab_place (HsSession *self, const AttnDrawLabPlace *place)
{
  g_return_if_fail (HS_IS_SESSION (self));
  guint before[HS_SESSION_PROP_LAB_CODE + 1];

  for (int prop = HS_SESSION_PROP_LAB_STEP; prop <= HS_SESSION_PROP_LAB_CODE; prop++)
    before[prop] = hs_session_get_lab_number (self, (HsSessionProp)prop);
  self->lab_place = *place;
  g_object_freeze_notify (G_OBJECT (self));
  for (int prop = HS_SESSION_PROP_LAB_STEP; prop <= HS_SESSION_PROP_LAB_CODE; prop++)
    if (hs_session_get_lab_number (self, (HsSessionProp)prop) != before[prop])
      hs_session_notify (self, (HsSessionProp)prop);
  g_object_thaw_notify (G_OBJECT (self));
}

/* ---- heads that are switched off ---- */

const AttnAblationAsked *
hs_session_peek_ablation (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->ablation;
}

void
hs_session_set_ablation (HsSession *self, const AttnAblationAsked *ablation)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (attn_ablation_asked_equal (&self->ablation, ablation))
    return;
  attn_ablation_asked_set (&self->ablation, ablation);
  hs_session_notify (self, HS_SESSION_PROP_ABLATION);
}

const AttnDrawAtlasFilter *
hs_session_peek_atlas (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->atlas;
}

void
hs_session_set_atlas (HsSession *self, const AttnDrawAtlasFilter *filter)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->atlas.pattern == filter->pattern && self->atlas.layer == filter->layer)
    return;
  self->atlas = *filter;
  hs_session_notify (self, HS_SESSION_PROP_ATLAS);
}

/* ---- the head ---- */

gboolean
hs_session_get_head_chosen (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), FALSE);
  return self->head_chosen;
}

void
hs_session_set_head_chosen (HsSession *self, gboolean chosen)
{
  g_return_if_fail (HS_IS_SESSION (self));

  chosen = !!chosen;
  if (self->head_chosen == chosen)
    return;
  self->head_chosen = chosen;
  hs_session_notify (self, HS_SESSION_PROP_HEAD_CHOSEN);
}

void
hs_session_lend_head (HsSession *self, guint layer, guint head)
{
  g_return_if_fail (HS_IS_SESSION (self));
  const guint own_layer = hs_session_get_layer (self), own_head = hs_session_get_head (self);

  g_object_freeze_notify (G_OBJECT (self));
  hs_session_set_head_chosen (self, TRUE);
  hs_session_set_layer (self, layer);
  hs_session_set_head (self, head);
  self->head_lent = true;
  self->own_layer = own_layer;
  self->own_head = own_head;
  g_object_thaw_notify (G_OBJECT (self));
}

void
hs_session_return_head (HsSession *self)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (!self->head_lent)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  hs_session_set_layer (self, self->own_layer);
  hs_session_set_head (self, self->own_head);
  self->head_lent = false;
  hs_session_set_head_chosen (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
}

AttnDrawLabExample
hs_session_get_lab_example (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), (AttnDrawLabExample){0});
  return self->head_lent ? (AttnDrawLabExample){true, self->own_layer, self->own_head}
                         : (AttnDrawLabExample){0};
}

bool
hs_session_is_head_lent (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), false);
  return self->head_lent;
}

void
hs_session_get_own_head (HsSession *self, guint *layer, guint *head, gboolean *chosen)
{
  g_return_if_fail (HS_IS_SESSION (self));

  *layer = self->head_lent ? self->own_layer : hs_session_get_layer (self);
  *head = self->head_lent ? self->own_head : hs_session_get_head (self);
  *chosen = self->head_chosen && !self->head_lent;
}
