/* SPDX-License-Identifier: MIT */
/* The figure on several heads as a file, and as the shell line that makes the same file again. */
#include "command-line.h"
#include "picture-figure.h"

#include "attn-draw/several.h"

static char *
dup_description (const AttnDrawSeveral *several, const AttnDrawPicture *picture)
{
  GString *text = attn_draw_picture_describe_run (picture);
  g_string_append_printf (text, "; lab: heads of layer %zu (counted from 1)",
                          several->heads->layer + 1);
  if (several->pair[0] != several->pair[1])
    g_string_append_printf (text, "; side by side: heads %zu and %zu", several->pair[0] + 1,
                            several->pair[1] + 1);
  if (several->head < several->heads->n_heads)
    g_string_append_printf (text, "; marked: head %zu", several->head + 1);
  if (several->query != G_MAXSIZE)
    g_string_append_printf (text, "; followed: token %zu", several->query);
  return g_string_free (text, FALSE);
}

GBytes *
attn_draw_several_write (const AttnDrawSeveral *asked,
                         const AttnDrawPicture *picture,
                         GError **error)
{
  if (!attn_draw_picture_check_fonts (picture, error))
    return NULL;
  AttnDrawSeveral several = *asked;
  several.width = picture->view->width_px;
  several.style = attn_draw_picture_get_style (picture);
  several.translate = picture->translate;
  several.translate_data = picture->translate_data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_several_new (&several);
  g_autofree char *title = attn_draw_several_dup_title (&several);
  g_autofree char *description = dup_description (&several, picture);
  return attn_draw_picture_write_figure (picture, figure, title, description, error);
}

static void
append_asked (GString *line, const AttnDrawSeveral *several)
{
  g_string_append (line, " --several");
  attn_draw_append_count (line, "--layer", several->heads->layer + 1);
  if (several->pair[0] != several->pair[1]) {
    attn_draw_append_count (line, "--head", several->pair[0] + 1);
    attn_draw_append_count (line, "--head-b", several->pair[1] + 1);
  }
  if (several->head < several->heads->n_heads)
    attn_draw_append_count (line, "--mark", several->head + 1);
  if (several->query != G_MAXSIZE)
    attn_draw_append_count (line, "--follow", several->query);
}

char *
attn_draw_several_dup_command (const AttnDrawSeveral *several,
                               const AttnDrawPicture *picture,
                               const char *path)
{
  GString *line = g_string_new ("headscope-cli lab");
  attn_draw_append_subject (line, picture);
  append_asked (line, several);
  attn_draw_append_figure (line, picture, path);
  return g_string_free (line, FALSE);
}
