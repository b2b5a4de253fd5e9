/* SPDX-License-Identifier: MIT */
/* Timing an attention block: what is asked for is refused or measured, in turns, and can be
 * stopped.
 */
#include "attn/error.h"
#include "attn/timing.h"

static void
check_refused (const AttnTimingOptions *options, size_t heads, const char *message)
{
  g_autoptr (GError) error = NULL;
  AttnTiming timing = {.n_heads = 99};
  g_assert_false (attn_timing_run (options, &heads, 1, NULL, NULL, NULL, &timing, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpuint (timing.n_heads, ==, 99);
}

static void
test_refused (void)
{
  AttnTimingOptions options = ATTN_TIMING_OPTIONS;
  check_refused (&options, 7, "7 heads do not divide d_model, 512");
  check_refused (&options, 0, "0 heads do not divide d_model, 512");
  options.n_tokens = 9000;
  check_refused (&options, 8, "the number of tokens is 9000, wanted 1 to 8192");
  options = (AttnTimingOptions){.d_model = 8, .n_tokens = 1};
  check_refused (&options, 8, "the number of runs is 0, wanted 1 to 10000");
}

typedef struct {
  size_t n_reports, stop_after;
  double fraction;
} Told;

static bool
told_cb (const AttnTiming *timings, size_t n, double fraction, void *data)
{
  Told *told = data;
  g_assert_cmpfloat (fraction, >, told->fraction);
  told->fraction = fraction;
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (timings[i].n_runs, ==, told->n_reports);
    g_assert_cmpfloat (timings[i].low, >, 0);
    g_assert_cmpfloat (timings[i].low, <=, timings[i].median);
    g_assert_cmpfloat (timings[i].median, <=, timings[i].high);
  }
  return ++told->n_reports != told->stop_after;
}

/* Also with odd widths, and more tokens than a piece of work has queries. */
static void
test_measured (void)
{
  static const size_t heads[] = {1, 3, 33};
  const AttnTimingOptions options = {.d_model = 33, .n_tokens = 150, .n_runs = 4};
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (GError) error = NULL;
  AttnTiming timings[3];
  Told told = {0};
  g_assert_true (attn_timing_run (&options, heads, 3, pool, told_cb, &told, timings, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (told.n_reports, ==, 5); /* the first one before anything is measured */
  g_assert_cmpfloat (told.fraction, ==, 1);
  for (size_t i = 0; i < 3; i++) {
    g_assert_cmpuint (timings[i].n_heads, ==, heads[i]);
    g_assert_cmpuint (timings[i].n_runs, ==, 4);
  }
}

/* Four times the tokens are at least four times the work of any kind. That a machine is busy may
 * cost one of them time: twice is asked for. */
static void
test_grows (void)
{
  static const size_t heads[] = {4};
  AttnTimingOptions options = {.d_model = 64, .n_tokens = 32, .n_runs = 5};
  AttnTiming small, large;
  g_assert_true (attn_timing_run (&options, heads, 1, NULL, NULL, NULL, &small, NULL));
  options.n_tokens = 128;
  g_assert_true (attn_timing_run (&options, heads, 1, NULL, NULL, NULL, &large, NULL));
  g_assert_cmpfloat (large.median, >, 2 * small.median);
}

static void
test_stopped (void)
{
  static const size_t heads[] = {1, 2};
  const AttnTimingOptions options = {.d_model = 16, .n_tokens = 8, .n_runs = 1000};
  g_autoptr (GError) error = NULL;
  AttnTiming timings[2];
  Told told = {.stop_after = 3};
  g_assert_false (attn_timing_run (&options, heads, 2, NULL, told_cb, &told, timings, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_assert_cmpuint (told.n_reports, ==, 3);
}

typedef struct {
  gint64 end_us;
} Patience;

static bool
is_over (void *data)
{
  return g_get_monotonic_time () > ((const Patience *)data)->end_us;
}

/* Of a shape whose measurements take a minute: it is left while numbers are filled in, and within a
 * block. The piece that has begun and giving the memory back take some 30 ms, and much more where a
 * busy machine has to overwrite that. */
static void
test_stopped_at_once (void)
{
  static const size_t heads[] = {16};
  static const gint64 patiences_ms[] = {20, 1000};
  const AttnTimingOptions options = {.d_model = 1024, .n_tokens = 8192, .n_runs = 9};
  for (size_t i = 0; i < G_N_ELEMENTS (patiences_ms); i++) {
    g_autoptr (AttnPool) pool = attn_pool_new (2);
    g_autoptr (GError) error = NULL;
    AttnTiming timing;
    Patience patience = {g_get_monotonic_time () + patiences_ms[i] * 1000};
    attn_pool_set_stop (pool, is_over, &patience);
    g_assert_false (attn_timing_run (&options, heads, 1, pool, NULL, NULL, &timing, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
    const double late_ms = (double)(g_get_monotonic_time () - patience.end_us) / 1e3;
    g_test_message ("%.0f ms late", late_ms);
    g_assert_cmpfloat (late_ms, <, 1500);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timing/refused", test_refused);
  g_test_add_func ("/timing/measured", test_measured);
  g_test_add_func ("/timing/grows", test_grows);
  g_test_add_func ("/timing/stopped", test_stopped);
  g_test_add_func ("/timing/stopped-at-once", test_stopped_at_once);
  return g_test_run ();
}
