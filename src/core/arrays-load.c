/* SPDX-License-Identifier: MIT */
/* Attention that another program computed: from a file to numbers in memory. */
#include "arrays-private.h"
#include "convert.h"

#include "attn/error.h"
#include "attn/json.h"

#include <string.h>
#include <unistd.h>

#define MAX_BYTES ((guint64)4 << 30)
#define READ_SHARE 0.7 /* of the progress; the rest looks the values through */

/* What one file may take: a number that a file declares never decides alone. */
static guint64
find_budget (const AttnArraysOptions *options)
{
  if (options->max_bytes > 0)
    return options->max_bytes;
  long n_pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  if (n_pages <= 0 || page <= 0)
    return MAX_BYTES;
  return MIN (MAX_BYTES, (guint64)n_pages * (guint64)page / 2);
}

static bool
check_sizes (const AttnArrays *arrays, GError **error)
{
  const struct {
    const char *name;
    size_t n, most;
  } sizes[] = {{"layers", arrays->n_layers, ATTN_ARRAYS_MAX_LAYERS},
               {"heads", arrays->n_heads, ATTN_ARRAYS_MAX_HEADS},
               {"queries", arrays->n_queries, ATTN_ARRAYS_MAX_TOKENS},
               {"keys", arrays->n_keys, ATTN_ARRAYS_MAX_TOKENS}};
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (sizes[i].n > sizes[i].most)
      return attn_file_refuse (arrays->path, ATTN_ERROR_TOO_LARGE, error,
                               "shape: found %s with %zu %s, wanted at most %zu", arrays->shape,
                               sizes[i].n, sizes[i].name, sizes[i].most);
  return true;
}

/* What the file's own names and shapes say of all that was chosen. */
static void
describe (AttnArrays *arrays, const GPtrArray *chosen)
{
  const AttnArrayEntry *first = g_ptr_array_index (chosen, 0);
  const AttnArrayEntry *last = g_ptr_array_index (chosen, chosen->len - 1);
  AttnArrayFit fit = {0};
  attn_array_fit (first, &fit);
  arrays->dtype = g_strdup (first->dtype_name);
  arrays->shape = attn_array_entry_dup_shape (first);
  arrays->n_layers = chosen->len > 1 ? chosen->len : fit.n_layers;
  arrays->n_heads = fit.n_heads;
  arrays->n_queries = fit.n_queries;
  arrays->n_keys = fit.n_keys;
  if (first->name == NULL)
    return;
  g_autofree char *name = attn_file_dup_shown (first->name, strlen (first->name));
  g_autofree char *other = attn_file_dup_shown (last->name, strlen (last->name));
  arrays->array =
      chosen->len > 1 ? g_strdup_printf ("%s … %s", name, other) : g_steal_pointer (&name);
}

/* Several arrays, of which one was read: a layer each are no choice. */
static void
list_choices (AttnArrays *arrays, const AttnArrayFile *file, const GPtrArray *chosen)
{
  g_autoptr (GPtrArray) usable = attn_arrays_find_usable (file);
  for (guint i = 0; i < usable->len && usable->len > 1 && chosen->len == 1; i++) {
    const AttnArrayEntry *entry = g_ptr_array_index (usable, i);
    if (entry == g_ptr_array_index (chosen, 0))
      arrays->chosen = i;
    g_ptr_array_add (arrays->choices, g_strdup (entry->name));
    g_ptr_array_add (arrays->choice_shapes, attn_array_entry_dup_shape (entry));
  }
}

/* Elements between neighbours in dimension @d; 0 for a dimension that is not there. */
static size_t
find_stride (const AttnArrayEntry *entry, int d)
{
  size_t stride = 1;
  if (d < 0)
    return 0;
  for (int other = 0; other < (int)entry->n_dims; other++)
    if (entry->fortran ? other < d : other > d)
      stride *= entry->shape[other];
  return stride;
}

