/* SPDX-License-Identifier: MIT */
/* Parts of an atlas as JSON. */
#include "atlas-part-private.h"
#include "atlas-private.h"

#include "attn/quote.h"

#include <math.h>
#include <string.h>

/* 17 digits give a double back to the bit; what is not finite is null. */
static void
append_number (GString *json, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (json, isfinite (value) ? g_ascii_formatd (number, sizeof number, "%.17g", value)
                                          : "null");
}

static void
append_text (GString *json, const char *text)
{
  attn_quote_json (json, text, strlen (text));
}

static void
append_moments (GString *json, const AttnMoments *moments)
{
  g_string_append_printf (json, "[%zu,", moments->n);
  append_number (json, moments->mean);
  g_string_append_c (json, ',');
  append_number (json, moments->squares);
  g_string_append_c (json, ']');
}

static void
append_example (GString *json, const AttnAtlasPlace *place)
{
  g_string_append_c (json, '[');
  append_number (json, place->value);
  g_string_append_printf (json, ",%zu,%zu,%zu,", place->text, place->query, place->key);
  append_text (json, place->query_piece);
  g_string_append_c (json, ',');
  append_text (json, place->key_piece);
  g_string_append_c (json, ',');
  append_text (json, place->excerpt);
  g_string_append_c (json, ']');
}

static void
append_surest (GString *json, const AttnAtlasPlace *place)
{
  g_string_append_c (json, '[');
  append_number (json, place->value);
  g_string_append_printf (json, ",%zu,", place->text);
  append_text (json, place->excerpt);
  g_string_append_c (json, ']');
}

static void
append_head (GString *json, const AttnAtlasHead *head)
{
  g_string_append (json, "{\"fields\":[");
  for (size_t i = 0; i < ATTN_N_PASSPORT_FIELDS; i++) {
    g_string_append (json, i > 0 ? "," : "");
    append_moments (json, &head->fields[i]);
  }
  g_string_append (json, "],\"importance\":");
  append_moments (json, &head->importance);
  g_string_append (json, ",\"classes\":[");
  for (size_t i = 0; i < ATTN_N_PATTERNS; i++)
    g_string_append_printf (json, "%s%zu", i > 0 ? "," : "", head->classes[i]);
  g_string_append_printf (json, "],\"odd\":%zu,\"examples\":[", head->n_odd);
  for (size_t i = 0; i < head->n_examples; i++) {
    g_string_append (json, i > 0 ? "," : "");
    append_example (json, &head->examples[i]);
  }
  g_string_append (json, "],\"surest\":[");
  for (size_t i = 0; i < head->n_surest; i++) {
    g_string_append (json, i > 0 ? "," : "");
    append_surest (json, &head->surest[i]);
  }
  g_string_append (json, "]}");
}

static void
append_node (GString *json, const AttnAtlasNode *node)
{
  const AttnAtlas *atlas = node->atlas;
  const size_t N = atlas->n_layers * atlas->n_heads;
  g_string_append_printf (
      json, "{\"level\":%u,\"index\":%zu,\"texts\":%zu,\"empty\":%zu,\"tokens\":%" G_GUINT64_FORMAT,
      node->level, node->index, atlas->n_texts, atlas->n_empty, atlas->n_tokens);
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < N; i++) {
    g_string_append (json, i > 0 ? ",\n" : "\n");
    append_head (json, &atlas->heads[i]);
  }
  g_string_append (json, "],\n\"distances\":");
  if (atlas->distances == NULL) {
    g_string_append (json, "null}");
    return;
  }
  for (size_t i = 0; i < attn_atlas_count_pairs (N); i++) {
    g_string_append_c (json, i > 0 ? ',' : '[');
    append_number (json, atlas->distances[i]);
  }
  g_string_append (json, N < 2 ? "[]}" : "]}");
}

static void
append_about (GString *json, const AttnAtlasAbout *about)
{
  g_string_append (json, "\"model\":");
  append_text (json, about->model);
  g_string_append (json, ",\"model_sha256\":");
  append_text (json, about->model_sha256);
  g_string_append (json, ",\"texts\":");
  append_text (json, about->texts);
  g_string_append (json, ",\"texts_sha256\":");
  append_text (json, about->texts_sha256);
  g_string_append_printf (
      json,
      ",\"n_texts\":%zu,\"block\":%d,\"layers\":%zu,\"heads\":%zu,\"max_tokens\":%zu,"
      "\"with_distances\":%s,\"with_importance\":%s,\"draws\":%zu,\"seed\":%u",
      about->n_texts, ATTN_ATLAS_BLOCK, about->n_layers, about->n_heads, about->max_tokens,
      about->with_distances ? "true" : "false", about->with_importance ? "true" : "false",
      about->n_draws, about->seed);
}

void
attn_atlas_part_append (const AttnAtlasPart *part, GString *json)
{
  g_string_append_printf (json, "{\"format\":\"%s\",\"version\":%d,", ATTN_ATLAS_PART_FORMAT,
                          ATTN_ATLAS_PART_VERSION);
  append_about (json, &part->about);
  g_string_append (json, ",\n\"nodes\":[");
  for (guint i = 0; i < part->nodes->len; i++) {
    g_string_append (json, i > 0 ? ",\n" : "\n");
    append_node (json, &g_array_index (part->nodes, AttnAtlasNode, i));
  }
  g_string_append (json, "]}\n");
}
