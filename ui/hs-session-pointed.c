/* SPDX-License-Identifier: MIT */
/* What the person points at and pins. */
#include "hs-session-private.h"

const HsCell *
hs_session_peek_hovered (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->hovered;
}

void
hs_session_set_hovered (HsSession *self, const HsCell *cell)
{
  const HsCell before = self->hovered;

  g_return_if_fail (HS_IS_SESSION (self));

  self->hovered = cell != NULL ? *cell : HS_CELL_NONE;
  if (self->hovered.layer == before.layer && self->hovered.head == before.head &&
      self->hovered.query == before.query && self->hovered.key == before.key)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  hs_session_notify (self, HS_SESSION_PROP_HOVERED);
  if (self->hovered.layer != before.layer)
    hs_session_notify (self, HS_SESSION_PROP_HOVERED_LAYER);
  if (self->hovered.head != before.head)
    hs_session_notify (self, HS_SESSION_PROP_HOVERED_HEAD);
  if (self->hovered.query != before.query)
    hs_session_notify (self, HS_SESSION_PROP_HOVERED_QUERY);
  if (self->hovered.key != before.key)
    hs_session_notify (self, HS_SESSION_PROP_HOVERED_KEY);
  g_object_thaw_notify (G_OBJECT (self));
}

guint
hs_session_get_pinned_query (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_NONE);
  return self->pinned_query;
}

guint
hs_session_get_pinned_key (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_NONE);
  return self->pinned_key;
}

static size_t
to_size (guint index)
{
  return index == HS_NONE ? G_MAXSIZE : index;
}

void
hs_session_set_pinned (HsSession *self, guint query, guint key)
{
  const guint query_before = self->pinned_query, key_before = self->pinned_key;

  g_return_if_fail (HS_IS_SESSION (self));

  if (query == query_before && key == key_before)
    return;
  self->pinned_query = query;
  self->pinned_key = key;
  self->asked->has_pin = query != HS_NONE || key != HS_NONE;
  self->asked->pin_query = to_size (query);
  self->asked->pin_key = to_size (key);
  hs_session_take_over_look (self);
  g_object_freeze_notify (G_OBJECT (self));
  if (query != query_before)
    hs_session_notify (self, HS_SESSION_PROP_PINNED_QUERY);
  if (key != key_before)
    hs_session_notify (self, HS_SESSION_PROP_PINNED_KEY);
  hs_session_notify (self, HS_SESSION_PROP_VIEW);
  g_object_thaw_notify (G_OBJECT (self));
}
