/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --step: one step of attention as a matrix, or the arithmetic of one cell. */
#include "lab-parts.h"

#include "attn/step-text.h"

#include <string.h>

#define CELL_WANTED "wanted is ROW,COLUMN, both counted from 0"

bool
cli_lab_read_cell (
    const char *text, const AttnMatrix *matrix, size_t *row, size_t *column, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 3);
  guint64 numbers[2] = {0};
  if (g_strv_length (parts) != 2 ||
      !g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXUINT32, &numbers[0], NULL) ||
      !g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXUINT32, &numbers[1], NULL))
    return cli_usage_value (error, "--cell", text, CELL_WANTED);
  if (numbers[0] >= matrix->n_rows || numbers[1] >= matrix->n_columns)
    return cli_usage_value (error, "--cell", text, "the step has rows 0 to %zu, columns 0 to %zu",
                            matrix->n_rows - 1, matrix->n_columns - 1);
  *row = (size_t)numbers[0];
  *column = (size_t)numbers[1];
  return true;
}

/* Returns: (transfer full): NULL with @error. */
static char *
dup_answer (AttnTrace *trace, const AttnStepPlace *place, const char *cell_text, GError **error)
{
  g_autoptr (AttnMatrix) matrix =
      attn_step_compute (trace, place->step, place->layer, place->head, error);
  size_t row = 0, column = 0;
  if (matrix == NULL)
    return NULL;
  if (cell_text == NULL)
    return attn_step_dup_json (trace, place, matrix);
  if (!cli_lab_read_cell (cell_text, matrix, &row, &column, error))
    return NULL;
  g_autoptr (AttnCell) cell =
      attn_cell_explain (trace, place->step, place->layer, place->head, row, column, error);
  return cell != NULL ? attn_cell_dup_json (trace, place, cell) : NULL;
}

bool
cli_lab_read_step (const CliOptions *options, AttnStep *step, GError **error)
{
  if (options->step == NULL)
    return cli_usage (error, "%s needs --step, --figure, --code or --several: what is wanted of it",
                      options->text != NULL ? "--text" : "--file");
  *step = attn_step_find (options->step);
  if (*step < ATTN_N_STEPS)
    return true;
  g_autoptr (GString) known = g_string_new ("known are ");
  for (AttnStep s = 0; s < ATTN_N_STEPS; s++)
    g_string_append_printf (known, "%s%s",
                            s == 0                  ? ""
                            : s == ATTN_N_STEPS - 1 ? " and "
                                                    : ", ",
                            attn_step_peek_name (s));
  return cli_usage_value (error, "--step", options->step, "%s", known->str);
}

bool
cli_lab_step (const CliOptions *options, GError **error)
{
  AttnStepPlace place = {0};
  if (!cli_lab_read_step (options, &place.step, error))
    return false;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  if (!attn_step_is_there (run.subject.model, place.step))
    return cli_usage_value (error, "--step", options->step, "the norms of this family come %s",
                            place.step == ATTN_STEP_NORMED ? "after each part, so see \"result\""
                                                           : "before each part, so see \"normed\"");
  place.layer = run.layer;
  place.head = run.head;
  g_autofree char *text = dup_answer (run.trace, &place, options->cell, error);
  if (text == NULL)
    return false;
  g_autoptr (GString) json = g_string_new (text);
  return cli_answer (options, json, error);
}
