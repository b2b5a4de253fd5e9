/* SPDX-License-Identifier: MIT */
/* The colour bar and its numbers. */
#pragma once

#include "layout-private.h"

/* Returns: (transfer full): the end of panel @panel's range as the bar writes it. */
char *attn_draw_bar_format_max (const AttnDrawBuild *build, size_t panel);

/* Returns: px that the bar of panel @panel, or with G_MAXSIZE of all panels, and its numbers need,
 * whatever the picture's width. */
double attn_draw_bar_measure (AttnDrawBuild *build, size_t panel);

/* Adds that bar with its top left at (x, y). */
void attn_draw_bar_add (AttnDrawBuild *build, size_t panel, double x, double y, double height);
