/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --time: how long one attention block takes on this machine, with several
 * numbers of heads. */
#include "lab-parts.h"

#include "attn/model.h"
#include "attn/timing.h"

static void
append_time (GString *json, const char *name, double ms)
{
  g_string_append_printf (json, ",\"%s\":", name);
  cli_append_number (json, ms);
}

static void
append_timing (GString *json, const AttnTiming *timing, size_t d_model)
{
  g_string_append_printf (json, "{\"heads\":%zu,\"d_k\":%zu,\"runs\":%zu", timing->n_heads,
                          d_model / timing->n_heads, timing->n_runs);
  append_time (json, "median_ms", timing->median);
  append_time (json, "low_ms", timing->low);
  append_time (json, "high_ms", timing->high);
  g_string_append_c (json, '}');
}

static void
append_head (GString *json, const AttnTimingOptions *options, const AttnPool *pool)
{
  g_string_append_printf (json, "{\"d_model\":%zu,\"tokens\":%zu,\"threads\":%zu,\"kernel\":",
                          options->d_model, options->n_tokens, attn_pool_get_n_threads (pool));
  cli_append_string (json, attn_kernel_peek_name ());
  g_string_append (json, ",\"times\":[");
}

bool
cli_lab_time (const CliOptions *options, GError **error)
{
  AttnTimingOptions timing = ATTN_TIMING_OPTIONS;
  if (options->d_model == 0 || options->n_heads > 0)
    return cli_usage (error, "--time goes with --d-model, and without --heads");
  timing.d_model = options->d_model;
  if (options->n_tokens > 0)
    timing.n_tokens = options->n_tokens;
  if (options->repeat > 0)
    timing.n_runs = options->repeat;
  g_autoptr (GArray) heads = cli_lab_read_heads ("--time", options->time, timing.d_model, error);
  if (heads == NULL)
    return false;
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autofree AttnTiming *timings = g_new (AttnTiming, heads->len);
  if (!attn_timing_run (&timing, (const size_t *)heads->data, heads->len, pool, NULL, NULL, timings,
                        error))
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  append_head (json, &timing, pool);
  for (guint i = 0; i < heads->len; i++) {
    g_string_append (json, i > 0 ? ",\n" : "\n");
    append_timing (json, &timings[i], timing.d_model);
  }
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}
