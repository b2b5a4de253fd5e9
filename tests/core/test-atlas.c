/* SPDX-License-Identifier: MIT */
/* Atlas: moments in closed form, and a few texts against plain loops over their maps. */
#include "text-run.h"

#include "attn/atlas-text.h"
#include "attn/atlas.h"
#include "attn/error.h"
#include "attn/heads.h"
#include "attn/importance.h"
#include "attn/maps.h"
#include "attn/run.h"
#include "attn/task.h"

#include <math.h>
#include <string.h>

static const char *const sentences[] = {
    "the old cat watched the river",
    "we were reading about attention, and the model was explaining it",
    "today",
    "the cat and the cat and the cat",
    "it is cold",
};

#define N_TEXTS G_N_ELEMENTS (sentences)

/* Returns: an atlas of texts [@first, @end). */
static AttnAtlas *
make (AttnModel *model, size_t first, size_t end, const AttnAtlasOptions *options)
{
  g_autoptr (GError) error = NULL;
  const AttnConfig *config = attn_model_peek_config (model);
  AttnAtlas *atlas = attn_atlas_new (config->n_layers, config->n_heads, true);
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func ((GDestroyNotify)attn_tokens_unref);
  AttnAtlasText texts[N_TEXTS];
  for (size_t i = first; i < end; i++) {
    g_ptr_array_add (tokens, test_text_encode (model, sentences[i], NULL));
    texts[i - first] =
        (AttnAtlasText){.tokens = g_ptr_array_index (tokens, i - first), .number = i};
  }
  g_assert_true (attn_atlas_add_texts (atlas, model, texts, end - first, options, &error));
  g_assert_no_error (error);
  return atlas;
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squared deviations 32; in one go and in halves. */
static void
test_moments (void)
{
  static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
  AttnMoments all = {0}, first = {0}, second = {0}, none = {0};
  g_assert_true (isnan (attn_moments_get_deviation (&none)));
  for (size_t i = 0; i < 8; i++) {
    attn_moments_add (&all, values[i]);
    attn_moments_add (i < 3 ? &first : &second, values[i]);
  }
  attn_moments_join (&first, &second);
  attn_moments_join (&first, &none);
  attn_moments_join (&none, &first);
  const AttnMoments *made[] = {&all, &first, &none};
  for (size_t i = 0; i < 3; i++) {
    g_assert_cmpuint (made[i]->n, ==, 8);
    g_assert_cmpfloat_with_epsilon (made[i]->mean, 5, 1e-14);
    g_assert_cmpfloat_with_epsilon (attn_moments_get_deviation (made[i]), sqrt (32.0 / 7), 1e-14);
  }
  /* values that are all alike have no spread, however large they are */
  AttnMoments same = {0};
  for (size_t i = 0; i < 1000; i++)
    attn_moments_add (&same, 1e6 + 0.1);
  g_assert_cmpfloat (attn_moments_get_deviation (&same), ==, 0);
}

/* The maps of all texts, kept for plain loops. */
typedef struct {
  AttnMaps *maps[N_TEXTS];
  size_t n_layers, n_heads;
} Plain;

static void
plain_init (Plain *plain, AttnModel *model)
{
  g_autoptr (GError) error = NULL;
  for (size_t i = 0; i < N_TEXTS; i++) {
    g_autoptr (AttnTokens) tokens = test_text_encode (model, sentences[i], NULL);
    g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
    g_assert_no_error (error);
    plain->maps[i] = attn_maps_new_from_trace (trace);
  }
  plain->n_layers = attn_model_peek_config (model)->n_layers;
  plain->n_heads = attn_model_peek_config (model)->n_heads;
}

static void
plain_clear (Plain *plain)
{
  for (size_t i = 0; i < N_TEXTS; i++)
    attn_maps_unref (plain->maps[i]);
}

/* Mean and deviation in two passes, over the passports of single maps. */
static void
check_fields (const Plain *plain, const AttnAtlas *atlas, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  AttnPassport passports[N_TEXTS];
  const AttnAtlasHead *own = &atlas->heads[layer * plain->n_heads + head];
  size_t classes[ATTN_N_PATTERNS] = {0};
  for (size_t i = 0; i < N_TEXTS; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (plain->maps[i], layer, head, &error);
    attn_map_compute_passport (map, &passports[i]);
    classes[passports[i].pattern]++;
  }
  g_assert_cmpmem (classes, sizeof classes, own->classes, sizeof classes);
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    double sum = 0, squares = 0, value;
    size_t n = 0;
    for (size_t i = 0; i < N_TEXTS; i++)
      if (attn_passport_get_field (&passports[i], field, &value)) {
        sum += value;
        n++;
      }
    g_assert_cmpuint (own->fields[field].n, ==, n);
    if (n == 0)
      continue;
    for (size_t i = 0; i < N_TEXTS; i++)
      if (attn_passport_get_field (&passports[i], field, &value))
        squares += pow (value - sum / (double)n, 2);
    /* maps of a batch and of single runs may differ by rounding in single precision */
    g_assert_cmpfloat_with_epsilon (own->fields[field].mean, sum / (double)n, 2e-5);
    g_assert_cmpfloat_with_epsilon (attn_moments_get_deviation (&own->fields[field]),
                                    sqrt (squares / (double)(n - 1)), 1e-4);
  }
}

