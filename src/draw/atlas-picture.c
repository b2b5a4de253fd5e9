/* SPDX-License-Identifier: MIT */
/* The figure of an atlas as a file, and as the shell line that makes the same again. */
#include "command-line.h"
#include "hs-build.h"
#include "picture-figure.h"

#include "attn-draw/atlas.h"

static GString *
describe_texts (const AttnDrawAtlas *atlas, const AttnDrawPicture *picture)
{
  GString *text = g_string_new ("Headscope " HS_VERSION);
  g_autofree char *name = g_utf8_make_valid (picture->model_name, -1);
  g_autofree char *base = g_path_get_basename (atlas->texts);
  g_autofree char *file = g_utf8_make_valid (base, -1);
  g_string_append_printf (
      text, "; model: %s; weights: SHA-256 %s; texts: %s, SHA-256 %s, %zu texts", name,
      picture->weights_sha256 != NULL ? picture->weights_sha256 : "not known", file,
      atlas->texts_sha256 != NULL ? atlas->texts_sha256 : "not known", atlas->atlas->n_texts);
  if (picture->max_tokens > 0)
    g_string_append_printf (text, "; at most %zu tokens", picture->max_tokens);
  return text;
}

static char *
dup_description (const AttnDrawAtlas *atlas, const AttnDrawPicture *picture)
{
  GString *text = atlas->texts != NULL ? describe_texts (atlas, picture)
                                       : attn_draw_picture_describe_run (picture);
  g_string_append_printf (text, "; atlas: passport of layer %zu, head %zu (counted from 1)",
                          atlas->layer + 1, atlas->head + 1);
  return g_string_free (text, FALSE);
}

GBytes *
attn_draw_atlas_write (const AttnDrawAtlas *asked, const AttnDrawPicture *picture, GError **error)
{
  if (!attn_draw_picture_check_fonts (picture, error))
    return NULL;
  AttnDrawAtlas atlas = *asked;
  atlas.width = picture->view->width_px;
  atlas.style = attn_draw_picture_get_style (picture);
  atlas.translate = picture->translate;
  atlas.translate_data = picture->translate_data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_atlas_new (&atlas);
  g_autofree char *title = attn_draw_atlas_dup_title (&atlas);
  g_autofree char *description = dup_description (&atlas, picture);
  return attn_draw_picture_write_figure (picture, figure, title, description, error);
}

static void
append_texts (GString *line, const AttnDrawAtlas *atlas, const AttnDrawPicture *picture)
{
  attn_draw_append_option (line, "--model", picture->model != NULL ? picture->model : "demo");
  attn_draw_append_option (line, "--texts", atlas->texts);
  if (picture->max_tokens > 0)
    attn_draw_append_count (line, "--max-tokens", picture->max_tokens);
}

char *
attn_draw_atlas_dup_command (const AttnDrawAtlas *atlas,
                             const AttnDrawPicture *picture,
                             const char *path)
{
  GString *line = g_string_new ("headscope-cli atlas");
  if (atlas->texts != NULL)
    append_texts (line, atlas, picture);
  else
    attn_draw_append_subject (line, picture);
  attn_draw_append_count (line, "--layer", atlas->layer + 1);
  attn_draw_append_count (line, "--head", atlas->head + 1);
  if (atlas->filter.pattern > 0)
    attn_draw_append_option (line, "--only-class",
                             attn_pattern_peek_name (atlas->filter.pattern - 1));
  if (atlas->filter.layer > 0)
    attn_draw_append_count (line, "--only-layer", atlas->filter.layer);
  attn_draw_append_figure (line, picture, path);
  return g_string_free (line, FALSE);
}
