/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder: which ones they are, opened and listed. */
#include "file.h"
#include "safetensors.h"
#include "shard-index.h"
#include "source-private.h"
#include "torch.h"

#include "attn/error.h"
#include "attn/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef bool (*ReadTable) (int fd, guint64 n_bytes, const char *path, AttnTensorTable *, GError **);

/* In the order of preference of Hugging Face's own library. */
static const AttnWeightForm forms[] = {{"model.safetensors", false},
                                       {"model.safetensors.index.json", true},
                                       {"pytorch_model.bin", false},
                                       {"pytorch_model.bin.index.json", true}};

/* What a weight file may end in that is opened by its own path; the longer endings come first. */
static const struct {
  const char *ending;
  bool is_index; /* it names the files that hold the tensors */
  ReadTable read_table;
} kinds[] = {
    {".safetensors.index.json", true, attn_safetensors_read},
    {".bin.index.json", true, attn_torch_read},
    {".safetensors", false, attn_safetensors_read},
    {".bin", false, attn_torch_read},
    {".pt", false, attn_torch_read},
    {".pth", false, attn_torch_read},
};

const AttnWeightForm *
attn_source_peek_form (size_t index)
{
  return index < G_N_ELEMENTS (forms) ? &forms[index] : NULL;
}

static void
weight_file_free (void *data)
{
  AttnWeightFile *file = data;
  if (file->fd >= 0)
    close (file->fd);
  attn_tensor_table_clear (&file->table);
  g_free (file->path);
  g_free (file);
}

void
attn_source_free (AttnSource *source)
{
  if (source == NULL)
    return;
  g_ptr_array_unref (source->files);
  g_ptr_array_unref (source->names);
  g_ptr_array_unref (source->warnings);
  g_free (source->tensors);
  g_free (source->by_name);
  g_free (source);
}

static AttnSource *
source_new (void)
{
  AttnSource *source = g_new0 (AttnSource, 1);
  source->files = g_ptr_array_new_with_free_func (weight_file_free);
  source->names = g_ptr_array_new_with_free_func (g_free);
  source->warnings = g_ptr_array_new_with_free_func (g_free);
  return source;
}

static bool
is_other_weights (const char *name)
{
  static const char *const endings[] = {".safetensors", ".safetensors.index.json",
                                        ".bin",         ".bin.index.json",
                                        ".pt",          ".pth",
                                        ".h5",          ".msgpack",
                                        ".gguf",        ".onnx",
                                        ".ckpt",        ".ckpt.index"};
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]) && strcmp (name, "training_args.bin") != 0)
      return true;
  return false;
}

static int
compare_strings (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* "model.safetensors, …, pytorch_model.bin.index.json": no word between, for windows that say the
 * sentence in other languages. */
static char *
dup_known_names (void)
{
  GString *names = g_string_new (forms[0].name);
  for (size_t i = 1; i < G_N_ELEMENTS (forms); i++)
    g_string_append_printf (names, ", %s", forms[i].name);
  return g_string_free (names, FALSE);
}

/* "model" and ".safetensors" of "model-00001-of-00002.safetensors". */
static bool
match_shard (const char *name, GMatchInfo **match)
{
  g_autoptr (GRegex) shard = g_regex_new ("^(.+)-[0-9]{5}-of-[0-9]{5}(\\.safetensors|\\.bin)$",
                                          G_REGEX_DOLLAR_ENDONLY | G_REGEX_RAW, 0, NULL);
  return g_regex_match (shard, name, 0, match);
}

/* A file that may be all of a model's weights: no part of them, and no adapter to another's. */
static bool
is_whole (const char *name)
{
  return g_str_has_suffix (name, ".safetensors") && !g_str_has_prefix (name, "adapter_") &&
         !match_shard (name, NULL);
}

/* The folder's only safetensors file; NULL where there is none, or more than one. */
static char *
dup_only_whole (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *only = NULL;
  for (const char *name = dir == NULL ? NULL : g_dir_read_name (dir); name != NULL;
       name = g_dir_read_name (dir)) {
    if (!is_whole (name))
      continue;
    if (only != NULL)
      return NULL;
    only = g_strdup (name);
  }
  return g_steal_pointer (&only);
}

/* What may help where nothing that was found can be opened. */
static const char *
find_advice (const GPtrArray *found)
{
  size_t n_whole = 0, n_shards = 0;
  for (guint i = 0; i < found->len; i++) {
    n_whole += is_whole (g_ptr_array_index (found, i)) ? 1 : 0;
    n_shards += match_shard (g_ptr_array_index (found, i), NULL) ? 1 : 0;
  }
  if (n_whole > 1)
    return "; give the path of one of the .safetensors files itself";
  if (n_shards > 0)
    return "; the index beside the parts is missing";
  return "; models mostly come with safetensors, too: fetch that file into the same folder";
}

/* The folder has none of the files: say what it has instead. */
static bool
refuse_folder (const char *folder, GError **error)
{
  enum { MAX_NAMED = 4 };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  if (dir == NULL)
    return attn_file_refuse (folder, ATTN_ERROR_IO, error,
                             "found no folder that can be read, wanted a model folder");
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    if (is_other_weights (name))
      g_ptr_array_add (found, attn_file_dup_shown (name, strlen (name)));
  size_t n_found = found->len;
  g_autofree char *known = dup_known_names ();
  if (n_found == 0)
    return attn_file_refuse (folder, ATTN_ERROR_IO, error,
                             "found no weights, wanted one of the files %s", known);
  const char *advice = find_advice (found);
  g_ptr_array_sort (found, compare_strings);
  g_ptr_array_set_size (found, (int)MIN (n_found, MAX_NAMED));
  g_ptr_array_add (found, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **)found->pdata);
  return attn_file_refuse (folder, ATTN_ERROR_UNSUPPORTED, error,
                           "found weights in %s%s, wanted one of the files %s%s", names,
                           n_found > MAX_NAMED ? " and more" : "", known, advice);
}

