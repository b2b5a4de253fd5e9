/* SPDX-License-Identifier: MIT */
/* A step of attention, or the arithmetic of one of its numbers, as JSON. */
#include "attn/step-text.h"

#include "attn/maps.h"
#include "attn/number.h"
#include "attn/quote.h"

#include <string.h>

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
append_number (GString *json, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, attn_number_format (number, value, ATTN_NUMBER_JSON));
}

static void
append_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ",\"%s\":", name);
  append_number (json, value);
}

static void
append_head (GString *json, const AttnStepPlace *place)
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
    const char *piece = attn_maps_peek_piece (maps, ATTN_SIDE_QUERY, t);
    attn_quote_json (json, piece, strlen (piece));
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
      append_number (json, (double)matrix->values[row * matrix->n_columns + column]);
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

static GString *
begin (AttnTrace *trace, const AttnStepPlace *place)
{
  GString *json = g_string_new (NULL);
  append_head (json, place);
  append_tokens (json, trace);
  return json;
}

char *
attn_step_dup_json (AttnTrace *trace, const AttnStepPlace *place, const AttnMatrix *matrix)
{
  GString *json = begin (trace, place);
  append_matrix (json, matrix);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

char *
attn_cell_dup_json (AttnTrace *trace, const AttnStepPlace *place, const AttnCell *cell)
{
  GString *json = begin (trace, place);
  append_cell (json, cell);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}
