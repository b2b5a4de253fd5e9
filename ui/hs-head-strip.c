/* SPDX-License-Identifier: MIT */
/* A strip's layout, drawn like the picture; one stop for the keyboard, whose arrows choose. */
#include "hs-head-strip.h"

#include "hs-cursor-keys.h"
#include "hs-format.h"
#include "hs-picture-paint.h"
#include "hs-textures.h"

#include <glib/gi18n.h>

#define LEAST_ROOM_PX 80 /* less holds no map and its number */

struct _HsHeadStrip {
  GtkWidget parent_instance;

  HsSession *session;
  GSignalGroup *signals;
  AttnDrawLayout *layout; /* nullable */
  HsTextures *textures;
  guint tick;
  size_t hovered; /* panel; G_MAXSIZE for none */
};

G_DEFINE_FINAL_TYPE (HsHeadStrip, hs_head_strip, GTK_TYPE_WIDGET)

GtkWidget *
hs_head_strip_new (HsSession *session)
{
  HsHeadStrip *self = g_object_new (HS_TYPE_HEAD_STRIP, NULL);

  self->session = g_object_ref (session);
  g_signal_group_set_target (self->signals, session);
  return GTK_WIDGET (self);
}

const AttnDrawLayout *
hs_head_strip_peek_layout (HsHeadStrip *self)
{
  g_return_val_if_fail (HS_IS_HEAD_STRIP (self), NULL);
  return self->layout;
}

/* ---- what is shown ---- */

static size_t
find_chosen (HsHeadStrip *self)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (self->layout);
  const AttnDrawView *view = hs_session_peek_view (self->session);

  return attn_draw_panels_find (panels, view->layer, view->head);
}

/* As of the picture: GTK 4.8 would hand no value on to who reads the screen. */
static void
update_accessible (HsHeadStrip *self)
{
  const AttnDrawView *view = hs_session_peek_view (self->session);
  g_autofree char *label = g_strdup_printf (_ ("Heads of layer %zu"), view->layer + 1);
  g_autofree char *chosen = g_strdup_printf (_ ("Chosen: head %zu"), view->head + 1);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, chosen, -1);
}

/* The picture's look, but whole maps without numbers in them. */
static AttnDrawView *
dup_view (HsHeadStrip *self, AttnDrawPanels *heads)
{
  AttnDrawView *view = attn_draw_view_copy (hs_session_peek_view (self->session));

  view->kind = ATTN_DRAW_HEADS;
  view->layer = attn_draw_panels_get_layer (heads, 0);
  view->crop = (AttnDrawCrop){0};
  view->hides_values = true;
  attn_draw_view_set_strings (view, "", "", NULL, hs_translate, NULL);
  return view;
}

int
hs_head_strip_fit (HsHeadStrip *self, int width, int height)
{
  AttnDrawPanels *heads;

  g_return_val_if_fail (HS_IS_HEAD_STRIP (self), 0);

  hs_session_set_wants_heads (self->session, width >= LEAST_ROOM_PX);
  heads = hs_session_peek_heads (self->session);
  g_clear_pointer (&self->layout, attn_draw_layout_free);
  if (heads != NULL && width >= LEAST_ROOM_PX) {
    g_autoptr (AttnDrawView) view = dup_view (self, heads);
    self->layout = attn_draw_layout_new_strip (view, heads, width, height);
  }
  self->hovered = G_MAXSIZE;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return self->layout != NULL ? (int)attn_draw_layout_get_width (self->layout) : 0;
}

static size_t
to_index (guint value)
{
  return value == HS_NONE ? G_MAXSIZE : value;
}

static HsPictureMarks
get_marks (HsHeadStrip *self)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (attn_draw_layout_peek_panels (self->layout));
  size_t query = to_index (hs_session_peek_hovered (self->session)->query);

  return (HsPictureMarks){
      .panel = self->hovered,
      .layer = G_MAXSIZE,
      .head = G_MAXSIZE,
      .query = query < attn_maps_get_n (maps, ATTN_SIDE_QUERY) ? query : G_MAXSIZE,
      .key = G_MAXSIZE,
      .selected = find_chosen (self),
  };
}

/* px from the widget's top to the strip's, which stands in the middle. */
static int
get_top (HsHeadStrip *self)
{
  return (gtk_widget_get_height (GTK_WIDGET (self)) -
          (int)attn_draw_layout_get_height (self->layout)) /
         2;
}

static gboolean
draw_again_cb (GtkWidget *widget, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  HS_HEAD_STRIP (widget)->tick = 0;
  gtk_widget_queue_draw (widget);
  return G_SOURCE_REMOVE;
}

