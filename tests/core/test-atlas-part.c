/* SPDX-License-Identifier: MIT */
/* Parts of an atlas: the same bits in whatever order they are put together, files that give back
 * what was written, and files that nobody of good will wrote. */
#include "test-util.h"

#include "attn/atlas-part.h"
#include "attn/error.h"

#include <jansson.h>

#include <math.h>
#include <string.h>

#define L 2
#define H 2
#define N_TEXTS 200 /* 13 blocks, the last with 8 texts */
#define N_BLOCKS 13

static AttnAtlasAbout
make_about (void)
{
  static char model[] = "toy", texts[] = "toy.txt";
  static char first[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  static char second[] = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100";
  return (AttnAtlasAbout){.model = model,
                          .model_sha256 = first,
                          .texts = texts,
                          .texts_sha256 = second,
                          .n_texts = N_TEXTS,
                          .n_layers = L,
                          .n_heads = H,
                          .max_tokens = 64,
                          .with_distances = true};
}

/* Sums of a block with numbers that rounding shows in. */
static AttnAtlas *
make_block (size_t block)
{
  AttnAtlas *atlas = attn_atlas_new (L, H, true);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32)block + 1);
  const size_t first = block * ATTN_ATLAS_BLOCK, n = MIN (ATTN_ATLAS_BLOCK, N_TEXTS - first);
  for (size_t i = 0; i < L * H; i++) {
    AttnAtlasHead *head = &atlas->heads[i];
    for (size_t text = 0; text < n; text++)
      for (size_t field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
        attn_moments_add (&head->fields[field], g_rand_double (random));
    head->classes[ATTN_PATTERN_BROAD] = n;
    head->n_examples = head->n_surest = 1;
    head->examples[0] = (AttnAtlasPlace){.value = g_rand_double (random),
                                         .text = first,
                                         .query = 1,
                                         .key = 2,
                                         .query_piece = g_ref_string_new ("##a"),
                                         .key_piece = g_ref_string_new ("\"b\\"),
                                         .excerpt = g_ref_string_new ("a \"b\" 貓")};
    head->surest[0] = (AttnAtlasPlace){
        .value = g_rand_double (random), .text = first + n - 1, .excerpt = g_ref_string_new ("c")};
  }
  for (size_t pair = 0; pair < L * H * (L * H - 1) / 2; pair++)
    atlas->distances[pair] = g_rand_double (random) * 10;
  atlas->n_texts = n;
  atlas->n_tokens = 7 * n;
  return atlas;
}

/* Returns: a part with blocks [@first, @end), taken from the end if @backwards. */
static AttnAtlasPart *
make_part (size_t first, size_t end, bool backwards)
{
  const AttnAtlasAbout about = make_about ();
  AttnAtlasPart *part = attn_atlas_part_new (&about);
  for (size_t i = first; i < end; i++) {
    const size_t block = backwards ? end - 1 - (i - first) : i;
    attn_atlas_part_take (part, block, make_block (block));
  }
  return part;
}

static GString *
write_part (const AttnAtlasPart *part)
{
  GString *json = g_string_new (NULL);
  attn_atlas_part_append (part, json);
  return json;
}

static AttnAtlasPart *
read_part (const GString *json)
{
  g_autoptr (GError) error = NULL;
  AttnAtlasPart *part = attn_atlas_part_read (json->str, json->len, "part.json", &error);
  g_assert_no_error (error);
  return part;
}

static void
assert_same (const AttnAtlasPart *part, const AttnAtlasPart *wanted)
{
  g_autoptr (GString) own = write_part (part);
  g_autoptr (GString) other = write_part (wanted);
  g_assert_cmpstr (own->str, ==, other->str);
}

static void
test_shards (void)
{
  for (size_t n_shards = 1; n_shards < 20; n_shards++) {
    size_t next = 0;
    for (size_t shard = 0; shard < n_shards; shard++) {
      size_t first, end;
      attn_atlas_find_shard (N_TEXTS, shard, n_shards, &first, &end);
      g_assert_cmpuint (first, ==, next);
      g_assert_cmpuint (end - first, <=, N_BLOCKS / n_shards + 1);
      next = end;
    }
    g_assert_cmpuint (next, ==, N_BLOCKS);
  }
  g_assert_cmpuint (attn_atlas_count_blocks (16), ==, 1);
  g_assert_cmpuint (attn_atlas_count_blocks (17), ==, 2);
}

