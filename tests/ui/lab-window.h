/* SPDX-License-Identifier: MIT */
/* A window with a text, whose lab is opened page by page. */
#pragma once

#include "hs-ask.h"
#include "ui-test.h"

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
} LabWindow;

void lab_window_open (LabWindow *fixture);
void lab_window_close (LabWindow *fixture);

/* Returns: (transfer none): the page. */
gpointer lab_window_open_page (LabWindow *fixture, AttnDrawLabPage page);

/* Of @page's template. */
GtkAdjustment *lab_window_find_adjustment (gpointer page, const char *id);
const char *lab_window_peek_label (gpointer page, const char *id);

/* ---- training ---- */

void lab_window_set_training (gpointer page, double seeds, double steps);
void lab_window_wait_trained (gpointer page);

/* ---- files ---- */

/* The person chooses @path, which stays the caller's, wherever what was measured is to be saved. */
void lab_window_set_choice (const char *path);
void lab_window_choose_cb (GtkWindow *parent,
                           const HsQuestion *question,
                           HsPathFunc done,
                           gpointer data);
