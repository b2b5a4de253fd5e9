/* SPDX-License-Identifier: MIT */
/* Checking what is to be exported, and handing it to the format's writer. */
#include "attn/export.h"

#include "export-parts.h"

#include "attn/error.h"
#include "attn/output.h"
#include "attn/run.h"

#include <string.h>

static const char *const names[] = {"json", "csv", "npy", "npz", "safetensors"};

const char *
attn_export_format_peek_name (AttnExportFormat format)
{
  g_return_val_if_fail ((unsigned)format < G_N_ELEMENTS (names), names[0]);
  return names[format];
}

bool
attn_export_format_find (const char *name, AttnExportFormat *format)
{
  for (unsigned f = 0; f < G_N_ELEMENTS (names); f++)
    if (strcmp (name, names[f]) == 0) {
      *format = (AttnExportFormat)f;
      return true;
    }
  return false;
}

bool
attn_export_format_has_about (AttnExportFormat format)
{
  return format == ATTN_EXPORT_JSON || format == ATTN_EXPORT_NPZ ||
         format == ATTN_EXPORT_SAFETENSORS;
}

static bool
check_choice (const AttnExportChoice *choice,
              size_t n_layers,
              size_t n_heads,
              AttnExportRange *range,
              GError **error)
{
  bool layer_fits = choice->all_layers || choice->layer < n_layers;
  if (!layer_fits || !(choice->all_heads || choice->head < n_heads)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 layer_fits ? "head %zu: the model has heads 1 to %zu"
                            : "layer %zu: the model has layers 1 to %zu",
                 (layer_fits ? choice->head : choice->layer) + 1, layer_fits ? n_heads : n_layers);
    return false;
  }
  *range = (AttnExportRange){
      .first_layer = choice->all_layers ? 0 : choice->layer,
      .end_layer = choice->all_layers ? n_layers : choice->layer + 1,
      .first_head = choice->all_heads ? 0 : choice->head,
      .end_head = choice->all_heads ? n_heads : choice->head + 1,
      .one = !choice->all_layers && !choice->all_heads,
      .arrangement = choice->arrangement,
      .about = choice->about,
      .lens = choice->lens,
  };
  return true;
}

/* What a model adds to a part's header. */
static void
fill_part (AttnExportPart *part, AttnModel *model, size_t n_tokens, const AttnExportChoice *choice)
{
  const AttnConfig *config = attn_model_peek_config (model);
  part->n_ids = n_tokens;
  part->n_hidden = choice->with_hidden ? config->n_layers + 1 : 0;
  part->d_model = config->d_model;
  part->n_logits = choice->with_logits && attn_model_has_lm_head (model) ? config->vocab_size : 0;
}

static AttnMaps *
open_given (G_GNUC_UNUSED size_t index, void *data, G_GNUC_UNUSED GError **error)
{
  return attn_maps_ref (data);
}

static bool
export_one_safetensors (AttnMaps *maps,
                        const AttnExportRange *range,
                        const AttnExportChoice *choice,
                        const AttnExportSink *sink,
                        GError **error)
{
  char no_prefix[] = "";
  AttnTrace *trace = attn_maps_peek_trace (maps);
  AttnExportPart part = {
      .prefix = no_prefix,
      .range = *range,
      .n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY),
      .n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY),
  };
  if (trace != NULL)
    fill_part (&part, attn_trace_peek_model (trace), attn_trace_get_n_tokens (trace), choice);
  g_autofree char *metadata = attn_export_dup_metadata (maps, range);
  return attn_export_safetensors (&part, 1, metadata, open_given, maps, choice->pool, sink, error);
}

bool
attn_export (AttnMaps *maps,
             const AttnExportChoice *choice,
             AttnExportFormat format,
             AttnWriteFunc write,
             void *data,
             GError **error)
{
  AttnExportSink sink = {write, data};
  AttnExportRange range = {0};
  if (!check_choice (choice, attn_maps_get_n_layers (maps), attn_maps_get_n_heads (maps), &range,
                     error))
    return false;
  if (choice->with_hidden || choice->with_logits) {
    bool with_model = attn_maps_peek_trace (maps) != NULL;
    if (format != ATTN_EXPORT_SAFETENSORS || !with_model) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED, "hidden states and logits %s",
                   with_model ? "are exported in the format safetensors only"
                              : "need a model, and these maps have none");
      return false;
    }
  }
  switch (format) {
  case ATTN_EXPORT_JSON:
    return attn_export_json (maps, &range, &sink, error);
  case ATTN_EXPORT_CSV:
    return attn_export_csv (maps, &range, &sink, error);
  case ATTN_EXPORT_NPY:
    return attn_export_npy (maps, &range, &sink, error);
  case ATTN_EXPORT_NPZ:
    return attn_export_npz (maps, &range, &sink, error);
  case ATTN_EXPORT_SAFETENSORS:
  default:
    return export_one_safetensors (maps, &range, choice, &sink, error);
  }
}

typedef struct {
  AttnModel *model;
  AttnTokens *const *tokens;
  AttnPool *pool;
} Texts;

static AttnMaps *
open_text (size_t index, void *data, GError **error)
{
  Texts *texts = data;
  AttnRunOptions options = {.pool = texts->pool};
  g_autoptr (AttnTrace) trace =
      attn_model_run (texts->model, texts->tokens[index], &options, error);
  if (trace == NULL) {
    g_prefix_error (error, "text %zu: ", index);
    return NULL;
  }
  return attn_maps_new_from_trace (trace);
}

static void
clear_part (void *part)
{
  g_free (((AttnExportPart *)part)->prefix);
}

bool
attn_export_texts (AttnModel *model,
                   AttnTokens *const *tokens,
                   size_t n_texts,
                   const AttnExportChoice *choice,
                   AttnWriteFunc write,
                   void *data,
                   GError **error)
{
  AttnExportSink sink = {write, data};
  const AttnConfig *config = attn_model_peek_config (model);
  AttnExportRange range = {0};
  if (!check_choice (choice, config->n_layers, config->n_heads, &range, error))
    return false;
  g_autoptr (GArray) parts = g_array_new (FALSE, TRUE, sizeof (AttnExportPart));
  g_array_set_clear_func (parts, clear_part);
  for (size_t i = 0; i < n_texts; i++) {
    size_t n_tokens = attn_tokens_get_n (tokens[i]);
    AttnExportPart part = {
        .prefix = g_strdup_printf ("%zu.", i),
        .range = range,
        .n_queries = n_tokens,
        .n_keys = n_tokens,
    };
    fill_part (&part, model, n_tokens, choice);
    g_array_append_val (parts, part);
  }
  Texts texts = {model, tokens, choice->pool};
  g_autofree char *metadata = attn_export_dup_texts_metadata (tokens, n_texts);
  return attn_export_safetensors ((const AttnExportPart *)(const void *)parts->data, n_texts,
                                  metadata, open_text, &texts, choice->pool, &sink, error);
}

static bool
write_to_output (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  return attn_output_write (data, bytes, n_bytes, error);
}

bool
attn_export_to_file (AttnMaps *maps,
                     const AttnExportChoice *choice,
                     AttnExportFormat format,
                     const char *path,
                     GError **error)
{
  g_autoptr (AttnOutput) output = attn_output_open (path, error);
  return output != NULL && attn_export (maps, choice, format, write_to_output, output, error) &&
         attn_output_commit (output, error);
}
