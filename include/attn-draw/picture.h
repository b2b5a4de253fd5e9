/* SPDX-License-Identifier: MIT */
/* From a view to a finished file: the one way that the window's export and the command line share.
 *
 * Both fill the same struct, so the same view gives the same bytes; attn_draw_picture_dup_command()
 * writes it down as the shell line that makes the file again. */
#pragma once

#include "attn-draw/pages.h"
#include "attn-draw/panels.h"
#include "attn-draw/view.h"
#include "attn-draw/write.h"
#include "attn/export.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* The file of arrays that a side is of, instead of a model and a text. All pointers are borrowed.
 */
typedef struct {
  const char *attention;  /* as --attention takes it; NULL: the side is of a model */
  const char *array;      /* nullable: as --array */
  const char *tokens;     /* nullable: as --tokens */
  const char *token_list; /* nullable: as --token-list, likewise */
  const char *key_list;
} AttnDrawArrays;

/* All pointers are borrowed. Of maps that come from arrays the panels know names and texts
 * themselves: then model, model_name, text, pair and max_tokens are not read, and weights_sha256 is
 * attn_arrays_compute_sha256(). */
typedef struct {
  const AttnDrawView *view;   /* its strings need not be set: they are made anew, see below */
  const char *model;          /* as --model takes it: "demo" or a folder; NULL for "demo" */
  const char *model_name;     /* for titles: attn_hub_peek_model_name() */
  const char *weights_sha256; /* NULL where it is not known: attn_model_compute_sha256() */
  const char *text;
  const char *pair; /* NULL for none */
  AttnDrawArrays arrays;
  /* what B is in the view compare; not read in others */
  const char *model_b; /* NULL for A's */
  const char *model_name_b;
  const char *weights_sha256_b;
  const char *text_b;
  const char *pair_b;
  AttnDrawArrays arrays_b;
  const char *mask_positions;  /* (nullable): tokens that masks took the place of, "3,5" from 0; not
                                  of the view compare */
  size_t max_tokens;           /* limit the text was cut to; 0 for the model's own */
  const char *language;        /* "en", "zh_TW", "zh_CN"; NULL for "en" */
  AttnDrawTranslate translate; /* into that language; NULL for English */
  void *translate_data;
  AttnDrawFormat format;
  double scale;              /* as attn_draw_write() takes it */
  AttnDrawPage page;         /* for PDF; a sheet of paper settles the picture's size */
  AttnProgressFunc progress; /* nullable: asked while the file is made */
  void *progress_data;
} AttnDrawPicture;

/* Returns: the picture on its pages, one or more; for attn_draw_pages_free(). */
AttnDrawPages *attn_draw_picture_new_pages (const AttnDrawPicture *picture, AttnDrawPanels *panels);

/**
 * attn_draw_picture_write:
 * @panels: made for picture->view
 *
 * Makes the strings in picture's language, the layout and the provenance, and writes the file: a
 * PDF of several pages where the picture asks for sheets of paper and needs them.
 *
 * Returns: (transfer full): its bytes for g_bytes_unref(), or NULL with @error as
 *   attn_draw_write(), CANCELLED, or UNSUPPORTED where no font is installed.
 * Test: tests/draw/test-write.c
 */
GBytes *
attn_draw_picture_write (const AttnDrawPicture *picture, AttnDrawPanels *panels, GError **error);

/* The same into a file that takes the place of @path when complete; false with @error as there, and
 * IO. */
bool attn_draw_picture_write_to_file (const AttnDrawPicture *picture,
                                      AttnDrawPanels *panels,
                                      const char *path,
                                      GError **error);

/* Returns: whether the installed fonts have every character of @text; what they have not is drawn
 * as boxes. */
bool attn_draw_picture_can_show (const AttnDrawView *view, const char *text);

/* Returns: (transfer full) (nullable): the family that is drawn where none of those the view names
 * is installed, for g_free(); NULL where one is, or where there is no font at all. "Sans" and the
 * other general names of fontconfig always are.
 *
 * Test: tests/draw/test-write.c */
char *attn_draw_picture_dup_fallback (const AttnDrawView *view);

/**
 * attn_draw_picture_dup_command:
 * @path: the file to name in it
 *
 * Returns: (transfer full): "headscope-cli render --model … -o …", quoted for a POSIX shell, that
 *   writes the very bytes of attn_draw_picture_write(); for g_free(). A part of the layers or
 *   heads, as pages have it, has no option: the line makes the whole.
 *
 * Test: tests/cli/test-any-picture.c
 */
char *attn_draw_picture_dup_command (const AttnDrawPicture *picture, const char *path);

/* Returns: (transfer full): "headscope-cli attention --model … -o …" likewise, that writes the
 * numbers of these maps, arranged as the picture's are. */
char *attn_draw_picture_dup_numbers_command (const AttnDrawPicture *picture,
                                             const AttnExportChoice *choice,
                                             AttnExportFormat format,
                                             const char *path);

/* Returns: (transfer full): "headscope-cli compare … --difference … -o …" likewise, that writes A −
 * B of a picture of the view compare. */
char *attn_draw_picture_dup_difference_command (const AttnDrawPicture *picture,
                                                AttnExportFormat format,
                                                const char *path);

/* Returns: what is the picture's B, as the picture that has it as A; borrowed likewise. */
AttnDrawPicture attn_draw_picture_get_b (const AttnDrawPicture *picture);

/**
 * attn_draw_picture_set_width_mm:
 * @view:     its width_px is set; its height is not limited any more
 * @width_mm: printed width, > 0
 * @scale:    in: as wanted for a PNG's resolution; out: for SVG and PDF what makes the print
 *            exactly @width_mm wide although pictures are whole numbers of px; a PNG has the whole
 *            number of pixels that is nearest to it
 */
void attn_draw_picture_set_width_mm (AttnDrawView *view,
                                     double width_mm,
                                     AttnDrawFormat format,
                                     double *scale);

G_END_DECLS
