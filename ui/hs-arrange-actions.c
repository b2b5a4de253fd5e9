/* SPDX-License-Identifier: MIT */
/* Actions over the session's arrangement; their states follow it. */
#include "hs-arrange-actions.h"

#include "hs-arrangement.h"

/* The unit once more, for a choice that needs a text. */
#define TEXT_UNIT "text-unit"

/* A file tells what its tokens are called, not where they lie in a text. */
static bool
has_text (HsSession *session)
{
  return hs_side_peek_attention (hs_session_peek_side (session)) == NULL;
}

static void
set_part (HsSession *session, const char *name, GVariant *value)
{
  AttnArrangement arrangement = *hs_session_peek_arrangement (session);

  if (hs_arrangement_set (&arrangement, name, value) &&
      (arrangement.unit != ATTN_UNIT_CHARACTERS || has_text (session)))
    hs_session_set_arrangement (session, &arrangement);
}

static void
change_state_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  set_part (data, g_action_get_name (G_ACTION (action)), value);
}

static void
change_text_unit_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  set_part (data, "unit", value);
}

static void
all_heads_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  AttnArrangement arrangement = *hs_session_peek_arrangement (data);

  arrangement.heads = (AttnHeadSet){{0}};
  hs_session_set_arrangement (data, &arrangement);
}

static void
reset_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  g_object_freeze_notify (data); /* one picture, not two */
  hs_session_set_arrangement (data, &(AttnArrangement){0});
  hs_session_set_lens (data, ATTN_LENS_RAW);
  g_object_thaw_notify (data);
}

static GSimpleAction *
find_action (GSimpleActionGroup *group, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (group), name));
}

static void
set_enabled (GSimpleActionGroup *group, const char *name, bool enabled)
{
  g_simple_action_set_enabled (find_action (group, name), enabled);
}

/* A part of a pair that is no more can still be left. */
static bool
can_choose_part (HsSession *session)
{
  const char *pair = hs_side_peek_pair (hs_session_peek_side (session));

  return (pair != NULL && *pair != '\0') ||
         hs_session_peek_arrangement (session)->part != ATTN_PART_ALL;
}

static void
update (GSimpleActionGroup *group, HsSession *session)
{
  const AttnArrangement *arrangement = hs_session_peek_arrangement (session);
  bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  size_t n;
  const HsArrangementPart *parts = hs_arrangement_peek_parts (&n);

  for (size_t i = 0; i < n; i++) {
    GVariant *state = hs_arrangement_get (arrangement, parts[i].name);

    g_simple_action_set_state (find_action (group, parts[i].name), state);
  }
  g_simple_action_set_state (find_action (group, TEXT_UNIT),
                             hs_arrangement_get (arrangement, "unit"));
  set_enabled (group, TEXT_UNIT, has_text (session));
  set_enabled (group, "part", has_text (session) && can_choose_part (session));
  set_enabled (group, "combine-layers", combines);
  set_enabled (group, "all-heads", !attn_head_set_is_empty (&arrangement->heads));
  set_enabled (group, "reset",
               !attn_arrangement_is_plain (arrangement) ||
                   hs_session_get_lens (session) != ATTN_LENS_RAW);
}

static void
changed_cb (GSimpleActionGroup *group, GParamSpec *pspec G_GNUC_UNUSED, gpointer sender)
{
  HsSession *session = g_object_get_data (G_OBJECT (group), "hs-session");

  (void)sender;
  update (group, session);
}

/* @data: given to @change_cb */
static void
add_stateful (GSimpleActionGroup *group,
              const char *name,
              const GVariantType *type,
              GVariant *state,
              GCallback change_cb,
              gpointer data)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (name, type, state);

  g_signal_connect (action, "change-state", change_cb, data);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

GActionGroup *
hs_arrange_actions_new (HsSession *session)
{
  static const GActionEntry entries[] = {
      {.name = "all-heads", .activate = all_heads_cb},
      {.name = "reset", .activate = reset_cb},
  };
  GSimpleActionGroup *group = g_simple_action_group_new ();
  size_t n;
  const HsArrangementPart *parts = hs_arrangement_peek_parts (&n);

  /* the session outlives the group: the window holds both */
  g_object_set_data (G_OBJECT (group), "hs-session", session);
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), session);
  for (size_t i = 0; i < n; i++) {
    GVariant *state = hs_arrangement_get (hs_session_peek_arrangement (session), parts[i].name);
    bool is_word = g_variant_type_equal (parts[i].type, G_VARIANT_TYPE_STRING);

    add_stateful (group, parts[i].name, is_word ? parts[i].type : NULL, state,
                  G_CALLBACK (change_state_cb), session);
  }
  add_stateful (group, TEXT_UNIT, G_VARIANT_TYPE_STRING,
                hs_arrangement_get (hs_session_peek_arrangement (session), "unit"),
                G_CALLBACK (change_text_unit_cb), session);
  update (group, session);
  g_signal_connect_object (session, "notify::arrangement", G_CALLBACK (changed_cb), group,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::lens", G_CALLBACK (changed_cb), group,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side (session), "notify::pair", G_CALLBACK (changed_cb),
                           group, G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side (session), "notify::attention",
                           G_CALLBACK (changed_cb), group, G_CONNECT_SWAPPED);
  return G_ACTION_GROUP (group);
}
