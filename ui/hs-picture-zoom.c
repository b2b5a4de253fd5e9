/* SPDX-License-Identifier: MIT */
/* Gestures in px become rows and columns here; hs-zoom.h does the rest. */
#include "hs-picture-zoom.h"

#include "hs-zoom.h"

#include <math.h>

#define PX_PER_NOTCH 40.0 /* of a touchpad's scrolling */
#define PAN_SHARE 0.12    /* of the rows or columns drawn, of a notch of the wheel */

/* Belongs to the picture. */
typedef struct {
  HsPicture *picture;
  double x, y;                  /* px: the pointer */
  double notches, down, across; /* scrolled, but less than a cell so far */
  AttnDrawCrop begun;           /* crop when a drag or a pinch began */
  double begun_x, begun_y;      /* where: from the corner of the map, in cells */
  double cell_x, cell_y;        /* px of a cell then */
  double query, key;            /* place on the map under the pinch */
  double spread;                /* what a pinch of all layers has come to so far */
  double begun_value[2];        /* px scrolled when a drag began, by GtkOrientation */
  bool is_dragging;
  bool drags_map; /* and not the whole picture */
} Zoom;

static HsSession *
get_session (Zoom *zoom)
{
  return hs_picture_peek_session (zoom->picture);
}

/* The panel under the pointer; where there is none, the first that is drawn: all have cells of one
 * size. */
static size_t
find_panel (Zoom *zoom, const AttnDrawLayout *layout, double x, double y)
{
  size_t n = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout)), panel = 0;
  AttnDrawHit hit;

  hs_picture_pick (zoom->picture, x, y, &hit);
  if (hit.panel != G_MAXSIZE)
    return hit.panel;
  while (panel + 1 < n && !(attn_draw_layout_get_panel_rect (layout, panel).width > 0))
    panel++;
  return panel;
}

/* @cells, from the first one drawn of a panel, as rows or columns of the crop. */
static double
find_crop_place (Zoom *zoom, size_t panel, AttnSide side, size_t first, size_t n, double cells)
{
  AttnDrawPanels *panels = hs_session_peek_panels (get_session (zoom));
  double cell = CLAMP (floor (cells), 0, (double)MAX (n, 1) - 1);
  size_t index = first + (size_t)cell;
  size_t token = attn_draw_panels_get_joint (panels, panel, side, index);

  return (double)attn_draw_panels_find_place (panels, side, token) + cells - cell;
}

/* Which place of the map, in rows and columns, is under the pointer. */
static void
find_place (Zoom *zoom, double x, double y, double *query, double *key)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (zoom->picture);
  graphene_point_t origin = hs_picture_get_origin (zoom->picture);
  size_t panel = find_panel (zoom, layout, x, y);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  AttnDrawCrop drawn = attn_draw_layout_get_panel_crop (layout, panel);
  double down = (y + (double)origin.y - rect.y) / rect.height;
  double across = (x + (double)origin.x - rect.x) / rect.width;

  *query = find_crop_place (zoom, panel, ATTN_SIDE_QUERY, drawn.first_query, drawn.n_queries,
                            CLAMP (down, 0, 1) * (double)drawn.n_queries);
  *key = find_crop_place (zoom, panel, ATTN_SIDE_KEY, drawn.first_key, drawn.n_keys,
                          CLAMP (across, 0, 1) * (double)drawn.n_keys);
}

/* Notes what a gesture starts from. Returns: false where there is nothing to zoom. */
static bool
begin (Zoom *zoom, double x, double y, HsMapSize *map)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (zoom->picture);
  graphene_point_t origin = hs_picture_get_origin (zoom->picture);

  if (layout == NULL || !hs_zoom_get_crop (get_session (zoom), &zoom->begun, map))
    return false;
  size_t panel = find_panel (zoom, layout, x, y);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  AttnDrawCrop drawn = attn_draw_layout_get_panel_crop (layout, panel);
  if (rect.width <= 0 || rect.height <= 0)
    return false;
  zoom->cell_x = rect.width / (double)drawn.n_keys;
  zoom->cell_y = rect.height / (double)drawn.n_queries;
  zoom->begun_x = (x + (double)origin.x - rect.x) / zoom->cell_x;
  zoom->begun_y = (y + (double)origin.y - rect.y) / zoom->cell_y;
  find_place (zoom, x, y, &zoom->query, &zoom->key);
  return true;
}

