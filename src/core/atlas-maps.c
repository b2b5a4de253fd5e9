/* SPDX-License-Identifier: MIT */
/* One text's maps into an atlas: passports of all heads, examples, and distances of all pairs. */
#include "atlas-private.h"

#include "attn/error.h"
#include "attn/maps.h"

#include <math.h>
#include <string.h>

#define SMOOTHING 0.001 /* as in attn_heads_compute_distance() */
#define PIECES 16       /* heads between two reports */

/* One text's maps on their way into the atlas. */
typedef struct {
  AttnAtlas *atlas;
  AttnMaps *maps; /* borrowed */
  size_t n_tokens, number, n_examples;
  size_t first;     /* head of the pieces that run */
  bool *ordinary;   /* [n_tokens] tokens that the template did not add */
  char **pieces;    /* [n_tokens] reference-counted */
  char *excerpt;    /* reference-counted; NULL of maps that come from no text */
  GError **errors;  /* [N] of each head's map */
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
look_at_head (size_t index, size_t worker, void *data)
{
  const Job *job = data;
  const size_t i = job->first + index;
  const size_t T = job->n_tokens, H = job->atlas->n_heads;
  float *weights = job->weights + (job->surprise != NULL ? i : worker) * T * T;
  AttnPassport passport;
  if (!attn_maps_compute (job->maps, i / H, i % H, weights, &job->errors[i]))
    return;
  const AttnMap map = {.layer = i / H,
                       .head = i % H,
                       .n_queries = T,
                       .n_keys = T,
                       .weights = weights,
                       .maps = job->maps};
  attn_map_compute_passport (&map, &passport);
  add_passport (job, &job->atlas->heads[i], &passport);
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
compare_head (size_t index, size_t worker G_GNUC_UNUSED, void *data)
{
  const Job *job = data;
  const size_t a = job->first + index;
  const size_t N = job->atlas->n_layers * job->atlas->n_heads, T = job->n_tokens;
  for (size_t b = a + 1; b < N; b++) {
    const double distance = compare (job->weights + a * T * T, job->weights + b * T * T, T,
                                     job->surprise[a] + job->surprise[b]);
    /* rounding may leave less than nothing between equal maps */
    job->atlas->distances[attn_atlas_find_pair (a, b, N)] +=
        distance < 0 ? 0 : distance / (double)T;
  }
}

/* All heads, some at a time where somebody wants to hear how far it is. */
static bool
run_heads (Job *job,
           AttnPieceFunc func,
           const AttnAtlasOptions *options,
           double from,
           double to,
           GError **error)
{
  const size_t N = job->atlas->n_layers * job->atlas->n_heads;
  const size_t step = options->progress != NULL ? PIECES : N;
  for (job->first = 0; job->first < N; job->first += step) {
    const double done = from + (to - from) * (double)job->first / (double)N;
    if (!attn_progress_tell (options->progress, options->progress_data, done, error))
      return false;
    attn_pool_run (options->pool, MIN (step, N - job->first), func, job);
  }
  return true;
}

static bool
check_errors (const Job *job, GError **error)
{
  for (size_t i = 0; i < job->atlas->n_layers * job->atlas->n_heads; i++)
    if (job->errors[i] != NULL) {
      g_propagate_error (error, g_steal_pointer (&job->errors[i]));
      return false;
    }
  return true;
}

static void
job_clear (Job *job)
{
  for (size_t t = 0; job->pieces != NULL && t < job->n_tokens; t++)
    g_ref_string_release (job->pieces[t]);
  for (size_t i = 0; job->errors != NULL && i < job->atlas->n_layers * job->atlas->n_heads; i++)
    g_clear_error (&job->errors[i]);
  g_clear_pointer (&job->errors, g_free);
  g_clear_pointer (&job->pieces, g_free);
  g_clear_pointer (&job->ordinary, g_free);
  g_clear_pointer (&job->excerpt, g_ref_string_release);
  g_clear_pointer (&job->weights, g_free);
  g_clear_pointer (&job->surprise, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
look_at_tokens (Job *job)
{
  AttnMaps *maps = job->maps;
  AttnTokens *tokens = attn_maps_peek_tokens (maps, ATTN_SIDE_KEY);
  job->ordinary = g_new (bool, job->n_tokens);
  job->pieces = g_new (char *, job->n_tokens);
  for (size_t t = 0; t < job->n_tokens; t++) {
    AttnOrigin origin;
    job->ordinary[t] = !attn_maps_get_origin (maps, ATTN_SIDE_KEY, t, &origin) || !origin.special;
    job->pieces[t] = g_ref_string_new (attn_maps_peek_piece (maps, ATTN_SIDE_KEY, t));
  }
  job->excerpt = tokens != NULL ? make_excerpt (tokens) : NULL;
}

static bool
job_init (Job *job, AttnAtlas *atlas, AttnMaps *maps, size_t n_workers, GError **error)
{
  const size_t N = atlas->n_layers * atlas->n_heads, T = attn_maps_get_n (maps, ATTN_SIDE_KEY);
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
  job->errors = g_new0 (GError *, N);
  job->atlas = atlas;
  job->maps = maps;
  job->n_tokens = T;
  look_at_tokens (job);
  return true;
}

static bool
check_maps (const AttnAtlas *atlas, const AttnMaps *maps, GError **error)
{
  const size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  const size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_return_val_if_fail (attn_maps_get_n_layers (maps) == atlas->n_layers, false);
  g_return_val_if_fail (attn_maps_get_n_heads (maps) == atlas->n_heads, false);
  if (n_queries == n_keys)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "the maps have %zu queries and %zu keys, wanted are as many of both: passports are "
               "of texts that look at themselves",
               n_queries, n_keys);
  return false;
}

bool
attn_atlas_add_maps (AttnAtlas *atlas,
                     AttnMaps *maps,
                     size_t number,
                     const AttnAtlasOptions *options,
                     GError **error)
{
  const bool compares = atlas->distances != NULL;
  g_auto (Job) job = {.number = number, .n_examples = options->alone ? ATTN_ATLAS_EXAMPLES : 1};
  if (!check_maps (atlas, maps, error) ||
      !job_init (&job, atlas, maps, attn_pool_get_n_threads (options->pool), error) ||
      !run_heads (&job, look_at_head, options, 0, compares ? 0.1 : 1, error) ||
      !check_errors (&job, error) ||
      (compares && !run_heads (&job, compare_head, options, 0.1, 1, error)))
    return false;
  atlas->n_tokens += job.n_tokens;
  atlas->n_texts++;
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}