static void
check_distance (const Plain *plain, const AttnAtlas *atlas, size_t a, size_t b)
{
  g_autoptr (GError) error = NULL;
  double sum = 0;
  for (size_t i = 0; i < N_TEXTS; i++) {
    const size_t T = attn_maps_get_n (plain->maps[i], ATTN_SIDE_QUERY), H = plain->n_heads;
    g_autoptr (AttnMap) first = attn_maps_dup_map (plain->maps[i], a / H, a % H, &error);
    g_autoptr (AttnMap) second = attn_maps_dup_map (plain->maps[i], b / H, b % H, &error);
    sum += attn_heads_compute_distance (first->weights, second->weights, T, T) / (double)T;
  }
  g_assert_cmpfloat_with_epsilon (attn_atlas_get_distance (atlas, a, b), sum / N_TEXTS, 1e-5);
  g_assert_cmpfloat (attn_atlas_get_distance (atlas, a, b), ==,
                     attn_atlas_get_distance (atlas, b, a));
}

/* The largest weight between two tokens of a text, and the largest confidence. */
static void
check_places (const Plain *plain, const AttnAtlas *atlas, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  const AttnAtlasHead *own = &atlas->heads[layer * plain->n_heads + head];
  double best = -1, surest = -1;
  for (size_t i = 0; i < N_TEXTS; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (plain->maps[i], layer, head, &error);
    AttnPassport passport;
    attn_map_compute_passport (map, &passport);
    surest = fmax (surest, passport.confidence);
    for (size_t cell = 0; cell < map->n_queries * map->n_keys; cell++) {
      AttnOrigin query, key;
      attn_maps_get_origin (map->maps, ATTN_SIDE_QUERY, cell / map->n_keys, &query);
      attn_maps_get_origin (map->maps, ATTN_SIDE_KEY, cell % map->n_keys, &key);
      if (!query.special && !key.special)
        best = fmax (best, (double)map->weights[cell]);
    }
  }
  g_assert_cmpuint (own->n_examples, ==, ATTN_ATLAS_EXAMPLES);
  g_assert_cmpuint (own->n_surest, ==, MIN (N_TEXTS, ATTN_ATLAS_SUREST));
  g_assert_cmpfloat_with_epsilon (own->examples[0].value, best, 2e-5);
  g_assert_cmpfloat_with_epsilon (own->surest[0].value, surest, 2e-5);
  g_assert_cmpstr (own->examples[0].excerpt, ==, sentences[own->examples[0].text]);
  for (size_t i = 1; i < own->n_examples; i++) { /* in order, and each of another text */
    g_assert_cmpfloat (own->examples[i - 1].value, >=, own->examples[i].value);
    g_assert_cmpuint (own->examples[i - 1].text, !=, own->examples[i].text);
  }
}

static void
test_plain (gconstpointer data)
{
  g_autoptr (AttnModel) model = test_model_load (data);
  Plain plain;
  plain_init (&plain, model);
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  g_autoptr (AttnAtlas) atlas = make (model, 0, N_TEXTS, &(AttnAtlasOptions){.pool = pool});
  const size_t N = plain.n_layers * plain.n_heads;
  g_assert_cmpuint (atlas->n_texts, ==, N_TEXTS);
  for (size_t layer = 0; layer < plain.n_layers; layer++)
    for (size_t head = 0; head < plain.n_heads; head++) {
      check_fields (&plain, atlas, layer, head);
      check_places (&plain, atlas, layer, head);
    }
  for (size_t a = 0; a < N; a++)
    for (size_t b = a + 1; b < N; b++)
      check_distance (&plain, atlas, a, b);
  plain_clear (&plain);
}