/* ---- the wheel ---- */

/* Events of a wheel do not say where the pointer is. */
static void
motion_cb (Zoom *zoom, double x, double y)
{
  zoom->x = x;
  zoom->y = y;
}

/* Labels take more or less room in another size, which moves the map: the cell that was under the
 * pointer is brought back there. */
static void
keep_cell (Zoom *zoom, const AttnDrawHit *before)
{
  HsSession *session = get_session (zoom);
  AttnDrawCrop crop;
  HsMapSize map;
  AttnDrawHit now;

  hs_picture_pick (zoom->picture, zoom->x, zoom->y, &now);
  if (before->role != ATTN_DRAW_ROLE_MAP || now.role != ATTN_DRAW_ROLE_MAP ||
      !hs_zoom_get_crop (session, &crop, &map))
    return;
  size_t query = hs_zoom_find_place (session, ATTN_SIDE_QUERY, before->query);
  size_t key = hs_zoom_find_place (session, ATTN_SIDE_KEY, before->key);
  size_t query_now = hs_zoom_find_place (session, ATTN_SIDE_QUERY, now.query);
  size_t key_now = hs_zoom_find_place (session, ATTN_SIDE_KEY, now.key);
  crop = hs_crop_pan (&crop, &map, (ptrdiff_t)query - (ptrdiff_t)query_now,
                      (ptrdiff_t)key - (ptrdiff_t)key_now);
  hs_zoom_set_crop (session, &crop);
}

static void
zoom_by_wheel (Zoom *zoom, const HsWheel *wheel)
{
  double notches = wheel->is_in_px ? wheel->down / PX_PER_NOTCH : wheel->down;
  AttnDrawCrop crop;
  HsMapSize map;
  AttnDrawHit hit;
  double query, key;

  if (hs_picture_has_sheet (zoom->picture)) {
    hs_picture_magnify (zoom->picture, pow (HS_ZOOM_STEP, -notches), zoom->x, zoom->y);
    return;
  }
  zoom->notches -= notches;
  if (hs_picture_peek_layout (zoom->picture) == NULL ||
      !hs_zoom_get_crop (get_session (zoom), &crop, &map))
    return;
  double factor = pow (HS_ZOOM_STEP, zoom->notches);
  double n = (double)MAX (crop.n_queries, crop.n_keys);
  if (fabs (n / factor - n) < 0.5 && fabs (zoom->notches) < 1)
    return; /* less than a cell so far */
  hs_picture_pick (zoom->picture, zoom->x, zoom->y, &hit);
  find_place (zoom, zoom->x, zoom->y, &query, &key);
  crop = hs_crop_zoom (&crop, &map, factor, query, key);
  zoom->notches = 0;
  hs_zoom_set_crop (get_session (zoom), &crop);
  keep_cell (zoom, &hit);
}

/* Adds to what has been scrolled. Returns: the whole cells of it, which are taken off. */
static ptrdiff_t
take_cells (double *scrolled, double notches_or_px, bool in_px, double cell_px, size_t n)
{
  double notch = MAX (PAN_SHARE * (double)n, 1);

  *scrolled += in_px ? notches_or_px / cell_px : notches_or_px * notch;
  double whole = trunc (*scrolled);
  *scrolled -= whole;
  return (ptrdiff_t)whole;
}

