/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --step: one step of attention as a matrix, or the arithmetic of one cell. */
#include "lab-parts.h"

#include <string.h>

#define CELL_WANTED "wanted is ROW,COLUMN, both counted from 0"

/* What is asked for; layer and head from 0. */
typedef struct {
  AttnStep step;
  size_t layer, head;
} Place;

static const char *
name_kind (AttnCellKind kind)
{
  static const char *const names[] = {
      [ATTN_CELL_GIVEN] = "given",     [ATTN_CELL_COPIED] = "copied",
      [ATTN_CELL_DOT] = "dot",         [ATTN_CELL_ROTATED] = "rotated",
      [ATTN_CELL_SOFTMAX] = "softmax", [ATTN_CELL_HIDDEN] = "hidden",
      [ATTN_CELL_ADDED] = "added",     [ATTN_CELL_NORMED] = "normed",
  };
  return names[kind];
}

static void
append_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ",\"%s\":", name);
  cli_append_number (json, value);
}

static void
append_head (GString *json, const Place *place)
{
  g_string_append_printf (json, "{\"step\":\"%s\",\"layer\":%zu", attn_step_peek_name (place->step),
                          place->layer + 1);
  if (attn_step_is_of_head (place->step))
    g_string_append_printf (json, ",\"head\":%zu", place->head + 1);
}

static void
append_tokens (GString *json, AttnTrace *trace)
{
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_string_append (json, ",\"tokens\":[");
  for (size_t t = 0; t < attn_maps_get_n (maps, ATTN_SIDE_QUERY); t++) {
    if (t > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, attn_maps_peek_piece (maps, ATTN_SIDE_QUERY, t));
  }
  g_string_append_c (json, ']');
}

static void
append_matrix (GString *json, const AttnMatrix *matrix)
{
  g_string_append_printf (json, ",\"shape\":[%zu,%zu],\"values\":[", matrix->n_rows,
                          matrix->n_columns);
  for (size_t row = 0; row < matrix->n_rows; row++) {
    g_string_append (json, row > 0 ? ",[" : "[");
    for (size_t column = 0; column < matrix->n_columns; column++) {
      if (column > 0)
        g_string_append_c (json, ',');
      cli_append_number (json, (double)matrix->values[row * matrix->n_columns + column]);
    }
    g_string_append_c (json, ']');
  }
  g_string_append_c (json, ']');
}

static void
append_terms (GString *json, const AttnCell *cell)
{
  g_string_append (json, ",\"terms\":[");
  for (size_t i = 0; i < cell->n_terms; i++) {
    const AttnCellTerm *term = &cell->terms[i];
    g_string_append_printf (json, "%s{\"index\":%zu", i > 0 ? "," : "", term->index);
    append_member (json, "left", (double)term->left);
    append_member (json, "right", (double)term->right);
    append_member (json, "product", term->product);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

static void
append_cell (GString *json, const AttnCell *cell)
{
  g_string_append_printf (json, ",\"cell\":[%zu,%zu]", cell->row, cell->column);
  append_member (json, "value", (double)cell->value);
  g_string_append_printf (json, ",\"kind\":\"%s\"", name_kind (cell->kind));
  if (cell->n_terms > 0)
    g_string_append_printf (json, ",\"left_step\":\"%s\"", attn_step_peek_name (cell->left_step));
  append_terms (json, cell);
  append_member (json, "sum", cell->sum);
  append_member (json, "added", cell->added);
  append_member (json, "scale", cell->scale);
  append_member (json, "bias", cell->bias);
  if (cell->kind == ATTN_CELL_NORMED) {
    append_member (json, "mean", cell->mean);
    append_member (json, "deviation", cell->deviation);
    append_member (json, "gain", cell->gain);
  }
  append_member (json, "result", cell->result);
}

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

static bool
append_answer (
    GString *json, AttnTrace *trace, const Place *place, const char *cell_text, GError **error)
{
  g_autoptr (AttnMatrix) matrix =
      attn_step_compute (trace, place->step, place->layer, place->head, error);
  if (matrix == NULL)
    return false;
  append_head (json, place);
  append_tokens (json, trace);
  if (cell_text == NULL) {
    append_matrix (json, matrix);
  } else {
    size_t row = 0, column = 0;
    if (!cli_lab_read_cell (cell_text, matrix, &row, &column, error))
      return false;
    g_autoptr (AttnCell) cell =
        attn_cell_explain (trace, place->step, place->layer, place->head, row, column, error);
    if (cell == NULL)
      return false;
    append_cell (json, cell);
  }
  g_string_append (json, "}\n");
  return true;
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
  Place place = {0};
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
  g_autoptr (GString) json = g_string_new (NULL);
  if (!append_answer (json, run.trace, &place, options->cell, error))
    return false;
  return cli_answer (options, json, error);
}