/* Returns: (transfer none): the file @name of the folder, opened and its table read. */
static AttnWeightFile *
add_file (AttnSource *source, char *path, ReadTable read_table, GError **error)
{
  AttnWeightFile *file = g_new0 (AttnWeightFile, 1);
  file->path = path;
  file->fd = attn_file_open (path, &file->n_bytes, error);
  g_ptr_array_add (source->files, file);
  g_ptr_array_add (source->names, g_path_get_basename (path));
  if (file->fd < 0 || !attn_file_get_state (file->fd, path, &file->state, error) ||
      !read_table (file->fd, file->n_bytes, path, &file->table, error))
    return NULL;
  for (size_t i = 0; i < file->table.n_tensors; i++)
    file->table.tensors[i].file = file;
  return file;
}

static bool
open_single (AttnSource *source, const char *path, ReadTable read_table, GError **error)
{
  const AttnWeightFile *file = add_file (source, g_strdup (path), read_table, error);
  if (file == NULL)
    return false;
  size_t n = file->table.n_tensors;
  source->by_name = attn_tensor_table_sort (&file->table, path, error);
  source->tensors = g_try_new (AttnStoredTensor *, MAX (n, 1));
  if (source->by_name == NULL)
    return false;
  if (source->tensors == NULL)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                             "no memory for a list of %zu tensors", n);
  for (size_t i = 0; i < n; i++)
    source->tensors[i] = &file->table.tensors[i];
  source->n_tensors = n;
  return true;
}

/* One shard's tensors among those of all, which the index has in the order of shards. */
static bool
take_shard (AttnSource *source,
            const char *index_path,
            const AttnWeightFile *file,
            const AttnShardEntry *entries,
            size_t n_entries,
            GError **error)
{
  const char *shard = entries[0].shard;
  g_autofree AttnStoredTensor **sorted = attn_tensor_table_sort (&file->table, file->path, error);
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < n_entries; i++) {
    AttnStoredTensor *tensor =
        attn_stored_tensor_find (sorted, file->table.n_tensors, entries[i].tensor);
    if (tensor == NULL) {
      g_autofree char *name = attn_file_dup_shown (entries[i].tensor, strlen (entries[i].tensor));
      g_autofree char *holder = attn_file_dup_shown (shard, strlen (shard));
      return attn_file_refuse (index_path, ATTN_ERROR_FORMAT, error,
                               "weight_map: found tensor %s listed for %s, which does not hold it",
                               name, holder);
    }
    source->tensors[source->n_tensors++] = tensor;
  }
  if (n_entries < file->table.n_tensors) {
    g_autofree char *shown = attn_file_dup_shown (index_path, strlen (index_path));
    g_autofree char *holder = attn_file_dup_shown (shard, strlen (shard));
    g_ptr_array_add (source->warnings,
                     g_strdup_printf ("%s: weight_map leaves out %zu of the tensors in %s; they "
                                      "are not read",
                                      shown, file->table.n_tensors - n_entries, holder));
  }
  return true;
}

