/* SPDX-License-Identifier: MIT */
/* From maps back to the model and text, or the file, they are of. */
#include "hs-export-side.h"

#include "hs-kept-side.h"

#include "attn-hub/store.h"

static void
init_from_trace (HsExportSide *side, AttnTrace *trace)
{
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  AttnModel *model = attn_trace_peek_model (trace);

  *side = (HsExportSide){
      .source = attn_model_ref (model),
      .model = hs_kept_side_dup_name (model),
      .model_name = g_strdup (attn_hub_peek_model_name (model)),
      .text = g_strdup (attn_tokens_peek_text (tokens, 0, NULL)),
      .pair = g_strdup (attn_tokens_peek_text (tokens, 1, NULL)),
  };
}

bool
hs_export_side_init (HsExportSide *side, HsSession *session, AttnMaps *maps)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  HsAttention *attention = trace == NULL ? hs_session_find_attention (session, maps) : NULL;

  *side = (HsExportSide){0};
  if (trace != NULL)
    init_from_trace (side, trace);
  else if (attention != NULL)
    *side = (HsExportSide){
        .attention = hs_attention_ref (attention),
        .model_name = g_strdup (attention->name),
        .text = g_strdup (""),
    };
  return trace != NULL || attention != NULL;
}

AttnDrawArrays
hs_export_side_get_arrays (const HsExportSide *side)
{
  const HsAttention *attention = side->attention;

  if (attention == NULL)
    return (AttnDrawArrays){0};
  return (AttnDrawArrays){.attention = attention->place.path,
                          .array = attention->place.array,
                          .tokens = attention->token_list == NULL ? attention->place.tokens : NULL,
                          .token_list = attention->token_list,
                          .key_list = attention->key_list};
}

bool
hs_export_side_has_weights (const HsExportSide *side)
{
  return side->source != NULL || (side->attention != NULL && side->attention->arrays != NULL);
}

const char *
hs_export_side_compute_sha256 (const HsExportSide *side,
                               AttnProgressFunc progress,
                               void *progress_data,
                               GError **error)
{
  return side->source != NULL
             ? attn_model_compute_sha256 (side->source, progress, progress_data, error)
             : attn_arrays_compute_sha256 (side->attention->arrays, progress, progress_data, error);
}

void
hs_export_side_copy (HsExportSide *side, const HsExportSide *from)
{
  *side = (HsExportSide){
      .source = from->source != NULL ? attn_model_ref (from->source) : NULL,
      .attention = from->attention != NULL ? hs_attention_ref (from->attention) : NULL,
      .model = g_strdup (from->model),
      .model_name = g_strdup (from->model_name),
      .text = g_strdup (from->text),
      .pair = g_strdup (from->pair),
  };
}

void
hs_export_side_clear (HsExportSide *side)
{
  g_clear_pointer (&side->source, attn_model_unref);
  g_clear_pointer (&side->attention, hs_attention_unref);
  g_clear_pointer (&side->model, g_free);
  g_clear_pointer (&side->model_name, g_free);
  g_clear_pointer (&side->text, g_free);
  g_clear_pointer (&side->pair, g_free);
}
