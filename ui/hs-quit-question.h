/* SPDX-License-Identifier: MIT */
/* What ending the program would stop is asked about first. */
#pragma once

#include "hs-downloads.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_quit_question_ask:
 * @application: that is to end; its active window is asked over
 *
 * Where a model is being downloaded, asks whether to end even so, and ends @application where that
 * is answered with yes.
 *
 * Returns: whether it asks; otherwise nothing is in the way. Test: tests/ui/test-downloads.c
 */
bool hs_quit_question_ask (GtkApplication *application, HsDownloads *downloads);

G_END_DECLS
