/* SPDX-License-Identifier: MIT */
/* How large a picture is to be: the options for pixels, print and sheets of paper. */
#pragma once

#include "options.h"

#include "attn-draw/picture.h"

#include <glib.h>

#include <stdbool.h>

/**
 * cli_picture_size_read:
 * @keep:    whether the scale that @picture has already is of the format it has now
 * @picture: its scale and page are set
 * @view:    its width and height are set where options say so
 *
 * Returns: false with a CLI_USAGE @error.
 */
bool cli_picture_size_read (const CliOptions *options,
                            bool keep,
                            AttnDrawPicture *picture,
                            AttnDrawView *view,
                            GError **error);
