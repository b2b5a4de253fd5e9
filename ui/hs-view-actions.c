/* SPDX-License-Identifier: MIT */
/* Actions over a session's properties. */
#include "hs-view-actions.h"

#include "hs-zoom.h"

static guint
step (guint index, guint n, int by)
{
  return n > 0 ? (index + n + (guint)by) % n : index;
}

static void
step_layer (HsSession *session, int by)
{
  hs_session_set_layer (
      session, step (hs_session_get_layer (session), hs_session_get_n_layers (session), by));
}

/* Nobody would see which one it is while heads are combined. */
static void
step_head (HsSession *session, int by)
{
  if (hs_session_peek_arrangement (session)->combine != ATTN_COMBINE_NONE)
    return;
  hs_session_set_head (session,
                       step (hs_session_get_head (session), hs_session_get_n_heads (session), by));
}

static void
next_layer_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  step_layer (data, 1);
}

static void
previous_layer_cb (GSimpleAction *action G_GNUC_UNUSED,
                   GVariant *value G_GNUC_UNUSED,
                   gpointer data)
{
  step_layer (data, -1);
}

static void
next_head_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  step_head (data, 1);
}

static void
previous_head_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  step_head (data, -1);
}

static void
unpin_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_session_set_pinned (data, HS_NONE, HS_NONE);
}

static void
zoom_in_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_zoom_by (data, HS_ZOOM_STEP);
}

static void
zoom_out_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_zoom_by (data, 1 / HS_ZOOM_STEP);
}

static void
zoom_reset_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_zoom_reset (data);
}

static void
next_found_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_session_step_found (data, 1);
}

static void
previous_found_cb (GSimpleAction *action G_GNUC_UNUSED,
                   GVariant *value G_GNUC_UNUSED,
                   gpointer data)
{
  hs_session_step_found (data, -1);
}

GActionGroup *
hs_view_actions_new (HsSession *session)
{
  static const char *const properties[] = {"kind", "color-map", "range", "scale", "shows-values"};
  static const GActionEntry entries[] = {
      {.name = "next-layer", .activate = next_layer_cb},
      {.name = "previous-layer", .activate = previous_layer_cb},
      {.name = "next-head", .activate = next_head_cb},
      {.name = "previous-head", .activate = previous_head_cb},
      {.name = "unpin", .activate = unpin_cb},
      {.name = "next-found", .activate = next_found_cb},
      {.name = "previous-found", .activate = previous_found_cb},
      {.name = "zoom-in", .activate = zoom_in_cb},
      {.name = "zoom-out", .activate = zoom_out_cb},
      {.name = "zoom-reset", .activate = zoom_reset_cb},
  };
  GSimpleActionGroup *group = g_simple_action_group_new ();

  /* the session outlives the group: the window holds both */
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), session);
  for (size_t i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autoptr (GPropertyAction) action =
        g_property_action_new (properties[i], session, properties[i]);

    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  }
  return G_ACTION_GROUP (group);
}