static bool
open_shards (AttnSource *source,
             const char *folder,
             const char *index_path,
             const AttnShardIndex *index,
             ReadTable read_table,
             GError **error)
{
  for (size_t first = 0, next; first < index->n_entries; first = next) {
    const AttnShardEntry *entries = &index->entries[first];
    for (next = first + 1; next < index->n_entries; next++)
      if (strcmp (index->entries[next].shard, entries[0].shard) != 0)
        break;
    char *path = g_build_filename (folder, entries[0].shard, NULL);
    const AttnWeightFile *file = add_file (source, path, read_table, error);
    if (file == NULL) {
      g_autofree char *shown = attn_file_dup_shown (index_path, strlen (index_path));
      g_prefix_error (error, "%s: weight_map: a listed file cannot be used: ", shown);
      return false;
    }
    if (!take_shard (source, index_path, file, entries, next - first, error))
      return false;
  }
  return true;
}

static bool
open_index (
    AttnSource *source, const char *folder, const char *path, ReadTable read_table, GError **error)
{
  g_auto (AttnShardIndex) index = {0};
  if (!attn_shard_index_read (path, &index, error))
    return false;
  source->tensors = g_try_new (AttnStoredTensor *, index.n_entries);
  if (source->tensors == NULL)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                             "no memory for a list of %zu tensors", index.n_entries);
  if (!open_shards (source, folder, path, &index, read_table, error))
    return false;
  source->by_name = g_memdup2 (source->tensors, source->n_tensors * sizeof *source->tensors);
  qsort (source->by_name, source->n_tensors, sizeof source->by_name[0],
         attn_stored_tensor_compare_names);
  return true;
}

char **
attn_source_list_shards (const char *index_path, GError **error)
{
  g_return_val_if_fail (index_path != NULL, NULL);
  g_auto (AttnShardIndex) index = {0};
  if (!attn_shard_index_read (index_path, &index, error))
    return NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (size_t i = 0; i < index.n_entries; i++)
    if (i == 0 || strcmp (index.entries[i].shard, index.entries[i - 1].shard) != 0)
      g_ptr_array_add (names, g_strdup (index.entries[i].shard));
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/* One file, or the files of an index. */
static bool
open_kind (AttnSource *source, const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_suffix (name, kinds[i].ending))
      return kinds[i].is_index ? open_index (source, folder, path, kinds[i].read_table, error)
                               : open_single (source, path, kinds[i].read_table, error);
  return attn_file_refuse (path, ATTN_ERROR_UNSUPPORTED, error,
                           "is a file, wanted a model folder, or weights in a file that ends in "
                           ".safetensors, .bin, .pt or .pth");
}

bool
attn_folder_is_weight_file (const char *path)
{
  bool is_named = false;
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    is_named |= g_str_has_suffix (path, kinds[i].ending);
  return is_named && g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Where @folder has a file of the known names: the first one. */
static bool
find_form (const char *folder, const char **name, GError **error)
{
  *name = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autofree char *path = g_build_filename (folder, forms[i].name, NULL);
    bool found;
    if (!attn_file_find (path, &found, error))
      return false;
    if (!found)
      continue;
    *name = forms[i].name;
    return true;
  }
  return true;
}

/* The index that lists a part, where it is beside it; else @name. */
static char *
dup_whole_name (const char *folder, const char *name)
{
  g_autoptr (GMatchInfo) match = NULL;
  if (!match_shard (name, &match))
    return g_strdup (name);
  g_autofree char *stem = g_match_info_fetch (match, 1);
  g_autofree char *ending = g_match_info_fetch (match, 2);
  g_autofree char *index = g_strconcat (stem, ending, ".index.json", NULL);
  g_autofree char *path = g_build_filename (folder, index, NULL);
  return g_strdup (g_file_test (path, G_FILE_TEST_EXISTS) ? index : name);
}

char *
attn_source_dup_place (const char *path)
{
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_strdup (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *given = g_path_get_basename (path);
  g_autofree char *name = dup_whole_name (folder, given);
  g_autofree char *only = NULL;
  const char *form = NULL;
  if (!find_form (folder, &form, NULL))
    return g_strdup (path);
  if (form == NULL)
    form = only = dup_only_whole (folder);
  if (g_strcmp0 (form, name) == 0)
    return g_steal_pointer (&folder);
  return g_build_filename (folder, name, NULL);
}

AttnSource *
attn_source_open (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (AttnSource) source = source_new ();
  g_autofree char *place = attn_source_dup_place (path);
  g_autofree char *folder = NULL, *only = NULL;
  const char *name = NULL;
  if (g_file_test (place, G_FILE_TEST_IS_REGULAR)) {
    folder = g_path_get_dirname (place);
    name = only = g_path_get_basename (place);
  } else {
    folder = g_strdup (place);
    if (!find_form (folder, &name, error))
      return NULL;
    if (name == NULL)
      name = only = dup_only_whole (folder);
  }
  if (name == NULL) {
    refuse_folder (folder, error);
    return NULL;
  }
  if (!open_kind (source, folder, name, error))
    return NULL;
  g_ptr_array_add (source->names, NULL);
  return g_steal_pointer (&source);
}