/* Every cut into three, joined in every order, with a file between: the same bits as in one go. */
static void
test_orders (void)
{
  static const size_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnAtlasPart) all = make_part (0, N_BLOCKS, false);
  g_assert_cmpuint (attn_atlas_part_count_texts (all), ==, N_TEXTS);
  g_autoptr (AttnAtlasPart) backwards = make_part (0, N_BLOCKS, true);
  assert_same (backwards, all);
  for (size_t a = 0; a <= N_BLOCKS; a++)
    for (size_t b = a; b <= N_BLOCKS; b++) {
      const size_t cuts[] = {0, a, b, N_BLOCKS};
      const size_t *order = orders[(a + b) % 6];
      const AttnAtlasAbout about = make_about ();
      g_autoptr (AttnAtlasPart) joined = attn_atlas_part_new (&about);
      for (size_t i = 0; i < 3; i++) {
        g_autoptr (AttnAtlasPart) part = make_part (cuts[order[i]], cuts[order[i] + 1], i == 1);
        g_autoptr (GString) json = write_part (part);
        g_assert_true (attn_atlas_part_join (joined, read_part (json), "part.json", &error));
        g_assert_no_error (error);
      }
      assert_same (joined, all);
    }
}

/* The tree's sum against one long sum: equal but for rounding. */
static void
test_finish (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnAtlasPart) part = make_part (0, N_BLOCKS, false);
  g_autoptr (AttnAtlas) atlas = attn_atlas_part_finish (part, &error);
  g_assert_no_error (error);
  g_autoptr (AttnAtlas) wanted = attn_atlas_new (L, H, true);
  for (size_t block = 0; block < N_BLOCKS; block++) {
    g_autoptr (AttnAtlas) own = make_block (block);
    attn_atlas_join (wanted, own);
  }
  g_assert_cmpuint (atlas->n_texts, ==, N_TEXTS);
  g_assert_cmpuint (atlas->n_tokens, ==, 7 * N_TEXTS);
  for (size_t i = 0; i < L * H; i++) {
    for (size_t field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
      const AttnMoments *a = &atlas->heads[i].fields[field], *b = &wanted->heads[i].fields[field];
      g_assert_cmpuint (a->n, ==, N_TEXTS);
      g_assert_cmpfloat_with_epsilon (a->mean, b->mean, 1e-14);
      g_assert_cmpfloat_with_epsilon (a->squares, b->squares, 1e-12);
    }
    for (size_t k = 0; k < ATTN_ATLAS_EXAMPLES; k++)
      g_assert_cmpfloat (atlas->heads[i].examples[k].value, ==, wanted->heads[i].examples[k].value);
  }
  g_assert_cmpfloat_with_epsilon (attn_atlas_get_distance (atlas, 1, 3),
                                  attn_atlas_get_distance (wanted, 1, 3), 1e-14);
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnAtlasPart) part = make_part (0, 3, false);
  g_assert_cmpuint (attn_atlas_part_find_missing (part, 0), ==, 3);
  g_assert_cmpuint (attn_atlas_part_find_missing (part, 5), ==, 5);
  g_assert_true (attn_atlas_part_join (part, make_part (5, N_BLOCKS, false), "b", &error));
  g_assert_null (attn_atlas_part_finish (part, &error));
  g_assert_cmpstr (error->message, ==, "texts 49 to 80 of 200 are missing: no part has them");
  g_clear_error (&error);
  g_assert_false (attn_atlas_part_join (part, make_part (2, 4, false), "c.part", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "c.part: texts 33 to 64"));
}

