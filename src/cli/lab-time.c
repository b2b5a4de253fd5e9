/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --time: how long one attention block takes on this machine, with several
 * numbers of heads; --measured: the same of what was measured before. */
#include "lab-parts.h"
#include "texts.h"

#include "attn-draw/lab-charts.h"
#include "attn/lab-text.h"
#include "attn/model.h"
#include "attn/quote.h"
#include "attn/times.h"

#include <string.h>

static GBytes *
write_chart (const void *data,
             const AttnDrawLabLook *look,
             AttnDrawFormat format,
             double scale,
             GError **error)
{
  return attn_draw_timing_chart_write (data, look, format, scale, error);
}

static char *
dup_csv (const void *data)
{
  return attn_times_dup_csv (&((const AttnDrawTimingChart *)data)->times);
}

static char *
dup_json (const void *data)
{
  return attn_times_dup_json (&((const AttnDrawTimingChart *)data)->times);
}

static bool
answer (const CliOptions *options, const AttnTimes *times, GError **error)
{
  static const CliLabForms forms = {dup_csv, dup_json, write_chart};
  const AttnDrawTimingChart chart = {*times, options->mark};
  return cli_lab_check_size ("--mark", options->mark, times->options.d_model, error) &&
         cli_lab_answer (options, &forms, &chart, error);
}

bool
cli_lab_time (const CliOptions *options, GError **error)
{
  AttnTimingOptions timing = ATTN_TIMING_OPTIONS;
  if (options->d_model == 0)
    return cli_usage (error, "--time needs --d-model: the width that heads share");
  timing.d_model = options->d_model;
  if (options->n_tokens > 0)
    timing.n_tokens = options->n_tokens;
  if (options->repeat > 0)
    timing.n_runs = options->repeat;
  if (!cli_lab_check_size ("--d-model", timing.d_model, ATTN_TIMING_MAX_WIDTH, error) ||
      !cli_lab_check_size ("--tokens", timing.n_tokens, ATTN_TIMING_MAX_TOKENS, error) ||
      !cli_lab_check_size ("--repeat", timing.n_runs, ATTN_TIMING_MAX_RUNS, error))
    return false;
  g_autoptr (GArray) heads = cli_lab_read_heads ("--time", options->time, timing.d_model, error);
  if (heads == NULL)
    return false;
  if (heads->len > ATTN_TIMES_MAX)
    return cli_usage (error, "--time: %u numbers of heads, wanted is at most %d", heads->len,
                      ATTN_TIMES_MAX);
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autofree AttnTiming *timings = g_new (AttnTiming, heads->len);
  const size_t *all = (const size_t *)(gconstpointer)heads->data;
  if (!attn_timing_run (&timing, all, heads->len, pool, NULL, NULL, timings, error))
    return false;
  const AttnTimes times = {timing, timings, heads->len, attn_pool_get_n_threads (pool),
                           attn_kernel_peek_name ()};
  return answer (options, &times, error);
}

bool
cli_lab_measured (const CliOptions *options, GError **error)
{
  g_autoptr (GString) content = cli_read_whole (options->measured, ATTN_TIMES_MAX_BYTES, error);
  if (content == NULL)
    return false;
  g_autofree char *shown = attn_file_dup_shown (options->measured, strlen (options->measured));
  g_autoptr (AttnTimes) times = attn_times_new_from_json (
      content->str, content->len, g_str_equal (options->measured, "-") ? "standard input" : shown,
      error);
  return times != NULL && answer (options, times, error);
}
