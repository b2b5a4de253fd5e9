/* SPDX-License-Identifier: MIT */
/* The ways of a figure out of the window, as actions of the widget that shows it. */
#pragma once

#include "hs-figure-save.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* What a widget with a figure answers. */
typedef struct {
  /* @file: written. Returns: whether there is something to save. */
  bool (*find_file) (GtkWidget *widget, HsFigureFile *file);
  /* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
  char *(*dup_command) (GtkWidget *widget);
  HsFigureSaid say;
} HsFigureOwner;

/* Gives @widget the actions "figure.save" and "figure.copy", whose parameter is a format as
 * HsFigureFile's make takes it, "figure.export", which takes the format from the name's ending, and
 * "figure.copy-command".
 *
 * @owner: lives as long as the program */
void hs_figure_add_actions (GtkWidget *widget, const HsFigureOwner *owner);

/* What "figure.save" does, with another way to ask for the name: for tests. */
void
hs_figure_owner_save (const HsFigureOwner *owner, GtkWidget *widget, const char *format, HsAsk ask);

/* What "figure.export" does, likewise. */
void hs_figure_owner_export (const HsFigureOwner *owner, GtkWidget *widget, HsAsk ask);

/* Notes that @widget has these actions as "figure", for hs_figure_run(). */
void hs_figure_set_actions (GtkWidget *widget, GActionGroup *group);

/* Runs action @name, with @format as its parameter where that is no NULL, of the first widget under
 * @page that has it. */
void hs_figure_run (GtkWidget *page, const char *name, const char *format);

G_END_DECLS
