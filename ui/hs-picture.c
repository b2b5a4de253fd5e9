/* SPDX-License-Identifier: MIT */
/* The picture in the middle of the window: layout, drawing and scrolling; input is in
 * hs-picture-input.c. */
#include "hs-picture.h"

#include "hs-line-tiles.h"
#include "hs-magnifier.h"
#include "hs-map-width.h"
#include "hs-picture-found.h"
#include "hs-picture-input.h"
#include "hs-picture-marks.h"
#include "hs-picture-paint.h"
#include "hs-picture-scroll.h"
#include "hs-picture-titles.h"
#include "hs-reading.h"
#include "hs-textures.h"

#include <glib/gi18n.h>

#include <math.h>

#define MIN_SIDE_PX 160 /* less shows nothing useful */
#define NARROW_PX 500

struct _HsPicture {
  GtkWidget parent_instance;

  HsSession *session;
  GSignalGroup *session_signals;
  AttnDrawLayout *layout; /* NULL: nothing to show */
  bool is_stale;          /* the layout is of something shown before */
  HsTextures *textures;
  HsLineTiles *line_tiles;
  HsMapWidth map_width;
  bool is_complete;
  bool is_led_by_keys;
  bool has_anchor; /* while the magnification is changed at a point */
  double anchor_x, anchor_y;
  guint tick; /* asks for another frame while textures are to be made; 0 for none */

  HsPictureScroll scroll;
};

enum {
  PROP_0,
  PROP_SESSION,
  N_OWN_PROPS,
  PROP_SCROLL = N_OWN_PROPS, /* the first of a scrollable's */
};

static GParamSpec *props[N_OWN_PROPS];

G_DEFINE_TYPE_WITH_CODE (HsPicture,
                         hs_picture,
                         GTK_TYPE_WIDGET,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

graphene_point_t
hs_picture_get_origin (HsPicture *self)
{
  int origin[2];
  for (int side = 0; side < 2; side++)
    origin[side] = hs_picture_scroll_get (&self->scroll, (GtkOrientation)side);
  if (self->layout != NULL) {
    int spare_width =
        gtk_widget_get_width (GTK_WIDGET (self)) - (int)attn_draw_layout_get_width (self->layout);
    int spare_height =
        gtk_widget_get_height (GTK_WIDGET (self)) - (int)attn_draw_layout_get_height (self->layout);
    if (spare_width > 0)
      origin[GTK_ORIENTATION_HORIZONTAL] = -spare_width / 2;
    if (spare_height > 0) /* a narrow one is in a window that scrolls, and begins at its top */
      origin[GTK_ORIENTATION_VERTICAL] =
          gtk_widget_get_width (GTK_WIDGET (self)) < NARROW_PX ? 0 : -spare_height / 2;
  }
  return GRAPHENE_POINT_INIT ((float)origin[GTK_ORIENTATION_HORIZONTAL],
                              (float)origin[GTK_ORIENTATION_VERTICAL]);
}

/* The part of the picture that the widget shows. */
static graphene_rect_t
get_visible (HsPicture *self)
{
  graphene_point_t origin = hs_picture_get_origin (self);
  return GRAPHENE_RECT_INIT (origin.x, origin.y, (float)gtk_widget_get_width (GTK_WIDGET (self)),
                             (float)gtk_widget_get_height (GTK_WIDGET (self)));
}

static void
update_adjustments (HsPicture *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double content_width = self->layout != NULL ? attn_draw_layout_get_width (self->layout) : width;
  double content_height =
      self->layout != NULL ? attn_draw_layout_get_height (self->layout) : height;
  hs_picture_scroll_configure (&self->scroll, GTK_ORIENTATION_HORIZONTAL, content_width, width);
  hs_picture_scroll_configure (&self->scroll, GTK_ORIENTATION_VERTICAL, content_height, height);
}

/* What is pointed at is said by the description: GTK 4.8 hands no value text of our own widgets on.
 */
static void
describe (HsPicture *self)
{
  g_autofree char *description = hs_reading_dup_description (self->session);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
}

static void
update_accessible (HsPicture *self)
{
  const AttnDrawView *view = self->layout != NULL ? attn_draw_layout_peek_view (self->layout)
                                                  : hs_session_peek_view (self->session);
  const AttnDrawStrings *strings = &view->strings; /* the layout's title is complete */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  strings->title != NULL ? strings->title : _ ("Attention picture"),
                                  -1);
  describe (self);
}

bool
hs_picture_has_sheet (HsPicture *self)
{
  return hs_session_peek_panels (self->session) != NULL &&
         hs_session_peek_view (self->session)->kind == ATTN_DRAW_LAYERS;
}

/* Without being told, since the layout is within the limit already. */
static void
limit_magnification (HsPicture *self, double most)
{
  g_signal_group_block (self->session_signals);
  hs_session_limit_magnification (self->session, most);
  g_signal_group_unblock (self->session_signals);
}

