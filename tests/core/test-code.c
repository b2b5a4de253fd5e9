/* SPDX-License-Identifier: MIT */
/* Code that the library writes down: names, and texts as literals. What the code computes is tried
 * by tests/cli/test-code.py. */
#include "code-writer.h"
#include "test-util.h"

#include <string.h>

static void
test_names (void)
{
  for (AttnCode code = 0; code < ATTN_N_CODES; code++)
    g_assert_cmpint (attn_code_find (attn_code_peek_name (code)), ==, code);
  g_assert_cmpint (attn_code_find ("PyTorch"), ==, ATTN_CODE_PYTORCH);
  g_assert_cmpint (attn_code_find ("cobol"), ==, ATTN_N_CODES);
}

static void
assert_literal (const char *text, size_t length, const char *wanted)
{
  g_autoptr (GString) out = g_string_new (NULL);
  attn_code_append_literal (out, text, length);
  g_assert_cmpstr (out->str, ==, wanted);
}

#define ASSERT_LITERAL(text, wanted) assert_literal (text, sizeof text - 1, wanted)

static void
test_literals (void)
{
  ASSERT_LITERAL ("", "\"\"");
  ASSERT_LITERAL ("a \"b\" \\ 貓", "\"a \\\"b\\\" \\\\ 貓\"");
  ASSERT_LITERAL ("a\n1\t\0017", "\"a\\0121\\011\\0017\"");
  ASSERT_LITERAL ("a\0b", "\"a\\000b\"");
  ASSERT_LITERAL ("what?\?/", "\"what?\\077/\"");
  ASSERT_LITERAL ("a\342\200\256b", "\"a\\u202eb\"");
}

/* Every step that is written about has its words. */
static void
test_words (void)
{
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    if (step != ATTN_STEP_CONTRIBUTION)
      g_assert_nonnull (attn_code_peek_words (step));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/code/names", test_names);
  g_test_add_func ("/code/literals", test_literals);
  g_test_add_func ("/code/words", test_words);
  return g_test_run ();
}
