/* SPDX-License-Identifier: MIT */
/* What the window's tests share: a model, waiting with an end, counting notifications. */
#pragma once

#include "hs-engine.h"
#include "hs-session.h"
#include "hs-updater.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the shipped model; a failure ends the program. */
AttnModel *ui_test_load_demo (void);

/* Runs the main loop until @condition holds; more than ten seconds fail the test. */
void ui_test_wait (bool (*condition) (gpointer data), gpointer data);

/* ui_test_wait() for the session to be in @state. */
void ui_test_wait_state (HsSession *session, HsState state);

/* Runs the main loop until nothing is pending and @engine (nullable) has no task under way. */
void ui_test_drain (HsEngine *engine);

/* Drops the last reference when all its tasks have called back. A task may hold its engine a moment
 * longer on its own thread, so this waits, and fails when somebody else holds it. */
void ui_test_close_engine (HsEngine *engine);

/* Fails when @object ends on another thread than the one that calls this. Adds 1 to @n_alive, which
 * is taken away again when it has ended. */
void ui_test_watch_end (gpointer object, guint *n_alive);

/* ui_test_wait() for a counter to be 0. */
void ui_test_wait_zero (guint *n_alive);

/* All threads share one core from here on, so that a thread is interrupted at every place sooner or
 * later; with @on false they may use all again. */
void ui_test_share_core (bool on);

/* Counts notifications of @property (NULL for all) into @count until the object goes. */
void ui_test_count (gpointer object, const char *property, guint *count);

/* Returns: (transfer full): what the visible labels of @widget say, in their order, with "|"
 * between them. */
char *ui_test_dup_labels (GtkWidget *widget);

/* Returns: (transfer none) (nullable): @widget, or the first one below it, that is of @type; or the
 * first of those that are seen. */
GtkWidget *ui_test_find (GtkWidget *widget, GType type);
GtkWidget *ui_test_find_seen (GtkWidget *widget, GType type);

/* Likewise a button with this label. */
GtkWidget *ui_test_find_button (GtkWidget *widget, const char *label);
GtkWidget *ui_test_find_seen_button (GtkWidget *widget, const char *label);

/* An engine, a session on the shipped model and what keeps it up to date. */
typedef struct {
  HsEngine *engine;
  HsSession *session;
  HsUpdater *updater;
} UiTestDesk;

/* Opens one and waits until @text is on show (or, for "", until the state is EMPTY). */
void ui_test_desk_open (UiTestDesk *desk, const char *text);

/* The same on another model: a folder. */
void ui_test_desk_open_model (UiTestDesk *desk, const char *model, const char *text);

/* Closes it, failing when anything is left alive. */
void ui_test_desk_close (UiTestDesk *desk);

G_END_DECLS