static void
rebuild_layout (HsPicture *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  self->is_stale = false;
  g_clear_pointer (&self->layout, attn_draw_layout_free);
  self->is_complete = false;
  hs_line_tiles_clear (self->line_tiles);
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);
  if (panels != NULL && width > 0 && height > 0) {
    g_autoptr (AttnDrawView) view = attn_draw_view_copy (hs_session_peek_view (self->session));
    view->width_px = width;
    view->max_height_px = height;
    double most = 1;
    self->layout = hs_magnifier_make_layout (view, panels,
                                             hs_session_get_magnification (self->session), &most);
    if (hs_picture_has_sheet (self))
      limit_magnification (self, most);
  }
  update_adjustments (self);
  update_accessible (self);
}

/* Once a frame, or when somebody asks: a wheel may turn many times between two frames. */
static void
ensure_layout (HsPicture *self)
{
  if (self->is_stale)
    rebuild_layout (self);
}

static void
content_changed_cb (HsPicture *self)
{
  self->is_stale = true;
  /* scrollbars follow before the frame is drawn; were only the picture allocated anew, the scrolled
   * window around it would ask for another layout in the middle of one, and not get it */
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
hover_changed_cb (HsPicture *self)
{
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hs_picture_reveal (HsPicture *self, AttnDrawRect rect)
{
  if (self->layout != NULL) {
    HsTitleStrips strips = hs_title_strips_measure (self->layout);
    rect = (AttnDrawRect){rect.x - strips.width, rect.y - strips.height, rect.width + strips.width,
                          rect.height + strips.height};
  }
  hs_picture_scroll_reveal (&self->scroll, GTK_ORIENTATION_HORIZONTAL, rect.x, rect.width);
  hs_picture_scroll_reveal (&self->scroll, GTK_ORIENTATION_VERTICAL, rect.y, rect.height);
}

const AttnDrawLayout *
hs_picture_peek_layout (HsPicture *self)
{
  ensure_layout (self);
  return self->layout;
}

bool
hs_picture_is_complete (HsPicture *self)
{
  return self->is_complete;
}

bool
hs_picture_is_led_by_keys (HsPicture *self)
{
  return self->is_led_by_keys;
}

void
hs_picture_set_led_by_keys (HsPicture *self, bool led)
{
  self->is_led_by_keys = led;
}

HsSession *
hs_picture_peek_session (HsPicture *self)
{
  return self->session;
}

bool
hs_picture_pick (HsPicture *self, double x, double y, AttnDrawHit *hit)
{
  *hit = (AttnDrawHit){ATTN_DRAW_ROLE_NONE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE};
  ensure_layout (self);
  if (self->layout == NULL)
    return false;
  graphene_rect_t visible = get_visible (self);
  HsTitleStrips strips = hs_title_strips_find (self->layout, &visible);
  x += (double)visible.origin.x;
  y += (double)visible.origin.y;
  hs_title_strips_map (&strips, &visible, &x, &y);
  bool found = attn_draw_pick (self->layout, x, y, hit);
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (self->layout);
  if (hit->panel != G_MAXSIZE && hit->query != G_MAXSIZE)
    hit->query = attn_draw_panels_get_joint (panels, hit->panel, ATTN_SIDE_QUERY, hit->query);
  if (hit->panel != G_MAXSIZE && hit->key != G_MAXSIZE)
    hit->key = attn_draw_panels_get_joint (panels, hit->panel, ATTN_SIDE_KEY, hit->key);
  return found;
}

/* ---- magnification: a point stays on what it is on ---- */

/* Where no point was given it is the middle of the chosen head's map. */
static void
provide_anchor (HsPicture *self)
{
  size_t panel = hs_picture_find_selected (self->session);
  if (self->has_anchor || panel == G_MAXSIZE)
    return;
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (self->layout, panel);
  hs_picture_reveal (self, rect);
  graphene_point_t origin = hs_picture_get_origin (self);
  self->anchor_x = rect.x + rect.width / 2 - (double)origin.x;
  self->anchor_y = rect.y + rect.height / 2 - (double)origin.y;
}

static void
magnification_changed_cb (HsPicture *self)
{
  double x, y;
  ensure_layout (self);
  if (self->layout == NULL || !hs_picture_has_sheet (self))
    return;
  provide_anchor (self);
  graphene_point_t origin = hs_picture_get_origin (self);
  HsSheetPoint point = hs_magnifier_find_point (self->layout, self->anchor_x + (double)origin.x,
                                                self->anchor_y + (double)origin.y);
  rebuild_layout (self);
  hs_magnifier_place_point (self->layout, &point, &x, &y);
  hs_picture_scroll_to (&self->scroll, GTK_ORIENTATION_HORIZONTAL, x - self->anchor_x);
  hs_picture_scroll_to (&self->scroll, GTK_ORIENTATION_VERTICAL, y - self->anchor_y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hs_picture_magnify (HsPicture *self, double factor, double x, double y)
{
  self->has_anchor = true;
  self->anchor_x = x;
  self->anchor_y = y;
  hs_session_set_magnification (self->session,
                                hs_session_get_magnification (self->session) * factor);
  self->has_anchor = false;
}

/* In the next frame: a redraw cannot be asked for while one is under way. */
static gboolean
draw_again_cb (GtkWidget *widget, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  HS_PICTURE (widget)->tick = 0;
  gtk_widget_queue_draw (widget);
  return G_SOURCE_REMOVE;
}

static void
hs_picture_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HsPicture *self = HS_PICTURE (widget);
  ensure_layout (self);
  if (self->layout == NULL)
    return;
  graphene_rect_t visible = get_visible (self);
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (0, 0, visible.size.width, visible.size.height));
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (-visible.origin.x, -visible.origin.y));
  HsPictureMarks marks = hs_picture_find_marks (self->session, self->layout);
  HsScreen screen = hs_screen_of (widget);
  hs_textures_begin (self->textures, self->layout, &screen);
  bool has_lines = hs_picture_paint (snapshot, self->layout, self->textures, self->line_tiles,
                                     &marks, &visible, &screen);
  bool has_textures = hs_textures_end (self->textures);
  self->is_complete = has_lines && has_textures;
  if (!has_textures && self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (widget, draw_again_cb, NULL, NULL);
  gtk_snapshot_pop (snapshot);
}

int
hs_picture_measure_width (HsPicture *self, int width, int height)
{
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);
  const AttnDrawView *shown = hs_session_peek_view (self->session);
  if (panels == NULL || shown->kind != ATTN_DRAW_HEATMAP)
    return width;
  return hs_map_width_measure (&self->map_width, shown, panels, width, height);
}

static void
hs_picture_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  (void)widget;
  (void)orientation;
  (void)for_size;
  *minimum = MIN_SIDE_PX;
  *natural = MIN_SIDE_PX * 3;
  *minimum_baseline = *natural_baseline = -1;
}

