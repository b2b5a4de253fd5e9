/* SPDX-License-Identifier: MIT */
/* Layers × heads maps from any source, and the source that is a trace. */
#include "attn/maps.h"

#include "maps-private.h"

#include "attn/error.h"

struct _AttnMaps {
  gatomicrefcount ref_count;
  AttnMapsClass klass;
  void *source;
};

AttnMaps *
attn_maps_new (const AttnMapsClass *klass, void *source)
{
  g_return_val_if_fail (klass != NULL && klass->n_layers > 0 && klass->n_heads > 0, NULL);
  g_return_val_if_fail (klass->n_queries > 0 && klass->n_keys > 0, NULL);
  AttnMaps *maps = g_new (AttnMaps, 1);
  g_atomic_ref_count_init (&maps->ref_count);
  maps->klass = *klass;
  maps->source = source;
  return maps;
}

AttnMaps *
attn_maps_ref (AttnMaps *maps)
{
  g_return_val_if_fail (maps != NULL, NULL);
  g_atomic_ref_count_inc (&maps->ref_count);
  return maps;
}

void
attn_maps_unref (AttnMaps *maps)
{
  if (maps == NULL || !g_atomic_ref_count_dec (&maps->ref_count))
    return;
  maps->klass.free (maps->source);
  g_free (maps);
}

size_t
attn_maps_get_n_layers (const AttnMaps *maps)
{
  return maps->klass.n_layers;
}

size_t
attn_maps_get_n_heads (const AttnMaps *maps)
{
  return maps->klass.n_heads;
}

size_t
attn_maps_get_n (const AttnMaps *maps, AttnSide side)
{
  return side == ATTN_SIDE_QUERY ? maps->klass.n_queries : maps->klass.n_keys;
}

const char *
attn_maps_peek_label (const AttnMaps *maps, AttnSide side, size_t index)
{
  g_return_val_if_fail (index < attn_maps_get_n (maps, side), "");
  return maps->klass.peek_label (maps->source, side, index);
}

bool
attn_maps_has_same_labels (const AttnMaps *maps)
{
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  bool same = n == attn_maps_get_n (maps, ATTN_SIDE_KEY);
  for (size_t i = 0; i < n && same; i++)
    same = strcmp (attn_maps_peek_label (maps, ATTN_SIDE_QUERY, i),
                   attn_maps_peek_label (maps, ATTN_SIDE_KEY, i)) == 0;
  return same;
}

const char *
attn_maps_peek_piece (const AttnMaps *maps, AttnSide side, size_t index)
{
  g_return_val_if_fail (index < attn_maps_get_n (maps, side), "");
  return maps->klass.peek_piece != NULL ? maps->klass.peek_piece (maps->source, side, index)
                                        : maps->klass.peek_label (maps->source, side, index);
}

bool
attn_maps_get_origin (const AttnMaps *maps, AttnSide side, size_t index, AttnOrigin *origin)
{
  *origin = (AttnOrigin){0};
  g_return_val_if_fail (index < attn_maps_get_n (maps, side), false);
  return maps->klass.get_origin != NULL &&
         maps->klass.get_origin (maps->source, side, index, origin);
}

size_t
attn_maps_find_token (const AttnMaps *maps, AttnSide side, size_t token)
{
  size_t n = attn_maps_get_n (maps, side);
  AttnOrigin origin;
  for (size_t index = 0; index < n; index++)
    if (attn_maps_get_origin (maps, side, index, &origin) && token >= origin.first &&
        token - origin.first < origin.n)
      return index;
  return G_MAXSIZE;
}

void
attn_maps_get_visible (const AttnMaps *maps, size_t layer, size_t query, size_t *first, size_t *end)
{
  g_return_if_fail (layer < maps->klass.n_layers && query < maps->klass.n_queries);
  maps->klass.get_visible (maps->source, layer, query, first, end);
}

AttnTrace *
attn_maps_peek_trace (const AttnMaps *maps)
{
  return maps->klass.peek_trace != NULL ? maps->klass.peek_trace (maps->source) : NULL;
}

AttnTokens *
attn_maps_peek_tokens (const AttnMaps *maps, AttnSide side)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  if (trace != NULL)
    return attn_trace_peek_tokens (trace);
  return maps->klass.peek_tokens != NULL ? maps->klass.peek_tokens (maps->source, side) : NULL;
}

void *
attn_maps_peek_source (
    const AttnMaps *maps,
    bool (*compute) (void *source, size_t layer, size_t head, float *weights, GError **error))
{
  return maps->klass.compute == compute ? maps->source : NULL;
}

bool
attn_maps_compute (const AttnMaps *maps, size_t layer, size_t head, float *weights, GError **error)
{
  g_return_val_if_fail (layer < maps->klass.n_layers && head < maps->klass.n_heads, false);
  return maps->klass.compute (maps->source, layer, head, weights, error);
}

float *
attn_map_try_new_weights (size_t n_queries, size_t n_keys, GError **error)
{
  size_t n = 0;
  float *weights = NULL;
  if (g_size_checked_mul (&n, n_queries, n_keys))
    weights = g_try_new (float, n);
  if (weights == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "a map of %zu × %zu weights: no memory for %zu bytes", n_queries, n_keys,
                 n * sizeof (float));
  return weights;
}

float *
attn_maps_try_new_weights (const AttnMaps *maps, GError **error)
{
  return attn_map_try_new_weights (maps->klass.n_queries, maps->klass.n_keys, error);
}

