/* SPDX-License-Identifier: MIT */
/* A toggle that goes through steps slowly while it is down. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _HsPlay HsPlay;

/* What is gone through. */
typedef struct {
  gboolean (*begin) (gpointer data); /* from where one is, or from the start; FALSE: not now */
  gboolean (*next) (gpointer data);  /* FALSE: that was the last one, and the toggle comes up */
} HsPlayClass;

/* @toggle: outlives it. @pause_ms: before each step.
 *
 * Returns: (transfer full): for hs_play_free(). */
HsPlay *
hs_play_new (GtkToggleButton *toggle, guint pause_ms, const HsPlayClass *klass, gpointer data);

void hs_play_stop (HsPlay *play);

/* Nothing is called any more. */
void hs_play_free (HsPlay *play);

G_END_DECLS
