/* SPDX-License-Identifier: MIT */
/* Options of a shell line, quoted where they have to be. */
#pragma once

#include "attn-draw/picture.h"

#include <glib.h>

#include <stddef.h>

/* Appends " --option value". */
void attn_draw_append_option (GString *line, const char *option, const char *value);
void attn_draw_append_count (GString *line, const char *option, size_t count);
void attn_draw_append_number (GString *line, const char *option, double value);

/* The options of a side that is of arrays; @suffix is "" or "-b". */
void attn_draw_append_arrays (GString *line, const AttnDrawArrays *arrays, const char *suffix);

/* The options that tell what the picture is of: model and text, or arrays. */
void attn_draw_append_subject (GString *line, const AttnDrawPicture *picture);

/* How a figure of the lab looks, and that it is to be at @path. */
void attn_draw_append_figure (GString *line, const AttnDrawPicture *picture, const char *path);