/* Returns: whether the picture is the one that scrolls. */
static bool
pan_by_wheel (Zoom *zoom, const HsWheel *wheel)
{
  bool turned = wheel->state & GDK_SHIFT_MASK;
  double across = turned ? wheel->down : wheel->across;
  double down = turned ? wheel->across : wheel->down;
  HsMapSize map;

  if (hs_zoom_get_factor (get_session (zoom)) <= 1 || !begin (zoom, 0, 0, &map))
    return false;
  ptrdiff_t n_queries =
      take_cells (&zoom->down, down, wheel->is_in_px, zoom->cell_y, zoom->begun.n_queries);
  ptrdiff_t n_keys =
      take_cells (&zoom->across, across, wheel->is_in_px, zoom->cell_x, zoom->begun.n_keys);
  return hs_zoom_pan (get_session (zoom), n_queries, n_keys) || (n_queries == 0 && n_keys == 0);
}

/* Whether the picture is too tall for its widget: then the wheel belongs to its scrollbar. */
static bool
scrolls (Zoom *zoom)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (zoom->picture);
  return layout != NULL && attn_draw_layout_get_height (layout) >
                               (double)gtk_widget_get_height (GTK_WIDGET (zoom->picture));
}

static bool
turn (Zoom *zoom, const HsWheel *wheel)
{
  if (wheel->state & GDK_CONTROL_MASK) {
    zoom_by_wheel (zoom, wheel);
    return true;
  }
  return !scrolls (zoom) && pan_by_wheel (zoom, wheel);
}

static gboolean
scroll_cb (GtkEventController *controller, double across, double down, Zoom *zoom)
{
  GdkScrollUnit unit =
      gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (controller));

  return turn (zoom, &(HsWheel){
                         .across = across,
                         .down = down,
                         .is_in_px = unit == GDK_SCROLL_UNIT_SURFACE,
                         .state = gtk_event_controller_get_current_event_state (controller),
                     });
}

bool
hs_picture_zoom_turn (HsPicture *picture, const HsWheel *wheel)
{
  return turn (g_object_get_data (G_OBJECT (picture), "hs-zoom"), wheel);
}

/* ---- drag and pinch ---- */

static GtkAdjustment *
peek_adjustment (HsPicture *picture, GtkOrientation side)
{
  GtkScrollable *scrollable = GTK_SCROLLABLE (picture);
  return side == GTK_ORIENTATION_HORIZONTAL ? gtk_scrollable_get_hadjustment (scrollable)
                                            : gtk_scrollable_get_vadjustment (scrollable);
}

static bool
is_in_view (HsPicture *picture, GtkOrientation side)
{
  GtkAdjustment *adjustment = peek_adjustment (picture, side);
  return adjustment == NULL ||
         gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment);
}

bool
hs_picture_zoom_may_drag (HsPicture *picture)
{
  return hs_zoom_get_factor (hs_picture_peek_session (picture)) > 1 ||
         !is_in_view (picture, GTK_ORIENTATION_HORIZONTAL) ||
         !is_in_view (picture, GTK_ORIENTATION_VERTICAL);
}

