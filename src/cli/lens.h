/* SPDX-License-Identifier: MIT */
/* A lens from options, and the maps it gives. */
#pragma once

#include "options.h"
#include "subject.h"

#include "attn/arrange.h"
#include "attn/lens.h"

#include <glib.h>

/* Reads --lens; ATTN_LENS_RAW without it. Returns: false with CLI_USAGE. */
bool cli_lens_read (const CliOptions *options, AttnLens *lens, GError **error);

/* Whether options name heads that a lens of whole layers has not. Returns: false with CLI_USAGE. */
bool cli_lens_check (AttnLens lens, const CliOptions *options, GError **error);

/* @subject: masks some tokens. Returns: (transfer full): where what they were is right, for
 * attn_target_free(), or NULL with @error. */
AttnTarget *cli_lens_new_target (const AttnTrace *trace,
                                 const CliSubject *subject,
                                 const CliText *text,
                                 GError **error);

/* A row of numbers above and below 0 may sum to 0 or less: as in pictures it stays as it is, and it
 * is noted that --renormalise makes no difference. */
void cli_lens_leave_rows (AttnLens lens, AttnArrangement *arrangement);

/**
 * cli_lens_new_maps:
 * @text: what @maps are of
 * @layer: from 0, the only one that is looked at; G_MAXSIZE: all
 *
 * For the gradient, what stood at --mask-positions is right.
 *
 * Returns: (transfer full): for attn_maps_unref(), or NULL with @error.
 */
AttnMaps *cli_lens_new_maps (AttnLens lens,
                             AttnMaps *maps,
                             const CliSubject *subject,
                             const CliText *text,
                             size_t layer,
                             GError **error);
