/* SPDX-License-Identifier: MIT */
/* What a picture's file tells of how it was made. */
#pragma once

#include "attn-draw/picture.h"

/**
 * attn_draw_picture_describe:
 * @picture: its texts are valid UTF-8
 * @panels:  that it is made of
 *
 * English whatever the picture's language, since it is for programs and for looking things up. The
 * model is named, not its folder: a figure that is passed on tells nothing of its maker's disk.
 *
 * Returns: (transfer full): one line, for g_free().
 */
char *attn_draw_picture_describe (const AttnDrawPicture *picture, AttnDrawPanels *panels);
