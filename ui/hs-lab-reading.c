/* SPDX-License-Identifier: MIT */
/* What the line below the lab reads. */
#include "hs-lab-reading.h"

#include "hs-format.h"
#include "hs-lab-follow.h"
#include "hs-lab-walk.h"
#include "hs-reading.h"

#include <glib/gi18n.h>

/* @format: with a %s for the token. */
static char *
dup_of_row (HsSession *session, guint row, const char *format)
{
  AttnMaps *maps = hs_lab_peek_shown (session);

  if (maps == NULL || row >= attn_maps_get_n (maps, ATTN_SIDE_QUERY))
    return NULL;
  g_autofree char *token = hs_format_token (maps, ATTN_SIDE_QUERY, row);
  GString *text = g_string_new (format);
  g_string_replace (text, "%s", token, 1);
  return g_string_free (text, FALSE);
}

/* A row of most steps shows no looking: only scores and weights have a key. */
static char *
dup_in_pipeline (HsSession *session)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  const guint followed = hs_session_get_pinned_query (session);

  if (hovered->key != HS_NONE)
    return hs_reading_dup_hovered (session);
  if (hovered->query != HS_NONE)
    return dup_of_row (session, hovered->query, _ ("the row of “%s”"));
  if (hs_session_get_pinned_key (session) != HS_NONE)
    return hs_reading_dup_pinned (session);
  if (followed != HS_NONE && hs_lab_walk_has_cell (session))
    return dup_of_row (session, followed, _ ("a number of “%s” is picked; Esc lets it go"));
  return followed != HS_NONE
             ? dup_of_row (session, followed,
                           _ ("following “%s”: its row is marked in every step; Esc lets it go"))
             : NULL;
}

char *
hs_lab_dup_reading (HsSession *session)
{
  char *text = NULL;

  switch (hs_session_get_lab_page (session)) {
  case ATTN_DRAW_LAB_PIPELINE:
    return dup_in_pipeline (session);
  case ATTN_DRAW_LAB_HEADS:
    text = hs_reading_dup_hovered (session);
    return text != NULL ? text : hs_reading_dup_pinned (session);
  case ATTN_DRAW_LAB_HEAD_COUNT:
  case ATTN_DRAW_LAB_TRAIN:
  case ATTN_DRAW_LAB_CODE:
  case ATTN_DRAW_LAB_RESEARCH:
  default:
    return NULL;
  }
}
