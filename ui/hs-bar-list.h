/* SPDX-License-Identifier: MIT */
/* A titled list of names with a bar and a number each, the strongest first. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_BAR_LIST (hs_bar_list_get_type ())
G_DECLARE_FINAL_TYPE (HsBarList, hs_bar_list, HS, BAR_LIST, GtkWidget)

/* Properties "title" and "footer" (string): a heading and a dim line under the rows.
 * Property "picked" (boolean): bars in the colour that means "what you picked". */
GtkWidget *hs_bar_list_new (void);

/* One row; the value is shown with four decimals and, as a bar, against the list's largest. */
typedef struct {
  const char *name; /* UTF-8, shown as it is */
  float value;      /* ≥ 0; NaN is shown in words */
} HsBarEntry;

#define HS_BAR_LIST_SHORT 3 /* rows shown until more are asked for */

/* Replaces the rows; more than HS_BAR_LIST_SHORT stay folded behind a button, which keeps its
 * state. */
void hs_bar_list_set_entries (HsBarList *self, const HsBarEntry *entries, size_t n);

G_END_DECLS
