/* SPDX-License-Identifier: MIT */
/* Times that are read back: the same to the bit, and what nobody can have measured is refused. */
#include "attn/error.h"
#include "attn/lab-text.h"

#include <string.h>

static void
test_round_trip (void)
{
  static const size_t heads[] = {1, 3, 33};
  const AttnTimingOptions options = {.d_model = 33, .n_tokens = 20, .n_runs = 4};
  g_autoptr (GError) error = NULL;
  AttnTiming timings[3];
  g_assert_true (attn_timing_run (&options, heads, 3, NULL, NULL, NULL, timings, &error));
  const AttnTimes times = {options, timings, 3, 2, "a \"kernel\" \\ of its own"};
  g_autofree char *json = attn_times_dup_json (&times);
  g_autoptr (AttnTimes) read = attn_times_new_from_json (json, strlen (json), "x.json", &error);
  g_assert_no_error (error);
  g_assert_cmpmem (read->timings, read->n * sizeof (AttnTiming), timings, sizeof timings);
  g_assert_cmpmem (&read->options, sizeof options, &options, sizeof options);
  g_assert_cmpuint (read->n_threads, ==, 2);
  g_assert_cmpstr (read->kernel, ==, times.kernel);
  g_autofree char *again = attn_times_dup_json (read);
  g_assert_cmpstr (again, ==, json);
}

#define HEAD "{\"d_model\":48,\"tokens\":8,\"threads\":1,\"kernel\":\"k\",\"times\":["
#define GOOD "{\"heads\":3,\"runs\":2,\"median_ms\":2,\"low_ms\":1,\"high_ms\":3}"

static void
test_refused (void)
{
  static const struct {
    const char *json, *sentence;
  } faults[] = {
      {"[]", "x.json: "},
      {"{\"d_model\":0}", "d_model: found 0"},
      {"{\"d_model\":9000}", "d_model: found 9000"},
      {"{\"d_model\":48,\"tokens\":8}", "threads: found nothing"},
      {HEAD "]}", "times: found "},
      {HEAD "null]}", "times: found null, wanted objects"},
      {HEAD GOOD ",{\"heads\":5,\"runs\":2,\"median_ms\":2,\"low_ms\":1,\"high_ms\":3}]}",
       "heads: found 5, wanted a divisor"},
      {HEAD "{\"heads\":3,\"runs\":0,\"median_ms\":2,\"low_ms\":1,\"high_ms\":3}]}",
       "runs: found 0"},
      {HEAD "{\"heads\":3,\"runs\":2,\"median_ms\":2,\"low_ms\":-1,\"high_ms\":3}]}",
       "low_ms: found"},
      {HEAD "{\"heads\":3,\"runs\":2,\"median_ms\":5e-324,\"low_ms\":5e-324,\"high_ms\":3}]}",
       "low_ms: found"},
      {HEAD "{\"heads\":3,\"d_k\":17,\"runs\":2,\"median_ms\":2,\"low_ms\":1,\"high_ms\":3}]}",
       "d_k: found 17, wanted 16, which is d_model divided by 3 heads"},
      {HEAD GOOD "," GOOD "]}", "heads: found 3, wanted each number of heads once"},
      {HEAD "{\"heads\":3,\"runs\":2,\"median_ms\":4,\"low_ms\":1,\"high_ms\":3}]}",
       "median_ms: found 4"},
      {HEAD "{\"heads\":3,\"runs\":2,\"median_ms\":2,\"low_ms\":1}]}", "high_ms: found nothing"},
      {"{\"d_model\":48,\"tokens\":8,\"threads\":1,\"kernel\":\"a\\u0007\",\"times\":[" GOOD "]}",
       "kernel: found"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autoptr (GError) error = NULL;
    AttnTimes *times =
        attn_times_new_from_json (faults[i].json, strlen (faults[i].json), "x.json", &error);
    g_assert_null (times);
    g_assert_true (error->domain == ATTN_ERROR);
    if (strstr (error->message, faults[i].sentence) == NULL)
      g_error ("%s: %s", faults[i].json, error->message);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/times/round-trip", test_round_trip);
  g_test_add_func ("/times/refused", test_refused);
  return g_test_run ();
}
