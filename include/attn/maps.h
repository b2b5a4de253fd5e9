/* SPDX-License-Identifier: MIT */
/* The interface every picture, number and export reads: layers × heads attention maps with labels.
 *
 * For: asking for one map, wherever it comes from. A source is a small table of functions: today a
 * trace; a lens over other maps, a difference, an aggregate or a file of arrays fit the same table.
 * What needs a model asks for the trace and does without where there is none. */
#pragma once

#include "attn/trace.h"

#include <glib.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; attn_maps_compute() may be called from any thread. */
typedef struct _AttnMaps AttnMaps;

typedef enum { ATTN_SIDE_QUERY, ATTN_SIDE_KEY } AttnSide;

/* One head's weights, with a copy of everything needed to draw or describe it. */
typedef struct {
  size_t layer, head;       /* from 0 */
  size_t n_queries, n_keys; /* > 0 */
  float *weights;           /* [n_queries, n_keys] f32 row-major; owned */
  AttnMaps *maps;           /* referenced; labels and visible ranges are asked there */
} AttnMap;

/* Where a row or a column comes from. */
typedef struct {
  size_t first, n;   /* tokens of the trace, or of the side where there is no trace */
  int sequence;      /* 0 first text, 1 second text, -1 added by the template */
  size_t start, end; /* byte span in that text; both 0 when sequence is -1 */
  bool special;      /* added by the template */
} AttnOrigin;

typedef struct {
  size_t n_layers, n_heads, n_queries, n_keys; /* > 0 */
  bool (*compute) (void *source, size_t layer, size_t head, float *weights, GError **error);
  const char *(*peek_label) (void *source, AttnSide side, size_t index);
  const char *(*peek_piece) (void *source, AttnSide side, size_t index); /* may be NULL */
  bool (*get_origin) (void *source,
                      AttnSide side,
                      size_t index,
                      AttnOrigin *origin); /* may be NULL */
  void (*get_visible) (void *source, size_t layer, size_t query, size_t *first, size_t *end);
  AttnTrace *(*peek_trace) (void *source);                  /* may be NULL, or return NULL */
  AttnTokens *(*peek_tokens) (void *source, AttnSide side); /* likewise; where there is no trace */
  void (*free) (void *source);
} AttnMapsClass;

/**
 * attn_maps_new:
 * @klass:  copied
 * @source: consumed; given to every function and at last to klass->free
 */
AttnMaps *attn_maps_new (const AttnMapsClass *klass, void *source);

/* Maps of a forward pass on tokens; labels are the tokens' texts. @trace is referenced. */
AttnMaps *attn_maps_new_from_trace (AttnTrace *trace);

AttnMaps *attn_maps_ref (AttnMaps *maps);
void attn_maps_unref (AttnMaps *maps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnMaps, attn_maps_unref)

size_t attn_maps_get_n_layers (const AttnMaps *maps);
size_t attn_maps_get_n_heads (const AttnMaps *maps);
size_t attn_maps_get_n (const AttnMaps *maps, AttnSide side);

/* Returns: (transfer none): the token's text, UTF-8, never NULL; valid as long as @maps. */
const char *attn_maps_peek_label (const AttnMaps *maps, AttnSide side, size_t index);

/* Returns: whether queries and keys are as many and are called the same. */
bool attn_maps_has_same_labels (const AttnMaps *maps);

/* Returns: (transfer none): likewise, the token as its vocabulary writes it, for exports; the label
 * where the source knows no other. */
const char *attn_maps_peek_piece (const AttnMaps *maps, AttnSide side, size_t index);

/* Returns: false, with @origin all zero, where the maps come from no text. Of tokens that have
 * nothing but names it is of a text made of these (attn_maps_arrange()). */
bool attn_maps_get_origin (const AttnMaps *maps, AttnSide side, size_t index, AttnOrigin *origin);

/* Returns: the first row or column that token @token, as in AttnOrigin, is part of, or G_MAXSIZE.
 */
size_t attn_maps_find_token (const AttnMaps *maps, AttnSide side, size_t token);

/* Keys [first, end) are those @query may see in @layer; others are "cannot see", not zero weight.
 */
void attn_maps_get_visible (
    const AttnMaps *maps, size_t layer, size_t query, size_t *first, size_t *end);

/* Returns: (nullable) (transfer none): the tokens that a side's origins are of: those of the trace,
 * or those that its names tell; NULL where the maps come from neither. */
AttnTokens *attn_maps_peek_tokens (const AttnMaps *maps, AttnSide side);

/* Returns: (nullable) (transfer none): the forward pass behind the maps. */
AttnTrace *attn_maps_peek_trace (const AttnMaps *maps);

/**
 * attn_maps_compute:
 * @layer,@head: from 0
 * @weights: [n_queries, n_keys] f32 row-major, written
 *
 * Returns: false with @error as the source says; a trace never fails.
 */
bool
attn_maps_compute (const AttnMaps *maps, size_t layer, size_t head, float *weights, GError **error);

/* Returns: [n_queries, n_keys] f32 of one map, not set, for g_free(); NULL with @error: TOO_LARGE.
 */
float *attn_map_try_new_weights (size_t n_queries, size_t n_keys, GError **error);

/* Returns: a new map for attn_map_free(), or NULL with @error: TOO_LARGE, or the source's. */
AttnMap *attn_maps_dup_map (AttnMaps *maps, size_t layer, size_t head, GError **error);

void attn_map_free (AttnMap *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnMap, attn_map_free)

G_END_DECLS
