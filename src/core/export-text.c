/* SPDX-License-Identifier: MIT */
/* Attention maps as JSON and as CSV. */
#include "export-parts.h"
#include "maps-private.h"

#include "attn/number.h"
#include "attn/quote.h"

#include <string.h>

static void
append_pieces (GString *text, AttnMaps *maps, AttnSide side)
{
  g_string_append_c (text, '[');
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++) {
    const char *piece = attn_maps_peek_piece (maps, side, i);
    if (i > 0)
      g_string_append_c (text, ',');
    attn_quote_json (text, piece, strlen (piece));
  }
  g_string_append_c (text, ']');
}

static bool
sides_are_equal (AttnMaps *maps)
{
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  if (n != attn_maps_get_n (maps, ATTN_SIDE_KEY))
    return false;
  for (size_t i = 0; i < n; i++)
    if (strcmp (attn_maps_peek_piece (maps, ATTN_SIDE_QUERY, i),
                attn_maps_peek_piece (maps, ATTN_SIDE_KEY, i)) != 0)
      return false;
  return true;
}

static bool
write_json_weights (
    AttnMaps *maps, const float *weights, GString *text, const AttnExportSink *sink, GError **error)
{
  size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  char number[ATTN_NUMBER_SIZE];
  for (size_t query = 0; query < n_queries; query++) {
    g_string_append (text, query == 0 ? "[" : ",[");
    for (size_t key = 0; key < n_keys; key++) {
      double weight = (double)weights[query * n_keys + key];
      if (key > 0)
        g_string_append_c (text, ',');
      g_string_append (text, attn_number_format (number, weight, ATTN_NUMBER_JSON));
    }
    g_string_append_c (text, ']');
    if (!attn_export_flush (sink, text, false, error))
      return false;
  }
  return true;
}

/* A number, or a word in quotation marks. */
static void
append_name (GString *text, const char *name)
{
  g_string_append_printf (text, g_ascii_isdigit (name[0]) ? "%s" : "\"%s\"", name);
}

bool
attn_export_json (AttnMaps *maps,
                  const AttnExportRange *range,
                  const AttnExportSink *sink,
                  GError **error)
{
  g_autofree float *weights = attn_maps_try_new_weights (maps, error);
  if (weights == NULL)
    return false;
  g_autoptr (GString) text = g_string_new (NULL);
  bool same = sides_are_equal (maps);
  g_autofree char *about = attn_export_dup_about (maps, range);
  g_string_append_c (text, '{');
  if (about != NULL)
    g_string_append_printf (text, "\"about\":%s,", about);
  if (range->lens != ATTN_LENS_RAW)
    g_string_append_printf (text, "\"lens\":\"%s\",", attn_lens_peek_name (range->lens));
  attn_export_append_arrangement (text, range->arrangement);
  g_string_append (text, same ? "\"tokens\":" : "\"queries\":");
  append_pieces (text, maps, ATTN_SIDE_QUERY);
  if (!same) {
    g_string_append (text, ",\"keys\":");
    append_pieces (text, maps, ATTN_SIDE_KEY);
  }
  g_string_append (text, ",\"maps\":[");
  for (size_t layer = range->first_layer; layer < range->end_layer; layer++)
    for (size_t head = range->first_head; head < range->end_head; head++) {
      if (layer > range->first_layer || head > range->first_head)
        g_string_append_c (text, ',');
      AttnExportNames names = attn_export_name (range, layer, head);
      g_string_append (text, "{\"layer\":");
      append_name (text, names.layer);
      g_string_append (text, ",\"head\":");
      append_name (text, names.head);
      g_string_append (text, ",\"weights\":[");
      if (!attn_maps_compute (maps, layer, head, weights, error) ||
          !write_json_weights (maps, weights, text, sink, error))
        return false;
      g_string_append (text, "]}");
    }
  g_string_append (text, "]}\n");
  return attn_export_flush (sink, text, true, error);
}

/* The pieces quoted once: each is written as often as there are tokens. */
static GPtrArray *
quote_pieces (AttnMaps *maps, AttnSide side)
{
  size_t n = attn_maps_get_n (maps, side);
  GPtrArray *quoted = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < n; i++) {
    GString *field = g_string_new (NULL);
    attn_quote_csv (field, attn_maps_peek_piece (maps, side, i));
    g_ptr_array_add (quoted, g_string_free (field, FALSE));
  }
  return quoted;
}

bool
attn_export_csv (AttnMaps *maps,
                 const AttnExportRange *range,
                 const AttnExportSink *sink,
                 GError **error)
{
  g_autofree float *weights = attn_maps_try_new_weights (maps, error);
  if (weights == NULL)
    return false;
  g_autoptr (GPtrArray) queries = quote_pieces (maps, ATTN_SIDE_QUERY);
  g_autoptr (GPtrArray) keys = quote_pieces (maps, ATTN_SIDE_KEY);
  g_autoptr (GString) text = g_string_new ("layer,head,query,key,query_token,key_token,weight\n");
  char number[ATTN_NUMBER_SIZE];
  for (size_t layer = range->first_layer; layer < range->end_layer; layer++)
    for (size_t head = range->first_head; head < range->end_head; head++) {
      AttnExportNames names = attn_export_name (range, layer, head);
      if (!attn_maps_compute (maps, layer, head, weights, error))
        return false;
      for (size_t query = 0; query < queries->len; query++) {
        for (size_t key = 0; key < keys->len; key++) {
          double weight = (double)weights[query * keys->len + key];
          g_string_append_printf (text, "%s,%s,%zu,%zu,", names.layer, names.head, query, key);
          g_string_append (text, g_ptr_array_index (queries, query));
          g_string_append_c (text, ',');
          g_string_append (text, g_ptr_array_index (keys, key));
          g_string_append_c (text, ',');
          g_string_append (text, attn_number_format (number, weight, ATTN_NUMBER_CSV));
          g_string_append_c (text, '\n');
        }
        if (!attn_export_flush (sink, text, false, error))
          return false;
      }
    }
  return attn_export_flush (sink, text, true, error);
}
