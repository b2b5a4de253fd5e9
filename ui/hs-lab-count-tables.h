/* SPDX-License-Identifier: MIT */
/* The arithmetic of head counts in tables. */
#pragma once

#include "attn/lab.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What does not depend on the number of heads. */
void hs_lab_count_fill_same (GtkGrid *grid, const AttnLabShape *shape);

/* What does, for several numbers of heads that divide d_model; the shape's own is marked. */
void hs_lab_count_fill_changing (GtkGrid *grid, const AttnLabShape *shape);

#define HS_LAB_COUNT_MAX 14

/* Writes the numbers of heads that the table above has, [HS_LAB_COUNT_MAX]. Returns: how many. */
size_t hs_lab_count_choose_heads (const AttnLabShape *shape, size_t *heads);

/* What people choose, and why. */
void hs_lab_count_fill_usual (GtkGrid *grid);

/* Returns: (transfer full): "64 kB", "1.5 MB": bytes in powers of ten, three digits. */
char *hs_lab_count_format_bytes (guint64 bytes);

G_END_DECLS