/* What differs is named. */
static void
test_others (void)
{
  g_autoptr (AttnAtlasPart) part = make_part (0, 3, false);
  char other[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  for (size_t i = 0; i < 8; i++) {
    g_autoptr (GError) error = NULL;
    AttnAtlasAbout about = make_about ();
    static const char *const words[] = {"other weights", "other texts", "number of texts",
                                        "max_tokens",    "distances",   "importance",
                                        "draws",         "seed"};
    about.model_sha256 = i == 0 ? other : about.model_sha256;
    about.texts_sha256 = i == 1 ? other : about.texts_sha256;
    about.n_texts += i == 2;
    about.max_tokens += i == 3;
    about.with_distances = i != 4;
    about.with_importance = i == 5;
    about.n_draws += i == 6;
    about.seed += i == 7;
    g_assert_false (attn_atlas_part_join (part, attn_atlas_part_new (&about), "b.part", &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
    g_assert_nonnull (strstr (error->message, words[i]));
    g_assert_true (g_str_has_prefix (error->message, "b.part: "));
  }
}

/* NaN, which JSON has not, comes back; so does a part without anything in it. */
static void
test_odd_numbers (void)
{
  const AttnAtlasAbout about = make_about ();
  g_autoptr (AttnAtlasPart) part = attn_atlas_part_new (&about);
  g_autoptr (GString) nothing = write_part (part);
  g_autoptr (AttnAtlasPart) still = read_part (nothing);
  assert_same (still, part);
  AttnAtlas *atlas = make_block (0);
  atlas->heads[0].fields[0].mean = (double)NAN;
  atlas->distances[0] = (double)NAN;
  attn_atlas_part_take (part, 0, atlas);
  g_autoptr (GString) json = write_part (part);
  g_autoptr (AttnAtlasPart) again = read_part (json);
  assert_same (again, part);
}

/* A text in the file, what stands in its place, and a word of the sentence. */
typedef struct {
  const char *found, *instead, *word;
} Break;

static const Break breaks[] = {
    {"\"format\":\"headscope-atlas-part\"", "\"format\":\"x\"", "format"},
    {"\"format\":\"headscope-atlas-part\"", "\"format\":5", "format"},
    {"\"version\":1", "\"version\":2", "version"},
    {"\"version\":1", "\"version\":1.5", "version"},
    {"\"block\":16", "\"block\":0", "block"},
    {"\"n_texts\":200", "\"n_texts\":0", "n_texts"},
    {"\"n_texts\":200", "\"n_texts\":1e300", "n_texts"},
    {"\"n_texts\":200", "\"n_texts\":-1", "n_texts"},
    {"\"n_texts\":200", "\"n_texts\":20", "index"},
    {"\"layers\":2", "\"layers\":0", "heads"},
    {"\"layers\":2", "\"layers\":4096,\"x\":0", "heads"},
    {"\"layers\":2,\"heads\":2", "\"layers\":1024,\"heads\":1024", "heads"},
    {"\"layers\":2", "\"layers\":3", "heads"},
    {"\"heads\":2", "\"heads\":\"2\"", "heads"},
    {"00112233", "0011223", "model_sha256"},
    {"00112233", "0011223G", "model_sha256"},
    {"ffeeddcc", "FFEEDDCC", "texts_sha256"},
    {"\"model\":\"toy\"", "\"model\":7", "model"},
    {"\"with_distances\":true", "\"with_distances\":false", "distances"},
    {"\"with_distances\":true", "\"with_distances\":1", "with_distances"},
    {"\"level\":1", "\"level\":2", "blocks"},
    {"\"level\":1", "\"level\":-1", "level"},
    {"\"level\":1", "\"level\":64", "level"},
    {"\"level\":1", "\"level\":1e18", "level"},
    {"\"index\":5", "\"index\":6", "blocks"},
    {"\"index\":5", "\"index\":1e30", "index"},
    {"\"texts\":32", "\"texts\":31", "texts"},
    {"\"empty\":0", "\"empty\":33", "empty"},
    {"\"empty\":0", "\"empty\":null", "empty"},
    {"\"tokens\":224", "\"tokens\":3", "tokens"},
    {"\"fields\":[[32,", "\"fields\":[[33,", "fields"},
    {"\"fields\":[[32,", "\"fields\":[[-32,", "fields"},
    {"\"fields\":[[32,", "\"fields\":[[\"32\",", "fields"},
    {"\"fields\":[[32,", "\"fields\":[[32,0,", "fields"},
    {"\"fields\":[[32,", "\"fields\":[[3],[32,", "fields"},
    {"\"importance\":[0,0,0]", "\"importance\":[0,0,-1]", "importance"},
    {"\"importance\":[0,0,0]", "\"importance\":{}", "importance"},
    {"\"classes\":[0,0,0,0,32,0,0]", "\"classes\":[0,0,0,0,31,0,0]", "classes"},
    {"\"classes\":[0,0,0,0,32,0,0]", "\"classes\":[0,0,0,0,32,0]", "classes"},
    {"\"odd\":0", "\"odd\":0.5", "odd"},
    {"\"examples\":[[", "\"examples\":[[1,1,1,1,\"a\",\"b\"],[", "examples"},
    {"\"examples\":[[", "\"examples\":[[0,999999,1,1,\"a\",\"b\",\"c\"],[", "examples"},
    {"\"examples\":[[", "\"examples\":[[0,160,1,1,4,\"b\",\"c\"],[", "examples"},
    {"\"examples\":[[", "\"examples\":[[0,160,1,-1,\"a\",\"b\",\"c\"],[", "examples"},
    {"\"examples\":[[", "\"examples\":[[0,160,1,1,\"a\\u0000\",\"b\",\"c\"],[", "examples"},
    {"\"examples\":[[", "\"examples\":[[],[],[],[", "examples"},
    {"\"surest\":[[", "\"surest\":[[\"1\",160,\"a\"],[", "surest"},
    {"\"surest\":[[", "\"surest\":[[],[", "surest"},
    {"\"distances\":[", "\"distances\":[1,", "distances"},
    {"\"distances\":[", "\"distances\":[-1,", "distances"},
    {"\"nodes\":[", "\"nodes\":{},\"x\":[", "nodes"},
    {"\"nodes\":[", "\"nodes\":[7,", "nodes"},
};

static void
refuse (const char *bytes, size_t n, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnAtlasPart) part = attn_atlas_part_read (bytes, n, "evil.part", &error);
  g_assert_null (part);
  g_assert_cmpint ((int)error->domain, ==, (int)ATTN_ERROR);
  g_assert_true (g_str_has_prefix (error->message, "evil.part: "));
  if (strstr (error->message, word) == NULL)
    g_error ("%s: no word of %s", error->message, word);
}

static void
test_hostile (void)
{
  g_autoptr (AttnAtlasPart) part = make_part (10, N_BLOCKS, false);
  g_autoptr (GString) json = write_part (part);
  for (size_t i = 0; i < G_N_ELEMENTS (breaks); i++) {
    const char *at = strstr (json->str, breaks[i].found);
    if (at == NULL)
      g_error ("the file has no %s", breaks[i].found);
    g_autoptr (GString) broken = g_string_new_len (json->str, at - json->str);
    g_string_append (broken, breaks[i].instead);
    g_string_append (broken, at + strlen (breaks[i].found));
    refuse (broken->str, broken->len, breaks[i].word);
  }
  const char *first = strstr (json->str, "{\"level\""), *second = strstr (first + 1, "{\"level\"");
  g_autoptr (GString) twice = g_string_new_len (json->str, second - json->str);
  g_string_append (twice, first);
  refuse (twice->str, twice->len, "another node");
  for (size_t n = 0; n < json->len - 2; n += 97) /* cut anywhere */
    refuse (json->str, n, "");
  refuse ("[]", 2, "");
  refuse ("{}", 2, "format");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/atlas-part/shards", test_shards);
  g_test_add_func ("/atlas-part/orders", test_orders);
  g_test_add_func ("/atlas-part/finish", test_finish);
  g_test_add_func ("/atlas-part/missing", test_missing);
  g_test_add_func ("/atlas-part/others", test_others);
  g_test_add_func ("/atlas-part/odd-numbers", test_odd_numbers);
  g_test_add_func ("/atlas-part/hostile", test_hostile);
  return g_test_run ();
}
