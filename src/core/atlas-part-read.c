/* SPDX-License-Identifier: MIT */
/* Parts of an atlas from JSON that anybody may have written: every number is checked against what
 * it can be. */
#include "atlas-part-private.h"
#include "atlas-private.h"
#include "file.h"

#include "attn/file.h"
#include "attn/json.h"

#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)1 << 30)
#define MAX_LEVEL 40
#define MAX_PIECE_BYTES 4096
#define MAX_TOKENS ((size_t)1 << 24) /* of one text */
#define HASH_DIGITS 64

/* What is being read: where it stands is told in messages. */
typedef struct {
  const char *name;
  size_t n_layers, n_heads;
  bool with_distances;
  size_t node, head;                  /* from 0; head G_MAXSIZE outside of heads */
  size_t first_text, end_text, n_run; /* of the node */
  GError **error;
} Reader;

/* "NAME: node 2, head 3-4: WHAT: wanted …" */
static bool G_GNUC_PRINTF (2, 3) refuse (const Reader *reader, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *what = g_strdup_vprintf (format, args);
  va_end (args);
  if (reader->head == G_MAXSIZE)
    return attn_file_refuse (reader->name, ATTN_ERROR_FORMAT, reader->error, "nodes[%zu]: %s",
                             reader->node, what);
  return attn_file_refuse (reader->name, ATTN_ERROR_FORMAT, reader->error,
                           "nodes[%zu]: heads[%zu]: %s", reader->node, reader->head, what);
}

/* A whole number from @min to @max. */
static bool
get_count (const Reader *reader,
           const json_t *value,
           const char *what,
           size_t min,
           size_t max,
           size_t *count)
{
  const double number = json_is_number (value) ? json_number_value (value) : -1;
  if (number < (double)min || number > (double)max || number != floor (number))
    return refuse (reader, "%s: wanted is a whole number from %zu to %zu", what, min, max);
  *count = (size_t)number;
  return true;
}

/* Any finite number from @min on, or null for one that was not finite. */
static bool
get_number (const Reader *reader, const json_t *value, const char *what, double min, double *number)
{
  *number = (double)NAN;
  if (json_is_null (value))
    return true;
  if (json_is_number (value))
    *number = json_number_value (value);
  if (!isfinite (*number) || *number < min)
    return refuse (reader, "%s: wanted is a number from %g on, or null", what, min);
  return true;
}

/* An array of exactly @n. */
static bool
check_array (const Reader *reader, const json_t *array, const char *what, size_t n)
{
  if (json_is_array (array) && json_array_size (array) == n)
    return true;
  return refuse (reader, "%s: wanted is a list of %zu", what, n);
}

static bool
read_moments (const Reader *reader, const json_t *value, const char *what, AttnMoments *moments)
{
  return check_array (reader, value, what, 3) &&
         get_count (reader, json_array_get (value, 0), what, 0, reader->n_run, &moments->n) &&
         get_number (reader, json_array_get (value, 1), what, -G_MAXDOUBLE, &moments->mean) &&
         get_number (reader, json_array_get (value, 2), what, 0, &moments->squares);
}

/* Returns: (transfer full) (nullable): a reference-counted string, where it is one that is not too
 * long. */
static char *
read_string (const Reader *reader, const json_t *value, const char *what, size_t max_bytes)
{
  if (json_is_string (value) && json_string_length (value) <= max_bytes &&
      strlen (json_string_value (value)) == json_string_length (value))
    return g_ref_string_new (json_string_value (value));
  refuse (reader, "%s: wanted is a string of at most %zu bytes", what, max_bytes);
  return NULL;
}

static bool
read_example (const Reader *reader, const json_t *value, AttnAtlasPlace *place)
{
  const char *what = "examples";
  if (!check_array (reader, value, what, 7) ||
      !get_number (reader, json_array_get (value, 0), what, -G_MAXDOUBLE, &place->value) ||
      !get_count (reader, json_array_get (value, 1), what, reader->first_text, reader->end_text - 1,
                  &place->text) ||
      !get_count (reader, json_array_get (value, 2), what, 0, MAX_TOKENS, &place->query) ||
      !get_count (reader, json_array_get (value, 3), what, 0, MAX_TOKENS, &place->key))
    return false;
  place->query_piece = read_string (reader, json_array_get (value, 4), what, MAX_PIECE_BYTES);
  if (place->query_piece != NULL)
    place->key_piece = read_string (reader, json_array_get (value, 5), what, MAX_PIECE_BYTES);
  if (place->key_piece != NULL)
    place->excerpt =
        read_string (reader, json_array_get (value, 6), what, ATTN_ATLAS_EXCERPT_BYTES);
  return place->excerpt != NULL;
}

