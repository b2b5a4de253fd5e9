/* SPDX-License-Identifier: MIT */
/* A head's passport: where a map looks. */
#include "attn/passport.h"

#include "punctuation.h"

#include <math.h>
#include <string.h>

/* What a key is, asked once for all rows. */
typedef struct {
  bool front, special, sign;
  int sequence;
  const char *piece;
} Key;

typedef struct {
  const AttnMap *map;
  size_t n;
  Key *keys;       /* [n] */
  bool has_origin; /* the maps come from a text */
  bool has_pair;   /* of two */
} Job;

/* A mean in the making. */
typedef struct {
  double sum;
  size_t n;
} Mean;

static void
mean_add (Mean *mean, double value)
{
  mean->sum += value;
  mean->n++;
}

static double
mean_get (const Mean *mean)
{
  return mean->n > 0 ? mean->sum / (double)mean->n : (double)NAN;
}

static void
look_at_keys (Job *job)
{
  AttnMaps *maps = job->map->maps;
  AttnTrace *trace = attn_maps_peek_trace (maps);
  const AttnTokens *tokens = trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
  for (size_t i = 0; i < job->n; i++) {
    AttnOrigin origin;
    Key *key = &job->keys[i];
    job->has_origin = attn_maps_get_origin (maps, ATTN_SIDE_KEY, i, &origin) && tokens != NULL;
    key->front = origin.special && origin.first == 0;
    key->special = origin.special;
    key->sequence = origin.sequence;
    key->sign = job->has_origin && attn_origin_is_punctuation (&origin, tokens);
    key->piece = attn_maps_peek_piece (maps, ATTN_SIDE_KEY, i);
    job->has_pair |= job->has_origin && key->sequence == 1;
  }
}

/* Sums over rows; each a mean over those it is defined for. */
typedef struct {
  Mean entropy, normalised, confidence, distance;
  Mean self, previous, next, cls, sep, sign, same, other;
  size_t n_odd; /* weights that are not finite */
} Means;

static void
add_surprise (const Job *job, size_t query, const float *row, Means *means)
{
  double entropy = 0, largest = -INFINITY, distance = 0;
  for (size_t key = 0; key < job->n; key++) {
    const double a = (double)row[key];
    if (a > 0 || isnan (a))
      entropy -= a * log (a);
    if (a > largest || isnan (a)) /* fmax() would leave NaN out */
      largest = a;
    means->n_odd += !isfinite (a);
    distance += a * fabs ((double)query - (double)key);
  }
  size_t first, end;
  attn_maps_get_visible (job->map->maps, job->map->layer, query, &first, &end);
  mean_add (&means->entropy, entropy);
  mean_add (&means->confidence, largest);
  mean_add (&means->distance, distance);
  if (end - first > 1)
    mean_add (&means->normalised, entropy / log ((double)(end - first)));
}

static void
add_neighbours (const Job *job, size_t query, const float *row, Means *means)
{
  mean_add (&means->self, (double)row[query]);
  if (query > 0)
    mean_add (&means->previous, (double)row[query - 1]);
  if (query + 1 < job->n)
    mean_add (&means->next, (double)row[query + 1]);
}

static void
add_kinds (const Job *job, size_t query, const float *row, Means *means)
{
  const Key *own = &job->keys[query];
  double cls = 0, sep = 0, sign = 0, same = 0, other = 0;
  for (size_t i = 0; i < job->n; i++) {
    const Key *key = &job->keys[i];
    const double a = (double)row[i];
    cls += key->front ? a : 0;
    sep += key->special && !key->front ? a : 0;
    sign += key->sign ? a : 0;
    same += i != query && strcmp (key->piece, own->piece) == 0 ? a : 0;
    other += key->sequence >= 0 && key->sequence != own->sequence ? a : 0;
  }
  mean_add (&means->same, same);
  if (!job->has_origin)
    return;
  mean_add (&means->cls, cls);
  mean_add (&means->sep, sep);
  mean_add (&means->sign, sign);
  if (job->has_pair && own->sequence >= 0)
    mean_add (&means->other, other);
}

void
attn_map_compute_passport (const AttnMap *map, AttnPassport *passport)
{
  g_return_if_fail (map->n_queries == map->n_keys);
  g_autofree Key *keys = g_new0 (Key, map->n_keys);
  Job job = {.map = map, .n = map->n_keys, .keys = keys};
  Means means = {0};
  look_at_keys (&job);
  for (size_t query = 0; query < job.n; query++) {
    const float *row = map->weights + query * job.n;
    add_surprise (&job, query, row, &means);
    add_neighbours (&job, query, row, &means);
    add_kinds (&job, query, row, &means);
  }
  *passport = (AttnPassport){
      .entropy = mean_get (&means.entropy),
      .entropy_normalised = mean_get (&means.normalised),
      .confidence = mean_get (&means.confidence),
      .mean_distance = mean_get (&means.distance),
      .mass_self = mean_get (&means.self),
      .mass_previous = mean_get (&means.previous),
      .mass_next = mean_get (&means.next),
      .mass_cls = mean_get (&means.cls),
      .mass_sep = mean_get (&means.sep),
      .mass_punctuation = mean_get (&means.sign),
      .mass_same = mean_get (&means.same),
      .mass_other = mean_get (&means.other),
      .n_odd = means.n_odd,
      .has_choice = means.normalised.n > 0,
      .has_neighbours = means.next.n > 0,
      .has_template = means.cls.n > 0,
      .has_pair = means.other.n > 0,
  };
  passport->pattern = attn_passport_find_pattern (passport);
}
