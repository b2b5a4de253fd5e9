/* SPDX-License-Identifier: MIT */
/* A page of the lab in a window of its own, with a text, and files that it saves. */
#pragma once

#include "hs-ask.h"
#include "hs-figure.h"
#include "ui-test.h"

typedef struct {
  UiTestDesk desk;
  GtkWidget *window, *page;
  HsFigure *figure; /* the page's */
} LabFixture;

/* @create: of the page, as it is when it is open. */
void lab_fixture_open (LabFixture *fixture,
                       const char *text,
                       AttnDrawLabPage page,
                       GtkWidget *(*create) (HsSession *session));

void lab_fixture_close (LabFixture *fixture);

/* Until what was asked for last is answered. */
void lab_fixture_settle (void);

/* The figure tells of this. */
void lab_fixture_assert_value (LabFixture *fixture, const char *part);

/* An arrow key on the figure. Returns: whether it meant something. */
gboolean lab_fixture_move (LabFixture *fixture, HsMove direction);

/* ---- files ---- */

/* @cli: headscope-cli. Makes the folder that files are saved in. */
void lab_fixture_begin_files (const char *cli);
void lab_fixture_end_files (void);

/* Saves under the name that is proposed, in the folder. */
void
lab_fixture_name_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data);

/* Returns: (transfer full): a file's path in the folder. */
char *lab_fixture_dup_path (const char *name);

/* Returns: (transfer full): what is in the file. */
char *lab_fixture_read (const char *name, gsize *size);

/* @line: of headscope-cli. Returns: (transfer full): what it printed; it is run in the folder. */
char *lab_fixture_run (const char *line);

/* The screen as a session file, which headscope-cli render draws as the file @name in the folder.
 */
void lab_fixture_render_session (LabFixture *fixture, const char *name);
