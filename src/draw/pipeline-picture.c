/* SPDX-License-Identifier: MIT */
/* The pipeline as a file, and as the shell line that makes the same file again. */
#include "command-line.h"
#include "describe-run.h"
#include "hs-build.h"
#include "pipeline-private.h"
#include "text.h"

#include "attn/error.h"

#define COMMAND "headscope-cli lab"

/* What is drawn, with the picture's looks. @language: owned by the caller. */
static AttnDrawPipeline
take_looks (const AttnDrawPipeline *asked, const AttnDrawPicture *picture, const char *language)
{
  const AttnDrawView *view = picture->view;
  AttnDrawPipeline pipeline = *asked;
  pipeline.width = view->width_px;
  pipeline.style = (AttnDrawFigureStyle){
      .palette = view->palette,
      .color_map = view->color_map,
      .font_family = view->font_family,
      .font_size_pt = view->font_size_pt,
      .language = language,
  };
  pipeline.translate = picture->translate;
  pipeline.translate_data = picture->translate_data;
  return pipeline;
}

static char *
dup_description (const AttnDrawSteps *steps,
                 const AttnDrawPipeline *asked,
                 const AttnDrawPicture *picture)
{
  GString *text = attn_draw_describe_run (picture);
  g_string_append_printf (text, "; lab: step %s, layer %zu, head %zu (counted from 1)",
                          attn_step_peek_name (asked->step), steps->layer + 1, steps->head + 1);
  if (asked->has_followed)
    g_string_append_printf (text, "; followed: token %zu", asked->followed);
  if (asked->has_cell)
    g_string_append_printf (text, "; cell: %zu,%zu (from 0)", asked->example->cell->row,
                            asked->example->cell->column);
  return g_string_free (text, FALSE);
}

GBytes *
attn_draw_pipeline_write (AttnDrawSteps *steps,
                          const AttnDrawPipeline *asked,
                          const AttnDrawPicture *picture,
                          GError **error)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (picture->view);
  if (!attn_draw_fonts_check (fonts, error))
    return NULL;
  g_autofree char *language = g_strdup (picture->language != NULL ? picture->language : "en");
  g_strdelimit (language, "_", '-'); /* BCP 47 */
  const AttnDrawPipeline pipeline = take_looks (asked, picture, language);
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &pipeline);
  g_autofree char *title = attn_draw_pipeline_dup_title (steps, &pipeline);
  g_autofree char *description = dup_description (steps, asked, picture);
  const AttnDrawProvenance provenance = {
      .title = title, .description = description, .creator = "Headscope " HS_VERSION};
  return attn_draw_figure_write (figure, picture->format, picture->scale, &provenance, error);
}

static void
append_asked (GString *line, const AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  const AttnDrawExample *example = asked->has_cell ? asked->example : NULL;
  attn_draw_append_count (line, "--layer", steps->layer + 1);
  attn_draw_append_count (line, "--head", steps->head + 1);
  attn_draw_append_option (line, "--step", attn_step_peek_name (asked->step));
  if (asked->has_followed)
    attn_draw_append_count (line, "--follow", asked->followed);
  if (example == NULL)
    return;
  g_autofree char *cell = g_strdup_printf ("%zu,%zu", example->cell->row, example->cell->column);
  attn_draw_append_option (line, "--cell", cell);
}

char *
attn_draw_pipeline_dup_command (const AttnDrawSteps *steps,
                                const AttnDrawPipeline *asked,
                                const AttnDrawPicture *picture,
                                const char *path)
{
  GString *line = g_string_new (COMMAND);
  attn_draw_append_subject (line, picture);
  append_asked (line, steps, asked);
  attn_draw_append_figure (line, picture, path);
  return g_string_free (line, FALSE);
}
