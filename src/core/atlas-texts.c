/* SPDX-License-Identifier: MIT */
/* Texts into an atlas: runs, passports of all heads, examples, and distances of all pairs. */
#include "atlas-private.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/importance.h"
#include "attn/run.h"
#include "attn/task.h"

#include <math.h>
#include <string.h>

#define MAX_BATCH_BYTES ((size_t)32 << 20) /* of traces that are kept at once */
#define SMOOTHING 0.001                    /* as in attn_heads_compute_distance() */

/* One text's maps on their way into the atlas. */
typedef struct {
  AttnAtlas *atlas;
  AttnMaps *maps;
  AttnTokens *tokens;
  size_t n_tokens, number, n_examples;
  bool *ordinary;   /* [n_tokens] tokens that the template did not add; NULL where there are none */
  char **pieces;    /* [n_tokens] reference-counted */
  char *excerpt;    /* reference-counted */
  float *weights;   /* [N, n_tokens, n_tokens], or [n_workers, …] where no distances are wanted */
  double *surprise; /* [N] Σ p ln p of each head's smoothed weights */
} Job;

/* The start of the text, and of its pair. */
static char *
make_excerpt (const AttnTokens *tokens)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (int sequence = 0; sequence < 2; sequence++) {
    size_t length = 0;
    const char *own = attn_tokens_peek_text (tokens, sequence, &length);
    if (own == NULL)
      continue;
    g_string_append (text, sequence > 0 ? " | " : "");
    g_string_append_len (text, own, (gssize)MIN (length, ATTN_ATLAS_EXCERPT_BYTES));
  }
  for (size_t i = 0; i < text->len; i++) /* an excerpt is one line; NUL would end it */
    if ((guchar)text->str[i] < 0x20)
      text->str[i] = ' ';
  g_string_truncate (text, MIN (text->len, ATTN_ATLAS_EXCERPT_BYTES));
  const char *end = NULL;
  if (!g_utf8_validate (text->str, (gssize)text->len, &end)) /* cut within a character */
    g_string_truncate (text, (gsize)(end - text->str));
  return g_ref_string_new (text->str);
}

static void
find_examples (const Job *job, AttnAtlasHead *head, const float *weights)
{
  const size_t T = job->n_tokens;
  AttnAtlasPlace found[ATTN_ATLAS_EXAMPLES] = {0};
  size_t n = 0;
  for (size_t query = 0; query < T; query++)
    for (size_t key = 0; job->ordinary[query] && key < T; key++) {
      const double value = (double)weights[query * T + key];
      if (!job->ordinary[key] || !(n < job->n_examples || value > found[n - 1].value))
        continue;
      const AttnAtlasPlace place = {
          .value = value, .text = job->number, .query = query, .key = key};
      attn_atlas_insert_place (found, &n, job->n_examples, &place);
    }
  for (size_t i = 0; i < n; i++) {
    found[i].query_piece = job->pieces[found[i].query];
    found[i].key_piece = job->pieces[found[i].key];
    found[i].excerpt = job->excerpt;
    attn_atlas_insert_place (head->examples, &head->n_examples, ATTN_ATLAS_EXAMPLES, &found[i]);
  }
}

static void
add_passport (const Job *job, AttnAtlasHead *head, const AttnPassport *passport)
{
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    double value;
    if (attn_passport_get_field (passport, field, &value))
      attn_moments_add (&head->fields[field], value);
  }
  head->classes[passport->pattern]++;
  head->n_odd += passport->n_odd;
  const AttnAtlasPlace place = {
      .value = passport->confidence, .text = job->number, .excerpt = job->excerpt};
  attn_atlas_insert_place (head->surest, &head->n_surest, ATTN_ATLAS_SUREST, &place);
}

/* Σ p ln p over all cells. */
static double
compute_surprise (const float *weights, size_t T)
{
  const double floor = SMOOTHING / (double)T;
  double sum = 0;
  for (size_t i = 0; i < T * T; i++) {
    const double p = (1 - SMOOTHING) * (double)weights[i] + floor;
    sum += p * log (p);
  }
  return sum;
}

