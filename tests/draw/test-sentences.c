/* SPDX-License-Identifier: MIT */
/* A blank stands between sentences, but not behind a full stop that is as wide as a character. */
#include "attn-draw/sentences.h"

static void
assert_joined (const char *first, const char *second, const char *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);
  attn_draw_add_sentence (text, first);
  attn_draw_add_sentence (text, second);
  g_assert_cmpstr (text->str, ==, wanted);
}

static void
test_joined (void)
{
  assert_joined ("One.", "Two.", "One. Two.");
  assert_joined ("一。", "二。", "一。二。");
  assert_joined ("一（1）", "二。", "一（1）二。");
  assert_joined ("W₁.", "二。", "W₁. 二。");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sentences/joined", test_joined);
  return g_test_run ();
}
