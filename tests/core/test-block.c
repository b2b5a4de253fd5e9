/* SPDX-License-Identifier: MIT */
/* Blocks: aligned arrays that do not overlap, and sizes that cannot be had. */
#include "block.h"

#include "attn/error.h"

#include <stdint.h>
#include <string.h>

static void
test_layout (void)
{
  g_autoptr (GError) error = NULL;
  static const size_t sizes[] = {1, 16, 17, 0, 1 << 22, 33};
  AttnCutter cutter = {0};
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_assert_null (attn_cutter_take (&cutter, sizes[i]));
  g_auto (AttnBlock) block = {0};
  g_assert_true (attn_block_init (&block, &cutter, "test", true, &error));
  g_assert_cmpuint (block.n_bytes, ==, cutter.used * sizeof (float));
  g_assert_cmpuint ((uintptr_t)block.data % (2 << 20), ==, 0);

  AttnCutter again = {.base = block.data};
  const float *end = block.data;
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    float *array = attn_cutter_take (&again, sizes[i]);
    g_assert_true (array >= end);
    g_assert_cmpuint ((uintptr_t)array % 64, ==, 0);
    for (size_t j = 0; j < sizes[i]; j++)
      g_assert_cmpfloat (array[j], ==, 0);
    memset (array, 0x7f, sizes[i] * sizeof *array);
    end = array + sizes[i];
  }
  g_assert_cmpuint (again.used, ==, cutter.used);
}

static void
assert_too_large (const AttnCutter *layout)
{
  g_autoptr (GError) error = NULL;
  g_auto (AttnBlock) block = {0};
  g_assert_false (attn_block_init (&block, layout, "the test", false, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "the test"));
  g_assert_null (block.memory);
}

static void
test_too_large (void)
{
  AttnCutter product = {0}, sum = {0}, bytes = {0}, memory = {0};
  attn_cutter_take_matrix (&product, G_MAXSIZE / 2, 3);
  assert_too_large (&product);
  attn_cutter_take (&sum, G_MAXSIZE - 64);
  attn_cutter_take (&sum, 128);
  assert_too_large (&sum);
  attn_cutter_take (&bytes, G_MAXSIZE / 2);
  assert_too_large (&bytes);
  attn_cutter_take (&memory, (size_t)1 << 56);
  assert_too_large (&memory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block/layout", test_layout);
  g_test_add_func ("/block/too-large", test_too_large);
  return g_test_run ();
}
