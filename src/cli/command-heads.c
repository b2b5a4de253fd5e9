/* SPDX-License-Identifier: MIT */
/* headscope-cli heads: a row of numbers for every head, its passport. */
#include "cli.h"
#include "elsewhere.h"
#include "lens.h"
#include "subject.h"

#include "attn/error.h"
#include "attn/number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define N_TOP_COLUMNS 3

/* A class by rules that can be asked, or why there is none. */
static void
append_class (GString *text, const AttnPassport *passport)
{
  if (passport->pattern != ATTN_PATTERN_NONE)
    g_string_append_printf (text, ",\"class\":\"%s\"", attn_pattern_peek_name (passport->pattern));
  else
    g_string_append_printf (text,
                            ",\"class\":null,\"class_reason\":\"weights that are infinite or "
                            "NaN: %zu\"",
                            passport->n_odd);
  cli_append_nullable (text, "diagonal", attn_passport_peek_diagonal (passport));
  g_string_append_c (text, '}');
}

/* The keys that queries look at most in the mean, most first. */
static void
append_top_columns (GString *text, const AttnMap *map)
{
  g_autofree float *means = g_new (float, map->n_keys);
  AttnAttended top[N_TOP_COLUMNS];
  attn_map_compute_column_means (map, means);
  const size_t n = attn_top_attended (means, map->n_keys, top, N_TOP_COLUMNS);
  g_string_append (text, ",\"top3_columns\":[");
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%s%zu", i > 0 ? "," : "", top[i].key);
  g_string_append_c (text, ']');
}

static void
append_json (GString *text, const AttnMap *map, bool joint, const AttnPassport *passport)
{
  const size_t layer = map->layer, head = map->head;
  g_string_append_printf (
      text, joint ? "%s{\"layer\":%zu,\"head\":\"all\"" : "%s{\"layer\":%zu,\"head\":%zu",
      layer + head > 0 ? "," : "", layer + 1, head + 1);
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    double value;
    g_string_append_printf (text, ",\"%s\":", attn_passport_field_peek_name (field));
    if (attn_passport_get_field (passport, field, &value))
      cli_append_number (text, value);
    else /* there is nothing that it could be a share of */
      g_string_append (text, "null");
  }
  append_top_columns (text, map);
  append_class (text, passport);
}

static void
append_csv (GString *text, const AttnMap *map, bool joint, const AttnPassport *passport)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (text, joint ? "%zu,all" : "%zu,%zu", map->layer + 1, map->head + 1);
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    double value = (double)NAN;
    attn_passport_get_field (passport, field, &value);
    g_string_append_printf (text, ",%s", attn_number_format (number, value, ATTN_NUMBER_CSV));
  }
  const char *diagonal = attn_passport_peek_diagonal (passport);
  g_string_append_printf (text, ",%s,%s\n", attn_pattern_peek_name (passport->pattern),
                          diagonal != NULL ? diagonal : "");
}

static void
append_csv_heading (GString *text)
{
  g_string_append (text, "layer,head");
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    g_string_append_printf (text, ",%s", attn_passport_field_peek_name (field));
  g_string_append (text, ",class,diagonal\n");
}

static bool
append_heads (GString *text, AttnMaps *maps, bool joint, bool csv, GError **error)
{
  for (size_t layer = 0; layer < attn_maps_get_n_layers (maps); layer++)
    for (size_t head = 0; head < attn_maps_get_n_heads (maps); head++) {
      g_autoptr (AttnMap) map = attn_maps_dup_map (maps, layer, head, error);
      if (map == NULL)
        return false;
      AttnPassport passport;
      attn_map_compute_passport (map, &passport);
      (csv ? append_csv : append_json) (text, map, joint, &passport);
    }
  return true;
}

/* Of each token the share of heads that park their weight on it. */
static bool
append_sinks (GString *text, AttnMaps *maps, GError **error)
{
  const size_t n = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_autofree double *scores = g_new (double, n);
  if (!attn_sink_compute_scores (maps, scores, error))
    return false;
  g_string_append (text, "],\"sink_score\":[");
  for (size_t key = 0; key < n; key++) {
    g_string_append (text, key > 0 ? "," : "");
    cli_append_number (text, scores[key]);
  }
  return true;
}

/* Neighbours and distances need rows and columns to be the same tokens. */
static bool
check_square (const CliSubject *subject, const AttnMaps *maps, GError **error)
{
  const size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  const size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  if (n_queries == n_keys)
    return true;
  g_set_error (
      error, ATTN_ERROR, ATTN_ERROR_SHAPE,
      "%s: its maps have %zu queries and %zu keys; the numbers of a head want as many keys "
      "as queries",
      subject->name, n_queries, n_keys);
  return false;
}

/* Lenses whose rows are shares, as entropies and masses want. */
static bool
read_lens (const CliOptions *options, AttnLens *lens, GError **error)
{
  if (!cli_lens_read (options, lens, error))
    return false;
  return attn_lens_peek_about (*lens)->is_share ||
         cli_usage (error, "--lens %s: its rows do not sum to 1, as the numbers of a head want",
                    options->lens);
}

bool
cli_heads (const CliOptions *options, GError **error)
{
  const bool csv = g_strcmp0 (options->format, "csv") == 0;
  if (options->format != NULL && !csv && strcmp (options->format, "json") != 0)
    return cli_usage_value (error, "--format", options->format, "known are json and csv");
  AttnLens lens;
  if (!read_lens (options, &lens, error) || !cli_arrays_check (options, error))
    return false;
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  g_auto (CliSubject) subject = {0};
  if (texts == NULL || !cli_subject_init (&subject, options, error))
    return false;
  g_autoptr (AttnMaps) maps = cli_subject_new_maps (&subject, g_ptr_array_index (texts, 0), error);
  if (maps == NULL || !check_square (&subject, maps, error))
    return false;
  g_autoptr (AttnMaps) seen =
      cli_lens_new_maps (lens, maps, &subject, g_ptr_array_index (texts, 0), G_MAXSIZE, error);
  if (seen == NULL)
    return false;
  g_autoptr (GString) text = g_string_new (NULL);
  if (csv)
    append_csv_heading (text);
  else
    g_string_append (text, "{\"heads\":[");
  if (!append_heads (text, seen, attn_lens_is_joint (lens), csv, error) ||
      (!csv && lens == ATTN_LENS_RAW && !append_sinks (text, maps, error)))
    return false;
  if (!csv)
    g_string_append (text, "]}\n");
  return cli_answer (options, text, error);
}