static void
hs_head_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HsHeadStrip *self = HS_HEAD_STRIP (widget);

  if (self->layout == NULL)
    return;
  int top = get_top (self);
  HsPictureMarks marks = get_marks (self);
  HsScreen screen = hs_screen_of (widget);
  graphene_rect_t visible = GRAPHENE_RECT_INIT (
      0, (float)-top, (float)gtk_widget_get_width (widget), (float)gtk_widget_get_height (widget));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, (float)top));
  hs_textures_begin (self->textures, self->layout, &screen);
  hs_picture_paint (snapshot, self->layout, self->textures, NULL, &marks, &visible, &screen);
  if (!hs_textures_end (self->textures) && self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (widget, draw_again_cb, NULL, NULL);
  gtk_snapshot_restore (snapshot);
}

/* It takes what is left; how much that is decides who places it. */
static void
hs_head_strip_measure (GtkWidget *widget G_GNUC_UNUSED,
                       GtkOrientation orientation G_GNUC_UNUSED,
                       int for_size G_GNUC_UNUSED,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  *minimum = *natural = 0;
  *minimum_baseline = *natural_baseline = -1;
}

/* ---- choosing ---- */

static void
choose (HsHeadStrip *self, size_t panel)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (self->layout);

  g_object_freeze_notify (G_OBJECT (self->session));
  hs_session_set_layer (self->session, (guint)attn_draw_panels_get_layer (panels, panel));
  hs_session_set_head (self->session, (guint)attn_draw_panels_get_head (panels, panel));
  g_object_thaw_notify (G_OBJECT (self->session));
}

static size_t
pick (HsHeadStrip *self, double x, double y)
{
  AttnDrawHit hit;

  if (self->layout == NULL || !attn_draw_pick (self->layout, x, y - (double)get_top (self), &hit))
    return G_MAXSIZE;
  return hit.panel;
}

static void
set_hovered (HsHeadStrip *self, size_t panel)
{
  HsCell cell = HS_CELL_NONE;

  if (self->hovered == panel)
    return;
  self->hovered = panel;
  if (panel != G_MAXSIZE) {
    AttnDrawPanels *panels = attn_draw_layout_peek_panels (self->layout);
    cell.layer = (guint)attn_draw_panels_get_layer (panels, panel);
    cell.head = (guint)attn_draw_panels_get_head (panels, panel);
  }
  hs_session_set_hovered (self->session, &cell);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (HsHeadStrip *self, double x, double y)
{
  set_hovered (self, pick (self, x, y));
}

static void
leave_cb (HsHeadStrip *self)
{
  set_hovered (self, G_MAXSIZE);
}

static void
pressed_cb (HsHeadStrip *self, int n_press G_GNUC_UNUSED, double x, double y)
{
  size_t panel = pick (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (panel != G_MAXSIZE)
    choose (self, panel);
}

static size_t
count_columns (const AttnDrawLayout *layout)
{
  size_t n_panels = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout)), n = 1;
  AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);

  while (n < n_panels && attn_draw_layout_get_panel_rect (layout, n).y <= first.y)
    n++;
  return n;
}

static gboolean
move_cb (GtkWidget *widget, GVariant *args, gpointer data G_GNUC_UNUSED)
{
  HsHeadStrip *self = HS_HEAD_STRIP (widget);

  if (self->layout == NULL)
    return FALSE;
  size_t n = attn_draw_panels_get_n (attn_draw_layout_peek_panels (self->layout));
  choose (self, hs_cursor_move_panel (find_chosen (self), n, count_columns (self->layout),
                                      (HsMove)g_variant_get_int32 (args)));
  return TRUE;
}

/* ---- object ---- */

static void
view_changed_cb (HsHeadStrip *self)
{
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
hs_head_strip_dispose (GObject *object)
{
  HsHeadStrip *self = HS_HEAD_STRIP (object);

  g_signal_group_set_target (self->signals, NULL);
  g_clear_pointer (&self->layout, attn_draw_layout_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_head_strip_parent_class)->dispose (object);
}

static void
hs_head_strip_finalize (GObject *object)
{
  HsHeadStrip *self = HS_HEAD_STRIP (object);

  g_object_unref (self->signals);
  hs_textures_free (self->textures);
  G_OBJECT_CLASS (hs_head_strip_parent_class)->finalize (object);
}

static void
hs_head_strip_class_init (HsHeadStripClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hs_head_strip_dispose;
  object_class->finalize = hs_head_strip_finalize;
  widget_class->snapshot = hs_head_strip_snapshot;
  widget_class->measure = hs_head_strip_measure;

  gtk_widget_class_set_css_name (widget_class, "headstrip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hs_cursor_bind_keys (widget_class, HS_MOVE_END, move_cb);
}

static void
hs_head_strip_init (HsHeadStrip *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->textures = hs_textures_new ();
  self->hovered = G_MAXSIZE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  self->signals = g_signal_group_new (HS_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::view", G_CALLBACK (view_changed_cb),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hovered-query",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
}