static bool
read_surest (const Reader *reader, const json_t *value, AttnAtlasPlace *place)
{
  const char *what = "surest";
  if (!check_array (reader, value, what, 3) ||
      !get_number (reader, json_array_get (value, 0), what, -G_MAXDOUBLE, &place->value) ||
      !get_count (reader, json_array_get (value, 1), what, reader->first_text, reader->end_text - 1,
                  &place->text))
    return false;
  place->excerpt = read_string (reader, json_array_get (value, 2), what, ATTN_ATLAS_EXCERPT_BYTES);
  return place->excerpt != NULL;
}

typedef bool (*ReadPlace) (const Reader *reader, const json_t *value, AttnAtlasPlace *place);

/* A list of places, which is put in order whatever order it has. */
static bool
read_places (const Reader *reader,
             const json_t *list,
             const char *what,
             size_t max,
             ReadPlace read,
             AttnAtlasPlace *places,
             size_t *n)
{
  if (!json_is_array (list) || json_array_size (list) > max)
    return refuse (reader, "%s: wanted is a list of at most %zu", what, max);
  for (size_t i = 0; i < json_array_size (list); i++) {
    AttnAtlasPlace place = {0};
    const bool good = read (reader, json_array_get (list, i), &place);
    if (good)
      attn_atlas_insert_place (places, n, max, &place);
    attn_atlas_place_clear (&place);
    if (!good)
      return false;
  }
  return true;
}

/* Texts of each pattern, which make all texts of the node. */
static bool
read_classes (const Reader *reader, const json_t *list, AttnAtlasHead *head)
{
  size_t sum = 0;
  if (!check_array (reader, list, "classes", ATTN_N_PATTERNS))
    return false;
  for (size_t i = 0; i < ATTN_N_PATTERNS; i++) {
    if (!get_count (reader, json_array_get (list, i), "classes", 0, reader->n_run,
                    &head->classes[i]))
      return false;
    sum += head->classes[i];
  }
  return sum == reader->n_run ||
         refuse (reader, "classes: found %zu texts in all, wanted %zu", sum, reader->n_run);
}

static bool
read_head (const Reader *reader, const json_t *object, AttnAtlasHead *head)
{
  const json_t *fields = json_object_get (object, "fields");
  if (!check_array (reader, fields, "fields", ATTN_N_PASSPORT_FIELDS))
    return false;
  for (size_t i = 0; i < ATTN_N_PASSPORT_FIELDS; i++)
    if (!read_moments (reader, json_array_get (fields, i), "fields", &head->fields[i]))
      return false;
  return read_moments (reader, json_object_get (object, "importance"), "importance",
                       &head->importance) &&
         read_classes (reader, json_object_get (object, "classes"), head) &&
         get_count (reader, json_object_get (object, "odd"), "odd", 0, (size_t)1 << 52,
                    &head->n_odd) &&
         read_places (reader, json_object_get (object, "examples"), "examples", ATTN_ATLAS_EXAMPLES,
                      read_example, head->examples, &head->n_examples) &&
         read_places (reader, json_object_get (object, "surest"), "surest", ATTN_ATLAS_SUREST,
                      read_surest, head->surest, &head->n_surest);
}

static bool
read_distances (const Reader *reader, const json_t *list, AttnAtlas *atlas)
{
  const size_t n = attn_atlas_count_pairs (atlas->n_layers * atlas->n_heads);
  if (atlas->distances == NULL)
    return json_is_null (list) || refuse (reader, "distances: wanted is null");
  if (!check_array (reader, list, "distances", n))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!get_number (reader, json_array_get (list, i), "distances", 0, &atlas->distances[i]))
      return false;
  return true;
}

