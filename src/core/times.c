/* SPDX-License-Identifier: MIT */
/* Reading measured times, and refusing what nobody can have measured. */
#include "attn/times.h"

#include "attn/json.h"

#define MAX_THREADS 4096
#define MAX_KERNEL 64 /* bytes */
#define MIN_MS 1e-6   /* a nanosecond; 0 is what a clock of coarser steps says */
#define MAX_MS 1e9

void
attn_times_free (AttnTimes *times)
{
  if (times == NULL)
    return;
  g_free ((AttnTiming *)(gsize)times->timings);
  g_free ((char *)(gsize)times->kernel);
  g_free (times);
}

/* A count that must be there. */
static bool
read_count (
    json_t *object, const char *key, size_t most, size_t *count, const char *path, GError **error)
{
  return attn_json_get_size (object, key, 1, most, 0, count, path, error) &&
         (*count > 0 ||
          attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, NULL, "a whole number from 1"));
}

static bool
read_ms (json_t *object, const char *key, double *ms, const char *path, GError **error)
{
  *ms = -1;
  if (!attn_json_get_double (object, key, -1, ms, path, error))
    return false;
  return *ms == 0 || (*ms >= MIN_MS && *ms <= MAX_MS) ||
         attn_json_refuse (error, ATTN_ERROR_SHAPE, path, key, json_object_get (object, key),
                           "milliseconds: 0, or 1e-6 to 1e9");
}

static bool
read_timing (json_t *object,
             const AttnTimingOptions *options,
             AttnTiming *timing,
             const char *path,
             GError **error)
{
  if (!json_is_object (object))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, "times", object, "objects");
  if (!read_count (object, "heads", options->d_model, &timing->n_heads, path, error) ||
      !read_count (object, "runs", ATTN_TIMING_MAX_RUNS, &timing->n_runs, path, error) ||
      !read_ms (object, "low_ms", &timing->low, path, error) ||
      !read_ms (object, "median_ms", &timing->median, path, error) ||
      !read_ms (object, "high_ms", &timing->high, path, error))
    return false;
  if (options->d_model % timing->n_heads != 0)
    return attn_json_refuse (error, ATTN_ERROR_SHAPE, path, "heads",
                             json_object_get (object, "heads"), "a divisor of d_model");
  return (timing->low <= timing->median && timing->median <= timing->high) ||
         attn_json_refuse (error, ATTN_ERROR_SHAPE, path, "median_ms",
                           json_object_get (object, "median_ms"), "a time from low_ms to high_ms");
}

/* What is told beside the number of heads follows from it, and each number stands there once. */
static bool
check_heads (json_t *object, const AttnTimes *times, size_t at, const char *path, GError **error)
{
  const size_t n_heads = times->timings[at].n_heads;
  const size_t d_k = times->options.d_model / n_heads;
  size_t told = d_k;
  if (!attn_json_get_size (object, "d_k", 1, G_MAXINT32, d_k, &told, path, error))
    return false;
  if (told != d_k) {
    g_autofree char *wanted =
        g_strdup_printf ("%zu, which is d_model divided by %zu heads", d_k, n_heads);
    return attn_json_refuse (error, ATTN_ERROR_SHAPE, path, "d_k", json_object_get (object, "d_k"),
                             wanted);
  }
  for (size_t i = 0; i < at; i++)
    if (times->timings[i].n_heads == n_heads)
      return attn_json_refuse (error, ATTN_ERROR_SHAPE, path, "heads",
                               json_object_get (object, "heads"), "each number of heads once");
  return true;
}

static bool
read_timings (json_t *root, AttnTimes *times, const char *path, GError **error)
{
  json_t *list = json_object_get (root, "times"), *object;
  const size_t n = json_array_size (list); /* 0 of what is no array */
  size_t i;
  if (n < 1 || n > ATTN_TIMES_MAX)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, "times", list, "1 to 64 times");
  AttnTiming *timings = g_new0 (AttnTiming, n);
  times->timings = timings;
  times->n = n;
  json_array_foreach (list, i, object)
  {
    if (!read_timing (object, &times->options, &timings[i], path, error) ||
        !check_heads (object, times, i, path, error))
      return false;
  }
  times->options.n_runs = timings[0].n_runs;
  return true;
}

AttnTimes *
attn_times_new_from_json (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  g_autoptr (json_t) root = attn_json_load_bytes (bytes, n_bytes, path, error);
  if (root == NULL)
    return NULL;
  g_autoptr (AttnTimes) times = g_new0 (AttnTimes, 1);
  const char *kernel = NULL;
  if (!read_count (root, "d_model", ATTN_TIMING_MAX_WIDTH, &times->options.d_model, path, error) ||
      !read_count (root, "tokens", ATTN_TIMING_MAX_TOKENS, &times->options.n_tokens, path, error) ||
      !read_count (root, "threads", MAX_THREADS, &times->n_threads, path, error) ||
      !attn_json_get_string (root, "kernel", "", &kernel, path, error))
    return NULL;
  times->kernel = g_strdup (kernel);
  for (const char *p = kernel; *p != '\0'; p++)
    if (!g_ascii_isprint (*p) || p - kernel >= MAX_KERNEL) {
      attn_json_refuse (error, ATTN_ERROR_SHAPE, path, "kernel", json_object_get (root, "kernel"),
                        "a short name");
      return NULL;
    }
  return read_timings (root, times, path, error) ? g_steal_pointer (&times) : NULL;
}