/* All about one head; pieces of different heads share nothing that is written. */
static void
look_at_head (size_t i, size_t worker, void *data)
{
  const Job *job = data;
  const size_t T = job->n_tokens, H = job->atlas->n_heads;
  float *weights = job->weights + (job->surprise != NULL ? i : worker) * T * T;
  AttnPassport passport;
  attn_maps_compute (job->maps, i / H, i % H, weights, NULL); /* a trace never fails */
  const AttnMap map = {.layer = i / H,
                       .head = i % H,
                       .n_queries = T,
                       .n_keys = T,
                       .weights = weights,
                       .maps = job->maps};
  attn_map_compute_passport (&map, &passport);
  add_passport (job, &job->atlas->heads[i], &passport);
  if (job->ordinary != NULL)
    find_examples (job, &job->atlas->heads[i], weights);
  if (job->surprise != NULL)
    job->surprise[i] = compute_surprise (weights, T);
}

/* JS = ½ Σ P ln P + ½ Σ Q ln Q - Σ M ln M: one logarithm a cell. */
static double
compare (const float *a, const float *b, size_t T, double surprises)
{
  const double floor = SMOOTHING / (double)T;
  double sum = 0;
  for (size_t i = 0; i < T * T; i++) {
    const double m = (1 - SMOOTHING) / 2 * ((double)a[i] + (double)b[i]) + floor;
    sum += m * log (m);
  }
  return surprises / 2 - sum;
}

/* One head with all after it. */
static void
compare_head (size_t a, size_t worker G_GNUC_UNUSED, void *data)
{
  const Job *job = data;
  const size_t N = job->atlas->n_layers * job->atlas->n_heads, T = job->n_tokens;
  for (size_t b = a + 1; b < N; b++) {
    const double distance = compare (job->weights + a * T * T, job->weights + b * T * T, T,
                                     job->surprise[a] + job->surprise[b]);
    /* rounding may leave less than nothing between equal maps */
    job->atlas->distances[attn_atlas_find_pair (a, b, N)] +=
        distance < 0 ? 0 : distance / (double)T;
  }
}

static void
job_clear (Job *job)
{
  for (size_t t = 0; job->pieces != NULL && t < job->n_tokens; t++)
    g_ref_string_release (job->pieces[t]);
  g_clear_pointer (&job->pieces, g_free);
  g_clear_pointer (&job->ordinary, g_free);
  g_clear_pointer (&job->excerpt, g_ref_string_release);
  g_clear_pointer (&job->weights, g_free);
  g_clear_pointer (&job->surprise, g_free);
  g_clear_pointer (&job->maps, attn_maps_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static bool
job_init (Job *job, AttnAtlas *atlas, AttnTrace *trace, size_t n_workers, GError **error)
{
  const size_t N = atlas->n_layers * atlas->n_heads, T = trace->n_tokens;
  const bool compares = atlas->distances != NULL;
  size_t size = 0;
  if (g_size_checked_mul (&size, T, T) &&
      g_size_checked_mul (&size, size, compares ? N : n_workers))
    job->weights = g_try_new (float, size);
  if (job->weights == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory for %zu maps of %zu × %zu weights", compares ? N : n_workers, T, T);
    return false;
  }
  job->surprise = compares ? g_new (double, N) : NULL;
  job->atlas = atlas;
  job->maps = attn_maps_new_from_trace (trace);
  job->tokens = attn_trace_peek_tokens (trace);
  job->n_tokens = T;
  job->ordinary = g_new (bool, T);
  job->pieces = g_new (char *, T);
  for (size_t t = 0; t < T; t++) {
    const AttnToken *token = attn_tokens_peek (job->tokens, t);
    job->ordinary[t] = !token->special;
    job->pieces[t] = g_ref_string_new (token->piece);
  }
  job->excerpt = make_excerpt (job->tokens);
  return true;
}

static bool
add_trace (AttnAtlas *atlas,
           AttnTrace *trace,
           const AttnAtlasText *text,
           const AttnAtlasOptions *options,
           GError **error)
{
  const size_t N = atlas->n_layers * atlas->n_heads;
  g_auto (Job)
      job = {.number = text->number, .n_examples = options->alone ? ATTN_ATLAS_EXAMPLES : 1};
  if (!job_init (&job, atlas, trace, attn_pool_get_n_threads (options->pool), error))
    return false;
  attn_pool_run (options->pool, N, look_at_head, &job);
  if (atlas->distances != NULL)
    attn_pool_run (options->pool, N, compare_head, &job);
  atlas->n_tokens += trace->n_tokens;
  return true;
}

static bool
check_draws (const AttnAtlasOptions *options, GError **error)
{
  if (!options->with_importance || options->n_draws <= ATTN_TASK_MAX_DRAWS)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "%zu draws are asked for, wanted are at most %d", options->n_draws,
               ATTN_TASK_MAX_DRAWS);
  return false;
}

/* Texts without anything to mask are left out; their sentence says so by its code. */
static bool
add_importance (AttnAtlas *atlas,
                AttnModel *model,
                const AttnAtlasText *text,
                const AttnAtlasOptions *options,
                GError **error)
{
  const AttnTaskOptions asked = {
      .n_draws = options->n_draws, .seed = options->seed, .pool = options->pool};
  g_autoptr (GError) found = NULL;
  g_autoptr (AttnTask) task = attn_task_new (model, text->tokens, &asked, &found);
  if (g_error_matches (found, ATTN_ERROR, ATTN_ERROR_SHAPE))
    return true;
  if (task == NULL) {
    g_propagate_error (error, g_steal_pointer (&found));
    return false;
  }
  g_autoptr (AttnImportance) importance =
      attn_importance_new (task, &(AttnImportanceOptions){.pool = options->pool}, error);
  if (importance == NULL)
    return false;
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++)
    attn_moments_add (&atlas->heads[i].importance, importance->importance[i]);
  return true;
}

