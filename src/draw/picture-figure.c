/* SPDX-License-Identifier: MIT */
/* What figures of a run have in common when one becomes a picture's file. */
#include "picture-figure.h"

#include "hs-build.h"
#include "text.h"

AttnDrawFigureStyle
attn_draw_picture_get_style (const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;
  return (AttnDrawFigureStyle){
      .palette = view->palette,
      .color_map = view->color_map,
      .font_family = view->font_family,
      .font_size_pt = view->font_size_pt,
      .language = picture->language,
  };
}

bool
attn_draw_picture_check_fonts (const AttnDrawPicture *picture, GError **error)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (picture->view);
  return attn_draw_fonts_check (fonts, error);
}

GString *
attn_draw_picture_describe_run (const AttnDrawPicture *picture)
{
  GString *text = g_string_new ("Headscope " HS_VERSION);
  g_autofree char *name = g_utf8_make_valid (picture->model_name, -1);
  const char *sha256 = picture->weights_sha256 != NULL ? picture->weights_sha256 : "not known";
  if (picture->text == NULL) { /* of another program's weights there is none */
    g_string_append_printf (text, "; attention: %s; SHA-256 %s", name, sha256);
    return text;
  }
  g_autofree char *typed = g_utf8_make_valid (picture->text, -1);
  g_string_append_printf (text, "; model: %s; weights: SHA-256 %s; text: %s", name, sha256, typed);
  if (picture->pair != NULL) {
    g_autofree char *pair = g_utf8_make_valid (picture->pair, -1);
    g_string_append_printf (text, "; second text: %s", pair);
  }
  if (picture->max_tokens > 0)
    g_string_append_printf (text, "; at most %zu tokens", picture->max_tokens);
  return text;
}

GBytes *
attn_draw_picture_write_figure (const AttnDrawPicture *picture,
                                AttnDrawFigure *figure,
                                const char *title,
                                const char *description,
                                GError **error)
{
  const AttnDrawProvenance provenance = {
      .title = title, .description = description, .creator = "Headscope " HS_VERSION};
  return attn_draw_figure_write (figure, picture->format, picture->scale, &provenance, error);
}
