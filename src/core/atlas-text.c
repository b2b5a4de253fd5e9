/* SPDX-License-Identifier: MIT */
/* An atlas as JSON and CSV: a row for each head. */
#include "attn/atlas-text.h"

#include "attn/importance.h"
#include "attn/number.h"
#include "attn/quote.h"

#include <math.h>
#include <string.h>

/* What both forms tell of a head. */
typedef struct {
  const AttnAtlas *atlas;
  const AttnAtlasMap *map; /* nullable */
  double *importance_l2;   /* [N]; owned */
} Answer;

static void
answer_init (Answer *answer, const AttnAtlas *atlas, const AttnAtlasMap *map)
{
  const size_t N = atlas->n_layers * atlas->n_heads;
  g_autofree double *importance = g_new (double, N);
  *answer = (Answer){.atlas = atlas, .map = map, .importance_l2 = g_new (double, N)};
  for (size_t i = 0; i < N; i++)
    importance[i] = atlas->heads[i].importance.mean;
  attn_importance_normalise (importance, atlas->n_layers, atlas->n_heads, answer->importance_l2);
}

static void
answer_clear (Answer *answer)
{
  g_free (answer->importance_l2);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
append_number (GString *json, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, attn_number_format (number, value, ATTN_NUMBER_JSON));
}

static void
append_text (GString *json, const char *key, const char *value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  if (value != NULL)
    attn_quote_json (json, value, strlen (value));
  else
    g_string_append (json, "null");
}

static void
append_value (GString *json, const char *key, double value, bool has)
{
  g_string_append_printf (json, ",\"%s\":", key);
  if (has)
    append_number (json, value);
  else
    g_string_append (json, "null");
}

static void
append_moments (GString *json, const char *name, const AttnMoments *moments)
{
  g_autofree char *deviation = g_strconcat (name, "_sd", NULL);
  append_value (json, name, moments->mean, moments->n > 0);
  append_value (json, deviation, attn_moments_get_deviation (moments), moments->n > 1);
}

static void
append_class (GString *json, const AttnAtlasHead *head, const AttnPassport *passport)
{
  const bool has = passport->pattern != ATTN_PATTERN_NONE;
  append_text (json, "class", has ? attn_pattern_peek_name (passport->pattern) : NULL);
  append_text (json, "diagonal", attn_passport_peek_diagonal (passport));
  append_text (json, "rule", attn_pattern_peek_rule (passport->pattern));
  g_string_append (json, ",\"classes\":{");
  for (AttnPattern pattern = 0, n = 0; pattern < ATTN_N_PATTERNS; pattern++)
    if (head->classes[pattern] > 0)
      g_string_append_printf (json, "%s\"%s\":%zu", n++ > 0 ? "," : "",
                              attn_pattern_peek_name (pattern), head->classes[pattern]);
  g_string_append_c (json, '}');
}

static void
append_neighbour (GString *json, const char *key, const Answer *answer, size_t own, size_t other)
{
  const size_t H = answer->atlas->n_heads;
  g_string_append_printf (json, ",\"%s\":{\"layer\":%zu,\"head\":%zu", key, other / H + 1,
                          other % H + 1);
  append_value (json, "distance", attn_atlas_get_distance (answer->atlas, own, other), true);
  g_string_append_c (json, '}');
}

static void
append_on_map (GString *json, const Answer *answer, size_t i)
{
  if (answer->map == NULL) {
    g_string_append (json, ",\"nearest\":null,\"farthest\":null,\"place\":null");
    return;
  }
  append_neighbour (json, "nearest", answer, i, answer->map->nearest[i]);
  append_neighbour (json, "farthest", answer, i, answer->map->farthest[i]);
  g_string_append (json, ",\"place\":[");
  append_number (json, answer->map->places[2 * i]);
  g_string_append_c (json, ',');
  append_number (json, answer->map->places[2 * i + 1]);
  g_string_append_c (json, ']');
}

