/* SPDX-License-Identifier: MIT */
/* What is looked for among the shown tokens, and stepping from match to match. */
#include "hs-session-private.h"

const char *
hs_session_peek_find (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->find;
}

const GArray *
hs_session_peek_matches (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->matches;
}

guint
hs_session_get_found (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_NONE);
  return self->found;
}

static guint
to_guint (size_t index, size_t n)
{
  return n > 0 && index < HS_NONE ? (guint)index : HS_NONE;
}

/* The query's row is followed; a token that is only a key has its column. */
static void
pin_match (HsSession *self, const HsMatch *match)
{
  guint query = to_guint (match->query, match->n_queries);
  guint key = query == HS_NONE ? to_guint (match->key, match->n_keys) : HS_NONE;

  hs_session_set_pinned (self, query, key);
}

static void
step_to (HsSession *self, guint found)
{
  self->found = found;
  if (found != HS_NONE)
    pin_match (self, &g_array_index (self->matches, HsMatch, found));
  hs_session_notify (self, HS_SESSION_PROP_FOUND);
}

/* The first match that does not lie before the pinned query; the first of all after the last. */
static guint
find_next (HsSession *self)
{
  for (guint i = 0; i < self->matches->len; i++) {
    const HsMatch *match = &g_array_index (self->matches, HsMatch, i);
    if (self->pinned_query == HS_NONE || match->query + match->n_queries > self->pinned_query)
      return i;
  }
  return self->matches->len > 0 ? 0 : HS_NONE;
}

/* B's tokens without a partner are numbered one after the other, whatever stands between them. */
static void
add_alone (HsSession *self, AttnSide side, size_t first, size_t n, size_t *joint, size_t *n_joint)
{
  const size_t n_a = attn_maps_get_n (attn_draw_panels_peek_maps (self->panels), side);

  *n_joint = 0;
  for (size_t i = first; i < first + n; i++) {
    size_t token = attn_draw_panels_get_joint (self->panels, 1, side, i);
    if (token < n_a)
      continue; /* A has it, too */
    *joint = *n_joint == 0 ? token : *joint;
    ++*n_joint;
  }
}

/* What only B has of a comparison. */
static void
look_in_b (HsSession *self)
{
  AttnMaps *b = attn_draw_panels_peek (self->panels, 1)->maps;
  g_autoptr (GArray) matches = hs_find_matches (b, self->find);

  for (guint i = 0; i < matches->len; i++) {
    const HsMatch *match = &g_array_index (matches, HsMatch, i);
    HsMatch joint = {0};
    add_alone (self, ATTN_SIDE_QUERY, match->query, match->n_queries, &joint.query,
               &joint.n_queries);
    add_alone (self, ATTN_SIDE_KEY, match->key, match->n_keys, &joint.key, &joint.n_keys);
    if (joint.n_queries > 0 || joint.n_keys > 0)
      g_array_append_val (self->matches, joint);
  }
}

static void
look (HsSession *self)
{
  const char *needle = self->find != NULL && self->panels != NULL ? self->find : "";

  g_array_unref (self->matches);
  if (*needle != '\0')
    self->matches = hs_find_matches (attn_draw_panels_peek_maps (self->panels), needle);
  else
    self->matches = g_array_new (FALSE, FALSE, sizeof (HsMatch));
  if (*needle != '\0' && attn_draw_panels_peek_source_b (self->panels) != NULL)
    look_in_b (self);
  hs_session_notify (self, HS_SESSION_PROP_N_FOUND);
}

void
hs_session_set_find (HsSession *self, const char *find)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (g_strcmp0 (self->find, find) == 0)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_free (self->find);
  self->find = g_strdup (find);
  look (self);
  step_to (self, find_next (self));
  hs_session_notify (self, HS_SESSION_PROP_FIND);
  g_object_thaw_notify (G_OBJECT (self));
}

/* The match that the pinned query belongs to. */
static guint
find_pinned (HsSession *self)
{
  for (guint i = 0; i < self->matches->len; i++) {
    const HsMatch *match = &g_array_index (self->matches, HsMatch, i);
    if (self->pinned_query >= match->query && self->pinned_query - match->query < match->n_queries)
      return i;
  }
  return HS_NONE;
}

/* Nobody stepped: nothing else is pinned, but the token that was stepped to stays in view. */
void
hs_session_find_again (HsSession *self)
{
  if (self->find == NULL && self->matches->len == 0)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  look (self);
  self->found = self->found != HS_NONE ? find_pinned (self) : HS_NONE;
  hs_session_notify (self, HS_SESSION_PROP_FOUND);
  g_object_thaw_notify (G_OBJECT (self));
}

void
hs_session_step_found (HsSession *self, int by)
{
  guint n;

  g_return_if_fail (HS_IS_SESSION (self));

  n = self->matches->len;
  if (n == 0)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  if (self->found == HS_NONE)
    step_to (self, by > 0 ? find_next (self) : n - 1);
  else
    step_to (self, (guint)(((int)self->found + by % (int)n + (int)n) % (int)n));
  g_object_thaw_notify (G_OBJECT (self));
}
