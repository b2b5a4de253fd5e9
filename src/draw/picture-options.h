/* SPDX-License-Identifier: MIT */
/* A picture's settings as the command line's words, which provenance uses as well. */
#pragma once

#include "attn-draw/picture.h"
#include "attn/arrange.h"
#include "attn/number.h"

#include <glib.h>

#include <stdbool.h>

/* Appends " --unit words --hide cls,sep" and the like, as headscope-cli takes them; nothing for a
 * plain one. */
void attn_draw_append_arrangement (GString *line, const AttnArrangement *arrangement);

/* Appends " --heads 1,4,7"; nothing for all of them. */
void attn_draw_append_heads (GString *line, const AttnHeadSet *heads);

/* @buffer: [ATTN_NUMBER_SIZE] written. Returns: @buffer: with as many digits as give the same
 * number again. */
const char *attn_draw_number_word (char *buffer, double value);

/* Returns: what follows --range; @buffer as above. */
const char *attn_draw_range_word (const AttnDrawView *view, char *buffer);

/* Returns: (transfer full) (nullable): what follows --crop; NULL for the whole map, and where
 * there are no cells. */
char *attn_draw_dup_crop_word (const AttnDrawView *view);

/* Appends " --lens rollout"; nothing for the weights themselves. */
void attn_draw_append_lens (GString *line, const AttnDrawView *view);

bool attn_draw_is_combined (const AttnDrawView *view);

/* Returns: whether the heads are those of lines, which are of several without combining them. */
bool attn_draw_chooses_heads (const AttnDrawView *view);

/* Returns: whether it goes onto sheets of paper. */
bool attn_draw_is_on_sheets (const AttnDrawPicture *picture);
