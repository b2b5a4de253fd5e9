/* SPDX-License-Identifier: MIT */
/* Where an arrow key takes the selected cell, or the selected head of a grid. */
#include "hs-cursor.h"

static size_t
step (size_t value, size_t n, ptrdiff_t by)
{
  if (by < 0)
    return value > (size_t)-by ? value - (size_t)-by : 0;
  return MIN (value + (size_t)by, n - 1);
}

void
hs_cursor_move_cell (size_t *query, size_t *key, size_t n_queries, size_t n_keys, HsMove move)
{
  if (*query >= n_queries || *key >= n_keys) {
    *query = *query < n_queries ? *query : 0;
    *key = *key < n_keys ? *key : 0;
    return;
  }
  switch (move) {
  case HS_MOVE_LEFT:
    *key = step (*key, n_keys, -1);
    break;
  case HS_MOVE_RIGHT:
    *key = step (*key, n_keys, 1);
    break;
  case HS_MOVE_UP:
    *query = step (*query, n_queries, -1);
    break;
  case HS_MOVE_DOWN:
    *query = step (*query, n_queries, 1);
    break;
  case HS_MOVE_PAGE_UP:
    *query = step (*query, n_queries, -HS_CURSOR_PAGE);
    break;
  case HS_MOVE_PAGE_DOWN:
    *query = step (*query, n_queries, HS_CURSOR_PAGE);
    break;
  case HS_MOVE_HOME:
    *key = 0;
    break;
  case HS_MOVE_END:
    *key = n_keys - 1;
    break;
  }
}

size_t
hs_cursor_move_panel (size_t panel, size_t n_panels, size_t n_columns, HsMove move)
{
  if (panel >= n_panels)
    return 0;
  ptrdiff_t by = 0;
  switch (move) {
  case HS_MOVE_LEFT:
    by = -1;
    break;
  case HS_MOVE_RIGHT:
    by = 1;
    break;
  case HS_MOVE_UP:
  case HS_MOVE_PAGE_UP:
    by = -(ptrdiff_t)n_columns;
    break;
  case HS_MOVE_DOWN:
  case HS_MOVE_PAGE_DOWN:
    by = (ptrdiff_t)n_columns;
    break;
  case HS_MOVE_HOME:
    return 0;
  case HS_MOVE_END:
    return n_panels - 1;
  }
  ptrdiff_t to = (ptrdiff_t)panel + by;
  return to < 0 || to >= (ptrdiff_t)n_panels ? panel : (size_t)to;
}

static guint
step_index (guint index, guint n, ptrdiff_t by)
{
  return (guint)step (index, n, by);
}

static HsCell
move_in_legend (HsCell cell, guint n_heads, HsMove move)
{
  switch (move) {
  case HS_MOVE_LEFT:
    cell.head = step_index (cell.head, n_heads, -1);
    break;
  case HS_MOVE_RIGHT:
    cell.head = step_index (cell.head, n_heads, 1);
    break;
  case HS_MOVE_HOME:
    cell.head = 0;
    break;
  case HS_MOVE_END:
    cell.head = n_heads - 1;
    break;
  case HS_MOVE_DOWN:
  case HS_MOVE_PAGE_DOWN:
    cell = HS_CELL_NONE;
    cell.query = 0;
    break;
  case HS_MOVE_UP:
  case HS_MOVE_PAGE_UP:
    break;
  }
  return cell;
}

/* Within a column of @n tokens. */
static guint
move_in_column (guint token, guint n, HsMove move)
{
  switch (move) {
  case HS_MOVE_UP:
    return step_index (token, n, -1);
  case HS_MOVE_DOWN:
    return step_index (token, n, 1);
  case HS_MOVE_PAGE_UP:
    return step_index (token, n, -HS_CURSOR_PAGE);
  case HS_MOVE_PAGE_DOWN:
    return step_index (token, n, HS_CURSOR_PAGE);
  case HS_MOVE_HOME:
    return 0;
  case HS_MOVE_END:
    return n - 1;
  case HS_MOVE_LEFT:
  case HS_MOVE_RIGHT:
    break;
  }
  return MIN (token, n - 1);
}

HsCell
hs_cursor_move_beside_lines (HsCell cell, guint n_heads, guint n_queries, guint n_keys, HsMove move)
{
  bool has_query = cell.query < n_queries, has_key = cell.key < n_keys;
  HsCell moved = HS_CELL_NONE;
  guint token = has_query ? cell.query : cell.key;
  if (!has_query && !has_key && cell.head < n_heads)
    return move_in_legend (cell, n_heads, move);
  if (!has_query && !has_key) {
    moved.query = 0;
  } else if (token == 0 && move == HS_MOVE_UP && n_heads > 0) {
    moved.head = 0;
  } else if (move == HS_MOVE_RIGHT || (!has_query && move != HS_MOVE_LEFT)) {
    moved.key = move_in_column (token, n_keys, move);
  } else {
    moved.query = move_in_column (token, n_queries, move);
  }
  return moved;
}
