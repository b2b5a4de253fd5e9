/* SPDX-License-Identifier: MIT */
/* Nothing but the session's arrangement says whose lines are seen. */
#include "hs-lines.h"

#define OF_ALL "hs-lines-of-all" /* on the session: whether lines were of all heads when left */

/* Combined heads are one map, which the set is for. */
static bool
is_apart (HsSession *session)
{
  return hs_session_peek_arrangement (session)->combine == ATTN_COMBINE_NONE;
}

static AttnHeadSet
set_of (guint head)
{
  AttnHeadSet set = {{0}};

  if (head < ATTN_HEAD_SET_MAX)
    attn_head_set_put (&set, head, true);
  return set;
}

/* Whether the chosen head's lines are the only ones. */
static bool
is_alone (HsSession *session)
{
  const AttnHeadSet alone = set_of (hs_session_get_head (session));
  const AttnHeadSet *heads = &hs_session_peek_arrangement (session)->heads;

  return !attn_head_set_is_empty (heads) && attn_head_set_equal (heads, &alone);
}

static void
choose (HsSession *session, AttnHeadSet heads)
{
  AttnArrangement arrangement = *hs_session_peek_arrangement (session);

  arrangement.heads = heads;
  hs_session_set_arrangement (session, &arrangement);
}

static void
enter (HsSession *session)
{
  const bool of_all = g_object_get_data (G_OBJECT (session), OF_ALL) != NULL;

  if (attn_head_set_is_empty (&hs_session_peek_arrangement (session)->heads) && !of_all)
    choose (session, set_of (hs_session_get_head (session)));
}

static void
leave (HsSession *session)
{
  const bool of_all = attn_head_set_is_empty (&hs_session_peek_arrangement (session)->heads);

  g_object_set_data (G_OBJECT (session), OF_ALL, GINT_TO_POINTER (of_all));
  if (is_alone (session))
    choose (session, (AttnHeadSet){{0}});
}

void
hs_lines_open_view (HsSession *session, AttnDrawKind kind)
{
  const AttnDrawKind before = hs_session_get_kind (session);

  if (kind == before)
    return;
  g_object_freeze_notify (G_OBJECT (session)); /* one picture, not two */
  if (before == ATTN_DRAW_LINES && is_apart (session))
    leave (session);
  if (kind == ATTN_DRAW_LINES && is_apart (session))
    enter (session);
  hs_session_set_kind (session, kind);
  g_object_thaw_notify (G_OBJECT (session));
}

void
hs_lines_choose_head (HsSession *session, guint head)
{
  const bool follows =
      hs_session_get_kind (session) == ATTN_DRAW_LINES && is_apart (session) && is_alone (session);

  if (head == hs_session_get_head (session))
    return;
  g_object_freeze_notify (G_OBJECT (session));
  hs_session_set_head (session, head);
  if (follows)
    choose (session, set_of (hs_session_get_head (session)));
  g_object_thaw_notify (G_OBJECT (session));
}

bool
hs_lines_are_of_some (HsSession *session)
{
  const AttnDrawView *view = hs_session_peek_view (session);

  return hs_session_peek_panels (session) != NULL && view->kind == ATTN_DRAW_LINES &&
         !attn_draw_view_is_joint (view) && !attn_head_set_is_empty (&view->arrangement.heads);
}