static void
place_layers (AttnArrays *arrays, const AttnArrayEntry *entry, const guint8 *bytes, size_t first)
{
  AttnArrayFit fit;
  attn_array_fit (entry, &fit);
  size_t layer_bytes = find_stride (entry, fit.layer) * attn_array_entry_get_width (entry);
  for (size_t layer = 0; layer < fit.n_layers; layer++)
    arrays->layers[first + layer] = (AttnArrayLayer){
        .bytes = bytes + layer * layer_bytes,
        .dtype = entry->dtype == ATTN_DTYPE_F64 ? ATTN_DTYPE_F32 : entry->dtype,
        .head_stride = find_stride (entry, fit.head),
        .query_stride = find_stride (entry, fit.query),
        .key_stride = find_stride (entry, fit.key),
    };
}

static bool
refuse_size (const AttnArrays *arrays, guint64 n_bytes, guint64 budget, GError **error)
{
  return attn_file_refuse (arrays->path, ATTN_ERROR_TOO_LARGE, error,
                           "found %" G_GUINT64_FORMAT
                           " bytes of weights, wanted at most %" G_GUINT64_FORMAT
                           ": save fewer layers, or half-precision numbers",
                           n_bytes, budget);
}

/* All that is chosen must fit before any of it is read. */
static bool
count_bytes (AttnArrays *arrays, const GPtrArray *chosen, guint64 budget, GError **error)
{
  for (guint i = 0; i < chosen->len; i++) {
    const AttnArrayEntry *entry = g_ptr_array_index (chosen, i);
    guint64 n_bytes = 0;
    if (!g_uint64_checked_mul (&n_bytes, entry->n_elements, attn_array_entry_get_width (entry)) ||
        !g_uint64_checked_add (&arrays->n_bytes, arrays->n_bytes, n_bytes))
      arrays->n_bytes = G_MAXUINT64;
    if (arrays->n_bytes > budget)
      return refuse_size (arrays, arrays->n_bytes, budget, error);
  }
  return true;
}

static bool
read_entries (AttnArrays *arrays,
              AttnArrayFile *file,
              const GPtrArray *chosen,
              AttnArrayProgress *progress,
              GError **error)
{
  arrays->layers = g_new0 (AttnArrayLayer, arrays->n_layers);
  progress->per_byte = READ_SHARE / (double)arrays->n_bytes;
  for (guint i = 0; i < chosen->len; i++) {
    const AttnArrayEntry *entry = g_ptr_array_index (chosen, i);
    size_t n_bytes = entry->n_elements * attn_array_entry_get_width (entry);
    guint8 *bytes = g_try_malloc (n_bytes);
    if (bytes == NULL)
      return attn_file_refuse (file->path, ATTN_ERROR_TOO_LARGE, error,
                               "no memory for %zu bytes of weights", n_bytes);
    g_ptr_array_add (arrays->blocks, bytes);
    if (!attn_array_file_read (file, entry, bytes, progress, error))
      return false;
    place_layers (arrays, entry, bytes, i);
  }
  return true;
}

/* Returns: false with @error; @texts is NULL where there is no array of strings of this name and of
 * @n_dims dimensions. */
static bool
read_strings (
    AttnArrayFile *file, const char *name, size_t n_dims, GPtrArray **texts, GError **error)
{
  g_autoptr (GError) fault = NULL;
  for (guint i = 0; i < file->entries->len && *texts == NULL && fault == NULL; i++) {
    const AttnArrayEntry *entry = g_ptr_array_index (file->entries, i);
    if (g_strcmp0 (entry->name, name) == 0 && entry->n_dims == n_dims)
      *texts = attn_array_file_read_texts (file, entry, &fault);
  }
  if (fault == NULL)
    return true;
  g_propagate_error (error, g_steal_pointer (&fault));
  return false;
}

static bool
read_texts (AttnArrayFile *file, const char *name, GPtrArray **texts, GError **error)
{
  return read_strings (file, name, 1, texts, error);
}