/* Where the node is in the tree, and how many texts it has, which follows from that. */
static bool
read_place_of_node (Reader *reader, const json_t *object, size_t n_texts, AttnAtlasNode *node)
{
  const size_t n_blocks = attn_atlas_count_blocks (n_texts);
  size_t level = 0;
  if (!json_is_object (object))
    return refuse (reader, "wanted is an object");
  if (!get_count (reader, json_object_get (object, "level"), "level", 0, MAX_LEVEL, &level) ||
      !get_count (reader, json_object_get (object, "index"), "index", 0, n_blocks, &node->index))
    return false;
  node->level = (unsigned)level;
  if (node->index > (n_blocks >> level) || (node->index + 1) << level > n_blocks)
    return refuse (reader, "level %zu, index %zu: the file of texts has only %zu blocks", level,
                   node->index, n_blocks);
  attn_atlas_node_get_texts (node, n_texts, &reader->first_text, &reader->end_text);
  return true;
}

static bool
read_counts (Reader *reader, const json_t *object, AttnAtlas *atlas)
{
  const size_t n = reader->end_text - reader->first_text;
  size_t n_tokens = 0;
  if (!get_count (reader, json_object_get (object, "texts"), "texts", n, n, &atlas->n_texts) ||
      !get_count (reader, json_object_get (object, "empty"), "empty", 0, n, &atlas->n_empty))
    return false;
  reader->n_run = n - atlas->n_empty;
  if (!get_count (reader, json_object_get (object, "tokens"), "tokens", reader->n_run,
                  (size_t)1 << 52, &n_tokens))
    return false;
  atlas->n_tokens = n_tokens;
  return true;
}

/* Returns: (transfer full) (nullable): a node's sums. */
static AttnAtlas *
read_atlas (Reader *reader, const json_t *object)
{
  const size_t N = reader->n_layers * reader->n_heads;
  g_autoptr (AttnAtlas) atlas =
      attn_atlas_new (reader->n_layers, reader->n_heads, reader->with_distances);
  const json_t *heads = json_object_get (object, "heads");
  if (!read_counts (reader, object, atlas) || !check_array (reader, heads, "heads", N))
    return NULL;
  for (reader->head = 0; reader->head < N; reader->head++)
    if (!read_head (reader, json_array_get (heads, reader->head), &atlas->heads[reader->head]))
      return NULL;
  reader->head = G_MAXSIZE;
  if (!read_distances (reader, json_object_get (object, "distances"), atlas))
    return NULL;
  return g_steal_pointer (&atlas);
}

static bool
read_nodes (AttnAtlasPart *part, json_t *root, const char *name, GError **error)
{
  const AttnAtlasAbout *about = &part->about;
  const json_t *nodes = json_object_get (root, "nodes");
  if (!json_is_array (nodes))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, name, "nodes", nodes, "a list");
  for (size_t i = 0; i < json_array_size (nodes); i++) {
    Reader reader = {.name = name,
                     .n_layers = about->n_layers,
                     .n_heads = about->n_heads,
                     .with_distances = about->with_distances,
                     .node = i,
                     .head = G_MAXSIZE,
                     .error = error};
    AttnAtlasNode node = {0};
    if (!read_place_of_node (&reader, json_array_get (nodes, i), about->n_texts, &node))
      return false;
    node.atlas = read_atlas (&reader, json_array_get (nodes, i));
    if (node.atlas == NULL)
      return false;
    if (!attn_atlas_part_insert (part, &node)) {
      attn_atlas_free (node.atlas);
      return refuse (&reader, "its blocks are in another node, too");
    }
  }
  return true;
}

static bool
get_hash (json_t *root, const char *key, char **hash, const char *name, GError **error)
{
  const json_t *value = json_object_get (root, key);
  const char *text = json_string_value (value);
  if (text == NULL || json_string_length (value) != HASH_DIGITS ||
      strspn (text, "0123456789abcdef") != HASH_DIGITS)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, name, key, value, "64 hexadecimal digits");
  *hash = g_strdup (text);
  return true;
}

