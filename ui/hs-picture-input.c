/* SPDX-License-Identifier: MIT */
/* What pointer and keys do on a picture: hover, pin, choose a head, open it large. */
#include "hs-picture-input.h"

#include "hs-cursor-keys.h"
#include "hs-picture-marks.h"
#include "hs-picture-text.h"
#include "hs-picture-zoom.h"
#include "hs-zoom.h"

static guint
to_guint (size_t index)
{
  return index == G_MAXSIZE ? HS_NONE : (guint)index;
}

static size_t
to_index (guint value)
{
  return value == HS_NONE ? G_MAXSIZE : value;
}

static bool
shows_grid (HsPicture *picture)
{
  AttnDrawKind kind = hs_session_peek_view (hs_picture_peek_session (picture))->kind;
  return kind == ATTN_DRAW_HEADS || kind == ATTN_DRAW_LAYERS;
}

static bool
shows_text (HsPicture *picture)
{
  return hs_session_peek_view (hs_picture_peek_session (picture))->kind == ATTN_DRAW_TEXT;
}

static void
set_pinned (HsSession *session, guint query, guint key)
{
  bool same =
      query == hs_session_get_pinned_query (session) && key == hs_session_get_pinned_key (session);
  hs_session_set_pinned (session, same ? HS_NONE : query, same ? HS_NONE : key);
}

static void
open_large (HsSession *session)
{
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
}

/* ---- pointer ---- */

/* Whenever a window lays out anew GTK tells it where the pointer rests, by an event without a time:
 * that must not take from the keys what they have just moved. */
static bool
is_at_rest (HsPicture *picture, GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  bool is_made_up = event != NULL && gdk_event_get_time (event) == GDK_CURRENT_TIME;
  if (!is_made_up)
    hs_picture_set_led_by_keys (picture, false);
  return is_made_up && hs_picture_is_led_by_keys (picture);
}

static void
motion_cb (GtkEventController *controller, double x, double y, gpointer data)
{
  HsPicture *picture = data;
  AttnDrawHit hit;
  if (is_at_rest (picture, controller))
    return;
  hs_picture_pick (picture, x, y, &hit);
  HsCell cell = {to_guint (hit.head), to_guint (hit.query), to_guint (hit.key),
                 to_guint (hit.layer)};
  if (shows_text (picture))
    cell = hs_picture_text_get_cell (hs_picture_peek_session (picture), &hit);
  hs_session_set_hovered (hs_picture_peek_session (picture), &cell);
}

static void
leave_cb (GtkEventController *controller, gpointer data)
{
  if (!is_at_rest (data, controller))
    hs_session_set_hovered (hs_picture_peek_session (data), &HS_CELL_NONE);
}

/* Of a row's or a column's title only the one that it names; what is seen together is none to
 * choose. */
static void
choose_head (HsSession *session, size_t layer, size_t head)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  if (attn_draw_view_is_joint (view))
    head = G_MAXSIZE;
  if (view->arrangement.combine != ATTN_COMBINE_NONE && view->arrangement.combine_layers)
    layer = G_MAXSIZE;
  g_object_freeze_notify (G_OBJECT (session));
  if (layer != G_MAXSIZE)
    hs_session_set_layer (session, (guint)layer);
  if (head != G_MAXSIZE)
    hs_session_set_head (session, (guint)head);
  g_object_thaw_notify (G_OBJECT (session));
}

static bool
shows_lines (HsPicture *picture)
{
  return hs_session_peek_view (hs_picture_peek_session (picture))->kind == ATTN_DRAW_LINES;
}

/* Leaves a head's lines out or takes them in again. */
static void
toggle_head (HsSession *session, guint head)
{
  AttnArrangement arrangement = *hs_session_peek_arrangement (session);
  AttnDrawPanels *panels = hs_session_peek_panels (session); /* all heads of the layer */
  attn_head_set_toggle (&arrangement.heads, head, attn_draw_panels_get_n (panels));
  hs_session_set_arrangement (session, &arrangement);
}

/* Only this head's lines; of all heads again where it was the only one. */
static void
choose_only (HsSession *session, guint head)
{
  AttnArrangement arrangement = *hs_session_peek_arrangement (session);
  AttnHeadSet only = {{0}};
  if (head < ATTN_HEAD_SET_MAX)
    attn_head_set_put (&only, head, true);
  arrangement.heads = only;
  hs_session_set_arrangement (session, &arrangement);
}

