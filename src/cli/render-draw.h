/* SPDX-License-Identifier: MIT */
/* From a view to a picture's bytes: of one text, or of two sides compared. */
#pragma once

#include "options.h"

#include "attn-draw/picture.h"

#include <glib.h>

/* Reads the text, runs the model and draws @view; @picture gets what it is of.
 *
 * Returns: (transfer full): the file, or NULL with @error. */
GBytes *cli_render_one (const CliOptions *options,
                        AttnDrawPicture *picture,
                        AttnDrawView *view,
                        GError **error);

/* The same for the view compare: A and what @options say that B is. */
GBytes *cli_render_compared (const CliOptions *options,
                             AttnDrawPicture *picture,
                             AttnDrawView *view,
                             GError **error);

/* Other weights under the same name would be another picture without anybody noticing: says so
 * where the hashes, which may be NULL, are known and differ. */
void cli_render_compare_weights (const char *wanted, const char *sha256, const char *session);
