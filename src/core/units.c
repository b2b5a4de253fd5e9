/* SPDX-License-Identifier: MIT */
/* Cuts a text's tokens into characters, or joins them to words. */
#include "units.h"

#include "clusters.h"
#include "piece-text.h"
#include "token-words.h"

#include "attn/error.h"

enum { N_TEXTS = 2, MAX_UNITS = 1 << 14 }; /* of more, one map alone would take over a gigabyte */

typedef struct {
  AttnUnits *units;
  size_t n_allocated;
  AttnToken *tokens; /* [n] */
  size_t n;
  AttnTokensText texts[N_TEXTS];
} Maker;

void
attn_units_free (AttnUnits *units)
{
  if (units == NULL)
    return;
  for (size_t i = 0; i < units->n; i++)
    g_free (units->of[i].label);
  g_free (units->of);
  g_free (units->first);
  g_free (units->count);
  g_free (units);
}

static bool
append (Maker *maker, AttnUnitOf unit, GError **error)
{
  AttnUnits *units = maker->units;
  if (units->n == MAX_UNITS) {
    g_free (unit.label);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the text's characters or words: it has more than the %d that can be shown",
                 MAX_UNITS);
    return false;
  }
  if (units->n == maker->n_allocated) {
    maker->n_allocated = MAX (2 * maker->n_allocated, 64);
    units->of = g_renew (AttnUnitOf, units->of, maker->n_allocated);
  }
  units->of[units->n++] = unit;
  return true;
}

/* Blanks and the like are made visible, as in tokens' texts. */
static char *
dup_visible (const Maker *maker, int sequence, size_t start, size_t end)
{
  return attn_piece_text_dup (maker->texts[sequence].bytes + start, end - start);
}

/* A word is called what was typed; where that is blank, it is called as its tokens are. */
static char *
dup_word_label (const Maker *maker, const AttnTokenGroup *group)
{
  const AttnToken *first = &maker->tokens[group->first];
  if (first->special || first->mask)
    return NULL;
  if (attn_token_group_shows_text (group, first, maker->texts))
    return g_utf8_make_valid (maker->texts[first->sequence].bytes + group->start,
                              (gssize)(group->end - group->start));
  g_autoptr (GString) label = g_string_new (NULL);
  for (size_t i = 0; i < group->n; i++)
    g_string_append (label, first[i].text);
  return g_utf8_make_valid (label->str, (gssize)label->len);
}

static bool
make_words (Maker *maker, const AttnWordList *words, GError **error)
{
  AttnUnits *units = maker->units;
  g_autofree AttnTokenGroup *groups = g_new (AttnTokenGroup, maker->n);
  size_t n = attn_token_groups_find (maker->tokens, maker->n, maker->texts, words, groups);
  for (size_t i = 0; i < n; i++) {
    const AttnTokenGroup *group = &groups[i];
    AttnUnitOf unit = {
        .first = group->first,
        .n = group->n,
        .sequence = maker->tokens[group->first].sequence,
        .start = group->start,
        .end = group->end,
        .label = dup_word_label (maker, group),
    };
    for (size_t t = group->first; t < group->first + group->n; t++) {
      units->first[t] = units->n;
      units->count[t] = 1;
    }
    if (!append (maker, unit, error))
      return false;
  }
  return true;
}

/* Whether a token is shown as it is where others are cut into characters. */
static bool
stays_whole (const AttnToken *token)
{
  return token->sequence < 0 || token->start >= token->end || token->special || token->mask;
}

static bool
make_whole (Maker *maker, size_t t, GError **error)
{
  const AttnToken *token = &maker->tokens[t];
  maker->units->first[t] = maker->units->n;
  maker->units->count[t] = 1;
  return append (maker,
                 (AttnUnitOf){
                     .first = t,
                     .n = 1,
                     .sequence = token->sequence,
                     .start = token->start,
                     .end = token->end,
                 },
                 error);
}

/* A stretch of tokens that are of the same text and not whole. */
typedef struct {
  const AttnClusters *clusters;
  int sequence;
  size_t first, end;              /* tokens */
  size_t first_cluster, n_places; /* all that they reach into, and what lies between */
} Run;

/* Writes each token's clusters in the place of its units. */
static void
find_clusters (Maker *maker, Run *run)
{
  AttnUnits *units = maker->units;
  size_t least = G_MAXSIZE, most = 0;
  for (size_t t = run->first; t < run->end; t++) {
    size_t start = maker->tokens[t].start, end = maker->tokens[t].end;
    attn_token_trim_blanks (maker->texts[run->sequence].bytes, &start, &end);
    size_t first = attn_clusters_find (run->clusters, start);
    size_t last = attn_clusters_find (run->clusters, end - 1);
    units->first[t] = first;
    units->count[t] = last - first + 1;
    least = MIN (least, first);
    most = MAX (most, last);
  }
  run->first_cluster = least;
  run->n_places = most - least + 1;
}

