/* SPDX-License-Identifier: MIT */
/* What a figure of the lab was made from, for the file's own description. */
#pragma once

#include "attn-draw/picture.h"

#include <glib.h>

/* Returns: (transfer full): program, model and its weights, texts and their limit, as valid UTF-8;
 * what the figure shows of the run is to follow. */
GString *attn_draw_describe_run (const AttnDrawPicture *picture);
