/* SPDX-License-Identifier: MIT */
/* Buttons for a measurement: begin, stop, how far it is, and what came of it as a file. */
#pragma once

#include "hs-figure-save.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_RUN_STRIP (hs_run_strip_get_type ())
G_DECLARE_FINAL_TYPE (HsRunStrip, hs_run_strip, HS, RUN_STRIP, GtkWidget)

typedef HsFigureFile HsRunFile; /* of what was measured */

/* @file: written. Returns: whether there is something to save. */
typedef bool (*HsRunFileFunc) (HsRunFile *file, gpointer data);

/* Returns: (nullable) (transfer full): the shell line that makes the same picture. */
typedef char *(*HsRunCommandFunc) (gpointer data);

/* Property "run-label" (string): of the button that begins. Property "running" (boolean).
 *
 * Signals: "run"; "stop". */
GtkWidget *hs_run_strip_new (const char *run_label);

/* Property "running". Begins with a fraction of 0. */
void hs_run_strip_set_running (HsRunStrip *self, gboolean running);

/* Whether the button can be pressed; it can at first. */
void hs_run_strip_set_can_run (HsRunStrip *self, bool can_run);

/* @fraction: 0 … 1 of what runs; the time that is left is guessed from it. */
void hs_run_strip_set_fraction (HsRunStrip *self, double fraction);

/* Shows a short sentence; NULL for none. */
void hs_run_strip_say (HsRunStrip *self, const char *sentence);

/* What the strip's menu saves and copies; the menu is there once @has_file. */
void hs_run_strip_set_file (HsRunStrip *self,
                            HsRunFileFunc file,
                            HsRunCommandFunc command,
                            gpointer data);
void hs_run_strip_set_has_file (HsRunStrip *self, bool has_file);

/* Asks for a name by @ask (hs_ask_by_chooser()) and saves; for the menu, and for tests. */
void hs_run_strip_save (HsRunStrip *self, const char *format, HsAsk ask);

/* Returns: (nullable) (transfer full): what "Copy as command" copies. */
char *hs_run_strip_dup_command (HsRunStrip *self);

G_END_DECLS