AttnMap *
attn_maps_dup_map (AttnMaps *maps, size_t layer, size_t head, GError **error)
{
  g_autofree float *weights = attn_maps_try_new_weights (maps, error);
  if (weights == NULL || !attn_maps_compute (maps, layer, head, weights, error))
    return NULL;
  AttnMap *map = g_new (AttnMap, 1);
  *map = (AttnMap){
      .layer = layer,
      .head = head,
      .n_queries = maps->klass.n_queries,
      .n_keys = maps->klass.n_keys,
      .weights = g_steal_pointer (&weights),
      .maps = attn_maps_ref (maps),
  };
  return map;
}

void
attn_map_free (AttnMap *map)
{
  if (map == NULL)
    return;
  g_free (map->weights);
  attn_maps_unref (map->maps);
  g_free (map);
}

typedef struct {
  AttnTrace *trace;
  char **labels; /* [n_tokens], valid UTF-8 */
  char **pieces; /* [n_tokens], valid UTF-8 */
} TraceSource;

static bool
trace_source_compute (
    void *source, size_t layer, size_t head, float *weights, GError **error G_GNUC_UNUSED)
{
  const TraceSource *self = source;
  attn_trace_compute_map (self->trace, layer, head, weights);
  return true;
}

static const char *
trace_source_peek_label (void *source, AttnSide side G_GNUC_UNUSED, size_t index)
{
  const TraceSource *self = source;
  return self->labels[index];
}

static const char *
trace_source_peek_piece (void *source, AttnSide side G_GNUC_UNUSED, size_t index)
{
  const TraceSource *self = source;
  return self->pieces[index];
}

static bool
trace_source_get_origin (void *source,
                         AttnSide side G_GNUC_UNUSED,
                         size_t index,
                         AttnOrigin *origin)
{
  const TraceSource *self = source;
  AttnTokens *tokens = attn_trace_peek_tokens (self->trace);
  if (tokens == NULL)
    return false; /* a run on bare ids */
  const AttnToken *token = attn_tokens_peek (tokens, index);
  *origin = (AttnOrigin){
      .first = index,
      .n = 1,
      .sequence = token->sequence,
      .start = token->start,
      .end = token->end,
      .special = token->special,
  };
  return true;
}

static void
trace_source_get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const TraceSource *self = source;
  attn_trace_get_visible (self->trace, layer, query, first, end);
}

static AttnTrace *
trace_source_peek_trace (void *source)
{
  const TraceSource *self = source;
  return self->trace;
}

static void
trace_source_free (void *source)
{
  TraceSource *self = source;
  attn_trace_unref (self->trace);
  g_strfreev (self->labels);
  g_strfreev (self->pieces);
  g_free (self);
}

/* What a token of the trace is called, for people or as its vocabulary writes it; bare ids that
 * the vocabulary does not have are numbers. */
static char *
make_label (const AttnTrace *trace, size_t index, bool for_people)
{
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  if (tokens != NULL) {
    const AttnToken *token = attn_tokens_peek (tokens, index);
    return g_utf8_make_valid (for_people ? token->text : token->piece, -1);
  }
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (attn_trace_peek_model (trace));
  int32_t id = attn_trace_peek_ids (trace)[index];
  const char *name = NULL;
  if (tokenizer != NULL)
    name = for_people ? attn_tokenizer_peek_text (tokenizer, id)
                      : attn_tokenizer_peek_piece (tokenizer, id);
  return name != NULL ? g_utf8_make_valid (name, -1) : g_strdup_printf ("%d", id);
}

AttnMaps *
attn_maps_new_from_trace (AttnTrace *trace)
{
  g_return_val_if_fail (trace != NULL, NULL);
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (trace));
  size_t n_tokens = attn_trace_get_n_tokens (trace);
  AttnMapsClass klass = {
      .n_layers = config->n_layers,
      .n_heads = config->n_heads,
      .n_queries = n_tokens,
      .n_keys = n_tokens,
      .compute = trace_source_compute,
      .peek_label = trace_source_peek_label,
      .peek_piece = trace_source_peek_piece,
      .get_origin = trace_source_get_origin,
      .get_visible = trace_source_get_visible,
      .peek_trace = trace_source_peek_trace,
      .free = trace_source_free,
  };
  TraceSource *source = g_new (TraceSource, 1);
  source->trace = attn_trace_ref (trace);
  source->labels = g_new0 (char *, n_tokens + 1);
  source->pieces = g_new0 (char *, n_tokens + 1);
  for (size_t t = 0; t < n_tokens; t++) {
    source->labels[t] = make_label (trace, t, true);
    source->pieces[t] = make_label (trace, t, false);
  }
  return attn_maps_new (&klass, source);
}

bool
attn_maps_check_tokens (const AttnMaps *maps, bool of_text, const char *step, GError **error)
{
  AttnOrigin origin;
  bool has_tokens = !of_text || attn_maps_peek_trace (maps) != NULL;
  for (AttnSide side = ATTN_SIDE_QUERY; side <= ATTN_SIDE_KEY && has_tokens; side++)
    has_tokens =
        attn_maps_peek_tokens (maps, side) != NULL && attn_maps_get_origin (maps, side, 0, &origin);
  if (!has_tokens)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%s: these maps come from no text", step);
  return has_tokens;
}