static bool
is_same_list (const GPtrArray *a, const GPtrArray *b)
{
  bool same = a->len == b->len;
  for (guint i = 0; i < a->len && same; i++)
    same = strcmp (g_ptr_array_index (a, i), g_ptr_array_index (b, i)) == 0;
  return same;
}

/* A JSON list of the metadata. Others may keep anything under such a name, a number of tokens too,
 * so that what is no list is none of ours, and a list that cannot be read is told. */
static GPtrArray *
parse_texts (AttnArrays *arrays, const char *name, const char *json)
{
  g_autoptr (GError) fault = NULL;
  if (json == NULL || json[0] != '[')
    return NULL;
  g_autofree char *what = g_strdup_printf ("%s: metadata %s.json", arrays->name, name);
  g_autoptr (AttnLabels) labels = attn_labels_load_text (json, strlen (json), what, &fault);
  if (labels == NULL) {
    g_ptr_array_add (arrays->warnings, g_strdup_printf ("%s; left out", fault->message));
    return NULL;
  }
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < attn_labels_get_n (labels, ATTN_SIDE_QUERY); i++)
    g_ptr_array_add (texts, g_strdup (attn_labels_peek (labels, ATTN_SIDE_QUERY, i)));
  return texts;
}

/* The metadata's @name: of the text that the chosen array "0.attentions" is of, or of the file. */
static GPtrArray *
find_metadata (AttnArrays *arrays,
               const AttnArrayFile *file,
               const AttnArrayEntry *chosen,
               const char *name)
{
  const char *point = chosen->name != NULL ? strrchr (chosen->name, '.') : NULL;
  if (file->texts == NULL)
    return NULL;
  if (point != NULL) {
    g_autofree char *own =
        g_strdup_printf ("%.*s.%s", (int)(point - chosen->name), chosen->name, name);
    GPtrArray *texts = parse_texts (arrays, own, g_hash_table_lookup (file->texts, own));
    if (texts != NULL)
      return texts;
  }
  return parse_texts (arrays, name, g_hash_table_lookup (file->texts, name));
}

/* Both sides' tokens where the file has them, as our own export writes them, else @tokens for both;
 * NULL where there are none. */
static bool
find_texts (AttnArrays *arrays,
            AttnArrayFile *file,
            const AttnArrayEntry *chosen,
            GPtrArray **queries,
            GPtrArray **keys,
            GError **error)
{
  bool is_npz = file->format == ATTN_ARRAYS_NPZ;
  if (is_npz &&
      (!read_texts (file, "queries", queries, error) || !read_texts (file, "keys", keys, error)))
    return false;
  if (!is_npz) {
    *queries = find_metadata (arrays, file, chosen, "queries");
    *keys = find_metadata (arrays, file, chosen, "keys");
  }
  if (*queries != NULL || *keys != NULL)
    return true;
  if (is_npz && !read_texts (file, "tokens", queries, error))
    return false;
  if (!is_npz)
    *queries = find_metadata (arrays, file, chosen, "tokens");
  *keys = *queries != NULL ? g_ptr_array_ref (*queries) : NULL;
  return true;
}

/* Tokens that stand beside the weights. */
static bool
read_labels (AttnArrays *arrays, AttnArrayFile *file, const AttnArrayEntry *chosen, GError **error)
{
  g_autoptr (GPtrArray) queries = NULL;
  g_autoptr (GPtrArray) keys = NULL;
  if (!find_texts (arrays, file, chosen, &queries, &keys, error))
    return false;
  if (queries == NULL || keys == NULL)
    return true;
  if (queries->len == arrays->n_queries && keys->len == arrays->n_keys)
    arrays->labels = attn_labels_new (queries, is_same_list (queries, keys) ? NULL : keys);
  else
    g_ptr_array_add (arrays->warnings,
                     g_strdup_printf ("%s: its tokens are for %u queries and %u keys, but the "
                                      "weights have %zu and %zu; they are left out",
                                      arrays->name, queries->len, keys->len, arrays->n_queries,
                                      arrays->n_keys));
  return true;
}

