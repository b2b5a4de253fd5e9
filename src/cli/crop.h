/* SPDX-License-Identifier: MIT */
/* "12:40,0:29" as rows and columns of a picture. */
#pragma once

#include "attn-draw/view.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * cli_crop_read:
 * @word: (nullable): NULL leaves @crop as it is; rows and columns, each FIRST:END with the end left
 * out, counted from 0; either number may be missing, and one pair stands for both sides
 * @n_queries,@n_keys: of the maps; 0 while they are not known yet
 * @crop: written
 *
 * Returns: false with a CLI_USAGE @error.
 */
bool cli_crop_read (
    const char *word, size_t n_queries, size_t n_keys, AttnDrawCrop *crop, GError **error);
