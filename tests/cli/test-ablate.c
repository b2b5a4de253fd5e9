/* SPDX-License-Identifier: MIT */
/* headscope-cli ablate: losses with heads switched off. */
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

/* A head alone off is its entry among each. */
static void
test_each (void)
{
  json_t *all = ASK ("ablate --each --text @", TEXT);
  assert_keys (all, "loss,task,draws,kind,each");
  json_t *each = json_object_get (all, "each");
  g_assert_cmpuint (json_array_size (each), ==, 32);
  json_t *one = ASK ("ablate --off 2-3 --text @", TEXT);
  assert_keys (one, "loss,task,draws,kind,off,loss_off,before,after");
  json_t *entry = json_array_get (each, 8 + 2);
  g_assert_cmpfloat (get_number (entry, "layer"), ==, 2);
  g_assert_cmpfloat (get_number (entry, "head"), ==, 3);
  g_assert_cmpfloat_with_epsilon (get_number (one, "loss_off"), get_number (entry, "loss"), 1e-5);
  g_assert_cmpfloat (get_number (all, "loss"), ==, get_number (one, "loss"));
  g_assert_false (json_equal (json_object_get (one, "before"), json_object_get (one, "after")));
  json_decref (all);
  json_decref (one);
}

/* What is right is said: the best guess of a typed mask, or what stood in the text. */
static void
test_tasks (void)
{
  json_t *guessed = ASK ("ablate --off 1-1 --text @", TEXT);
  g_assert_cmpstr (json_string_value (json_object_get (guessed, "task")), ==, "guessed");
  json_t *masked = ASK ("ablate --off 1-1 --mask-positions 2 --text @", "The cat sat.");
  g_assert_cmpstr (json_string_value (json_object_get (masked, "task")), ==, "masked");
  json_t *drawn = ASK ("ablate --off 1-1 --masks 2 --seed 3 --text @", "The cat sat.");
  g_assert_cmpstr (json_string_value (json_object_get (drawn, "task")), ==, "drawn");
  g_assert_cmpfloat (get_number (drawn, "draws"), ==, 2);
  json_decref (guessed);
  json_decref (masked);
  json_decref (drawn);
}

static void
assert_refused (const char *command, const char *said)
{
  g_auto (Run) run = RUN (command, TEXT);
  g_assert_cmpint (run.status, ==, 2);
  g_assert_nonnull (strstr (run.err, said));
}

static void
test_refused (void)
{
  assert_refused ("ablate --text @", "--each, --off");
  assert_refused ("ablate --each --kind patch --text @", "--patch-text");
  assert_refused ("ablate --off 1 --text @", "LAYER-HEAD");
  assert_refused ("ablate --off 1-1,2-1,1-1 --text @", "1-1 stands there twice");
  assert_refused ("ablate --off 1-1 --masks 1001 --text @", "at most 1000");
  assert_refused ("ablate --off 1-1 --mask-positions 2,1,2 --text @", "2 stands there twice");
  assert_refused ("ablate --off 1-1,9-1 --text @",
                  "--off 1-1,9-1: there is no 9-1: the model has layers 1 to 4");
  assert_refused ("ablate --each --kind half --text @", "zero, uniform, mean, frozen and patch");
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/ablate/each", test_each);
  g_test_add_func ("/ablate/tasks", test_tasks);
  g_test_add_func ("/ablate/refused", test_refused);
  return cli_test_run ();
}
