/* SPDX-License-Identifier: MIT */
/* Kernels that multiply wrongly are found out before they are used. */
#include "kernels.h"

#include "attn/model.h"

#include <math.h>
#include <string.h>

/* What all false sets are made of. */
static const AttnKernels *
peek_good (void)
{
  return &attn_kernels_plain;
}

static void
forget_last_input (const AttnProduct *product)
{
  AttnProduct shorter = *product;
  shorter.n_in -= product->n_in > 1;
  peek_good ()->multiply (&shorter);
}

static void
forget_bias (const AttnProduct *product)
{
  AttnProduct without = *product;
  without.bias = NULL;
  peek_good ()->multiply (&without);
}

static void
forget_last_row (const AttnProduct *product)
{
  AttnProduct shorter = *product;
  shorter.n_rows -= product->n_rows > 1;
  peek_good ()->multiply (&shorter);
}

static void
spoil_one_value (const AttnProduct *product)
{
  peek_good ()->multiply (product);
  product->c[(product->n_rows - 1) * product->ldc + product->n_cols - 1] += 1;
}

/* As kernels for large products alone can be wrong. */
static void
spoil_many_rows (const AttnProduct *product)
{
  peek_good ()->multiply (product);
  if (product->n_rows > 64)
    product->c[65 * product->ldc] = NAN;
}

static gint n_at_work; /* atomic */

/* Right for one caller, wrong for two: as without locks. */
static void
mind_company (const AttnProduct *product)
{
  const gint n_others = g_atomic_int_add (&n_at_work, 1);
  peek_good ()->multiply (product);
  g_usleep (2000);
  if (n_others > 0)
    product->c[0] += 1;
  g_atomic_int_add (&n_at_work, -1);
}

static const struct {
  const char *name;
  void (*multiply) (const AttnProduct *product);
  bool from_library;
} false_sets[] = {
    {"without-last-input", forget_last_input, false},
    {"without-bias", forget_bias, false},
    {"without-last-row", forget_last_row, false},
    {"one-value", spoil_one_value, false},
    {"many-rows", spoil_many_rows, false},
    {"in-company", mind_company, true},
};

static AttnKernels
make_false (size_t index)
{
  AttnKernels kernels = *peek_good ();
  kernels.name = false_sets[index].name;
  kernels.multiply = false_sets[index].multiply;
  kernels.from_library = false_sets[index].from_library;
  return kernels;
}

static void
test_false_sets (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (false_sets); i++) {
    const AttnKernels kernels = make_false (i);
    if (attn_kernels_check (&kernels))
      g_error ("%s passed", kernels.name);
  }
}

/* Every set of this CPU is right, which is what the choice of the best relies on. */
static void
test_real_sets (void)
{
  const AttnKernels *kernels;
  for (size_t i = 0; (kernels = attn_kernels_peek (i)) != NULL; i++) {
    gint64 start = g_get_monotonic_time ();
    g_assert_true (attn_kernels_check (kernels));
    g_test_message ("%s: %d us", kernels->name, (int)(g_get_monotonic_time () - start));
  }
  g_assert_true (attn_kernels_get () == attn_kernels_peek (0));
  g_assert_null (attn_kernel_peek_warning ());
}

static const char *
describe_false (void)
{
  return "own abacus";
}

static bool
is_not_there (void)
{
  return false;
}

static void
test_pick (void)
{
  const AttnKernels *const good = peek_good ();
  AttnKernels wrong = make_false (0);
  wrong.describe = describe_false;
  const char *warning = "not written";
  const AttnKernels *const first[] = {good, &wrong};
  g_assert_true (attn_kernels_pick (first, 2, &warning) == good);
  g_assert_null (warning);
  const AttnKernels *const second[] = {&wrong, &wrong, good};
  g_assert_true (attn_kernels_pick (second, 3, &warning) == good);
  g_assert_nonnull (strstr (warning, "wrongly by the kernels \"own abacus\", \"own abacus\"; "));
  g_assert_nonnull (strstr (warning, good->describe ()));
  wrong.is_there = is_not_there;
  g_assert_true (attn_kernels_pick (second, 3, &warning) == good);
  g_assert_null (warning);
  wrong.is_there = NULL;
  const AttnKernels *const none[] = {&wrong};
  g_assert_true (attn_kernels_pick (none, 1, &warning) == &wrong);
  g_assert_nonnull (strstr (warning, "by all kernels (\"own abacus\")"));
  g_assert_nonnull (strstr (warning, "not to be relied on"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/false-sets", test_false_sets);
  g_test_add_func ("/kernels/real-sets", test_real_sets);
  g_test_add_func ("/kernels/pick", test_pick);
  return g_test_run ();
}