static void
hs_picture_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  (void)width;
  (void)height;
  (void)baseline;
  rebuild_layout (HS_PICTURE (widget));
}

static void
hs_picture_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsPicture *self = HS_PICTURE (object);
  if (id == PROP_SESSION)
    g_value_set_object (value, self->session);
  else if (!hs_picture_scroll_get_property (&self->scroll, id - PROP_SCROLL, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_picture_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsPicture *self = HS_PICTURE (object);
  if (id == PROP_SESSION) {
    self->session = g_value_dup_object (value);
    g_signal_group_set_target (self->session_signals, self->session);
  } else if (hs_picture_scroll_set_property (&self->scroll, id - PROP_SCROLL, value,
                                             GTK_WIDGET (self))) {
    update_adjustments (self);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_picture_constructed (GObject *object)
{
  G_OBJECT_CLASS (hs_picture_parent_class)->constructed (object);
  HsPicture *self = HS_PICTURE (object);
  hs_picture_input_attach (self);
  update_accessible (self);
}

static void
hs_picture_dispose (GObject *object)
{
  HsPicture *self = HS_PICTURE (object);
  g_signal_group_set_target (self->session_signals, NULL);
  hs_picture_scroll_clear (&self->scroll);
  g_clear_pointer (&self->layout, attn_draw_layout_free);
  hs_map_width_clear (&self->map_width);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_picture_parent_class)->dispose (object);
}

static void
hs_picture_finalize (GObject *object)
{
  HsPicture *self = HS_PICTURE (object);
  g_object_unref (self->session_signals);
  hs_textures_free (self->textures);
  hs_line_tiles_free (self->line_tiles);
  G_OBJECT_CLASS (hs_picture_parent_class)->finalize (object);
}

static void
hs_picture_class_init (HsPictureClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = hs_picture_constructed;
  object_class->get_property = hs_picture_get_property;
  object_class->set_property = hs_picture_set_property;
  object_class->dispose = hs_picture_dispose;
  object_class->finalize = hs_picture_finalize;
  widget_class->snapshot = hs_picture_snapshot;
  widget_class->measure = hs_picture_measure;
  widget_class->size_allocate = hs_picture_size_allocate;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_OWN_PROPS, props);
  hs_picture_scroll_install (object_class, PROP_SCROLL);

  gtk_widget_class_set_css_name (widget_class, "picture");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hs_picture_input_install (widget_class);
}

static void
lines_ready_cb (gpointer picture)
{
  gtk_widget_queue_draw (picture);
}

static void
hs_picture_init (HsPicture *self)
{
  self->textures = hs_textures_new ();
  self->line_tiles = hs_line_tiles_new (lines_ready_cb, self);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->session_signals = g_signal_group_new (HS_TYPE_SESSION);
  static const char *const content[] = {"notify::panels", "notify::view"};
  static const char *const hover[] = {"notify::hovered", "notify::n-found"};
  g_signal_group_connect_swapped (self->session_signals, "notify::magnification",
                                  G_CALLBACK (magnification_changed_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (content); i++)
    g_signal_group_connect_swapped (self->session_signals, content[i],
                                    G_CALLBACK (content_changed_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (hover); i++)
    g_signal_group_connect_swapped (self->session_signals, hover[i], G_CALLBACK (hover_changed_cb),
                                    self);
  g_signal_group_connect_swapped (self->session_signals, "notify::found",
                                  G_CALLBACK (hs_picture_reveal_found), self);
}

GtkWidget *
hs_picture_new (HsSession *session)
{
  return g_object_new (HS_TYPE_PICTURE, "session", session, NULL);
}