static void
pick_out (HsPicture *picture, int n_press, double x, double y)
{
  HsSession *session = hs_picture_peek_session (picture);
  AttnDrawHit hit;
  if (!hs_picture_pick (picture, x, y, &hit))
    return;
  if (shows_grid (picture)) {
    choose_head (session, hit.layer, hit.head);
    if (hit.panel != G_MAXSIZE && n_press == 2)
      open_large (session);
    return;
  }
  if (hit.role == ATTN_DRAW_ROLE_LEGEND && hit.head != G_MAXSIZE) {
    if (n_press == 2)
      choose_only (session, (guint)hit.head);
    else
      toggle_head (session, (guint)hit.head);
    return;
  }
  if (shows_text (picture)) {
    HsCell cell = hs_picture_text_get_cell (session, &hit);
    hs_session_set_hovered (session, &cell);
    hs_picture_text_pin (session, hs_picture_peek_layout (picture));
    return;
  }
  if (hit.query != G_MAXSIZE || hit.key != G_MAXSIZE)
    set_pinned (session, to_guint (hit.query), to_guint (hit.key));
}

/* Where a press may become a drag the click counts when it is over. */
static void
pressed_cb (HsPicture *picture, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (picture));
  if (!hs_picture_zoom_may_drag (picture))
    pick_out (picture, n_press, x, y);
}

static void
released_cb (HsPicture *picture, int n_press, double x, double y)
{
  if (hs_picture_zoom_may_drag (picture))
    pick_out (picture, n_press, x, y);
}

void
hs_picture_input_attach (HsPicture *picture)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), picture);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), picture);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), picture);
  gtk_widget_add_controller (GTK_WIDGET (picture), motion);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), picture);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), picture);
  gtk_widget_add_controller (GTK_WIDGET (picture), GTK_EVENT_CONTROLLER (click));
  hs_picture_zoom_attach (picture, motion);
}

/* ---- keys ---- */

static size_t
count_columns (const AttnDrawLayout *layout)
{
  size_t n_panels = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout));
  AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);
  size_t n = 1;
  while (n < n_panels && attn_draw_layout_get_panel_rect (layout, n).y <= first.y)
    n++;
  return n;
}

static void
move_head (HsPicture *picture, const AttnDrawLayout *layout, HsMove move)
{
  HsSession *session = hs_picture_peek_session (picture);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  size_t panel = hs_picture_find_selected (session);
  panel =
      hs_cursor_move_panel (panel, attn_draw_panels_get_n (panels), count_columns (layout), move);
  choose_head (session, attn_draw_panels_get_layer (panels, panel),
               attn_draw_panels_get_head (panels, panel));
  hs_picture_reveal (picture, attn_draw_layout_get_panel_rect (layout, panel));
}

/* The first panel that has the cell of these tokens; the first of all where none has. */
static AttnDrawRect
find_cell_rect (const AttnDrawLayout *layout, size_t query, size_t key)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    size_t row = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, query);
    size_t column = attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, key);
    if (row != G_MAXSIZE && column != G_MAXSIZE)
      return attn_draw_layout_place (layout, panel, row, column);
  }
  return attn_draw_layout_get_panel_rect (layout, 0);
}

/* The moved cell is the hovered one; where nothing is hovered it starts at the pin. Of a comparison
 * it goes through the tokens of both in reading order. */
static void
move_cell (HsPicture *picture, const AttnDrawLayout *layout, HsMove move)
{
  HsSession *session = hs_picture_peek_session (picture);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  const AttnMap *map = attn_draw_panels_peek (panels, 0);
  const HsCell *hovered = hs_session_peek_hovered (session);
  size_t query = to_index (hovered->query);
  size_t key = to_index (hovered->key);
  if (query == G_MAXSIZE && key == G_MAXSIZE) {
    query = to_index (hs_session_get_pinned_query (session));
    key = to_index (hs_session_get_pinned_key (session));
  }
  query = hs_zoom_find_place (session, ATTN_SIDE_QUERY, query);
  key = hs_zoom_find_place (session, ATTN_SIDE_KEY, key);
  hs_cursor_move_cell (&query, &key, attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY),
                       attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), move);
  query = attn_draw_panels_get_joint_at (panels, ATTN_SIDE_QUERY, query);
  key = attn_draw_panels_get_joint_at (panels, ATTN_SIDE_KEY, key);
  hs_session_set_hovered (session,
                          &(HsCell){(guint)map->head, (guint)query, (guint)key, (guint)map->layer});
  hs_zoom_reveal (session, query, key);
  hs_picture_reveal (picture, find_cell_rect (hs_picture_peek_layout (picture), query, key));
}