/* Nearest and farthest by a plain search; places come from the distances. */
static void
test_map (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnAtlas) atlas = make (model, 0, N_TEXTS, &(AttnAtlasOptions){0});
  g_autoptr (AttnAtlasMap) map = attn_atlas_map (atlas, &error);
  g_assert_no_error (error);
  const size_t N = atlas->n_layers * atlas->n_heads;
  for (size_t a = 0; a < N; a++) {
    g_assert_cmpuint (map->nearest[a], !=, a);
    g_assert_cmpuint (map->farthest[a], !=, a);
    for (size_t b = 0; b < N; b++) {
      if (b == a)
        continue;
      const double distance = attn_atlas_get_distance (atlas, a, b);
      g_assert_cmpfloat (distance, >=, attn_atlas_get_distance (atlas, a, map->nearest[a]));
      g_assert_cmpfloat (distance, <=, attn_atlas_get_distance (atlas, a, map->farthest[a]));
    }
  }
  g_assert_cmpfloat (map->kept, >, 0);
  g_assert_cmpfloat (map->kept, <=, 1);
  g_autoptr (AttnAtlas) without = attn_atlas_new (2, 2, false);
  g_assert_null (attn_atlas_map (without, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
}

/* Texts in two atlases that join are the texts of one. */
static void
test_join (void)
{
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnAtlas) all = make (model, 0, N_TEXTS, &(AttnAtlasOptions){0});
  g_autoptr (AttnAtlas) first = make (model, 0, 2, &(AttnAtlasOptions){0});
  g_autoptr (AttnAtlas) second = make (model, 2, N_TEXTS, &(AttnAtlasOptions){0});
  attn_atlas_join (first, second);
  g_assert_cmpuint (first->n_texts, ==, all->n_texts);
  g_assert_cmpuint (first->n_tokens, ==, all->n_tokens);
  for (size_t i = 0; i < all->n_layers * all->n_heads; i++) {
    const AttnAtlasHead *own = &first->heads[i], *wanted = &all->heads[i];
    for (size_t field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
      g_assert_cmpuint (own->fields[field].n, ==, wanted->fields[field].n);
      g_assert_cmpfloat_with_epsilon (own->fields[field].mean, wanted->fields[field].mean, 2e-5);
    }
    g_assert_cmpuint (own->n_examples, ==, wanted->n_examples);
    for (size_t k = 0; k < own->n_examples; k++)
      g_assert_cmpfloat_with_epsilon (own->examples[k].value, wanted->examples[k].value, 2e-5);
  }
  g_assert_cmpfloat_with_epsilon (attn_atlas_get_distance (first, 0, 3),
                                  attn_atlas_get_distance (all, 0, 3), 2e-5);
}

/* The mean over texts of each text's own importance; a text with nothing to mask has none. */
static void
test_importance (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const AttnAtlasOptions options = {.with_importance = true, .seed = 9};
  g_autoptr (AttnAtlas) atlas = make (model, 0, N_TEXTS, &options);
  const size_t N = atlas->n_layers * atlas->n_heads;
  g_autofree double *sums = g_new0 (double, N);
  for (size_t i = 0; i < N_TEXTS; i++) {
    g_autoptr (AttnTokens) tokens = test_text_encode (model, sentences[i], NULL);
    g_autoptr (AttnTask) task =
        attn_task_new (model, tokens, &(AttnTaskOptions){.seed = 9}, &error);
    g_autoptr (AttnImportance) own =
        attn_importance_new (task, &(AttnImportanceOptions){0}, &error);
    g_assert_no_error (error);
    for (size_t k = 0; k < N; k++)
      sums[k] += own->importance[k];
  }
  for (size_t k = 0; k < N; k++)
    g_assert_cmpfloat_with_epsilon (atlas->heads[k].importance.mean, sums[k] / N_TEXTS, 1e-12);
  g_autoptr (AttnTokens) empty = test_text_encode (model, "", NULL);
  const AttnAtlasText text = {.tokens = empty, .number = N_TEXTS};
  g_assert_true (attn_atlas_add_texts (atlas, model, &text, 1, &options, &error));
  g_assert_cmpuint (atlas->heads[0].importance.n, ==, N_TEXTS);
  g_assert_cmpuint (atlas->heads[0].fields[ATTN_PASSPORT_ENTROPY].n, ==, N_TEXTS + 1);
  g_autoptr (AttnModel) vector = test_model_load ("golden/models/sentence-transformers");
  g_autoptr (AttnTokens) tokens = test_text_encode (vector, "the cat", NULL);
  const AttnAtlasText other = {.tokens = tokens};
  const AttnConfig *config = attn_model_peek_config (vector);
  g_autoptr (AttnAtlas) refused = attn_atlas_new (config->n_layers, config->n_heads, true);
  g_assert_false (attn_atlas_add_texts (refused, vector, &other, 1, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
}

/* A text without tokens is counted and nothing else; one text alone gives all examples; a pair is
 * in the excerpt; long texts are cut at a whole character. */
static void
test_odd_texts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) causal = test_model_load ("golden/models/gpt2");
  const AttnConfig *config = attn_model_peek_config (causal);
  g_autoptr (AttnTokens) none = test_text_encode (causal, "", NULL);
  g_assert_cmpuint (attn_tokens_get_n (none), ==, 0);
  g_autoptr (AttnAtlas) atlas = attn_atlas_new (config->n_layers, config->n_heads, true);
  const AttnAtlasText empty = {.tokens = none};
  g_assert_true (attn_atlas_add_texts (atlas, causal, &empty, 1, &(AttnAtlasOptions){0}, &error));
  g_assert_cmpuint (atlas->n_texts, ==, 1);
  g_assert_cmpuint (atlas->n_empty, ==, 1);
  g_assert_true (isnan (attn_atlas_get_distance (atlas, 0, 1)));
  g_assert_cmpint (attn_atlas_get_passport (atlas, 0, 0).pattern, ==, ATTN_PATTERN_NONE);

  g_autoptr (AttnModel) bert = test_model_load ("golden/models/bert-mlm");
  config = attn_model_peek_config (bert);
  g_autoptr (GString) text = g_string_new ("a\n");
  for (size_t i = 0; i < 100; i++)
    g_string_append (text, "貓");
  g_autoptr (AttnTokens) tokens = test_text_encode (bert, text->str, "the\tpair");
  const AttnAtlasText pair = {.tokens = tokens};
  g_autoptr (AttnAtlas) alone = attn_atlas_new (config->n_layers, config->n_heads, false);
  g_assert_true (
      attn_atlas_add_texts (alone, bert, &pair, 1, &(AttnAtlasOptions){.alone = true}, &error));
  g_assert_cmpuint (alone->heads[0].n_examples, ==, ATTN_ATLAS_EXAMPLES);
  const char *excerpt = alone->heads[0].examples[0].excerpt;
  g_assert_true (g_utf8_validate (excerpt, -1, NULL));
  g_assert_true (g_str_has_prefix (excerpt, "a 貓"));
  g_assert_cmpuint (strlen (excerpt), <=, ATTN_ATLAS_EXCERPT_BYTES);
  g_assert_true (isnan (attn_atlas_get_distance (alone, 0, 1)));
}

