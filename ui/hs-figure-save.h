/* SPDX-License-Identifier: MIT */
/* A figure, or its numbers, as a file that the person names. */
#pragma once

#include "hs-ask.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is saved. */
typedef struct {
  const char *stem; /* of the name to suggest; borrowed */
  gpointer source;  /* what it is of; for another thread */
  GDestroyNotify free_source;
  /* On another thread; @format: "png", "svg", "pdf", "csv" or "json". */
  GBytes *(*make) (gpointer source, const char *format, GError **error);
  const char *title; /* of the dialog, translated */
} HsFigureFile;

/* @sentence: what came of it, translated */
typedef void (*HsFigureSaid) (GtkWidget *widget, const char *sentence);

/**
 * hs_figure_save:
 * @widget: asks for the name over its window; what is saved while it is in none is not told
 * @file:   its source is consumed
 * @format: NULL for that of the name's ending
 * @ask:    hs_ask_by_chooser(), or a test's
 */
void hs_figure_save (
    GtkWidget *widget, const HsFigureFile *file, const char *format, HsAsk ask, HsFigureSaid say);

/* Makes the file likewise and puts it into the clipboard: "png" as an image, others as text. */
void
hs_figure_copy (GtkWidget *widget, const HsFigureFile *file, const char *format, HsFigureSaid say);

G_END_DECLS