static void
drag_begin_cb (GtkGestureDrag *drag, double x, double y, Zoom *zoom)
{
  HsMapSize map;

  zoom->is_dragging = false;
  zoom->drags_map = hs_zoom_get_factor (get_session (zoom)) > 1 && begin (zoom, x, y, &map);
  for (int side = 0; side < 2; side++) {
    GtkAdjustment *adjustment = peek_adjustment (zoom->picture, (GtkOrientation)side);
    zoom->begun_value[side] = adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
  }
  if (!hs_picture_zoom_may_drag (zoom->picture))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static void
drag_picture (Zoom *zoom, GtkOrientation side, double moved)
{
  GtkAdjustment *adjustment = peek_adjustment (zoom->picture, side);

  if (adjustment != NULL)
    gtk_adjustment_set_value (adjustment, zoom->begun_value[side] - moved);
}

/* Whole cells, so that the one that was taken stays under the pointer. */
static void
drag_map (Zoom *zoom, double across, double down)
{
  AttnDrawCrop crop;
  HsMapSize map;

  if (!hs_zoom_get_crop (get_session (zoom), &crop, &map))
    return;
  double rows = floor (zoom->begun_y) - floor (zoom->begun_y + down / zoom->cell_y);
  double columns = floor (zoom->begun_x) - floor (zoom->begun_x + across / zoom->cell_x);
  crop = hs_crop_pan (&zoom->begun, &map, (ptrdiff_t)rows, (ptrdiff_t)columns);
  hs_zoom_set_crop (get_session (zoom), &crop);
}

/* A press that moves further than a hand trembles is no click any more. */
static void
drag_update_cb (GtkGestureDrag *drag, double across, double down, Zoom *zoom)
{
  GtkWidget *widget = GTK_WIDGET (zoom->picture);

  if (!zoom->is_dragging) {
    if (!gtk_drag_check_threshold (widget, 0, 0, (int)across, (int)down))
      return;
    zoom->is_dragging = true;
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_widget_set_cursor_from_name (widget, "grabbing");
  }
  if (zoom->drags_map) {
    drag_map (zoom, across, down);
    return;
  }
  drag_picture (zoom, GTK_ORIENTATION_HORIZONTAL, across);
  drag_picture (zoom, GTK_ORIENTATION_VERTICAL, down);
}

static void
drag_end_cb (Zoom *zoom)
{
  zoom->is_dragging = false;
  gtk_widget_set_cursor (GTK_WIDGET (zoom->picture), NULL);
}

/* Between the fingers; on a touchpad that is where the pointer is. */
static void
find_fingers (GtkGesture *pinch, Zoom *zoom, double *x, double *y)
{
  *x = zoom->x;
  *y = zoom->y;
  if (gtk_gesture_is_active (pinch))
    gtk_gesture_get_bounding_box_center (pinch, x, y);
}

static void
pinch_begin_cb (GtkGesture *pinch, GdkEventSequence *sequence G_GNUC_UNUSED, Zoom *zoom)
{
  HsMapSize map;
  double x, y;

  zoom->spread = 1;
  find_fingers (pinch, zoom, &x, &y);
  if (!begin (zoom, x, y, &map))
    gtk_gesture_set_state (pinch, GTK_EVENT_SEQUENCE_DENIED);
}

/* Of all layers: step by step, each where the fingers are. */
static void
magnify_by_pinch (GtkGesture *pinch, double scale, Zoom *zoom)
{
  double x, y;

  find_fingers (pinch, zoom, &x, &y);
  hs_picture_magnify (zoom->picture, scale / zoom->spread, x, y);
  zoom->spread = scale;
}

static void
pinch_scale_cb (GtkGestureZoom *pinch, double scale, Zoom *zoom)
{
  AttnDrawCrop crop = zoom->begun, now;
  HsMapSize map;
  double n = (double)MAX (crop.n_queries, crop.n_keys);

  if (!(scale > 0))
    return;
  if (hs_picture_has_sheet (zoom->picture)) {
    magnify_by_pinch (GTK_GESTURE (pinch), scale, zoom);
    return;
  }
  if (!hs_zoom_get_crop (get_session (zoom), &now, &map))
    return;
  if (fabs (n / scale - n) >= 0.5)
    crop = hs_crop_zoom (&crop, &map, scale, zoom->query, zoom->key);
  hs_zoom_set_crop (get_session (zoom), &crop);
}

void
hs_picture_zoom_attach (HsPicture *picture, GtkEventController *motion)
{
  GtkWidget *widget = GTK_WIDGET (picture);
  Zoom *zoom = g_new0 (Zoom, 1);
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  zoom->picture = picture;
  g_object_set_data_full (G_OBJECT (picture), "hs-zoom", zoom, g_free);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), zoom);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), zoom);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), zoom);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), zoom);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), zoom);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), zoom);
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), zoom);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinch_scale_cb), zoom);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
