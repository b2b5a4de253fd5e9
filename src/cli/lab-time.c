/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --time: how long one attention block takes on this machine, with several
 * numbers of heads. */
#include "lab-parts.h"

#include "attn-draw/lab-charts.h"
#include "attn/lab-text.h"
#include "attn/timing.h"

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
  const AttnDrawTimingChart *chart = data;
  return attn_timing_dup_csv (&chart->options, chart->timings, chart->n);
}

static char *
dup_json (const void *data)
{
  const AttnDrawTimingChart *chart = data;
  return attn_timing_dup_json (&chart->options, chart->timings, chart->n, chart->n_threads);
}

static const CliLabForms forms = {dup_csv, dup_json, write_chart};

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
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autofree AttnTiming *timings = g_new (AttnTiming, heads->len);
  const size_t *all = (const size_t *)(gconstpointer)heads->data;
  if (!attn_timing_run (&timing, all, heads->len, pool, NULL, NULL, timings, error))
    return false;
  AttnDrawTimingChart chart = {timing, timings, heads->len, attn_pool_get_n_threads (pool), 0};
  return cli_lab_answer (options, &forms, &chart, error);
}
