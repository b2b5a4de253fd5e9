/* SPDX-License-Identifier: MIT */
/* headscope-cli bench: how long a forward pass with all its maps takes, on random weights. */
#include "bench-profile.h"
#include "cli.h"
#include "subject.h"

#include "attn/attn.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define DEFAULT_LENGTHS "16,32,64,128,256,512"
#define DEFAULT_REPEAT 10
#define LAYER_NORM_EPS 1e-12
#define MAX_TOKENS 65536
#define MAX_REPEAT 100000

typedef struct {
  AttnModel *model;
  AttnPool *pool;
  size_t n_repeat;
  bool profile;
} Bench;

/* The embedding tables are part of the memory measured, so each has its own. */
typedef struct {
  const char *name, *sizes, *family;
  size_t vocab_size, n_positions, n_types;
  size_t n_buckets; /* of distances, for DeBERTa; 0: no terms of distances */
} Shape;

static const Shape shapes[] = {
    {"bert-base", "12x768x12x3072", "bert", 30522, 512, 2, 0},
    {"bert-large", "24x1024x16x4096", "bert", 30522, 512, 2, 0},
    {"minilm", "6x384x12x1536", "bert", 30522, 512, 2, 0},
    {"gpt2", "12x768x12x3072", "gpt2", 50257, 1024, 0, 0},
    {"deberta-base", "12x768x12x3072", "deberta-v2", 128100, 512, 0, 256},
};

/* As in DeBERTa-v3: both terms, no positions besides. */
static void
set_distances (AttnConfig *config, size_t n_buckets)
{
  config->no_positions = true;
  config->relative = (AttnRelative){
      .on = true,
      .shared = true,
      .normed = true,
      .content_to_position = true,
      .position_to_content = true,
      .n_buckets = n_buckets,
      .max_distance = 512,
  };
}

/* Reads "layers x d_model x heads x d_ff", or a name. */
static bool
read_shape (const char *shape, AttnConfig *config, GError **error)
{
  const Shape *known = &shapes[0];
  const char *sizes = shape;
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (strcmp (shape, shapes[i].name) == 0) {
      known = &shapes[i];
      sizes = known->sizes;
    }
  g_auto (GStrv) parts = g_strsplit (sizes, "x", -1);
  guint64 numbers[4] = {0};
  bool good = g_strv_length (parts) == 4;
  for (size_t i = 0; good && i < 4; i++)
    good = g_ascii_string_to_unsigned (parts[i], 10, 1, 1 << 20, &numbers[i], NULL);
  if (!good)
    return cli_usage_value (error, "--shape", shape,
                            "known are bert-base, bert-large, minilm, gpt2, deberta-base, and four "
                            "numbers like 12x768x12x3072: layers, d_model, heads, d_ff");
  if (numbers[1] % numbers[2] != 0)
    return cli_usage_value (error, "--shape", shape, "d_model must be a multiple of heads");
  config->n_layers = (size_t)numbers[0];
  config->d_model = (size_t)numbers[1];
  config->n_heads = (size_t)numbers[2];
  config->d_ff = (size_t)numbers[3];
  config->d_k = config->d_model / config->n_heads;
  config->family = g_strdup (known->family);
  config->vocab_size = known->vocab_size;
  config->n_positions = known->n_positions;
  config->n_types = known->n_types;
  if (known->n_buckets > 0)
    set_distances (config, known->n_buckets);
  return true;
}

static GArray *
read_lengths (const char *lengths, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (lengths, ",", -1);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (size_t));
  for (size_t i = 0; parts[i] != NULL; i++) {
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned (parts[i], 10, 1, MAX_TOKENS, &number, NULL)) {
      cli_usage_value (error, "--tokens", lengths,
                       "wanted are whole numbers from 1 to %d and commas", MAX_TOKENS);
      return NULL;
    }
    size_t length = (size_t)number;
    g_array_append_val (numbers, length);
  }
  return g_steal_pointer (&numbers);
}

/* Any ids do; these are spread over the vocabulary the same way each time. */
static int32_t *
make_ids (size_t n, size_t vocab_size)
{
  int32_t *ids = g_new (int32_t, n);
  guint32 state = (guint32)n;
  for (size_t t = 0; t < n; t++) {
    state = state * 1664525u + 1013904223u;
    ids[t] = (int32_t)((state >> 8) % vocab_size);
  }
  return ids;
}

static bool
run_once (const Bench *bench, const int32_t *ids, size_t n, BenchProfile *profile, GError **error)
{
  AttnRunOptions options = {
      .pool = bench->pool,
      .stage = profile != NULL ? bench_profile_enter : NULL,
      .stage_data = profile,
  };
  g_autoptr (AttnTrace) trace = attn_model_run_ids (bench->model, ids, NULL, n, &options, error);
  return trace != NULL;
}

