/* SPDX-License-Identifier: MIT */
/* headscope-cli compare: what differs between two texts, two heads or two models, as numbers. */
#include "cli.h"
#include "compared.h"
#include "difference.h"
#include "lens.h"

#include "attn-hub/store.h"
#include "attn/align.h"
#include "attn/quote.h"

#include <string.h>

typedef enum { FORMAT_JSON, FORMAT_CSV } Format;

/* All that is told. */
typedef struct {
  CliCompared compared;
  AttnLens lens;
  AttnAlignment *queries;
  AttnMap *difference; /* NULL unless heads are chosen */
  AttnHeadChange *changes;
  size_t n_changes;
} Comparison;

static void
comparison_clear (Comparison *comparison)
{
  g_clear_pointer (&comparison->queries, attn_alignment_unref);
  g_clear_pointer (&comparison->difference, attn_map_free);
  g_clear_pointer (&comparison->changes, g_free);
  cli_compared_clear (&comparison->compared);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Comparison, comparison_clear)

static bool
read_format (const CliOptions *options, Format *format, GError **error)
{
  *format = FORMAT_JSON;
  if (options->format == NULL || strcmp (options->format, "json") == 0)
    return true;
  *format = FORMAT_CSV;
  return strcmp (options->format, "csv") == 0 ||
         cli_usage_value (error, "--format", options->format, "known are json and csv");
}

static bool
chooses_heads (const CliOptions *options)
{
  return options->layer > 0 || options->head > 0 || options->layer_b > 0 || options->head_b > 0;
}

/* Both sides through the lens; the same maps stay the same. */
static bool
look (Comparison *comparison, GError **error)
{
  CliCompared *compared = &comparison->compared;
  const bool is_one = compared->maps[0] == compared->maps[1];
  AttnMaps *seen[2] = {NULL, NULL};

  if (comparison->lens == ATTN_LENS_RAW)
    return true;
  for (int of = 0; of < (is_one ? 1 : 2); of++) {
    seen[of] = cli_lens_new_maps (comparison->lens, compared->maps[of], &compared->subjects[of],
                                  cli_compared_peek_text (compared, of == 1), G_MAXSIZE, error);
    if (seen[of] == NULL) {
      g_clear_pointer (&seen[0], attn_maps_unref);
      return false;
    }
  }
  for (int of = 0; of < 2; of++) {
    attn_maps_unref (compared->maps[of]);
    compared->maps[of] = is_one && of == 1 ? attn_maps_ref (seen[0]) : seen[of];
  }
  if (attn_lens_is_joint (comparison->lens))
    compared->head[0] = compared->head[1] = 0; /* of a layer there is one map */
  return true;
}

/* A's chosen head − B's. */
static bool
subtract_chosen (Comparison *comparison, GError **error)
{
  const CliCompared *compared = &comparison->compared;
  g_autoptr (AttnMaps) a =
      attn_maps_new_head (compared->maps[0], compared->layer[0], compared->head[0], 1, 1);
  g_autoptr (AttnMaps) b =
      attn_maps_new_head (compared->maps[1], compared->layer[1], compared->head[1], 1, 1);
  g_autoptr (AttnMaps) difference = attn_maps_new_difference (a, b, error);

  if (difference != NULL)
    comparison->difference = attn_maps_dup_map (difference, 0, 0, error);
  return comparison->difference != NULL;
}

/* By what the core chooses; what it chose for models of other shapes has to be told. */
static bool
rank_heads (Comparison *comparison, const CliOptions *options, GError **error)
{
  const CliCompared *compared = &comparison->compared;
  AttnMaps *a = compared->maps[0], *b = compared->maps[1];

  if (a != b && attn_ranked_choose (a, b) == ATTN_RANKED_ONE_HEAD)
    cli_warn ("note: A has %zu layers of %zu heads, B %zu of %zu, so the heads of B are ranked by "
              "what they differ from layer %zu, head %zu of A",
              attn_maps_get_n_layers (a), attn_maps_get_n_heads (a), attn_maps_get_n_layers (b),
              attn_maps_get_n_heads (b), compared->layer[0] + 1, compared->head[0] + 1);
  comparison->changes =
      attn_rank_compared (a, b, compared->layer[0], compared->head[0], compared->subjects[0].pool,
                          NULL, NULL, &comparison->n_changes, error);
  if (options->top > 0)
    comparison->n_changes = MIN (comparison->n_changes, options->top);
  return comparison->changes != NULL;
}

static void
append_tokens (GString *json, const char *key, AttnMaps *maps, AttnSide side)
{
  g_string_append_printf (json, ",\"%s\":[", key);
  for (size_t t = 0; t < attn_maps_get_n (maps, side); t++) {
    if (t > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, attn_maps_peek_piece (maps, side, t));
  }
  g_string_append_c (json, ']');
}

static void
append_text (GString *json, const CliSubject *subject, const CliText *text)
{
  g_string_append (json, "\"model\":");
  cli_append_string (json, attn_hub_peek_model_name (subject->model));
  g_string_append (json, ",\"text\":");
  attn_quote_json (json, text->text, text->text_length);
  g_string_append (json, ",\"pair\":");
  if (text->pair != NULL)
    attn_quote_json (json, text->pair, text->pair_length);
  else
    g_string_append (json, "null");
}

