/* SPDX-License-Identifier: MIT */
/* The figure on how many heads can go as a file, and as the shell line that makes the same again.
 */
#include "command-line.h"
#include "picture-figure.h"
#include "pruning-private.h"

static char *
dup_description (const AttnDrawPruning *asked, const AttnDrawPicture *picture)
{
  const AttnPruning *pruning = asked->pruning;
  GString *text = attn_draw_picture_describe_run (picture);
  g_string_append_printf (
      text,
      "; pruning: heads at zero, a tenth at a time; loss of: %s, texts %zu, draws %zu; orders:",
      pruning->mixes_kinds ? "several" : attn_task_peek_kind_name (pruning->kind), pruning->n_texts,
      pruning->n_draws);
  for (size_t i = 0; i < pruning->n_curves; i++) {
    const AttnPruneCurve *curve = &pruning->curves[i];
    g_string_append_printf (text, "%s %s", i > 0 ? "," : "",
                            attn_prune_order_peek_name (curve->order));
    if (curve->order == ATTN_PRUNE_AT_RANDOM)
      g_string_append_printf (text, " (seed %u)", curve->seed);
  }
  return g_string_free (text, FALSE);
}

GBytes *
attn_draw_pruning_write (const AttnDrawPruning *asked,
                         const AttnDrawPicture *picture,
                         GError **error)
{
  if (!attn_draw_picture_check_fonts (picture, error))
    return NULL;
  AttnDrawPruning pruning = *asked;
  pruning.width = picture->view->width_px;
  pruning.style = attn_draw_picture_get_style (picture);
  pruning.translate = picture->translate;
  pruning.translate_data = picture->translate_data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pruning_new (&pruning);
  g_autofree char *title = attn_draw_pruning_dup_title (&pruning);
  g_autofree char *description = dup_description (&pruning, picture);
  return attn_draw_picture_write_figure (picture, figure, title, description, error);
}

static void
append_orders (GString *line, const AttnPruning *pruning)
{
  AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS];
  const size_t n = attn_draw_pruning_find_lines (pruning, lines);
  g_autoptr (GString) orders = g_string_new (NULL);
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (orders, "%s%s", i > 0 ? "," : "",
                            attn_prune_order_peek_name (lines[i].order));
  attn_draw_append_option (line, "--order", orders->str);
  for (size_t i = 0; i < n; i++)
    if (lines[i].order == ATTN_PRUNE_AT_RANDOM)
      attn_draw_append_count (line, "--seeds", lines[i].n);
}

char *
attn_draw_pruning_dup_command (const AttnAblationAsked *asked,
                               const AttnDrawPruning *pruning,
                               const AttnDrawPicture *picture,
                               const char *path)
{
  GString *line = g_string_new ("headscope-cli prune-curve");
  attn_draw_append_subject (line, picture);
  append_orders (line, pruning->pruning);
  if (asked->labels != NULL && *asked->labels != '\0')
    attn_draw_append_option (line, "--labels", asked->labels);
  attn_draw_append_count (line, "--masks", MAX (asked->n_draws, 1));
  attn_draw_append_count (line, "--seed", asked->seed);
  if (path == NULL)
    return g_string_free (line, FALSE);
  attn_draw_append_count (line, "--layer", pruning->layer + 1);
  attn_draw_append_count (line, "--head", pruning->head + 1);
  attn_draw_append_figure (line, picture, path);
  return g_string_free (line, FALSE);
}
