/* SPDX-License-Identifier: MIT */
/* Adding up the stages of a run, and telling them as JSON. */
#include "bench-profile.h"

#include "attn/number.h"

const char bench_profile_help[] =
    "\n\"peak_rss_mb\" is the most memory the program ever held, in MiB (2^20 bytes).\n"
    "\n--profile runs each length as many times again, with a clock at every stage, and adds to "
    "its\n"
    "entry in \"runs\" the stages of the fastest of these runs, all layers together:\n"
    "  \"profile\":{\"ms\":TOTAL,\"stages\":[{\"stage\":NAME,\"ms\":TIME,…},…]}\n"
    "The times sum up to the total. Products have more fields: \"gflops\", and, but for "
    "attention,\n"
    "\"rows\", \"inputs\" and \"outputs\" of one layer's product. Stages:\n"
    "  embeddings  rows of the tables, summed and normalised\n"
    "  qkv         queries, keys and values\n"
    "  attention   scores, softmax and mixed values of all heads\n"
    "  output      the projection after the heads, with the residual sum\n"
    "  norm        layer norm\n"
    "  up, down    the two halves of the feed-forward part, with activation and residual sum\n"
    "  rest        getting and giving back memory\n";

void
bench_profile_start (BenchProfile *profile)
{
  *profile = (BenchProfile){.stage = ATTN_STAGE_END, .since = g_get_monotonic_time ()};
}

void
bench_profile_enter (AttnStage stage, void *data)
{
  BenchProfile *profile = data;
  gint64 now = g_get_monotonic_time ();
  profile->us[profile->stage] += now - profile->since;
  profile->stage = stage;
  profile->since = now;
}

void
bench_profile_stop (BenchProfile *profile)
{
  bench_profile_enter (ATTN_STAGE_END, profile);
}

gint64
bench_profile_get_total_us (const BenchProfile *profile)
{
  gint64 sum = 0;
  for (AttnStage stage = 0; stage <= ATTN_STAGE_END; stage++)
    sum += profile->us[stage];
  return sum;
}

void
bench_append_ms (GString *json, double ms)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, attn_number_format_fixed (number, ms, 3));
}

void
bench_append_gflops (GString *json, double flops, double ms)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (json, ",\"gflops\":%s",
                          attn_number_format_fixed (number, flops / (MAX (ms, 1e-3) * 1e6), 1));
}

/* The matrix product of a stage; no inputs where it is none. */
static void
find_product (AttnStage stage, const AttnConfig *config, size_t *n_in, size_t *n_out)
{
  const size_t D = config->d_model, F = config->d_ff;
  switch (stage) {
  case ATTN_STAGE_QKV:
    *n_in = D, *n_out = 3 * D;
    break;
  case ATTN_STAGE_OUTPUT:
    *n_in = D, *n_out = D;
    break;
  case ATTN_STAGE_UP:
    *n_in = D, *n_out = F;
    break;
  case ATTN_STAGE_DOWN:
    *n_in = F, *n_out = D;
    break;
  case ATTN_STAGE_EMBEDDINGS:
  case ATTN_STAGE_ATTENTION:
  case ATTN_STAGE_NORM:
  case ATTN_STAGE_END:
  default:
    *n_in = *n_out = 0;
  }
}

static void
append_stage (GString *json, AttnStage stage, double ms, const AttnConfig *config, size_t n_tokens)
{
  static const char *const names[] = {"embeddings", "qkv", "attention", "output",
                                      "norm",       "up",  "down",      "rest"};
  const double L = (double)config->n_layers, T = (double)n_tokens;
  size_t n_in, n_out;
  find_product (stage, config, &n_in, &n_out);
  g_string_append_printf (json, "%s{\"stage\":\"%s\",\"ms\":", stage > 0 ? "," : "", names[stage]);
  bench_append_ms (json, ms);
  if (n_in > 0) {
    g_string_append_printf (json, ",\"rows\":%zu,\"inputs\":%zu,\"outputs\":%zu", n_tokens, n_in,
                            n_out);
    bench_append_gflops (json, 2 * L * T * (double)n_in * (double)n_out, ms);
  } else if (stage == ATTN_STAGE_ATTENTION) {
    bench_append_gflops (json, 4 * L * T * T * (double)config->d_model, ms);
  }
  g_string_append_c (json, '}');
}

void
bench_profile_append (GString *json,
                      const BenchProfile *profile,
                      const AttnConfig *config,
                      size_t n_tokens)
{
  g_string_append (json, ",\"profile\":{\"ms\":");
  bench_append_ms (json, (double)bench_profile_get_total_us (profile) / 1000.0);
  g_string_append (json, ",\"stages\":[");
  for (AttnStage stage = 0; stage <= ATTN_STAGE_END; stage++)
    append_stage (json, stage, (double)profile->us[stage] / 1000.0, config, n_tokens);
  g_string_append (json, "]}");
}
