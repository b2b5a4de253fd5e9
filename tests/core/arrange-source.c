/* SPDX-License-Identifier: MIT */
/* Maps by a formula over a real text's tokens. */
#include "arrange-source.h"

#include "text-run.h"

#include <math.h>

typedef struct {
  AttnTrace *trace;
  ArrangeShape shape;
} Source;

AttnTrace *
arrange_run (const char *model_name, const char *text, const char *pair)
{
  g_autofree char *below = g_strconcat ("golden/models/", model_name, NULL);
  g_autoptr (AttnModel) model = test_model_load (below);
  return test_text_run (model, text, pair);
}

static size_t
get_token (const Source *self, AttnSide side, size_t index)
{
  return index + (side == ATTN_SIDE_QUERY ? self->shape.first_query : self->shape.first_key);
}

static void
get_visible (void *source, size_t layer G_GNUC_UNUSED, size_t query, size_t *first, size_t *end)
{
  const Source *self = source;
  const ArrangeShape *shape = &self->shape;
  *first = 0;
  *end = shape->end_key - shape->first_key;
  if (!shape->causal)
    return;
  size_t token = get_token (self, ATTN_SIDE_QUERY, query);
  *end = token < shape->first_key ? 0 : MIN (*end, token + 1 - shape->first_key);
}

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error G_GNUC_UNUSED)
{
  const Source *self = source;
  const ArrangeShape *shape = &self->shape;
  size_t n_keys = shape->end_key - shape->first_key;
  for (size_t q = 0; q < shape->end_query - shape->first_query; q++) {
    size_t first, end;
    double sum = 0;
    get_visible (source, layer, q, &first, &end);
    for (size_t k = first; k < end; k++)
      sum += (double)(1 + (layer * 31 + head * 17 + q * 7 + k * 5) % 23);
    for (size_t k = 0; k < n_keys; k++) {
      double raw = (double)(1 + (layer * 31 + head * 17 + q * 7 + k * 5) % 23);
      weights[q * n_keys + k] = k >= first && k < end ? (float)(raw / sum) : 0;
      if (shape->has_nan && q == 1 && k >= first && k < end)
        weights[q * n_keys + k] = NAN;
    }
  }
  return true;
}

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  const Source *self = source;
  AttnTokens *tokens = attn_trace_peek_tokens (self->trace);
  return attn_tokens_peek (tokens, get_token (self, side, index))->text;
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  const Source *self = source;
  size_t t = get_token (self, side, index);
  const AttnToken *token = attn_tokens_peek (attn_trace_peek_tokens (self->trace), t);
  *origin = (AttnOrigin){
      .first = t,
      .n = 1,
      .sequence = token->sequence,
      .start = token->start,
      .end = token->end,
      .special = token->special,
  };
  return true;
}

static AttnTrace *
peek_trace (void *source)
{
  return ((Source *)source)->trace;
}

static void
source_free (void *source)
{
  attn_trace_unref (((Source *)source)->trace);
  g_free (source);
}

AttnMaps *
arrange_maps_new (AttnTrace *trace, ArrangeShape shape)
{
  size_t n = attn_trace_get_n_tokens (trace);
  shape.end_query = shape.end_query == 0 ? n : MIN (shape.end_query, n);
  shape.end_key = shape.end_key == 0 ? n : MIN (shape.end_key, n);
  Source *source = g_new (Source, 1);
  *source = (Source){attn_trace_ref (trace), shape};
  AttnMapsClass klass = {
      .n_layers = ARRANGE_LAYERS,
      .n_heads = ARRANGE_HEADS,
      .n_queries = shape.end_query - shape.first_query,
      .n_keys = shape.end_key - shape.first_key,
      .compute = compute,
      .peek_label = peek_label,
      .get_origin = get_origin,
      .get_visible = get_visible,
      .peek_trace = peek_trace,
      .free = source_free,
  };
  return attn_maps_new (&klass, source);
}

float *
arrange_compute (AttnMaps *maps, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  float *weights = g_new (float, attn_maps_get_n (maps, ATTN_SIDE_QUERY) *
                                     attn_maps_get_n (maps, ATTN_SIDE_KEY));
  g_assert_true (attn_maps_compute (maps, layer, head, weights, &error));
  g_assert_no_error (error);
  return weights;
}
