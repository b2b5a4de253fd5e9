/* SPDX-License-Identifier: MIT */
/* Attention maps, ids, hidden states and logits as a safetensors file. */
#include "export-parts.h"

#include "attn/error.h"
#include "attn/predict.h"
#include "attn/quote.h"

#include <string.h>

#define LOGIT_ROWS 16 /* rows computed and written at a time */

typedef struct {
  GString *text;
  size_t offset; /* bytes of all tensors so far */
} Header;

/* Adds a tensor to the header. Returns false with TOO_LARGE. */
static bool
add_tensor (Header *header,
            const char *prefix,
            const char *name,
            const char *dtype,
            const size_t *shape,
            size_t n_dims,
            GError **error)
{
  size_t n_bytes = strcmp (dtype, "I64") == 0 ? 8 : 4;
  g_autofree char *full = g_strconcat (prefix, name, NULL);
  if (header->text->len > 1)
    g_string_append_c (header->text, ',');
  attn_quote_json (header->text, full, strlen (full));
  g_string_append_printf (header->text, ":{\"dtype\":\"%s\",\"shape\":[", dtype);
  bool fits = true;
  for (size_t d = 0; d < n_dims; d++) {
    g_string_append_printf (header->text, d > 0 ? ",%zu" : "%zu", shape[d]);
    fits = fits && g_size_checked_mul (&n_bytes, n_bytes, shape[d]);
  }
  size_t end = 0;
  if (!fits || !g_size_checked_add (&end, header->offset, n_bytes)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "tensor %s would have over 2^64 bytes",
                 full);
    return false;
  }
  g_string_append_printf (header->text, "],\"data_offsets\":[%zu,%zu]}", header->offset, end);
  header->offset = end;
  return true;
}

/* The order is that of write_part(): 8-byte elements first, so that each tensor is aligned. */
static bool
add_part (Header *header, const AttnExportPart *part, GError **error)
{
  const AttnExportRange *range = &part->range;
  size_t maps[] = {range->end_layer - range->first_layer, range->end_head - range->first_head,
                   part->n_queries, part->n_keys};
  size_t hidden[] = {part->n_hidden, part->n_ids, part->d_model};
  size_t logits[] = {part->n_ids, part->n_logits};
  const char *p = part->prefix;
  return (part->n_ids == 0 || add_tensor (header, p, "input_ids", "I64", &part->n_ids, 1, error)) &&
         add_tensor (header, p, "attentions", "F32", range->one ? maps + 2 : maps,
                     range->one ? 2 : 4, error) &&
         (part->n_hidden == 0 ||
          add_tensor (header, p, "hidden_states", "F32", hidden, 3, error)) &&
         (part->n_logits == 0 || add_tensor (header, p, "logits", "F32", logits, 2, error));
}

static bool
write_ids (AttnTrace *trace, const AttnExportSink *sink, GError **error)
{
  const int32_t *ids = attn_trace_peek_ids (trace);
  size_t n = attn_trace_get_n_tokens (trace);
  g_autofree gint64 *wide = g_new (gint64, n);
  for (size_t t = 0; t < n; t++)
    wide[t] = GINT64_TO_LE ((gint64)ids[t]);
  return sink->write (wide, n * sizeof *wide, sink->data, error);
}

static bool
write_hidden (AttnTrace *trace,
              const AttnExportPart *part,
              const AttnExportSink *sink,
              GError **error)
{
  for (size_t layer = 0; layer < part->n_hidden; layer++) {
    size_t stride = 0;
    const float *hidden = attn_trace_peek_tap (trace, ATTN_TAP_HIDDEN, layer, &stride);
    for (size_t t = 0; t < part->n_ids; t++)
      if (!attn_export_write_floats (sink, hidden + t * stride, part->d_model, error))
        return false;
  }
  return true;
}

