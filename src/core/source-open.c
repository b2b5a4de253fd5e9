/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder: which ones they are, opened and listed. */
#include "file.h"
#include "safetensors.h"
#include "shard-index.h"
#include "source-private.h"
#include "torch.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef bool (*ReadTable) (int fd, guint64 n_bytes, const char *path, AttnTensorTable *, GError **);

/* In the order of preference of Hugging Face's own library. */
static const struct {
  const char *name;
  bool is_index; /* it names the files that hold the tensors */
  ReadTable read_table;
} forms[] = {
    {"model.safetensors", false, attn_safetensors_read},
    {"model.safetensors.index.json", true, attn_safetensors_read},
    {"pytorch_model.bin", false, attn_torch_read},
    {"pytorch_model.bin.index.json", true, attn_torch_read},
};

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

/* "model.safetensors, … or pytorch_model.bin.index.json" */
static char *
dup_known_names (void)
{
  GString *names = g_string_new (forms[0].name);
  for (size_t i = 1; i < G_N_ELEMENTS (forms); i++)
    g_string_append_printf (names, "%s%s", i + 1 < G_N_ELEMENTS (forms) ? ", " : " or ",
                            forms[i].name);
  return g_string_free (names, FALSE);
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
  g_ptr_array_sort (found, compare_strings);
  g_ptr_array_set_size (found, (int)MIN (n_found, MAX_NAMED));
  g_ptr_array_add (found, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **)found->pdata);
  return attn_file_refuse (folder, ATTN_ERROR_UNSUPPORTED, error,
                           "found weights in %s%s, wanted one of the files %s", names,
                           n_found > MAX_NAMED ? " and more" : "", known);
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

AttnSource *
attn_source_open (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autoptr (AttnSource) source = source_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autofree char *path = g_build_filename (folder, forms[i].name, NULL);
    bool found;
    if (!attn_file_find (path, &found, error))
      return NULL;
    if (!found)
      continue;
    if (!(forms[i].is_index ? open_index (source, folder, path, forms[i].read_table, error)
                            : open_single (source, path, forms[i].read_table, error)))
      return NULL;
    g_ptr_array_add (source->names, NULL);
    return g_steal_pointer (&source);
  }
  refuse_folder (folder, error);
  return NULL;
}