/* Makes a unit of every cluster that a token reaches into, in the order of the text; @places,
 * [n_places], gets its index, G_MAXSIZE where no token reaches. */
static bool
append_clusters (Maker *maker, const Run *run, size_t *places, GError **error)
{
  const AttnUnits *units = maker->units;
  for (size_t i = 0; i < run->n_places; i++)
    places[i] = G_MAXSIZE;
  for (size_t t = run->first; t < run->end; t++)
    for (size_t i = 0; i < units->count[t]; i++)
      places[units->first[t] - run->first_cluster + i] = 0;
  for (size_t i = 0; i < run->n_places; i++) {
    if (places[i] == G_MAXSIZE)
      continue;
    size_t start = run->clusters->starts[run->first_cluster + i];
    size_t end = run->clusters->starts[run->first_cluster + i + 1];
    places[i] = units->n;
    AttnUnitOf unit = {
        .sequence = run->sequence,
        .start = start,
        .end = end,
        .label = dup_visible (maker, run->sequence, start, end),
    };
    if (!append (maker, unit, error))
      return false;
  }
  return true;
}

/* Where a character's bytes are tokens of their own, they come into its unit together. */
static bool
make_run (Maker *maker, Run *run, GError **error)
{
  AttnUnits *units = maker->units;
  find_clusters (maker, run);
  g_autofree size_t *places = g_try_new (size_t, run->n_places);
  if (places == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "a text of %zu characters: no memory for their places", run->n_places);
    return false;
  }
  if (!append_clusters (maker, run, places, error))
    return false;
  for (size_t t = run->first; t < run->end; t++) {
    units->first[t] = places[units->first[t] - run->first_cluster];
    for (size_t i = 0; i < units->count[t]; i++) {
      AttnUnitOf *unit = &units->of[units->first[t] + i];
      if (unit->n == 0)
        unit->first = t;
      unit->n = t - unit->first + 1;
    }
  }
  return true;
}

/* The characters of both texts as far as tokens reach. */
static bool
init_clusters (const Maker *maker, AttnClusters *clusters, GError **error)
{
  size_t reaches[N_TEXTS] = {0};
  for (size_t t = 0; t < maker->n; t++)
    if (!stays_whole (&maker->tokens[t]))
      reaches[maker->tokens[t].sequence] =
          MAX (reaches[maker->tokens[t].sequence], maker->tokens[t].end);
  for (size_t i = 0; i < N_TEXTS; i++)
    if (reaches[i] > 0 && !attn_clusters_init (&clusters[i], maker->texts[i].bytes,
                                               maker->texts[i].n_bytes, reaches[i], error))
      return false;
  return true;
}

static bool
make_runs (Maker *maker, const AttnClusters *clusters, GError **error)
{
  for (size_t t = 0; t < maker->n;) {
    if (stays_whole (&maker->tokens[t])) {
      if (!make_whole (maker, t++, error))
        return false;
      continue;
    }
    int sequence = maker->tokens[t].sequence;
    Run run = {.clusters = &clusters[sequence], .sequence = sequence, .first = t};
    while (t < maker->n && !stays_whole (&maker->tokens[t]) &&
           maker->tokens[t].sequence == sequence)
      t++;
    run.end = t;
    if (!make_run (maker, &run, error))
      return false;
  }
  return true;
}

static bool
make_characters (Maker *maker, GError **error)
{
  AttnClusters clusters[N_TEXTS] = {{0}};
  bool made = init_clusters (maker, clusters, error) && make_runs (maker, clusters, error);
  for (size_t i = 0; i < N_TEXTS; i++)
    attn_clusters_clear (&clusters[i]);
  return made;
}

AttnUnits *
attn_units_new (AttnUnit unit,
                const AttnTokens *tokens,
                const size_t *indexes,
                size_t n,
                const AttnWordList *words,
                GError **error)
{
  g_autoptr (AttnUnits) units = g_new0 (AttnUnits, 1);
  g_autofree AttnToken *copies = g_new (AttnToken, n);
  units->first = g_new0 (size_t, n);
  units->count = g_new0 (size_t, n);
  Maker maker = {.units = units, .tokens = copies, .n = n};
  for (size_t i = 0; i < n; i++)
    copies[i] = *attn_tokens_peek (tokens, indexes[i]);
  for (int i = 0; i < N_TEXTS; i++)
    maker.texts[i].bytes = attn_tokens_peek_text (tokens, i, &maker.texts[i].n_bytes);
  if (unit == ATTN_UNIT_WORDS ? !make_words (&maker, words, error)
                              : !make_characters (&maker, error))
    return NULL;
  return g_steal_pointer (&units);
}