static bool
get_name (json_t *root, const char *key, char **copy, const char *name, GError **error)
{
  const char *text = NULL;
  if (!attn_json_get_string (root, key, NULL, &text, name, error))
    return false;
  if (text == NULL || strlen (text) > MAX_PIECE_BYTES)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, name, key, json_object_get (root, key),
                             "a name of at most 4096 bytes");
  *copy = g_strdup (text);
  return true;
}

/* A whole number that must be there. */
static bool
get_size (
    json_t *root, const char *key, size_t max, size_t *value, const char *name, GError **error)
{
  if (json_object_get (root, key) == NULL)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, name, key, NULL, "a whole number");
  return attn_json_get_size (root, key, 0, max, 0, value, name, error);
}

/* That it is a part, of this version and with blocks of this size. */
static bool
check_format (json_t *root, const char *name, GError **error)
{
  const char *format = NULL;
  size_t version = 0, block = 0;
  if (!attn_json_get_string (root, "format", NULL, &format, name, error))
    return false;
  if (g_strcmp0 (format, ATTN_ATLAS_PART_FORMAT) != 0)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, name, "format",
                             json_object_get (root, "format"),
                             "\"" ATTN_ATLAS_PART_FORMAT "\": a part of an atlas");
  if (!get_size (root, "version", G_MAXUINT32, &version, name, error) ||
      !get_size (root, "block", G_MAXUINT32, &block, name, error))
    return false;
  if (version != ATTN_ATLAS_PART_VERSION)
    return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, name, "version",
                             json_object_get (root, "version"), "1");
  if (block != ATTN_ATLAS_BLOCK)
    return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, name, "block",
                             json_object_get (root, "block"), "16");
  return true;
}

static bool
read_about (json_t *root, AttnAtlasAbout *about, const char *name, GError **error)
{
  size_t seed = 0;
  if (!get_name (root, "model", &about->model, name, error) ||
      !get_hash (root, "model_sha256", &about->model_sha256, name, error) ||
      !get_name (root, "texts", &about->texts, name, error) ||
      !get_hash (root, "texts_sha256", &about->texts_sha256, name, error) ||
      !get_size (root, "n_texts", ATTN_ATLAS_MAX_TEXTS, &about->n_texts, name, error) ||
      !get_size (root, "layers", ATTN_ATLAS_MAX_HEADS, &about->n_layers, name, error) ||
      !get_size (root, "heads", ATTN_ATLAS_MAX_HEADS, &about->n_heads, name, error) ||
      !get_size (root, "max_tokens", MAX_TOKENS, &about->max_tokens, name, error) ||
      !attn_json_get_bool (root, "with_distances", false, &about->with_distances, name, error) ||
      !attn_json_get_bool (root, "with_importance", false, &about->with_importance, name, error) ||
      !get_size (root, "draws", G_MAXUINT32, &about->n_draws, name, error) ||
      !get_size (root, "seed", G_MAXUINT32, &seed, name, error))
    return false;
  about->seed = (uint32_t)seed;
  if (about->n_texts == 0)
    return attn_json_refuse (error, ATTN_ERROR_SHAPE, name, "n_texts",
                             json_object_get (root, "n_texts"), "at least 1");
  const size_t n = about->n_layers * about->n_heads;
  return (n > 0 && n <= ATTN_ATLAS_MAX_HEADS) ||
         attn_json_refuse (error, ATTN_ERROR_SHAPE, name, "heads", json_object_get (root, "heads"),
                           "1 to 4096 heads in all layers");
}

AttnAtlasPart *
attn_atlas_part_read (const char *bytes, size_t n_bytes, const char *name, GError **error)
{
  g_autoptr (json_t) root = attn_json_load_bytes (bytes, n_bytes, name, error);
  if (root == NULL || !check_format (root, name, error))
    return NULL;
  const AttnAtlasAbout nothing = {0};
  g_autoptr (AttnAtlasPart) part = attn_atlas_part_new (&nothing);
  if (!read_about (root, &part->about, name, error) || !read_nodes (part, root, name, error))
    return NULL;
  return g_steal_pointer (&part);
}

AttnAtlasPart *
attn_atlas_part_load (const char *path, GError **error)
{
  size_t n_bytes;
  g_autofree char *bytes = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  return bytes != NULL ? attn_atlas_part_read (bytes, n_bytes, path, error) : NULL;
}
