/* SPDX-License-Identifier: MIT */
/* The pipeline as a file, and as the shell line that makes the same file again. */
#include "command-line.h"
#include "picture-figure.h"
#include "pipeline-private.h"

#include "attn/error.h"

#define COMMAND "headscope-cli lab"

static char *
dup_description (const AttnDrawSteps *steps,
                 const AttnDrawPipeline *asked,
                 const AttnDrawPicture *picture)
{
  GString *text = attn_draw_picture_describe_run (picture);
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
  if (!attn_draw_picture_check_fonts (picture, error))
    return NULL;
  AttnDrawPipeline pipeline = *asked;
  pipeline.width = picture->view->width_px;
  pipeline.style = attn_draw_picture_get_style (picture);
  pipeline.translate = picture->translate;
  pipeline.translate_data = picture->translate_data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &pipeline);
  g_autofree char *title = attn_draw_pipeline_dup_title (steps, &pipeline);
  g_autofree char *description = dup_description (steps, asked, picture);
  return attn_draw_picture_write_figure (picture, figure, title, description, error);
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