/* A lone head of combined ones has no legend. */
static void
move_beside_lines (HsPicture *picture, const AttnDrawLayout *layout, HsMove move)
{
  HsSession *session = hs_picture_peek_session (picture);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  AttnMaps *maps = attn_draw_panels_peek_maps (panels);
  guint n_panels = (guint)attn_draw_panels_get_n (panels);
  HsCell cell = *hs_session_peek_hovered (session);
  if (cell.query == HS_NONE && cell.key == HS_NONE && cell.head == HS_NONE) {
    cell.query = hs_session_get_pinned_query (session);
    cell.key = hs_session_get_pinned_key (session);
  }
  cell = hs_cursor_move_beside_lines (cell, n_panels > 1 ? n_panels : 0,
                                      (guint)attn_maps_get_n (maps, ATTN_SIDE_QUERY),
                                      (guint)attn_maps_get_n (maps, ATTN_SIDE_KEY), move);
  hs_session_set_hovered (session, &cell);
  if (cell.query != HS_NONE || cell.key != HS_NONE)
    hs_picture_reveal (
        picture, attn_draw_layout_place (layout, 0, to_index (cell.query), to_index (cell.key)));
  else
    hs_picture_reveal (picture, (AttnDrawRect){0}); /* the legend is at the top */
}

static void
move_piece (HsPicture *picture, const AttnDrawLayout *layout, HsMove move)
{
  AttnDrawRect rect;
  if (hs_picture_text_move (hs_picture_peek_session (picture), layout, move, &rect))
    hs_picture_reveal (picture, rect);
}

static gboolean
move_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  (void)data;
  HsPicture *picture = HS_PICTURE (widget);
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  if (layout == NULL)
    return FALSE;
  HsMove move = (HsMove)g_variant_get_int32 (args);
  hs_picture_set_led_by_keys (picture, true);
  if (shows_grid (picture))
    move_head (picture, layout, move);
  else if (shows_lines (picture))
    move_beside_lines (picture, layout, move);
  else if (shows_text (picture))
    move_piece (picture, layout, move);
  else
    move_cell (picture, layout, move);
  return TRUE;
}

static void
pin_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  (void)action;
  (void)parameter;
  HsSession *session = hs_picture_peek_session (HS_PICTURE (widget));
  const HsCell *hovered = hs_session_peek_hovered (session);
  if (shows_grid (HS_PICTURE (widget)))
    open_large (session);
  else if (shows_lines (HS_PICTURE (widget)) && hovered->head != HS_NONE &&
           hovered->query == HS_NONE && hovered->key == HS_NONE)
    toggle_head (session, hovered->head);
  else if (shows_text (HS_PICTURE (widget)) && hs_picture_peek_layout (HS_PICTURE (widget)) != NULL)
    hs_picture_text_pin (session, hs_picture_peek_layout (HS_PICTURE (widget)));
  else if (hovered->query != HS_NONE || hovered->key != HS_NONE)
    set_pinned (session, hovered->query, hovered->key);
}

static void
open_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  (void)action;
  (void)parameter;
  open_large (hs_picture_peek_session (HS_PICTURE (widget)));
}

static void
clear_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  (void)action;
  (void)parameter;
  HsSession *session = hs_picture_peek_session (HS_PICTURE (widget));
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_hovered (session, &HS_CELL_NONE);
}

void
hs_picture_input_install (GtkWidgetClass *widget_class)
{
  static const struct {
    guint key;
    const char *action;
  } zooms[] = {
      {GDK_KEY_plus, "view.zoom-in"},         {GDK_KEY_equal, "view.zoom-in"},
      {GDK_KEY_KP_Add, "view.zoom-in"},       {GDK_KEY_minus, "view.zoom-out"},
      {GDK_KEY_KP_Subtract, "view.zoom-out"}, {GDK_KEY_0, "view.zoom-reset"},
      {GDK_KEY_KP_0, "view.zoom-reset"},
  };
  hs_cursor_bind_keys (widget_class, HS_MOVE_PAGE_DOWN, move_cb);
  for (size_t i = 0; i < G_N_ELEMENTS (zooms); i++)
    gtk_widget_class_add_binding_action (widget_class, zooms[i].key, 0, zooms[i].action, NULL);
  gtk_widget_class_install_action (widget_class, "picture.pin", NULL, pin_cb);
  gtk_widget_class_install_action (widget_class, "picture.open", NULL, open_cb);
  gtk_widget_class_install_action (widget_class, "picture.clear", NULL, clear_cb);
  static const guint pin_keys[] = {GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space};
  for (size_t i = 0; i < G_N_ELEMENTS (pin_keys); i++)
    gtk_widget_class_add_binding_action (widget_class, pin_keys[i], 0, "picture.pin", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "picture.clear", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-image",
                                       NULL);
}
