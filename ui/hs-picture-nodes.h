/* SPDX-License-Identifier: MIT */
/* Rectangles and colours of a layout as render nodes. */
#pragma once

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_FOUND_COLOR \
  ((GdkRGBA){0.16f, 0.44f, 0.72f, 1}) /* blue: orange is for what was picked \
                                       */

graphene_rect_t hs_nodes_rect (AttnDrawRect rect);
GdkRGBA hs_nodes_color (AttnDrawColor color, float alpha);

/* A line of @line px around @rect, outside of it. */
void hs_nodes_append_outline (GtkSnapshot *snapshot,
                              AttnDrawRect rect,
                              float line,
                              const GdkRGBA *color);

/* Returns: whether any of @rect is in @visible. */
bool hs_nodes_is_visible (AttnDrawRect rect, const graphene_rect_t *visible);

G_END_DECLS