static bool
refuse (double fraction G_GNUC_UNUSED, void *data G_GNUC_UNUSED)
{
  return false;
}

static void
free_nothing (void *source G_GNUC_UNUSED)
{
}

/* Maps that were run before are as good as their text; those of two texts have no passport. */
static void
test_maps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnAtlas) wanted = make (model, 0, 1, &(AttnAtlasOptions){.alone = true});
  g_autoptr (AttnTokens) tokens = test_text_encode (model, sentences[0], NULL);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnAtlas) atlas = attn_atlas_new (wanted->n_layers, wanted->n_heads, true);
  g_assert_true (attn_atlas_add_maps (atlas, maps, 0, &(AttnAtlasOptions){.alone = true}, &error));
  const AttnAtlasAbout about = {.model = (char *)(guintptr) "m", .with_distances = true};
  const AttnAtlas *both[] = {wanted, atlas};
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);
  GString *texts[] = {first, second};
  for (size_t i = 0; i < 2; i++) {
    g_autoptr (AttnAtlasMap) map = attn_atlas_map (both[i], &error);
    attn_atlas_append_json (texts[i], both[i], &about, map);
  }
  g_assert_cmpstr (first->str, ==, second->str);
  g_assert_false (
      attn_atlas_add_maps (atlas, maps, 1, &(AttnAtlasOptions){.progress = refuse}, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  const AttnMapsClass klass = {.n_layers = wanted->n_layers,
                               .n_heads = wanted->n_heads,
                               .n_queries = 2,
                               .n_keys = 3,
                               .free = free_nothing};
  g_autoptr (AttnMaps) wide = attn_maps_new (&klass, NULL);
  g_assert_false (attn_atlas_add_maps (atlas, wide, 1, &(AttnAtlasOptions){0}, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
}

static void
test_stopped (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const AttnConfig *config = attn_model_peek_config (model);
  g_autoptr (AttnTokens) tokens = test_text_encode (model, "the cat", NULL);
  const AttnAtlasText text = {.tokens = tokens};
  g_autoptr (AttnAtlas) atlas = attn_atlas_new (config->n_layers, config->n_heads, true);
  g_assert_false (attn_atlas_add_texts (atlas, model, &text, 1,
                                        &(AttnAtlasOptions){.progress = refuse}, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/atlas/moments", test_moments);
  g_test_add_data_func ("/atlas/plain/bert", "golden/models/bert-mlm", test_plain);
  g_test_add_data_func ("/atlas/plain/gpt2", "golden/models/gpt2", test_plain);
  g_test_add_data_func ("/atlas/plain/vector", "golden/models/sentence-transformers", test_plain);
  g_test_add_func ("/atlas/map", test_map);
  g_test_add_func ("/atlas/join", test_join);
  g_test_add_func ("/atlas/importance", test_importance);
  g_test_add_func ("/atlas/odd-texts", test_odd_texts);
  g_test_add_func ("/atlas/maps", test_maps);
  g_test_add_func ("/atlas/stopped", test_stopped);
  return g_test_run ();
}
