/* SPDX-License-Identifier: MIT */
/* Findings in words: shown or not, with their numbers, and nothing that is not there. */
#include "attn-draw/finding.h"

#include <math.h>
#include <string.h>

#define NONE \
  { \
    0, 0, (double)NAN \
  }

static void
assert_said (const AttnFindingResult *result, const char *closing, const char *wanted)
{
  g_autofree char *said = attn_draw_finding_dup_sentence (result, closing, NULL, NULL);
  g_assert_cmpstr (said, ==, wanted);
}

static void
test_spare (void)
{
  AttnFindingResult result = {.finding = ATTN_FINDING_SPARE,
                              .n_layers = 2,
                              .n_heads = 4,
                              .is_shown = true,
                              .head = {1, 2, 0.5},
                              .n_spare = 6,
                              .n_better = 3,
                              .without = 1.75,
                              .task = ATTN_TASK_DRAWN,
                              .loss = 1.25};
  assert_said (&result, NULL,
               "It shows here: 6 of 8 heads can be missing, one at a time, with a loss at most 1 % "
               "higher; without 3 of them it is even lower. The worst to lose is head 2-3: the "
               "loss is then 1.7500 instead of 1.2500.");
  result.is_shown = false;
  result.n_spare = 2;
  result.task = ATTN_TASK_VECTOR;
  result.loss = 0;
  result.without = 0.25;
  assert_said (&result, NULL,
               "It does not show here: only 2 of 8 heads can be missing, one at a time, with the "
               "sentence’s vector keeping a cosine of 0.99 or more. The worst to lose is head 2-3: "
               "the cosine is then 0.7500.");
}

static void
test_roles (void)
{
  AttnFindingResult result = {.finding = ATTN_FINDING_ROLES,
                              .n_layers = 2,
                              .n_heads = 4,
                              .is_shown = true,
                              .head = {0, 0, 0.5},
                              .n_top = 2,
                              .n_top_roles = 1,
                              .n_roles = 1};
  assert_said (&result, NULL,
               "It shows here: of the 2 heads with the most importance 1 put half of their weight "
               "or more on the previous or the next token; of all 8 heads 1 do. Most important is "
               "head 1-1.");
  result.is_shown = false;
  result.n_roles = 0;
  result.head.value = (double)NAN;
  assert_said (&result, NULL,
               "It does not show here: no head puts half of its weight on the previous or the next "
               "token.");
}

/* A causal model's next tokens are hidden, and not every template closes its text. */
static void
test_relations (void)
{
  AttnFindingResult result = {.finding = ATTN_FINDING_RELATIONS,
                              .n_layers = 2,
                              .n_heads = 4,
                              .is_shown = true,
                              .surest = {{0, 1, 0.93}, {1, 0, 0}, {1, 3, 0.255}}};
  assert_said (&result, "[SEP]",
               "It shows here. Head 1-2 looks at the previous token most: 93 % of its weight. Head "
               "2-4 looks at [SEP] most: 26 % of its weight.");
  result.is_shown = false;
  result.surest[ATTN_RELATION_CLOSING].value = (double)NAN;
  assert_said (&result, "[SEP]",
               "It does not show here: no head has half of its weight in one such place. Head 1-2 "
               "looks at the previous token most: 93 % of its weight.");
}

static void
test_kinds (void)
{
  const AttnFindingResult result = {.finding = ATTN_FINDING_KINDS,
                                    .n_layers = 2,
                                    .n_heads = 5,
                                    .is_shown = true,
                                    .n_kinds = {1, 2, 1, 0, 4, 2}};
  assert_said (&result, NULL,
               "It shows here: of 10 heads 1 are vertical, 2 diagonal, 1 both and 0 blocks, "
               "together 40 %; in the paper it was 39 to 68 %. 4 more spread their weight widely, "
               "and 2 are mixed.");
}

static void
test_weights (void)
{
  AttnFindingResult result = {.finding = ATTN_FINDING_WEIGHTS,
                              .n_layers = 2,
                              .n_heads = 4,
                              .n_compared = 8,
                              .mean = 0.625,
                              .least = {0, 1, -0.125},
                              .most = {1, 1, 0.96}};
  assert_said (&result, NULL,
               "It does not show here: over 8 heads, weights and the size of gradient × attention "
               "have a rank correlation of 0.62 in the mean. It is lowest in head 1-2 (−0.12), "
               "highest in head 2-2 (0.96). The weight is a factor of both sides, so some "
               "agreement is sure.");
  result.n_compared = 0;
  assert_said (&result, NULL,
               "No head can be compared on this text: their weights are all equal, or not "
               "numbers.");
}

static const char *
mirror (const char *english, void *data)
{
  g_assert_cmpstr (data, ==, "data");
  return strstr (english, "gradient") != NULL ? "%2$s of %1$s。" : english;
}

/* Numbers may change places, and a wide full stop is followed by no blank. */
static void
test_translated (void)
{
  const AttnFindingResult result = {.finding = ATTN_FINDING_WEIGHTS,
                                    .n_compared = 8,
                                    .mean = 0.25,
                                    .least = {0, 1, 0},
                                    .most = {1, 1, 1},
                                    .is_shown = true};
  g_autofree char *said =
      attn_draw_finding_dup_sentence (&result, NULL, mirror, (void *)(gsize) "data");
  g_assert_true (g_str_has_prefix (said, "0.25 of 8。It is lowest"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finding/spare", test_spare);
  g_test_add_func ("/finding/roles", test_roles);
  g_test_add_func ("/finding/relations", test_relations);
  g_test_add_func ("/finding/kinds", test_kinds);
  g_test_add_func ("/finding/weights", test_weights);
  g_test_add_func ("/finding/translated", test_translated);
  return g_test_run ();
}
