/* SPDX-License-Identifier: MIT */
/* Sheets of paper a PDF is made for. */
#pragma once

#include <glib.h>

#include <stdbool.h>

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

G_END_DECLS
