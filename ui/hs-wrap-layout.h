/* SPDX-License-Identifier: MIT */
/* A layout manager that sets children in lines and begins a new one when the width is used up. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_WRAP_LAYOUT (hs_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (HsWrapLayout, hs_wrap_layout, HS, WRAP_LAYOUT, GtkLayoutManager)

/* Property "spacing" (int, px, default 12) between children and between lines. Property
 * "last-at-end" (boolean): the last child stands at the far end of the first line that has room for
 * it. Property "even" (boolean): all children are equally wide, and lines with as many as fit are
 * full. Else children that expand share what their line leaves. */
GtkLayoutManager *hs_wrap_layout_new (void);

G_END_DECLS
