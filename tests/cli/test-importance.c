/* SPDX-License-Identifier: MIT */
/* headscope-cli importance: what the loss owes to each head. */
#include "cli-run.h"

#include <math.h>
#include <string.h>

#define TEXT "The cat sat on the [MASK]."

static double
get_number (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_number (value));
  return json_number_value (value);
}

/* One row for each head; of one draw the importance is the gradient without its sign, and each
 * layer's shares have a 2-norm of 1. */
static void
test_heads (void)
{
  json_t *answer = ASK ("importance --text @", TEXT);
  assert_keys (answer, "loss,task,draws,heads");
  g_assert_cmpstr (json_string_value (json_object_get (answer, "task")), ==, "guessed");
  json_t *heads = json_object_get (answer, "heads"), *row;
  g_assert_cmpuint (json_array_size (heads), ==, 32);
  size_t i;
  double squares = 0;
  json_array_foreach (heads, i, row)
  {
    assert_keys (row, "layer,head,gradient,importance,importance_l2");
    g_assert_cmpfloat (get_number (row, "layer"), ==, (double)(i / 8 + 1));
    g_assert_cmpfloat (get_number (row, "head"), ==, (double)(i % 8 + 1));
    g_assert_cmpfloat (get_number (row, "importance"), ==, fabs (get_number (row, "gradient")));
    squares += pow (get_number (row, "importance_l2"), 2);
  }
  g_assert_cmpfloat_with_epsilon (squares, 4, 1e-6); /* numbers are told with 9 digits */
  json_decref (answer);
}

/* The loss is that of ablation with the same options. */
static void
test_tasks (void)
{
  json_t *drawn = ASK ("importance --masks 3 --seed 4 --text @", "The cat sat on the mat.");
  json_t *ablated = ASK ("ablate --off 1-1 --masks 3 --seed 4 --text @", "The cat sat on the mat.");
  g_assert_cmpstr (json_string_value (json_object_get (drawn, "task")), ==, "drawn");
  g_assert_cmpfloat (get_number (drawn, "draws"), ==, 3);
  g_assert_cmpfloat (get_number (drawn, "loss"), ==, get_number (ablated, "loss"));
  json_t *masked = ASK ("importance --mask-positions 2,3 --text @", "The cat sat.");
  g_assert_cmpstr (json_string_value (json_object_get (masked, "task")), ==, "masked");
  json_decref (drawn);
  json_decref (ablated);
  json_decref (masked);
}

static void
test_refused (void)
{
  g_auto (Run) kind = RUN ("importance --kind zero --text @", TEXT);
  g_assert_cmpint (kind.status, ==, 2);
  g_assert_nonnull (strstr (kind.err, "--kind"));
  g_auto (Run) positions = RUN ("importance --mask-positions 99 --text @", TEXT);
  g_assert_cmpint (positions.status, ==, 1);
  g_assert_nonnull (strstr (positions.err, "99"));
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/importance/heads", test_heads);
  g_test_add_func ("/importance/tasks", test_tasks);
  g_test_add_func ("/importance/refused", test_refused);
  return cli_test_run ();
}