static void
append_side (GString *json, const Comparison *comparison, bool of_b, bool has_head)
{
  const CliCompared *compared = &comparison->compared;
  const CliSubject *subject = &compared->subjects[of_b];
  AttnMaps *maps = compared->maps[of_b];
  bool is_one = subject->arrays == NULL || attn_labels_is_one_list (subject->labels);

  g_string_append_printf (json, "\"%s\":{", of_b ? "b" : "a");
  if (subject->arrays != NULL) {
    g_string_append (json, "\"attention\":");
    cli_append_string (json, subject->name);
  } else {
    append_text (json, subject, cli_compared_peek_text (compared, of_b));
  }
  append_tokens (json, is_one ? "tokens" : "queries", maps, ATTN_SIDE_QUERY);
  if (!is_one)
    append_tokens (json, "keys", maps, ATTN_SIDE_KEY);
  if (has_head)
    g_string_append_printf (json, ",\"layer\":%zu,\"head\":%zu", compared->layer[of_b] + 1,
                            compared->head[of_b] + 1);
  g_string_append_c (json, '}');
}

static void
append_alone (GString *json, const Comparison *comparison, bool of_b)
{
  size_t n_tokens = attn_maps_get_n (comparison->compared.maps[of_b], ATTN_SIDE_QUERY);
  bool is_first = true;

  g_string_append_printf (json, "\"%s\":[", of_b ? "b" : "a");
  for (size_t t = 0; t < n_tokens; t++) {
    if (attn_alignment_find (comparison->queries, of_b, t) != G_MAXSIZE)
      continue;
    g_string_append_printf (json, is_first ? "%zu" : ",%zu", t);
    is_first = false;
  }
  g_string_append_c (json, ']');
}

static void
append_alignment (GString *json, const Comparison *comparison)
{
  g_string_append (json, ",\"aligned\":[");
  for (size_t i = 0; i < attn_alignment_get_n (comparison->queries); i++) {
    size_t a, b;
    attn_alignment_get (comparison->queries, i, &a, &b);
    g_string_append_printf (json, "%s[%zu,%zu]", i > 0 ? "," : "", a, b);
  }
  g_string_append (json, "],\"alone\":{");
  append_alone (json, comparison, false);
  g_string_append_c (json, ',');
  append_alone (json, comparison, true);
  g_string_append_c (json, '}');
}

/* Rows and columns are the aligned tokens; null is what one of the two cannot see. */
static void
append_difference (GString *json, const AttnMap *map)
{
  g_string_append (json, ",\"change\":");
  cli_append_number (json, attn_map_measure_change (map));
  g_string_append (json, ",\"difference\":[");
  for (size_t q = 0; q < map->n_queries; q++) {
    size_t first, end;
    attn_maps_get_visible (map->maps, map->layer, q, &first, &end);
    g_string_append (json, q > 0 ? ",[" : "[");
    for (size_t k = 0; k < map->n_keys; k++) {
      if (k > 0)
        g_string_append_c (json, ',');
      if (k >= first && k < end)
        cli_append_number (json, (double)map->weights[q * map->n_keys + k]);
      else
        g_string_append (json, "null");
    }
    g_string_append_c (json, ']');
  }
  g_string_append_c (json, ']');
}

static void
append_changes (GString *json, const Comparison *comparison)
{
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < comparison->n_changes; i++) {
    const AttnHeadChange *change = &comparison->changes[i];
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu,\"change\":", i > 0 ? "," : "",
                            change->layer + 1, change->head + 1);
    cli_append_number (json, change->change);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

static void
write_json (GString *out, const Comparison *comparison)
{
  bool has_head = comparison->difference != NULL;

  g_string_append_c (out, '{');
  append_side (out, comparison, false, has_head);
  g_string_append_c (out, ',');
  append_side (out, comparison, true, has_head);
  if (comparison->lens != ATTN_LENS_RAW)
    g_string_append_printf (out, ",\"lens\":\"%s\"", attn_lens_peek_name (comparison->lens));
  append_alignment (out, comparison);
  if (has_head)
    append_difference (out, comparison->difference);
  append_changes (out, comparison);
  g_string_append (out, "}\n");
}

static void
write_csv (GString *out, const Comparison *comparison)
{
  g_string_append (out, "layer,head,change\n");
  for (size_t i = 0; i < comparison->n_changes; i++) {
    const AttnHeadChange *change = &comparison->changes[i];
    char number[ATTN_NUMBER_SIZE];
    g_string_append_printf (out, "%zu,%zu,%s\n", change->layer + 1, change->head + 1,
                            attn_number_format (number, change->change, ATTN_NUMBER_CSV));
  }
}

bool
cli_compare (const CliOptions *options, GError **error)
{
  g_auto (Comparison) comparison = {0};
  Format format;

  if (options->difference)
    return cli_difference_write (options, error);
  if (!cli_difference_refuse (options, error) || !read_format (options, &format, error) ||
      !cli_lens_read (options, &comparison.lens, error) ||
      !cli_lens_check (comparison.lens, options, error) ||
      !cli_compared_init (&comparison.compared, options, error) || !look (&comparison, error))
    return false;
  AttnMaps *const *maps = comparison.compared.maps;
  comparison.queries = attn_alignment_new (maps[0], maps[1], ATTN_SIDE_QUERY, error);
  if (comparison.queries == NULL ||
      (chooses_heads (options) && !subtract_chosen (&comparison, error)) ||
      !rank_heads (&comparison, options, error))
    return false;
  g_autoptr (GString) out = g_string_new (NULL);
  if (format == FORMAT_CSV)
    write_csv (out, &comparison);
  else
    write_json (out, &comparison);
  return cli_answer (options, out, error);
}