/* Returns: how many of the texts, at least one, are run together. */
static size_t
find_batch (const AttnModel *model, const AttnAtlasText *texts, size_t n)
{
  const AttnConfig *config = attn_model_peek_config (model);
  size_t n_bytes = 0, n_batch = 0;
  while (n_batch < n) {
    n_bytes += attn_trace_count_bytes (config, attn_tokens_get_n (texts[n_batch].tokens));
    if (n_batch > 0 && n_bytes > MAX_BATCH_BYTES)
      break;
    n_batch++;
  }
  return n_batch;
}

/* Runs texts that have tokens, all at once, and adds them one by one. */
static bool
add_batch (AttnAtlas *atlas,
           AttnModel *model,
           const AttnAtlasText *texts,
           size_t n,
           const AttnAtlasOptions *options,
           GError **error)
{
  g_autofree AttnRunInput *inputs = g_new0 (AttnRunInput, n);
  g_autofree AttnTrace **traces = g_new0 (AttnTrace *, n);
  for (size_t i = 0; i < n; i++)
    inputs[i].tokens = texts[i].tokens;
  const AttnRunOptions run = {.pool = options->pool};
  if (!attn_model_run_batch (model, inputs, n, &run, traces, error))
    return false;
  bool done = true;
  for (size_t i = 0; i < n; i++) {
    done = done && add_trace (atlas, traces[i], &texts[i], options, error) &&
           (!options->with_importance || add_importance (atlas, model, &texts[i], options, error));
    attn_trace_unref (traces[i]);
  }
  return done;
}

bool
attn_atlas_add_texts (AttnAtlas *atlas,
                      AttnModel *model,
                      const AttnAtlasText *texts,
                      size_t n,
                      const AttnAtlasOptions *options,
                      GError **error)
{
  if (!check_draws (options, error))
    return false;
  g_autofree AttnAtlasText *full = g_new (AttnAtlasText, MAX (n, 1));
  size_t n_full = 0;
  for (size_t i = 0; i < n; i++)
    if (attn_tokens_get_n (texts[i].tokens) > 0)
      full[n_full++] = texts[i];
  for (size_t first = 0, now; first < n_full; first += now) {
    if (!attn_progress_tell (options->progress, options->progress_data,
                             (double)first / (double)n_full, error))
      return false;
    now = find_batch (model, full + first, n_full - first);
    if (!add_batch (atlas, model, full + first, now, options, error))
      return false;
  }
  atlas->n_texts += n;
  atlas->n_empty += n - n_full;
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}
