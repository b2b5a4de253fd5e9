/* SPDX-License-Identifier: MIT */
/* The steps of a head as code, and findings, asked for by shell lines. */
#include "attn-draw/lab-command.h"

#include "command-line.h"

char *
attn_draw_code_dup_command (
    const AttnDrawPicture *picture, AttnCode code, size_t layer, size_t head, const char *path)
{
  GString *line = g_string_new ("headscope-cli lab");
  attn_draw_append_subject (line, picture);
  attn_draw_append_count (line, "--layer", layer + 1);
  attn_draw_append_count (line, "--head", head + 1);
  attn_draw_append_option (line, "--code", attn_code_peek_name (code));
  attn_draw_append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  attn_draw_append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}

char *
attn_draw_finding_dup_command (const AttnDrawPicture *picture, AttnFinding finding)
{
  GString *line = g_string_new ("headscope-cli lab");
  attn_draw_append_subject (line, picture);
  attn_draw_append_option (line, "--finding", attn_finding_names[finding]);
  attn_draw_append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  return g_string_free (line, FALSE);
}
