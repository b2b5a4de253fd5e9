/* SPDX-License-Identifier: MIT */
/* The core's enums and reference-counted structs as GObject types, for properties, actions and
 * settings. An enum's nicks are the names the command line takes. */
#pragma once

#include "attn-draw/panels.h"
#include "attn-draw/session.h"
#include "attn-draw/view.h"
#include "attn/maps.h"
#include "attn/model.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define HS_NONE G_MAXUINT /* no token, no head */

/* What a pointer or a pin is on; HS_NONE for the parts it is not on. */
typedef struct {
  guint head, query, key;
  guint layer;
} HsCell;

#define HS_CELL_NONE ((HsCell){HS_NONE, HS_NONE, HS_NONE, HS_NONE})

/* Which of the picture's four faces is true now. */
typedef enum {
  HS_STATE_EMPTY,  /* nothing typed */
  HS_STATE_BUSY,   /* loading or running; the last picture may still be there */
  HS_STATE_READY,  /* the picture belongs to the text */
  HS_STATE_FAILED, /* session's message says why, its detail more exactly */
} HsState;

#define HS_TYPE_STATE (hs_state_get_type ())
GType hs_state_get_type (void) G_GNUC_CONST;

#define HS_TYPE_KIND (hs_kind_get_type ()) /* AttnDrawKind: "heatmap", "heads" … */
GType hs_kind_get_type (void) G_GNUC_CONST;

#define HS_TYPE_RANGE \
  (hs_range_get_type ()) /* AttnDrawRange: "auto", "map", "layer", "model", "fixed" */
GType hs_range_get_type (void) G_GNUC_CONST;

#define HS_TYPE_SCALE (hs_scale_get_type ()) /* AttnDrawScale: "linear", "log", "rank" */
GType hs_scale_get_type (void) G_GNUC_CONST;

#define HS_TYPE_COLOR_MAP (hs_color_map_get_type ()) /* AttnDrawColorMap: "YlGnBu", "viridis" … */
GType hs_color_map_get_type (void) G_GNUC_CONST;

#define HS_TYPE_LAB_PAGE (hs_lab_page_get_type ()) /* AttnDrawLabPage: "pipeline", "train" … */
GType hs_lab_page_get_type (void) G_GNUC_CONST;

#define HS_TYPE_MODEL (hs_model_get_type ()) /* boxed AttnModel */
GType hs_model_get_type (void) G_GNUC_CONST;

#define HS_TYPE_PANELS (hs_panels_get_type ()) /* boxed AttnDrawPanels */
GType hs_panels_get_type (void) G_GNUC_CONST;

G_END_DECLS
