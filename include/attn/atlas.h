/* SPDX-License-Identifier: MIT */
/* What every head does over many texts: means with spread, examples, and how far heads are apart.
 *
 * For: one text or millions, on one machine or many: an atlas of some texts joins with that of the
 * texts after them (atlas-part.h keeps them in order). Not for: what a head is good for.
 *
 * Letters: N heads of the model, numbered layer · heads + head. */
#pragma once

#include "attn/maps.h"
#include "attn/model.h"
#include "attn/passport.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/tokens.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ATTN_ATLAS_EXAMPLES 3        /* strongest weights kept of each head */
#define ATTN_ATLAS_SUREST 5          /* texts kept of each head */
#define ATTN_ATLAS_EXCERPT_BYTES 160 /* of a text that is kept with an example, at most */

/* A number over texts. */
typedef struct {
  size_t n;       /* texts that have it */
  double mean;    /* 0 of none */
  double squares; /* Σ (x - mean)² */
} AttnMoments;

/* Adds one text's value (Welford 1962). */
void attn_moments_add (AttnMoments *moments, double value);

/* As if @other's values had been added.
 * Source: Chan, Golub and LeVeque 1983. Test: tests/core/test-atlas.c, closed forms. */
void attn_moments_join (AttnMoments *moments, const AttnMoments *other);

/* Returns: the standard deviation of the texts (divisor n - 1); NaN of fewer than two. */
double attn_moments_get_deviation (const AttnMoments *moments);

/* A place in a text that stands for a head. */
typedef struct {
  double value;      /* the weight; of a surest text the confidence */
  size_t text;       /* from 0 */
  size_t query, key; /* tokens, from 0; 0 of a surest text */
  char *query_piece; /* reference-counted strings (GRefString); NULL of a surest text */
  char *key_piece;
  char *excerpt; /* how the text begins */
} AttnAtlasPlace;

typedef struct {
  AttnMoments fields[ATTN_N_PASSPORT_FIELDS]; /* over the texts that have each */
  AttnMoments importance;          /* of |∂L/∂ξ|; n is 0 where it was not asked for */
  size_t classes[ATTN_N_PATTERNS]; /* texts of each pattern */
  size_t n_odd;                    /* weights that are infinite or NaN */
  /* the largest weights between two tokens of the texts, none added by the template; largest
   * first, equal ones in reading order; of several texts at most one of each */
  AttnAtlasPlace examples[ATTN_ATLAS_EXAMPLES];
  AttnAtlasPlace surest[ATTN_ATLAS_SUREST]; /* the texts with the largest confidence, likewise */
  size_t n_examples, n_surest;
} AttnAtlasHead;

typedef struct {
  size_t n_layers, n_heads;
  size_t n_texts;       /* in all, */
  size_t n_empty;       /* of which these had no token to run */
  guint64 n_tokens;     /* of the others */
  AttnAtlasHead *heads; /* [n_layers, n_heads]; owned */
  double *distances; /* [N (N - 1) / 2] sums over the texts, see attn_atlas_get_distance(); owned;
                        NULL where they were not asked for */
} AttnAtlas;

/* Returns: (transfer full): an atlas of no text, for attn_atlas_free(). */
AttnAtlas *attn_atlas_new (size_t n_layers, size_t n_heads, bool with_distances);

void attn_atlas_free (AttnAtlas *atlas);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAtlas, attn_atlas_free)

/* Adds what @after, of the texts that follow, has. Both are of the same model and options. */
void attn_atlas_join (AttnAtlas *atlas, const AttnAtlas *after);

/* Returns: the passport of a head's means, and the pattern of these. */
AttnPassport attn_atlas_get_passport (const AttnAtlas *atlas, size_t layer, size_t head);

/* Returns: the Jensen–Shannon divergence of heads @a and @b (0 … N - 1), the mean over the texts of
 * attn_heads_compute_distance() divided by the queries, nats; NaN of no text or without distances.
 */
double attn_atlas_get_distance (const AttnAtlas *atlas, size_t a, size_t b);

/* How heads lie to each other. */
typedef struct {
  size_t *nearest, *farthest; /* [N] heads, the first of equal ones; owned */
  double *places;             /* [N, 2] owned; see attn_mds_compute() */
  double kept;                /* likewise */
} AttnAtlasMap;

/**
 * attn_atlas_map:
 *
 * Places are by the root of the divergence, which is a metric.
 *
 * Returns: (transfer full): for attn_atlas_map_free(), or NULL with @error: UNSUPPORTED (no
 *   distances, or of one head or no text), TOO_LARGE.
 * Source: Clark et al. 2019, section 6; Endres and Schindelin 2003 (the root).
 */
AttnAtlasMap *attn_atlas_map (const AttnAtlas *atlas, GError **error);

void attn_atlas_map_free (AttnAtlasMap *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAtlasMap, attn_atlas_map_free)

/* One of several texts, as the model sees it. */
typedef struct {
  AttnTokens *tokens; /* of the model's tokenizer; borrowed */
  size_t number;      /* of the text, from 0 */
} AttnAtlasText;

typedef struct {
  bool alone;           /* there is but one text, which then may give all examples */
  bool with_importance; /* a backward pass for each draw, on masked words or next tokens */
  size_t n_draws;       /* 0 for 1 */
  uint32_t seed;
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked between texts */
  void *progress_data;
} AttnAtlasOptions;

/**
 * attn_atlas_add_texts:
 * @texts: [n] in order, the next after those that @atlas has
 *
 * Runs the texts, several in one batch as far as they are short, and adds them. A text without a
 * token is counted; one in which nothing can be masked has no importance.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED, SHAPE (too many draws), UNSUPPORTED
 * (importance, as attn_importance_new()); @atlas is then half done. Test: tests/core/test-atlas.c,
 * plain loops.
 */
bool attn_atlas_add_texts (AttnAtlas *atlas,
                           AttnModel *model,
                           const AttnAtlasText *texts,
                           size_t n,
                           const AttnAtlasOptions *options,
                           GError **error);

/**
 * attn_atlas_add_maps:
 * @maps:    of a text that looks at itself, whether a model's or a file's
 * @number:  of the text, from 0
 * @options: what they say of importance is not asked: it needs a model
 *
 * Adds one text by its maps. Their progress is asked between heads.
 *
 * Returns: false with @error: SHAPE (not as many queries as keys), TOO_LARGE, CANCELLED, or as
 *   attn_maps_compute(); @atlas is then half done. Test: tests/core/test-atlas.c
 */
bool attn_atlas_add_maps (AttnAtlas *atlas,
                          AttnMaps *maps,
                          size_t number,
                          const AttnAtlasOptions *options,
                          GError **error);

G_END_DECLS