static void
append_places (GString *json, const AttnAtlasHead *head)
{
  g_string_append (json, ",\"examples\":[");
  for (size_t i = 0; i < head->n_examples; i++) {
    const AttnAtlasPlace *place = &head->examples[i];
    g_string_append_printf (json, "%s{\"text\":%zu,\"query\":%zu,\"key\":%zu", i > 0 ? "," : "",
                            place->text, place->query, place->key);
    append_text (json, "query_token", place->query_piece);
    append_text (json, "key_token", place->key_piece);
    append_value (json, "weight", place->value, true);
    append_text (json, "begins", place->excerpt);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "],\"surest\":[");
  for (size_t i = 0; i < head->n_surest; i++) {
    const AttnAtlasPlace *place = &head->surest[i];
    g_string_append_printf (json, "%s{\"text\":%zu", i > 0 ? "," : "", place->text);
    append_value (json, "confidence", place->value, true);
    append_text (json, "begins", place->excerpt);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

static void
append_head (GString *json, const Answer *answer, size_t i)
{
  const AttnAtlas *atlas = answer->atlas;
  const AttnAtlasHead *head = &atlas->heads[i];
  const size_t H = atlas->n_heads;
  const AttnPassport passport = attn_atlas_get_passport (atlas, i / H, i % H);
  g_string_append_printf (json, "%s\n{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "", i / H + 1,
                          i % H + 1);
  append_class (json, head, &passport);
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    append_moments (json, attn_passport_field_peek_name (field), &head->fields[field]);
  append_moments (json, "importance", &head->importance);
  append_value (json, "importance_l2", answer->importance_l2[i], head->importance.n > 0);
  append_on_map (json, answer, i);
  append_places (json, head);
  g_string_append_c (json, '}');
}

void
attn_atlas_append_json (GString *text,
                        const AttnAtlas *atlas,
                        const AttnAtlasAbout *about,
                        const AttnAtlasMap *map)
{
  g_auto (Answer) answer;
  answer_init (&answer, atlas, map);
  g_string_append (text, "{\"model\":");
  attn_quote_json (text, about->model, strlen (about->model));
  append_text (text, "model_sha256", about->model_sha256);
  append_text (text, "texts", about->texts);
  append_text (text, "texts_sha256", about->texts_sha256);
  g_string_append_printf (text,
                          ",\"n_texts\":%zu,\"n_empty\":%zu,\"n_tokens\":%" G_GUINT64_FORMAT
                          ",\"max_tokens\":%zu",
                          atlas->n_texts, atlas->n_empty, atlas->n_tokens, about->max_tokens);
  append_value (text, "map_kept", map != NULL ? map->kept : 0, map != NULL);
  g_string_append (text, ",\"heads\":[");
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++)
    append_head (text, &answer, i);
  g_string_append (text, "]}\n");
}

static void
append_cell (GString *csv, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (csv, ",%s", attn_number_format (number, value, ATTN_NUMBER_CSV));
}

static void
append_moments_cells (GString *csv, const AttnMoments *moments)
{
  append_cell (csv, moments->n > 0 ? moments->mean : (double)NAN);
  append_cell (csv, attn_moments_get_deviation (moments));
}

static void
append_row (GString *csv, const Answer *answer, size_t i)
{
  const AttnAtlas *atlas = answer->atlas;
  const AttnAtlasHead *head = &atlas->heads[i];
  const size_t H = atlas->n_heads;
  const AttnPassport passport = attn_atlas_get_passport (atlas, i / H, i % H);
  g_string_append_printf (csv, "%zu,%zu,%s", i / H + 1, i % H + 1,
                          attn_pattern_peek_name (passport.pattern));
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    append_moments_cells (csv, &head->fields[field]);
  append_moments_cells (csv, &head->importance);
  append_cell (csv, head->importance.n > 0 ? answer->importance_l2[i] : (double)NAN);
  if (answer->map == NULL) {
    g_string_append (csv, ",,,nan,,,nan,nan,nan\n");
    return;
  }
  const size_t others[] = {answer->map->nearest[i], answer->map->farthest[i]};
  for (size_t k = 0; k < 2; k++) {
    g_string_append_printf (csv, ",%zu,%zu", others[k] / H + 1, others[k] % H + 1);
    append_cell (csv, attn_atlas_get_distance (atlas, i, others[k]));
  }
  append_cell (csv, answer->map->places[2 * i]);
  append_cell (csv, answer->map->places[2 * i + 1]);
  g_string_append_c (csv, '\n');
}

void
attn_atlas_append_csv (GString *text, const AttnAtlas *atlas, const AttnAtlasMap *map)
{
  g_auto (Answer) answer;
  answer_init (&answer, atlas, map);
  g_string_append (text, "layer,head,class");
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    g_string_append_printf (text, ",%s,%s_sd", attn_passport_field_peek_name (field),
                            attn_passport_field_peek_name (field));
  g_string_append (text, ",importance,importance_sd,importance_l2,nearest_layer,nearest_head,"
                         "nearest_distance,farthest_layer,farthest_head,farthest_distance,x,y\n");
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++)
    append_row (text, &answer, i);
}
