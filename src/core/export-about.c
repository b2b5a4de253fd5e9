/* SPDX-License-Identifier: MIT */
/* Where exported maps come from, as the JSON object that several formats carry. */
#include "export-parts.h"
#include "hs-build.h"

#include "attn/quote.h"

#include <string.h>

static void
append_text (GString *json, const char *key, const char *text, size_t length)
{
  g_string_append_printf (json, ",\"%s\":", key);
  attn_quote_json (json, text, length);
}

/* What the pass tells of itself. */
static void
append_trace (GString *json, AttnTrace *trace, const AttnExportAbout *about)
{
  const AttnTokens *tokens = attn_trace_peek_tokens (trace);
  const char *model = about->model_name != NULL
                          ? about->model_name
                          : attn_model_peek_name (attn_trace_peek_model (trace));
  static const char *const keys[] = {"text", "pair"};

  append_text (json, "model", model, strlen (model));
  if (about->weights_sha256 != NULL)
    append_text (json, "weights_sha256", about->weights_sha256, strlen (about->weights_sha256));
  for (int sequence = 0; sequence < 2; sequence++) {
    size_t length = 0;
    const char *text = attn_tokens_peek_text (tokens, sequence, &length);
    if (text != NULL)
      append_text (json, keys[sequence], text, length);
  }
  if (about->max_tokens > 0)
    g_string_append_printf (json, ",\"max_tokens\":%zu", about->max_tokens);
  if (attn_tokens_get_n_truncated (tokens) > 0)
    g_string_append_printf (json, ",\"truncated\":%zu", attn_tokens_get_n_truncated (tokens));
}

/* What a file of arrays tells of itself. */
static void
append_arrays (GString *json, const AttnExportAbout *about)
{
  const char *name = attn_arrays_peek_name (about->arrays);
  const char *array = attn_arrays_peek_array (about->arrays);

  append_text (json, "attention", name, strlen (name));
  if (array != NULL)
    append_text (json, "array", array, strlen (array));
  if (about->weights_sha256 != NULL)
    append_text (json, "file_sha256", about->weights_sha256, strlen (about->weights_sha256));
}

/* What was computed from what. */
static void
append_source (GString *json, AttnMaps *maps, const AttnExportAbout *about)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);

  if (trace != NULL)
    append_trace (json, trace, about);
  else if (about->arrays != NULL)
    append_arrays (json, about);
}

/* Which layer and head, from 1, where it is one of several and not some combined: a file of one
 * head opens as layer 1, head 1. */
static void
append_place (GString *json, AttnMaps *maps, const AttnExportRange *range)
{
  const AttnExportNames names = attn_export_name (range, range->first_layer, range->first_head);

  if (range->end_layer - range->first_layer == 1 && attn_maps_get_n_layers (maps) > 1 &&
      g_ascii_isdigit (names.layer[0]))
    g_string_append_printf (json, ",\"layer\":%s", names.layer);
  if (range->end_head - range->first_head == 1 && attn_maps_get_n_heads (maps) > 1 &&
      g_ascii_isdigit (names.head[0]))
    g_string_append_printf (json, ",\"head\":%s", names.head);
}

/* What was subtracted: one head, whose fields are A's in an object of their own. */
static void
append_b (GString *json, const AttnExportRange *range)
{
  const AttnExportAbout *b = range->about->b;
  AttnExportRange one = *range;

  one.first_layer = b->layer;
  one.first_head = b->head;
  one.end_layer = b->layer + 1;
  one.end_head = b->head + 1;
  g_string_append (json, ",\"b\":{");
  const gsize start = json->len;
  append_source (json, b->maps, b);
  append_place (json, b->maps, &one);
  if (json->len > start)
    g_string_erase (json, (gssize)start, 1); /* the first one's comma */
  g_string_append_c (json, '}');
}

char *
attn_export_dup_about (AttnMaps *maps, const AttnExportRange *range)
{
  const AttnExportAbout *about = range->about;
  const AttnArrangement *arrangement = range->arrangement;

  if (about == NULL)
    return NULL;
  GString *json = g_string_new ("{\"program\":\"Headscope " HS_VERSION "\"");
  append_source (json, about->maps != NULL ? about->maps : maps, about);
  append_place (json, maps, range);
  if (about->b != NULL)
    append_b (json, range);
  if (range->lens != ATTN_LENS_RAW)
    g_string_append_printf (json, ",\"lens\":\"%s\"", attn_lens_peek_name (range->lens));
  if (arrangement != NULL && !attn_arrangement_is_plain (arrangement)) {
    g_string_append_c (json, ',');
    attn_export_append_arrangement (json, arrangement);
    g_string_truncate (json, json->len - 1); /* its comma */
  }
  if (about->words != NULL && arrangement != NULL && arrangement->unit == ATTN_UNIT_WORDS) {
    g_autofree char *name = g_path_get_basename (attn_word_list_peek_path (about->words));
    append_text (json, "words", name, strlen (name));
  }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}
