/* SPDX-License-Identifier: MIT */
/* An arrangement as the command line's options. */
#pragma once

#include "attn/arrange.h"

#include <glib.h>

/* Appends " --unit words --hide cls,sep" and the like, as headscope-cli takes them; nothing for a
 * plain one. */
void attn_draw_append_arrangement (GString *line, const AttnArrangement *arrangement);

/* Appends " --heads 1,4,7"; nothing for all of them. */
void attn_draw_append_heads (GString *line, const AttnHeadSet *heads);
