/* SPDX-License-Identifier: MIT */
/* Options of a shell line, quoted where they have to be. */
#include "command-line.h"

#include "picture-options.h"

#include <string.h>

void
attn_draw_append_option (GString *line, const char *option, const char *value)
{
  bool plain = *value != '\0';
  for (const char *p = value; *p != '\0' && plain; p++)
    plain = g_ascii_isalnum (*p) || strchr ("_-+./,:@%", *p) != NULL;
  g_autofree char *quoted = plain ? g_strdup (value) : g_shell_quote (value);
  g_string_append_printf (line, " %s %s", option, quoted);
}

void
attn_draw_append_count (GString *line, const char *option, size_t count)
{
  g_string_append_printf (line, " %s %zu", option, count);
}

void
attn_draw_append_number (GString *line, const char *option, double value)
{
  char number[ATTN_NUMBER_SIZE];
  attn_draw_append_option (line, option, attn_draw_number_word (number, value));
}

/* The options of a side that is of arrays; @suffix is "" or "-b". */
void
attn_draw_append_arrays (GString *line, const AttnDrawArrays *arrays, const char *suffix)
{
  const struct {
    const char *name, *value;
  } options[] = {{"--attention", arrays->attention},
                 {"--array", arrays->array},
                 {"--tokens", arrays->tokens},
                 {"--token-list", arrays->token_list},
                 {"--key-list", arrays->key_list}};
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    g_autofree char *name = g_strconcat (options[i].name, suffix, NULL);
    if (options[i].value != NULL)
      attn_draw_append_option (line, name, options[i].value);
  }
}

/* What the picture is of. */
void
attn_draw_append_subject (GString *line, const AttnDrawPicture *picture)
{
  if (picture->arrays.attention != NULL) {
    attn_draw_append_arrays (line, &picture->arrays, "");
    return;
  }
  attn_draw_append_option (line, "--model", picture->model != NULL ? picture->model : "demo");
  attn_draw_append_option (line, "--text", picture->text);
  if (picture->pair != NULL)
    attn_draw_append_option (line, "--pair", picture->pair);
  if (picture->max_tokens > 0)
    attn_draw_append_count (line, "--max-tokens", picture->max_tokens);
}

void
attn_draw_append_figure (GString *line, const AttnDrawPicture *picture, const char *path)
{
  const AttnDrawView *view = picture->view;
  attn_draw_append_option (line, "--colormap", attn_draw_color_map_peek_name (view->color_map));
  attn_draw_append_option (line, "--palette", attn_draw_palette_peek_name (view->palette));
  attn_draw_append_number (line, "--font-size", view->font_size_pt);
  attn_draw_append_option (line, "--font", view->font_family);
  attn_draw_append_number (line, "--width-px", view->width_px);
  attn_draw_append_number (line, "--scale", picture->scale);
  attn_draw_append_option (line, "--format", attn_draw_format_peek_name (picture->format));
  attn_draw_append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  attn_draw_append_option (line, "--figure", path);
}
