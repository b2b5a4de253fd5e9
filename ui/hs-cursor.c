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
