/* SPDX-License-Identifier: MIT */
/* Sentences one after the other, in any of our languages. */
#include "attn-draw/sentences.h"

/* Signs that are as wide as a Han character end with blank space of their own. */
static const char *const wide_ends[] = {"。", "！", "？", "；", "：", "，", "」", "）"};

static gboolean
ends_wide (const GString *text)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wide_ends); i++)
    if (g_str_has_suffix (text->str, wide_ends[i]))
      return TRUE;
  return FALSE;
}

void
attn_draw_add_sentence (GString *text, const char *sentence)
{
  if (text->len > 0 && !ends_wide (text))
    g_string_append_c (text, ' ');
  g_string_append (text, sentence);
}
