/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --train: small attention layers with several numbers of heads, trained on a toy
 * task, and what was measured. */
#include "lab-parts.h"
#include "subject.h"

#include "attn/error.h"
#include "attn/train.h"

#define DEFAULT_SEEDS 3
#define MAX_SEEDS 1000

static const char *const questions[ATTN_TRAIN_QUESTIONS] = {"previous", "first", "marked"};

static void
append_right (GString *json, const AttnTrainPoint *point)
{
  g_string_append (json, "\"right\":{");
  for (size_t i = 0; i < ATTN_TRAIN_QUESTIONS; i++) {
    g_string_append_printf (json, "%s\"%s\":", i > 0 ? "," : "", questions[i]);
    cli_append_number (json, point->right[i]);
  }
  g_string_append_c (json, '}');
}

static bool
append_point (const AttnTrainPoint *point, void *data)
{
  GString *json = data;
  g_string_append_printf (json, "%s{\"step\":%zu,\"loss\":", point->step > 0 ? "," : "",
                          point->step);
  cli_append_number (json, point->loss);
  g_string_append_c (json, ',');
  append_right (json, point);
  g_string_append_c (json, '}');
  return true;
}

/* One run: a number of heads with a seed. */
static bool
append_run (GString *json, const AttnTrainOptions *options, AttnPool *pool, GError **error)
{
  AttnTrainPoint last;
  const gint64 begin_us = g_get_monotonic_time ();
  g_string_append_printf (json, "{\"heads\":%zu,\"d_k\":%zu,\"seed\":%u,\"curve\":[",
                          options->n_heads, options->d_model / options->n_heads, options->seed);
  if (!attn_train_run (options, pool, append_point, json, &last, error))
    return false;
  g_string_append (json, "],\"loss\":");
  cli_append_number (json, last.loss);
  g_string_append_c (json, ',');
  append_right (json, &last);
  g_string_append (json, ",\"seconds\":");
  cli_append_number (json, (double)(g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC);
  g_string_append_c (json, '}');
  return true;
}

static void
append_task (GString *json, const AttnTrainOptions *options)
{
  g_string_append_printf (json,
                          "{\"d_model\":%zu,\"tokens\":%zu,\"symbols\":%zu,\"sequences\":%zu,"
                          "\"steps\":%zu,\"learning_rate\":",
                          options->d_model, options->n_tokens, options->n_symbols,
                          options->n_sequences, options->n_steps);
  cli_append_number (json, options->learning_rate);
  g_string_append (json, ",\"runs\":[");
}

bool
cli_lab_train (const CliOptions *options, GError **error)
{
  AttnTrainOptions train = ATTN_TRAIN_OPTIONS;
  g_autoptr (GArray) heads = cli_lab_read_heads ("--train", options->train, train.d_model, error);
  if (heads == NULL)
    return false;
  const size_t n_seeds = options->n_seeds > 0 ? options->n_seeds : DEFAULT_SEEDS;
  if (n_seeds > MAX_SEEDS)
    return cli_usage (error, "--seeds %zu: wanted is at most %d", n_seeds, MAX_SEEDS);
  if (options->n_steps > 0)
    train.n_steps = options->n_steps;
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autoptr (GString) json = g_string_new (NULL);
  append_task (json, &train);
  for (guint i = 0; i < heads->len; i++)
    for (size_t seed = 1; seed <= n_seeds; seed++) {
      train.n_heads = g_array_index (heads, size_t, i);
      train.seed = (uint32_t)seed;
      g_string_append (json, i > 0 || seed > 1 ? ",\n" : "\n");
      if (!append_run (json, &train, pool, error))
        return false;
    }
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}
