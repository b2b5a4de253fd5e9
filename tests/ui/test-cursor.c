/* SPDX-License-Identifier: MIT */
/* Arrow keys: within the map, from nothing, and in a grid with a short last row. */
#include "hs-cursor.h"

#include <glib.h>

static void
assert_move (size_t query, size_t key, HsMove move, size_t to_query, size_t to_key)
{
  hs_cursor_move_cell (&query, &key, 30, 20, move);
  g_assert_cmpuint (query, ==, to_query);
  g_assert_cmpuint (key, ==, to_key);
}

static void
test_cell (void)
{
  assert_move (5, 6, HS_MOVE_LEFT, 5, 5);
  assert_move (5, 6, HS_MOVE_RIGHT, 5, 7);
  assert_move (5, 6, HS_MOVE_UP, 4, 6);
  assert_move (5, 6, HS_MOVE_DOWN, 6, 6);
  assert_move (5, 6, HS_MOVE_HOME, 5, 0);
  assert_move (5, 6, HS_MOVE_END, 5, 19);
  assert_move (15, 6, HS_MOVE_PAGE_UP, 5, 6);
  assert_move (15, 6, HS_MOVE_PAGE_DOWN, 25, 6);
}

static void
test_cell_borders (void)
{
  assert_move (0, 0, HS_MOVE_LEFT, 0, 0);
  assert_move (0, 0, HS_MOVE_UP, 0, 0);
  assert_move (29, 19, HS_MOVE_RIGHT, 29, 19);
  assert_move (29, 19, HS_MOVE_DOWN, 29, 19);
  assert_move (3, 0, HS_MOVE_PAGE_UP, 0, 0);
  assert_move (25, 0, HS_MOVE_PAGE_DOWN, 29, 0);
}

/* From nothing the first move lands on the first cell; a lone row or column keeps its part. */
static void
test_cell_from_nothing (void)
{
  assert_move (G_MAXSIZE, G_MAXSIZE, HS_MOVE_DOWN, 0, 0);
  assert_move (7, G_MAXSIZE, HS_MOVE_RIGHT, 7, 0);
  assert_move (G_MAXSIZE, 4, HS_MOVE_LEFT, 0, 4);
  assert_move (30, 3, HS_MOVE_LEFT, 0, 3);
}

/* Seven panels in rows of three: 0 1 2 / 3 4 5 / 6. */
static void
test_panel (void)
{
  g_assert_cmpuint (hs_cursor_move_panel (1, 7, 3, HS_MOVE_RIGHT), ==, 2);
  g_assert_cmpuint (hs_cursor_move_panel (2, 7, 3, HS_MOVE_RIGHT), ==, 3);
  g_assert_cmpuint (hs_cursor_move_panel (3, 7, 3, HS_MOVE_DOWN), ==, 6);
  g_assert_cmpuint (hs_cursor_move_panel (4, 7, 3, HS_MOVE_DOWN), ==, 4);
  g_assert_cmpuint (hs_cursor_move_panel (6, 7, 3, HS_MOVE_RIGHT), ==, 6);
  g_assert_cmpuint (hs_cursor_move_panel (0, 7, 3, HS_MOVE_LEFT), ==, 0);
  g_assert_cmpuint (hs_cursor_move_panel (1, 7, 3, HS_MOVE_UP), ==, 1);
  g_assert_cmpuint (hs_cursor_move_panel (5, 7, 3, HS_MOVE_HOME), ==, 0);
  g_assert_cmpuint (hs_cursor_move_panel (5, 7, 3, HS_MOVE_END), ==, 6);
  g_assert_cmpuint (hs_cursor_move_panel (G_MAXSIZE, 7, 3, HS_MOVE_END), ==, 0);
}

static void
assert_beside (HsCell from, HsMove move, guint head, guint query, guint key)
{
  HsCell to = hs_cursor_move_beside_lines (from, 4, 30, 20, move);
  g_assert_cmpuint (to.head, ==, head);
  g_assert_cmpuint (to.query, ==, query);
  g_assert_cmpuint (to.key, ==, key);
}

/* Two columns, 30 queries and 20 keys, under a legend of 4 heads. */
static void
test_beside_lines (void)
{
  const HsCell none = HS_CELL_NONE;
  const HsCell query = {HS_NONE, 25, HS_NONE, HS_NONE}, key = {HS_NONE, HS_NONE, 7, HS_NONE};
  const HsCell top = {HS_NONE, 0, HS_NONE, HS_NONE}, head = {2, HS_NONE, HS_NONE, HS_NONE};

  assert_beside (none, HS_MOVE_DOWN, HS_NONE, 0, HS_NONE);
  assert_beside (query, HS_MOVE_DOWN, HS_NONE, 26, HS_NONE);
  assert_beside (query, HS_MOVE_PAGE_DOWN, HS_NONE, 29, HS_NONE);
  assert_beside (query, HS_MOVE_PAGE_UP, HS_NONE, 15, HS_NONE);
  assert_beside (query, HS_MOVE_HOME, HS_NONE, 0, HS_NONE);
  assert_beside (query, HS_MOVE_RIGHT, HS_NONE, HS_NONE, 19); /* the last key there is */
  assert_beside (key, HS_MOVE_RIGHT, HS_NONE, HS_NONE, 7);
  assert_beside (key, HS_MOVE_LEFT, HS_NONE, 7, HS_NONE);
  assert_beside (key, HS_MOVE_UP, HS_NONE, HS_NONE, 6);
  assert_beside (key, HS_MOVE_END, HS_NONE, HS_NONE, 19);
  assert_beside (top, HS_MOVE_UP, 0, HS_NONE, HS_NONE);
  assert_beside (head, HS_MOVE_RIGHT, 3, HS_NONE, HS_NONE);
  assert_beside (head, HS_MOVE_LEFT, 1, HS_NONE, HS_NONE);
  assert_beside (head, HS_MOVE_END, 3, HS_NONE, HS_NONE);
  assert_beside (head, HS_MOVE_UP, 2, HS_NONE, HS_NONE);
  assert_beside (head, HS_MOVE_DOWN, HS_NONE, 0, HS_NONE);
  /* without a legend the top is the top */
  g_assert_cmpuint (hs_cursor_move_beside_lines (top, 0, 30, 20, HS_MOVE_UP).query, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cursor/cell", test_cell);
  g_test_add_func ("/cursor/cell-borders", test_cell_borders);
  g_test_add_func ("/cursor/cell-from-nothing", test_cell_from_nothing);
  g_test_add_func ("/cursor/panel", test_panel);
  g_test_add_func ("/cursor/beside-lines", test_beside_lines);
  return g_test_run ();
}
