/* SPDX-License-Identifier: MIT */
/* Where an arrow key takes the selected cell, or the selected head of a grid. */
#pragma once

#include "hs-types.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  HS_MOVE_LEFT,
  HS_MOVE_RIGHT,
  HS_MOVE_UP,
  HS_MOVE_DOWN,
  HS_MOVE_HOME, /* to the row's first key */
  HS_MOVE_END,  /* to the row's last key */
  HS_MOVE_PAGE_UP,
  HS_MOVE_PAGE_DOWN,
} HsMove;

#define HS_CURSOR_PAGE 10 /* rows a page key moves */

/**
 * hs_cursor_move_cell:
 * @query,@key: (inout): the cell, or G_MAXSIZE for none, which any move takes to the first cell
 *
 * Moves within [0, n_queries) × [0, n_keys) and stays at the border.
 */
void hs_cursor_move_cell (size_t *query, size_t *key, size_t n_queries, size_t n_keys, HsMove move);

/* Returns: the panel that a move from @panel leads to in a grid of @n_columns; it stays at the
 * border and never leaves [0, n_panels). */
size_t hs_cursor_move_panel (size_t panel, size_t n_panels, size_t n_columns, HsMove move);

/**
 * hs_cursor_move_beside_lines:
 * @cell:    on a query, on a key, or on neither but a head: in the legend above both
 * @n_heads: of the legend; 0 for none
 *
 * Up and down within a column, left and right to the other one, up from its top to the legend;
 * there left and right from head to head.
 *
 * Returns: the cell that a move from @cell leads to; the first query from none.
 */
HsCell hs_cursor_move_beside_lines (
    HsCell cell, guint n_heads, guint n_queries, guint n_keys, HsMove move);

G_END_DECLS
