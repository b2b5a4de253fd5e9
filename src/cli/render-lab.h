/* SPDX-License-Identifier: MIT */
/* headscope-cli render of a session that was saved in the lab: the figure of the page it shows. */
#pragma once

#include "options.h"

#include "attn-draw/session.h"

#include <glib.h>

#include <stdbool.h>

/* Returns: whether @session shows a page of the lab with a figure of a model's run, and no option
 * asks for another view. Of a page without one it is said that the map is drawn instead. */
bool cli_render_is_lab (const CliOptions *options, const AttnDrawSession *session);

/**
 * cli_render_lab:
 * @options: with the session's model and text in the place of those that were not given
 *
 * Returns: (transfer full): the bytes of the page's own export, or NULL with @error.
 * Test: tests/cli/test-session.c, tests/ui/test-lab-pipeline.c
 */
GBytes *cli_render_lab (const CliOptions *options, const AttnDrawSession *session, GError **error);
