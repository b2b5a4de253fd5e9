/* SPDX-License-Identifier: MIT */
/* What side B of a comparison is, where much of it may be A's. */
#include "hs-compared-side.h"

#include "hs-text-limit.h"

AttnDrawView *
hs_compared_side_dup_view (HsSession *session, AttnMaps *b)
{
  AttnDrawView *wanted = attn_draw_view_copy (hs_session_peek_asked (session));

  wanted->layer_b = MIN (wanted->layer_b, attn_maps_get_n_layers (b) - 1);
  wanted->head_b = MIN (wanted->head_b, attn_maps_get_n_heads (b) - 1);
  return wanted;
}

const char *
hs_compared_side_peek_pair (HsSide *side)
{
  const char *pair = hs_side_peek_pair (side);
  return pair != NULL && !hs_text_is_blank (pair) ? pair : NULL;
}

bool
hs_compared_side_is_of_texts (HsAnswer *answer, HsSide *side)
{
  AttnTokens *tokens = answer != NULL ? hs_answer_peek_tokens (answer) : NULL;

  return tokens != NULL &&
         g_str_equal (hs_side_peek_text (side), attn_tokens_peek_text (tokens, 0, NULL)) &&
         g_strcmp0 (hs_compared_side_peek_pair (side), attn_tokens_peek_text (tokens, 1, NULL)) ==
             0;
}

/* NULL for a file's weights. */
static AttnModel *
peek_model (HsAnswer *answer)
{
  AttnTrace *trace = attn_maps_peek_trace (answer->maps);
  return trace != NULL ? attn_trace_peek_model (trace) : NULL;
}

AttnModel *
hs_compared_side_peek_model (HsSession *session, HsAnswer *a)
{
  AttnModel *model = hs_side_peek_model (hs_session_peek_side_b (session));
  return model != NULL ? model : peek_model (a);
}

AttnMaps *
hs_compared_side_peek_file_maps (HsSession *session, HsAnswer *a)
{
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side_b (session));

  if (attention != NULL)
    return attention->maps;
  return hs_compared_side_peek_model (session, a) == NULL ? a->maps : NULL;
}

AttnMaps *
hs_compared_side_peek_maps (HsSession *session, HsAnswer *a, size_t max_tokens)
{
  HsSide *side = hs_session_peek_side_b (session);
  AttnModel *model = hs_compared_side_peek_model (session, a);
  HsAnswer *b = hs_side_peek_answer (side);

  if (model == peek_model (a) && hs_compared_side_is_of_texts (a, side))
    return a->maps;
  if (!hs_compared_side_is_of_texts (b, side) || max_tokens != a->max_tokens)
    return NULL;
  return peek_model (b) == model ? b->maps : NULL;
}
