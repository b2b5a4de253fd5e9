/* SPDX-License-Identifier: MIT */
/* What figures of a run have in common when one becomes a picture's file. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"

#include <glib.h>

#include <stdbool.h>

/* Returns: the looks of the picture's view, in its language; strings are the picture's. */
AttnDrawFigureStyle attn_draw_picture_get_style (const AttnDrawPicture *picture);

/* Returns: whether there is a font to make a figure with; false with @error UNSUPPORTED. */
bool attn_draw_picture_check_fonts (const AttnDrawPicture *picture, GError **error);

/* Returns: (transfer full): program, model and its weights, texts and their limit, as valid UTF-8;
 * what the figure shows of the run is to follow. Of a file of attention the picture has no text,
 * and the file's name for the model's. */
GString *attn_draw_picture_describe_run (const AttnDrawPicture *picture);

/**
 * attn_draw_picture_write_figure:
 * @title:       one line
 * @description: how it was made
 *
 * Returns: (transfer full): the file's bytes, or NULL with @error as attn_draw_figure_write().
 */
GBytes *attn_draw_picture_write_figure (const AttnDrawPicture *picture,
                                        AttnDrawFigure *figure,
                                        const char *title,
                                        const char *description,
                                        GError **error);
