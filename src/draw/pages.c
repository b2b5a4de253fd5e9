/* SPDX-License-Identifier: MIT */
/* Sheets of paper, by their names. */
#include "attn-draw/pages.h"

static const char *const names[] = {
    [ATTN_DRAW_PAGE_PICTURE] = "picture",
    [ATTN_DRAW_PAGE_A4] = "a4",
    [ATTN_DRAW_PAGE_A5] = "a5",
    [ATTN_DRAW_PAGE_LETTER] = "letter",
};

const char *
attn_draw_page_size_peek_name (AttnDrawPageSize size)
{
  g_return_val_if_fail ((size_t)size < G_N_ELEMENTS (names), names[0]);
  return names[size];
}

bool
attn_draw_page_size_find (const char *name, AttnDrawPageSize *size)
{
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (name, names[i]) == 0) {
      *size = (AttnDrawPageSize)i;
      return true;
    }
  return false;
}
