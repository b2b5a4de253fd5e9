/* SPDX-License-Identifier: MIT */
/* Steps as a person makes them: the pointer's go through the picture's own controller. */
#include "hs-view-phases.h"

#include "hs-zoom.h"

#include <math.h>

#define SCROLL_PX 40
#define N_ZOOMS 8   /* steps in, and as many out again */
#define N_PANNED 20 /* rows and columns */

/* Successive multiples of these, but for whole numbers, are spread evenly. */
#define STRIDE_X 0.7548776662466927
#define STRIDE_Y 0.5698402909980532

/* ---- pointing ---- */

static GtkEventController *
find_motion (HsPicture *picture)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (picture));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
    if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
      return controller; /* which the widget keeps */
  }
  g_return_val_if_reached (NULL);
}

/* The part on screen of all items of a role, in px of the widget. */
static graphene_rect_t
find_target (HsPicture *picture, AttnDrawRole role)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  graphene_point_t origin = hs_picture_get_origin (picture);
  graphene_rect_t target = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  graphene_rect_t shown =
      GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (GTK_WIDGET (picture)),
                          (float)gtk_widget_get_height (GTK_WIDGET (picture)));
  bool is_first = true;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    graphene_rect_t rect =
        GRAPHENE_RECT_INIT ((float)item->rect.x - origin.x, (float)item->rect.y - origin.y,
                            (float)item->rect.width, (float)item->rect.height);
    if (item->role != role || !graphene_rect_intersection (&rect, &shown, &rect))
      continue;
    if (!is_first)
      graphene_rect_union (&rect, &target, &rect);
    target = rect;
    is_first = false;
  }
  return target;
}

/* The pointer jumps, so that no two frames in turn have much in common. */
static void
point_at (HsPicture *picture, AttnDrawRole role, guint frame)
{
  graphene_rect_t target = find_target (picture, role);
  double across = fmod (frame * STRIDE_X, 1), down = fmod (frame * STRIDE_Y, 1);

  g_signal_emit_by_name (find_motion (picture), "motion",
                         (double)target.origin.x + across * (double)target.size.width,
                         (double)target.origin.y + down * (double)target.size.height);
}

static void
hover_map_step (HsPicture *picture, guint frame)
{
  point_at (picture, ATTN_DRAW_ROLE_MAP, frame);
}

static void
hover_query_step (HsPicture *picture, guint frame)
{
  point_at (picture, ATTN_DRAW_ROLE_QUERY_LABEL, frame);
}

static void
hover_key_step (HsPicture *picture, guint frame)
{
  point_at (picture, ATTN_DRAW_ROLE_KEY_LABEL, frame);
}

static void
hover_text_step (HsPicture *picture, guint frame)
{
  point_at (picture, ATTN_DRAW_ROLE_TOKEN, frame);
}

/* ---- moving ---- */

static void
magnify_step (HsPicture *picture, guint frame)
{
  bool in = frame / N_ZOOMS % 2 == 0;
  hs_picture_magnify (picture, in ? 1.2 : 1 / 1.2,
                      gtk_widget_get_width (GTK_WIDGET (picture)) / 2.0,
                      gtk_widget_get_height (GTK_WIDGET (picture)) / 2.0);
}

/* Down, and up again at the end. */
static void
scroll_step (HsPicture *picture, guint frame)
{
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (picture));
  double by = frame < HS_VIEW_PHASE_FRAMES / 2 ? SCROLL_PX : -SCROLL_PX;
  gtk_adjustment_set_value (down, gtk_adjustment_get_value (down) + by);
}

/* Into one map, or into all of a layer, and out again. */
static void
crop_step (HsPicture *picture, guint frame)
{
  bool in = frame < HS_VIEW_PHASE_FRAMES / 2;
  hs_zoom_by (hs_picture_peek_session (picture), in ? HS_ZOOM_STEP : 1 / HS_ZOOM_STEP);
}

/* Over the map, with as many cells as have room for their weights, down and up again. */
static void
pan_step (HsPicture *picture, guint frame)
{
  HsSession *session = hs_picture_peek_session (picture);
  ptrdiff_t by = frame < HS_VIEW_PHASE_FRAMES / 2 ? 1 : -1;

  if (frame == 0)
    hs_zoom_set_crop (session, &(AttnDrawCrop){.n_queries = N_PANNED, .n_keys = N_PANNED});
  hs_zoom_pan (session, by, by);
}

static void
choose_step (HsPicture *picture, guint frame)
{
  HsSession *session = hs_picture_peek_session (picture);
  hs_session_set_head (session, frame % hs_session_get_n_heads (session));
}

static const HsViewPhase phases[] = {
    {"layers-zoom", ATTN_DRAW_LAYERS, magnify_step},
    {"layers-scroll", ATTN_DRAW_LAYERS, scroll_step},
    {"layers-hover", ATTN_DRAW_LAYERS, hover_map_step},
    {"layers-choose", ATTN_DRAW_LAYERS, choose_step},
    {"heads-hover", ATTN_DRAW_HEADS, hover_map_step},
    {"heads-zoom", ATTN_DRAW_HEADS, crop_step},
    {"heatmap-hover", ATTN_DRAW_HEATMAP, hover_map_step},
    {"heatmap-zoom", ATTN_DRAW_HEATMAP, crop_step},
    {"heatmap-pan", ATTN_DRAW_HEATMAP, pan_step},
    {"heatmap-values-hover", ATTN_DRAW_HEATMAP, hover_map_step},
    {"lines-scroll", ATTN_DRAW_LINES, scroll_step},
    {"lines-hover", ATTN_DRAW_LINES, hover_map_step},
    {"lines-query-hover", ATTN_DRAW_LINES, hover_query_step},
    {"lines-key-hover", ATTN_DRAW_LINES, hover_key_step},
    {"text-hover", ATTN_DRAW_TEXT, hover_text_step},
    {"text-scroll", ATTN_DRAW_TEXT, scroll_step},
    {"compare-hover", ATTN_DRAW_COMPARE, hover_map_step},
};

const HsViewPhase *
hs_view_phases_peek (gsize *n)
{
  *n = G_N_ELEMENTS (phases);
  return phases;
}
