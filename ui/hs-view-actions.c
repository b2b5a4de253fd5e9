/* SPDX-License-Identifier: MIT */
/* Actions over a session's properties. */
#include "hs-view-actions.h"

#include "hs-lab-pages.h"
#include "hs-lines.h"
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

/* Nobody would see which one it is while heads are seen together. */
static void
step_head (HsSession *session, int by)
{
  if (attn_draw_view_is_joint (hs_session_peek_asked (session)))
    return;
  hs_lines_choose_head (session,
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

/* ---- pages: Compare is a view of its own, the other views are ways to explore; the lab stands in
 * the place of any of them ---- */

#define LAB_PAGE "hs-lab-page"      /* on the session: the page that Lab goes back to */
#define EXPLORED "hs-explored-kind" /* on the session: the view that Explore goes back to */

/* A file has no second text to compare with: where nothing tells B apart, it is the next head. */
static void
part_sides (HsSession *session)
{
  HsSide *b = hs_session_peek_side_b (session);
  const guint layer = hs_session_get_layer (session), head = hs_session_get_head (session);
  guint n_layers = 0, n_heads = 0;

  if (hs_side_peek_attention (hs_session_peek_side (session)) == NULL ||
      hs_side_peek_wanted (b)->path != NULL || *hs_side_peek_name (b) != '\0' ||
      hs_session_get_layer_b (session) != layer || hs_session_get_head_b (session) != head)
    return;
  hs_side_get_size (hs_session_peek_side (session), &n_layers, &n_heads);
  if (n_heads > 1)
    hs_session_set_head_b (session, (head + 1) % n_heads);
  else if (n_layers > 1)
    hs_session_set_layer_b (session, (layer + 1) % n_layers);
}

/* Pages of the lab that stand alone: what they are called there is what they are called here. */
static const HsLabPageInfo *
find_alone (const char *name)
{
  size_t n;
  const HsLabPageInfo *pages = hs_lab_pages_peek (&n);

  for (size_t i = 0; i < n; i++)
    if (pages[i].stands_alone && g_str_equal (pages[i].name, name))
      return &pages[i];
  return NULL;
}

static void
change_page_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  HsSession *session = data;
  const char *page = g_variant_get_string (value, NULL);
  const HsLabPageInfo *alone = find_alone (page);

  if (alone != NULL)
    hs_session_set_lab_page (session, alone->page);
  else if (g_str_equal (page, "lab"))
    hs_session_set_lab_page (session, (AttnDrawLabPage)GPOINTER_TO_INT (
                                          g_object_get_data (G_OBJECT (session), LAB_PAGE)));
  hs_session_set_in_lab (session, g_str_equal (page, "lab") || alone != NULL);
  if (g_str_equal (page, "compare")) {
    part_sides (session);
    hs_lines_open_view (session, ATTN_DRAW_COMPARE);
  } else if (g_str_equal (page, "explore") && hs_session_get_kind (session) == ATTN_DRAW_COMPARE)
    hs_lines_open_view (
        session, (AttnDrawKind)GPOINTER_TO_INT (g_object_get_data (G_OBJECT (session), EXPLORED)));
}

static void
page_changed_cb (GSimpleAction *action, GParamSpec *pspec G_GNUC_UNUSED, HsSession *session)
{
  const AttnDrawKind kind = hs_session_get_kind (session);
  const bool explores = kind != ATTN_DRAW_COMPARE;

  if (explores)
    g_object_set_data (G_OBJECT (session), EXPLORED, GINT_TO_POINTER (kind));
  const AttnDrawLabPage lab_page = hs_session_get_lab_page (session);
  const HsLabPageInfo *info = hs_lab_pages_find (lab_page);
  if (!info->stands_alone)
    g_object_set_data (G_OBJECT (session), LAB_PAGE, GINT_TO_POINTER (lab_page));
  const char *page = hs_session_get_in_lab (session) ? (info->stands_alone ? info->name : "lab")
                     : explores                      ? "explore"
                                                     : "compare";
  g_simple_action_set_state (action, g_variant_new_string (page));
}

static void
add_page (GSimpleActionGroup *group, HsSession *session)
{
  g_autoptr (GSimpleAction) page = g_simple_action_new_stateful ("page", G_VARIANT_TYPE_STRING,
                                                                 g_variant_new_string ("explore"));

  g_signal_connect (page, "change-state", G_CALLBACK (change_page_cb), session);
  g_signal_connect_object (session, "notify::kind", G_CALLBACK (page_changed_cb), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::in-lab", G_CALLBACK (page_changed_cb), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::lab-page", G_CALLBACK (page_changed_cb), page,
                           G_CONNECT_SWAPPED);
  page_changed_cb (page, NULL, session);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (page));
}

/* ---- views, by the names the command line takes ---- */

static void
change_view_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  AttnDrawKind kind;

  if (!attn_draw_kind_find (g_variant_get_string (value, NULL), &kind))
    return;
  hs_session_set_in_lab (data, FALSE);
  hs_lines_open_view (data, kind);
}

static void
view_changed_cb (GSimpleAction *action, GParamSpec *pspec G_GNUC_UNUSED, HsSession *session)
{
  const char *name = attn_draw_kind_peek_name (hs_session_get_kind (session));

  g_simple_action_set_state (action, g_variant_new_string (name));
}

static void
add_view (GSimpleActionGroup *group, HsSession *session)
{
  g_autoptr (GSimpleAction) view = g_simple_action_new_stateful ("kind", G_VARIANT_TYPE_STRING,
                                                                 g_variant_new_string ("heatmap"));

  g_signal_connect (view, "change-state", G_CALLBACK (change_view_cb), session);
  g_signal_connect_object (session, "notify::kind", G_CALLBACK (view_changed_cb), view,
                           G_CONNECT_SWAPPED);
  view_changed_cb (view, NULL, session);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (view));
}

GActionGroup *
hs_view_actions_new (HsSession *session)
{
  static const char *const properties[] = {"color-map", "range", "scale", "shows-values",
                                           "lab-page"};
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
  add_page (group, session);
  add_view (group, session);
  for (size_t i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autoptr (GPropertyAction) action =
        g_property_action_new (properties[i], session, properties[i]);

    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  }
  return G_ACTION_GROUP (group);
}
