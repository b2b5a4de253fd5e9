/* SPDX-License-Identifier: MIT */
/* A picture on sheets of paper: one layout for each page.
 *
 * A head, lines or a text are fitted on one page. Maps of a grid or a contact sheet are as large as
 * the page's width allows; where that is more than a page, and making them a little smaller does
 * not help, the rows are spread evenly over several, each with title, colour bar and notes. */
#pragma once

#include "attn-draw/layout.h"
#include "attn-draw/panels.h"
#include "attn-draw/view.h"

#include <cairo.h>
#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_DRAW_PAGE_PICTURE, /* one page, exactly as large as the picture; the default */
  ATTN_DRAW_PAGE_A4,
  ATTN_DRAW_PAGE_A5,
  ATTN_DRAW_PAGE_LETTER,
  ATTN_DRAW_N_PAGE_SIZES,
} AttnDrawPageSize;

/* A plain value; all zero is a page as large as the picture. */
typedef struct {
  AttnDrawPageSize size;
  bool landscape; /* not for ATTN_DRAW_PAGE_PICTURE */
} AttnDrawPage;

/* Names as the command line takes and gives them ("picture", "a4", "a5", "letter"); find answers
 * false for an unknown one. */
const char *attn_draw_page_size_peek_name (AttnDrawPageSize size);
bool attn_draw_page_size_find (const char *name, AttnDrawPageSize *size);

/* Returns: px of a picture's width on @page between its margins, where a px is printed as @scale/96
 * inch; 0 for ATTN_DRAW_PAGE_PICTURE. */
double attn_draw_page_get_width_px (const AttnDrawPage *page, double scale);

/* Pages of one picture; belongs to the thread that made it. */
typedef struct _AttnDrawPages AttnDrawPages;

/* Makes the strings of a view that shows a part of the whole. */
typedef void (*AttnDrawName) (AttnDrawView *view, void *data);

/**
 * attn_draw_pages_new:
 * @view:   copied; its width and height, and map_px, count only for ATTN_DRAW_PAGE_PICTURE
 * @panels: referenced
 * @scale:  printed size of one px in 1/96 inch, > 0; letters of 10 pt are printed so at 1
 * @name:   (nullable): called for each page's view
 *
 * Returns: one page or more, for attn_draw_pages_free().
 * Test: tests/draw/test-pages.c
 */
AttnDrawPages *attn_draw_pages_new (const AttnDrawView *view,
                                    AttnDrawPanels *panels,
                                    const AttnDrawPage *page,
                                    double scale,
                                    AttnDrawName name,
                                    void *name_data);

void attn_draw_pages_free (AttnDrawPages *pages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawPages, attn_draw_pages_free)

size_t attn_draw_pages_get_n (const AttnDrawPages *pages);

/* The size of every page, in points of 1/72 inch. */
double attn_draw_pages_get_width_pt (const AttnDrawPages *pages);
double attn_draw_pages_get_height_pt (const AttnDrawPages *pages);

/* Returns: (transfer none): what is drawn on page @index. */
const AttnDrawLayout *attn_draw_pages_peek_layout (const AttnDrawPages *pages, size_t index);

/* Paints page @index on (0, 0) to (width, height), in points; on several pages with its number. */
void attn_draw_pages_paint (const AttnDrawPages *pages, size_t index, cairo_t *cr);

G_END_DECLS
