/* SPDX-License-Identifier: MIT */
/* By what names the tokens of two lists are compared. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

/**
 * attn_align_names_new:
 * @maps: of A and B
 *
 * Of one vocabulary the pieces. Of two: what of the text a token stands for, without the blanks at
 * its ends, since "Ġcat" of one is "cat" of the other; the piece, which equals no text, where a
 * token stands for no text or for a part of a character.
 *
 * Returns: (transfer full): A's names, then B's, for g_ptr_array_unref().
 */
GPtrArray *attn_align_names_new (const AttnMaps *const maps[2], AttnSide side);