static bool
write_logits (AttnTrace *trace,
              const AttnExportPart *part,
              AttnPool *pool,
              const AttnExportSink *sink,
              GError **error)
{
  g_autofree float *logits = g_try_new (float, part->n_logits *LOGIT_ROWS);
  if (logits == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory for logits of %zu tokens of the vocabulary", part->n_logits);
    return false;
  }
  for (size_t first = 0; first < part->n_ids; first += LOGIT_ROWS) {
    size_t n = MIN (LOGIT_ROWS, part->n_ids - first);
    if (!attn_trace_compute_logits (trace, first, n, logits, pool, error) ||
        !attn_export_write_floats (sink, logits, n * part->n_logits, error))
      return false;
  }
  return true;
}

static bool
write_part (const AttnExportPart *part,
            AttnMaps *maps,
            AttnPool *pool,
            const AttnExportSink *sink,
            GError **error)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  return (part->n_ids == 0 || write_ids (trace, sink, error)) &&
         attn_export_write_maps (maps, &part->range, sink, error) &&
         (part->n_hidden == 0 || write_hidden (trace, part, sink, error)) &&
         (part->n_logits == 0 || write_logits (trace, part, pool, sink, error));
}

static bool
write_header (const Header *header, const AttnExportSink *sink, GError **error)
{
  g_string_append_c (header->text, '}');
  while (header->text->len % 8 != 0)
    g_string_append_c (header->text, ' ');
  guint64 length = GUINT64_TO_LE ((guint64)header->text->len);
  return sink->write (&length, sizeof length, sink->data, error) &&
         sink->write (header->text->str, header->text->len, sink->data, error);
}

static void
append_labels (GString *out, AttnMaps *maps, AttnSide side)
{
  g_autoptr (GString) list = g_string_new ("[");
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++) {
    const char *piece = attn_maps_peek_piece (maps, side, i);
    g_string_append (list, i > 0 ? "," : "");
    attn_quote_json (list, piece, strlen (piece));
  }
  g_string_append_c (list, ']');
  attn_quote_json (out, list->str, list->len);
}

char *
attn_export_dup_texts_metadata (AttnTokens *const *tokens, size_t n_texts)
{
  GString *metadata = g_string_new ("{");
  for (size_t i = 0; i < n_texts; i++) {
    g_autoptr (GString) list = g_string_new ("[");
    for (size_t t = 0; t < attn_tokens_get_n (tokens[i]); t++) {
      g_autofree char *piece = g_utf8_make_valid (attn_tokens_peek (tokens[i], t)->piece, -1);
      g_string_append (list, t > 0 ? "," : "");
      attn_quote_json (list, piece, strlen (piece));
    }
    g_string_append_c (list, ']');
    g_string_append_printf (metadata, "%s\"%zu.tokens\":", i > 0 ? "," : "", i);
    attn_quote_json (metadata, list->str, list->len);
  }
  g_string_append_c (metadata, '}');
  return g_string_free (metadata, FALSE);
}

char *
attn_export_dup_metadata (AttnMaps *maps, const AttnExportRange *range)
{
  GString *metadata = g_string_new ("{\"queries\":");
  append_labels (metadata, maps, ATTN_SIDE_QUERY);
  g_string_append (metadata, ",\"keys\":");
  append_labels (metadata, maps, ATTN_SIDE_KEY);
  g_autofree char *about = attn_export_dup_about (maps, range);
  if (about != NULL) {
    g_string_append (metadata, ",\"about\":");
    attn_quote_json (metadata, about, strlen (about));
  }
  g_string_append_c (metadata, '}');
  return g_string_free (metadata, FALSE);
}

bool
attn_export_safetensors (const AttnExportPart *parts,
                         size_t n_parts,
                         const char *metadata,
                         AttnExportOpen open,
                         void *open_data,
                         AttnPool *pool,
                         const AttnExportSink *sink,
                         GError **error)
{
  g_autoptr (GString) text = g_string_new ("{");
  Header header = {.text = text};
  if (metadata != NULL)
    g_string_append_printf (text, "\"__metadata__\":%s", metadata);
  for (size_t i = 0; i < n_parts; i++)
    if (!add_part (&header, &parts[i], error))
      return false;
  if (!write_header (&header, sink, error))
    return false;
  for (size_t i = 0; i < n_parts; i++) {
    g_autoptr (AttnMaps) maps = open (i, open_data, error);
    if (maps == NULL || !write_part (&parts[i], maps, pool, sink, error))
      return false;
  }
  return true;
}
