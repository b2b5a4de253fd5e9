/* SPDX-License-Identifier: MIT */
/* What a figure of the lab was made from, for the file's own description. */
#include "describe-run.h"

#include "hs-build.h"

GString *
attn_draw_describe_run (const AttnDrawPicture *picture)
{
  GString *text = g_string_new ("Headscope " HS_VERSION);
  g_autofree char *name = g_utf8_make_valid (picture->model_name, -1);
  g_autofree char *typed = g_utf8_make_valid (picture->text, -1);
  g_string_append_printf (text, "; model: %s; weights: SHA-256 %s; text: %s", name,
                          picture->weights_sha256 != NULL ? picture->weights_sha256 : "not known",
                          typed);
  if (picture->pair != NULL) {
    g_autofree char *pair = g_utf8_make_valid (picture->pair, -1);
    g_string_append_printf (text, "; second text: %s", pair);
  }
  if (picture->max_tokens > 0)
    g_string_append_printf (text, "; at most %zu tokens", picture->max_tokens);
  return text;
}
