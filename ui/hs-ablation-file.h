/* SPDX-License-Identifier: MIT */
/* The page on heads that are off as files: figure and numbers. */
#pragma once

#include "hs-ablation-work.h"
#include "hs-figure-save.h"
#include "hs-session.h"

#include "attn-draw/ablation.h"

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_ablation_file_init:
 * @found: with its clean run
 * @each:  (nullable): of the same
 * @file:  written but for its title
 *
 * Returns: false where the session shows nothing.
 */
bool hs_ablation_file_init (HsFigureFile *file,
                            HsSession *session,
                            const HsAblationFound *found,
                            const HsAblationEach *each);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_ablation_file_dup_command (HsSession *session,
                                    const HsAblationFound *found,
                                    const HsAblationEach *each);

/* Returns: all that is known of @found and @each (nullable); borrowed. */
AttnAblationNumbers hs_ablation_get_numbers (const HsAblationFound *found,
                                             const HsAblationEach *each);

G_END_DECLS
