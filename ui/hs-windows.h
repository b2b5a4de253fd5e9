/* SPDX-License-Identifier: MIT */
/* The program's windows and what is behind them: opened, kept, restored, shown anew, closed. */
#pragma once

#include "hs-desk.h"
#include "hs-recent.h"
#include "hs-window.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct HsWindows HsWindows;

/* What a window is opened on; NULL stands for as it was, or as the window beside it. */
typedef struct {
  const char *model;
  const char *text;
  const char *attention; /* path of a file of weights … */
  const char *array;     /* … which of its arrays … */
  const char *tokens;    /* … and the path of its tokens */
  const char *session;   /* path of a file to open once the window is there */
} HsStart;

/**
 * hs_windows_new:
 * @settings: (nullable)
 * @keeps:    whether states are read and written; a timed start does neither
 */
HsWindows *hs_windows_new (GtkApplication *application, GSettings *settings, bool keeps);

/* Closes the windows, keeping their states, and waits until no thread is in the core any more. */
void hs_windows_free (HsWindows *self);

/* Ends the program, after asking where something would be stopped by that. */
void hs_windows_quit (HsWindows *self);

/* Before that: ends all windows and stops whatever runs for them, without waiting for it. */
void hs_windows_close (HsWindows *self);

/* Before there is a display: takes over the states of the last run, or begins with an example, and
 * lets the first window's model load. */
void hs_windows_begin (HsWindows *self, const HsStart *start);

/* Makes the windows that are not there yet. Returns: (transfer none): the first one. */
HsWindow *hs_windows_open (HsWindows *self);

/* Brings those to the screen that are not on it. */
void hs_windows_show (HsWindows *self);

/* Opens one more window, like @beside (nullable) but for what @start says. */
void hs_windows_add (HsWindows *self, HsWindow *beside, const HsStart *start);

/* Every window's widgets are to be made anew over the same sessions: in another language, say. */
void hs_windows_renew (HsWindows *self);

/* Does so for one window. Returns: whether there was one left. */
bool hs_windows_renew_next (HsWindows *self);

typedef void (*HsSessionFunc) (HsSession *session, gpointer data);

void hs_windows_foreach (HsWindows *self, HsSessionFunc func, gpointer data);

/* What all windows share, those that are opened later too: letters of pictures, how
 * long a text may be, how many threads compute. */
void hs_windows_set_font (HsWindows *self, const char *family, double size_pt);
void hs_windows_set_max_tokens (HsWindows *self, size_t max_tokens);
void hs_windows_set_n_threads (HsWindows *self, size_t n_threads);

size_t hs_windows_get_n_threads (HsWindows *self);

/* Returns: (nullable) (transfer none): what was looked at before; NULL where nothing is kept. */
HsRecent *hs_windows_peek_recent (HsWindows *self);

G_END_DECLS
