/* SPDX-License-Identifier: MIT */
/* Shaped text: one set of font settings for screen and files, each text shaped once. */
#pragma once

#include "attn-draw/view.h"

#include <glib.h>
#include <pango/pango.h>

#include <stdbool.h>

typedef struct _AttnDrawFonts AttnDrawFonts;

typedef struct {
  double size_px;
  bool bold;
  bool markup;      /* the text is Pango's markup; one that is wrong is shown as it is */
  bool wraps;       /* at max_width; otherwise it ends in an ellipsis there */
  double max_width; /* px; 0 for as long as it is */
} AttnDrawStyle;

/* px; the text's origin is (0, 0), the top left of its first line. */
typedef struct {
  double left, width; /* logical, and what ink stands out of it (accents, italics) */
  double height;      /* logical, of all lines */
  double baseline;    /* of the first line */
  double ink_top, ink_bottom;
} AttnDrawExtents;

/* Texts made by it may outlive it; all belong to the calling thread. Free what new or ref gave. */
AttnDrawFonts *attn_draw_fonts_new (const AttnDrawView *view);
AttnDrawFonts *attn_draw_fonts_ref (AttnDrawFonts *fonts);
void attn_draw_fonts_free (AttnDrawFonts *fonts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawFonts, attn_draw_fonts_free)

/* Returns: whether there is any font at all; without one, measures mean nothing. */
bool attn_draw_fonts_exist (AttnDrawFonts *fonts);

/* Returns: false with @error, UNSUPPORTED, where there is none. */
bool attn_draw_fonts_check (AttnDrawFonts *fonts, GError **error);

/* Returns: (transfer full) (nullable): as attn_draw_picture_dup_fallback(). */
char *attn_draw_fonts_dup_fallback (AttnDrawFonts *fonts);

/* Returns: px of the view's font size. */
double attn_draw_fonts_get_em (const AttnDrawFonts *fonts);

/**
 * attn_draw_fonts_shape:
 * @text: UTF-8; its first strong character decides where it starts
 *
 * Returns: (transfer none): the same object for the same text and style; not to be changed.
 */
PangoLayout *
attn_draw_fonts_shape (AttnDrawFonts *fonts, const char *text, const AttnDrawStyle *style);

/* The same, but a text that is not longer than the style's max_width is shaped as it is: once for
 * all widths. */
PangoLayout *
attn_draw_fonts_shape_within (AttnDrawFonts *fonts, const char *text, const AttnDrawStyle *style);

/* Bytes of a text that are not drawn but keep a place. */
typedef struct {
  size_t start, end;
  double width; /* px */
} AttnDrawGap;

/* A text of several lines. */
typedef struct {
  double size_px;
  double max_width; /* px; longer lines are broken, at words' ends where there are any */
  double spacing;   /* of lines' heights */
  const AttnDrawGap *gaps;
  size_t n_gaps;
} AttnDrawPassageStyle;

/* Returns: (transfer full): the text's paragraphs as they are, each by its own direction. */
PangoLayout *attn_draw_fonts_new_passage (AttnDrawFonts *fonts,
                                          const char *text,
                                          const AttnDrawPassageStyle *style);

AttnDrawExtents attn_draw_text_measure (PangoLayout *text);
