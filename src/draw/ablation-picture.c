/* SPDX-License-Identifier: MIT */
/* The figure on heads that are off as a file, and as the shell line that makes the same again. */
#include "command-line.h"
#include "picture-figure.h"

#include "attn-draw/ablation.h"

static char *
dup_description (const AttnDrawAblation *ablation, const AttnDrawPicture *picture)
{
  const AttnAblationNumbers *numbers = &ablation->numbers;
  const AttnTask *task = numbers->clean->task;
  GString *text = attn_draw_picture_describe_run (picture);
  g_string_append_printf (text, "; ablation: %s; loss of: %s, draws %zu, seed %zu",
                          attn_ablate_kind_peek_name (numbers->kind),
                          attn_task_peek_kind_name (task->kind), task->n_draws,
                          numbers->clean->seed);
  if (numbers->off != NULL) {
    g_autofree char *off = attn_head_list_dup (numbers->off->gates);
    g_string_append_printf (text, "; heads off (layer-head, counted from 1): %s", off);
  }
  return g_string_free (text, FALSE);
}

GBytes *
attn_draw_ablation_write (const AttnDrawAblation *asked,
                          const AttnDrawPicture *picture,
                          GError **error)
{
  if (!attn_draw_picture_check_fonts (picture, error))
    return NULL;
  AttnDrawAblation ablation = *asked;
  ablation.width = picture->view->width_px;
  ablation.style = attn_draw_picture_get_style (picture);
  ablation.translate = picture->translate;
  ablation.translate_data = picture->translate_data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_ablation_new (&ablation);
  g_autofree char *title = attn_draw_ablation_dup_title (&ablation);
  g_autofree char *description = dup_description (&ablation, picture);
  return attn_draw_picture_write_figure (picture, figure, title, description, error);
}

static void
append_asked (GString *line, const AttnAblationAsked *asked)
{
  attn_draw_append_option (line, "--kind", attn_ablate_kind_peek_name (asked->kind));
  if (asked->off != NULL && *asked->off != '\0')
    attn_draw_append_option (line, "--off", asked->off);
  if (asked->kind == ATTN_ABLATE_PATCH && asked->patch != NULL)
    attn_draw_append_option (line, "--patch-text", asked->patch);
  if (asked->labels != NULL && *asked->labels != '\0')
    attn_draw_append_option (line, "--labels", asked->labels);
  attn_draw_append_count (line, "--masks", MAX (asked->n_draws, 1));
  attn_draw_append_count (line, "--seed", asked->seed);
  if (asked->each)
    g_string_append (line, " --each");
  if (asked->importance)
    g_string_append (line, " --importance");
}

char *
attn_draw_ablation_dup_command (const AttnAblationAsked *asked,
                                const AttnDrawAblation *ablation,
                                const AttnDrawPicture *picture,
                                const char *path)
{
  GString *line = g_string_new ("headscope-cli ablate");
  attn_draw_append_subject (line, picture);
  append_asked (line, asked);
  if (path == NULL)
    return g_string_free (line, FALSE);
  attn_draw_append_count (line, "--layer", ablation->layer + 1);
  attn_draw_append_count (line, "--head", ablation->head + 1);
  attn_draw_append_figure (line, picture, path);
  return g_string_free (line, FALSE);
}