/* ---- which layer and head ---- */

/* Returns: (nullable) (transfer full): what our own export says of where its maps come from. Files
 * of others may have anything of that name. */
static json_t *
find_about (AttnArrayFile *file)
{
  g_autoptr (GPtrArray) strings = NULL;
  const char *about = NULL;
  if (file->format == ATTN_ARRAYS_NPZ && read_strings (file, "about", 0, &strings, NULL) &&
      strings != NULL)
    about = g_ptr_array_index (strings, 0);
  else if (file->texts != NULL)
    about = g_hash_table_lookup (file->texts, "about");
  return about != NULL ? attn_json_load_bytes (about, strlen (about), "about", NULL) : NULL;
}

static size_t
find_place (json_t *about, const char *key, size_t n)
{
  size_t place = 1;
  if (n != 1 || !attn_json_get_size (about, key, 1, G_MAXINT, 1, &place, "about", NULL))
    return 1;
  return place;
}

/* One head of a model opens as the only one there is, so it is said which one it was. */
static void
tell_place (AttnArrays *arrays, AttnArrayFile *file)
{
  g_autoptr (json_t) about = find_about (file);
  if (about == NULL)
    return;
  const size_t layer = find_place (about, "layer", arrays->n_layers);
  const size_t head = find_place (about, "head", arrays->n_heads);
  if (head > 1)
    g_ptr_array_add (arrays->warnings,
                     g_strdup_printf ("%s: layer 1, head 1 of this file was exported from layer "
                                      "%zu, head %zu",
                                      arrays->name, layer, head));
  else if (layer > 1)
    g_ptr_array_add (arrays->warnings,
                     g_strdup_printf ("%s: layer 1 of this file was exported from layer %zu",
                                      arrays->name, layer));
}

static AttnArrays *
arrays_new (const AttnArrayFile *file)
{
  AttnArrays *arrays = g_new0 (AttnArrays, 1);
  g_autofree char *name = g_path_get_basename (file->path);
  g_atomic_ref_count_init (&arrays->ref_count);
  g_mutex_init (&arrays->hash_lock);
  arrays->path = g_strdup (file->path);
  arrays->name = attn_file_dup_shown (name, strlen (name));
  arrays->format = file->format;
  arrays->state = file->state;
  arrays->blocks = g_ptr_array_new_with_free_func (g_free);
  arrays->warnings = g_ptr_array_new_with_free_func (g_free);
  arrays->choices = g_ptr_array_new_with_free_func (g_free);
  arrays->choice_shapes = g_ptr_array_new_with_free_func (g_free);
  return arrays;
}

AttnArrays *
attn_arrays_load (const char *path, const AttnArraysOptions *options, GError **error)
{
  static const AttnArraysOptions none = {0};
  g_return_val_if_fail (path != NULL, NULL);
  if (options == NULL)
    options = &none;
  AttnArrayProgress progress = {.func = options->progress, .data = options->progress_data};
  g_autoptr (AttnArrayFile) file = attn_array_file_open (path, error);
  if (file == NULL)
    return NULL;
  g_autoptr (GPtrArray) chosen =
      attn_arrays_choose (file, options->array, options->takes_first, error);
  if (chosen == NULL)
    return NULL;
  g_autoptr (AttnArrays) arrays = arrays_new (file);
  describe (arrays, chosen);
  list_choices (arrays, file, chosen);
  if (!check_sizes (arrays, error) || !count_bytes (arrays, chosen, find_budget (options), error) ||
      !read_entries (arrays, file, chosen, &progress, error))
    return NULL;
  arrays->n_too_large = file->n_too_large;
  if (!read_labels (arrays, file, g_ptr_array_index (chosen, 0), error) ||
      !attn_arrays_check_values (arrays, &progress, error))
    return NULL;
  tell_place (arrays, file);
  return g_steal_pointer (&arrays);
}
