/* SPDX-License-Identifier: MIT */
/* A picture made in the test itself, as a window makes it, and the command line that has to make
 * the same bytes. What does not hold ends the test program. */
#pragma once

#include "attn-draw/picture.h"
#include "attn/model.h"

#include <glib.h>

G_BEGIN_DECLS

/* @name: (nullable): as --model takes it. Returns: (transfer full): it. */
AttnModel *repeat_load_model (const char *name);

/* @pair: (nullable). Returns: (transfer full): the maps of the text. */
AttnMaps *repeat_run_text (AttnModel *model, const char *text, const char *pair);

/* @b: of the view compare, else NULL. Returns: (transfer full): the file. */
GBytes *repeat_write (const AttnDrawPicture *picture, AttnMaps *a, AttnMaps *b);

/* The line that a window copies, run by a shell, writes @wanted into @path. */
void repeat_assert_command (const AttnDrawPicture *picture, GBytes *wanted, const char *path);

/* A session of it, read by the program, gives @wanted. @words: for run_with(), with the session's
 * path for @. */
void repeat_assert_session (const AttnDrawPicture *picture, GBytes *wanted, const char *words);

G_END_DECLS
