/* SPDX-License-Identifier: MIT */
/* GObject types for what the core gives us as plain C. */
#include "hs-types.h"

static const GEnumValue state_values[] = {
    {HS_STATE_EMPTY, "HS_STATE_EMPTY", "empty"},
    {HS_STATE_BUSY, "HS_STATE_BUSY", "busy"},
    {HS_STATE_READY, "HS_STATE_READY", "ready"},
    {HS_STATE_FAILED, "HS_STATE_FAILED", "failed"},
    {0, NULL, NULL},
};

static const GEnumValue kind_values[] = {
    {ATTN_DRAW_HEATMAP, "ATTN_DRAW_HEATMAP", "heatmap"},
    {ATTN_DRAW_HEADS, "ATTN_DRAW_HEADS", "heads"},
    {ATTN_DRAW_LAYERS, "ATTN_DRAW_LAYERS", "layers"},
    {ATTN_DRAW_LINES, "ATTN_DRAW_LINES", "lines"},
    {ATTN_DRAW_TEXT, "ATTN_DRAW_TEXT", "text"},
    {ATTN_DRAW_COMPARE, "ATTN_DRAW_COMPARE", "compare"},
    {0, NULL, NULL},
};

static const GEnumValue range_values[] = {
    {ATTN_DRAW_RANGE_AUTO, "ATTN_DRAW_RANGE_AUTO", "auto"},
    {ATTN_DRAW_RANGE_MAP, "ATTN_DRAW_RANGE_MAP", "map"},
    {ATTN_DRAW_RANGE_LAYER, "ATTN_DRAW_RANGE_LAYER", "layer"},
    {ATTN_DRAW_RANGE_MODEL, "ATTN_DRAW_RANGE_MODEL", "model"},
    {ATTN_DRAW_RANGE_FIXED, "ATTN_DRAW_RANGE_FIXED", "fixed"},
    {0, NULL, NULL},
};

static const GEnumValue scale_values[] = {
    {ATTN_DRAW_SCALE_LINEAR, "ATTN_DRAW_SCALE_LINEAR", "linear"},
    {ATTN_DRAW_SCALE_LOG, "ATTN_DRAW_SCALE_LOG", "log"},
    {ATTN_DRAW_SCALE_RANK, "ATTN_DRAW_SCALE_RANK", "rank"},
    {0, NULL, NULL},
};

static const GEnumValue color_map_values[] = {
    {ATTN_DRAW_COLOR_MAP_YLGNBU, "ATTN_DRAW_COLOR_MAP_YLGNBU", "YlGnBu"},
    {ATTN_DRAW_COLOR_MAP_VIRIDIS, "ATTN_DRAW_COLOR_MAP_VIRIDIS", "viridis"},
    {ATTN_DRAW_COLOR_MAP_CIVIDIS, "ATTN_DRAW_COLOR_MAP_CIVIDIS", "cividis"},
    {ATTN_DRAW_COLOR_MAP_MAGMA, "ATTN_DRAW_COLOR_MAP_MAGMA", "magma"},
    {ATTN_DRAW_COLOR_MAP_GREY, "ATTN_DRAW_COLOR_MAP_GREY", "grey"},
    {0, NULL, NULL},
};

static const GEnumValue lab_page_values[] = {
    {ATTN_DRAW_LAB_PIPELINE, "ATTN_DRAW_LAB_PIPELINE", "pipeline"},
    {ATTN_DRAW_LAB_HEADS, "ATTN_DRAW_LAB_HEADS", "heads"},
    {ATTN_DRAW_LAB_HEAD_COUNT, "ATTN_DRAW_LAB_HEAD_COUNT", "head-count"},
    {ATTN_DRAW_LAB_TRAIN, "ATTN_DRAW_LAB_TRAIN", "train"},
    {ATTN_DRAW_LAB_CODE, "ATTN_DRAW_LAB_CODE", "code"},
    {ATTN_DRAW_LAB_RESEARCH, "ATTN_DRAW_LAB_RESEARCH", "research"},
    {ATTN_DRAW_LAB_ABLATION, "ATTN_DRAW_LAB_ABLATION", "ablation"},
    {ATTN_DRAW_LAB_ATLAS, "ATTN_DRAW_LAB_ATLAS", "atlas"},
    {0, NULL, NULL},
};

static GType
register_once (gsize *type, const char *name, const GEnumValue *values)
{
  if (g_once_init_enter (type))
    g_once_init_leave (type, g_enum_register_static (g_intern_static_string (name), values));
  return *type;
}

GType
hs_state_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsState", state_values);
}

GType
hs_kind_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsKind", kind_values);
}

GType
hs_range_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsRange", range_values);
}

GType
hs_scale_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsScale", scale_values);
}

GType
hs_color_map_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsColorMap", color_map_values);
}

GType
hs_lab_page_get_type (void)
{
  static gsize type;
  return register_once (&type, "HsLabPage", lab_page_values);
}

G_DEFINE_BOXED_TYPE (AttnModel, hs_model, attn_model_ref, attn_model_unref)
G_DEFINE_BOXED_TYPE (AttnDrawPanels, hs_panels, attn_draw_panels_ref, attn_draw_panels_unref)