static int
compare_times (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Multiplications and additions of the layers: four projections, two feed-forward products, and
 * per head scores and mixing. */
static double
count_flops (const AttnConfig *config, size_t n_tokens)
{
  double T = (double)n_tokens, D = (double)config->d_model, F = (double)config->d_ff;
  return (double)config->n_layers * (2 * T * (4 * D * D + 2 * D * F) + 4 * T * T * D);
}

/* The fastest of some more runs. */
static bool
append_profile (GString *json, const Bench *bench, const int32_t *ids, size_t n, GError **error)
{
  BenchProfile best = {0};
  for (size_t r = 0; r < bench->n_repeat; r++) {
    BenchProfile profile;
    bench_profile_start (&profile);
    if (!run_once (bench, ids, n, &profile, error))
      return false;
    bench_profile_stop (&profile);
    if (r == 0 || bench_profile_get_total_us (&profile) < bench_profile_get_total_us (&best))
      best = profile;
  }
  bench_profile_append (json, &best, attn_model_peek_config (bench->model), n);
  return true;
}

static bool
append_run (GString *json, const Bench *bench, size_t n, GError **error)
{
  g_autofree int32_t *ids = make_ids (n, attn_model_peek_config (bench->model)->vocab_size);
  g_autofree double *times = g_new (double, bench->n_repeat);
  if (!run_once (bench, ids, n, NULL, error)) /* warms caches and finds scratch memory */
    return false;
  for (size_t r = 0; r < bench->n_repeat; r++) {
    gint64 start = g_get_monotonic_time ();
    if (!run_once (bench, ids, n, NULL, error))
      return false;
    times[r] = (double)(g_get_monotonic_time () - start) / 1000.0;
  }
  qsort (times, bench->n_repeat, sizeof *times, compare_times);
  g_string_append_printf (json, "{\"tokens\":%zu,\"min_ms\":", n);
  bench_append_ms (json, times[0]);
  g_string_append (json, ",\"median_ms\":");
  bench_append_ms (json, times[bench->n_repeat / 2]);
  bench_append_gflops (json, count_flops (attn_model_peek_config (bench->model), n), times[0]);
  if (bench->profile && !append_profile (json, bench, ids, n, error))
    return false;
  g_string_append_c (json, '}');
  return true;
}

static bool
append_runs (GString *json, const Bench *bench, const GArray *lengths, GError **error)
{
  for (guint i = 0; i < lengths->len; i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    if (!append_run (json, bench, g_array_index (lengths, size_t, i), error))
      return false;
  }
  return true;
}

static double
measure_peak_mb (void)
{
  struct rusage usage = {0};
  getrusage (RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024.0;
}

bool
cli_bench (const CliOptions *options, GError **error)
{
  const char *shape = options->shape != NULL ? options->shape : "bert-base";
  g_autoptr (AttnConfig) config = g_new0 (AttnConfig, 1);
  config->layer_norm_eps = LAYER_NORM_EPS;
  config->activation = ATTN_ACTIVATION_GELU;
  if (options->repeat > MAX_REPEAT)
    return cli_usage (error, "--repeat %zu: at most %d", options->repeat, MAX_REPEAT);
  g_autoptr (GArray) lengths =
      read_lengths (options->lengths != NULL ? options->lengths : DEFAULT_LENGTHS, error);
  if (lengths == NULL || !read_shape (shape, config, error))
    return false;
  if (options->kernel != NULL && !attn_kernel_choose (options->kernel, error))
    return false;
  for (guint i = 0; i < lengths->len; i++)
    config->n_positions = MAX (config->n_positions, g_array_index (lengths, size_t, i));
  g_autoptr (AttnModel) model = attn_model_new_random (config, error);
  if (model == NULL)
    return false;
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  Bench bench = {.model = model,
                 .pool = pool,
                 .n_repeat = options->repeat > 0 ? options->repeat : DEFAULT_REPEAT,
                 .profile = options->profile};
  g_autoptr (GString) runs = g_string_new (NULL);
  if (!append_runs (runs, &bench, lengths, error))
    return false;
  g_autoptr (GString) json = g_string_new ("{\"shape\":");
  char number[ATTN_NUMBER_SIZE];
  cli_append_string (json, shape);
  g_string_append_printf (json, ",\"threads\":%zu,\"kernel\":", attn_pool_get_n_threads (pool));
  cli_append_string (json, attn_kernel_peek_name ());
  g_string_append_printf (json, ",\"peak_rss_mb\":%s,\"runs\":[%s]}\n",
                          attn_number_format_fixed (number, measure_peak_mb (), 1), runs->str);
  return cli_answer (options, json, error);
}
