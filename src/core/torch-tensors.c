/* SPDX-License-Identifier: MIT */
/* The tensors of a PyTorch file: names, shapes, and that every element is in its storage. */
#include "file.h"
#include "torch-parts.h"

#include "attn/error.h"

#include <string.h>

/* The dictionary being listed, and where it goes. */
typedef struct {
  const AttnTorchStorages *storages;
  const char *path;
  AttnTensorTable *table;
} Lister;

/* One tensor on its way into the table. */
typedef struct {
  const Lister *lister;
  const char *name;
  const AttnPickleTensor *tensor;
  const AttnPickleNumbers *numbers;
  AttnStorage *storage;
  size_t n_room; /* elements in the storage, as the pickle says and the file has */
  size_t offset; /* of the first element */
  size_t n_dims;
  size_t shape[ATTN_TENSOR_MAX_DIMS];
  size_t strides[ATTN_TENSOR_MAX_DIMS];
  size_t n_elements;
} Entry;

static bool G_GNUC_PRINTF (4, 5)
    refuse (const Entry *entry, AttnError code, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *name = attn_file_dup_shown (entry->name, strlen (entry->name));
  return attn_file_refuse (entry->lister->path, code, error, "tensor %s: %s", name, rest);
}

static bool
read_number (const Entry *entry,
             const AttnPickleValue *value,
             const char *part,
             size_t *number,
             GError **error)
{
  if (value->kind == ATTN_PICKLE_INT && value->integer >= 0) {
    *number = (size_t)value->integer;
    return true;
  }
  g_autofree char *found = value->kind == ATTN_PICKLE_INT
                               ? g_strdup_printf ("%" G_GINT64_FORMAT, value->integer)
                           : value->kind == ATTN_PICKLE_BIG ? g_strdup ("a number over 2^63")
                                                            : g_strdup ("something else");
  return refuse (entry, ATTN_ERROR_SHAPE, error, "%s: found %s, wanted a whole number from 0 on",
                 part, found);
}

/* The storage's bytes in the file: as many as the pickle says, or more. */
static bool
find_storage (Entry *entry, GError **error)
{
  const AttnPickleStorage *storage = entry->tensor->storage;
  g_autofree char *key = g_strndup (storage->key->text, storage->key->n);
  g_autofree char *shown = attn_file_dup_shown (storage->key->text, storage->key->n);
  g_autofree char *name = g_strconcat (entry->lister->storages->prefix, key, NULL);
  if (strlen (key) == storage->key->n)
    entry->storage = attn_torch_storages_find (entry->lister->storages, name);
  if (entry->storage == NULL)
    return refuse (entry, ATTN_ERROR_FORMAT, error, "found no storage %s in the file, wanted one",
                   shown);
  size_t n_bytes = 0;
  entry->numbers = attn_pickle_global_peek_numbers (storage->type);
  if (!read_number (entry, storage->n_elements, "size of the storage", &entry->n_room, error))
    return false;
  if (!g_size_checked_mul (&n_bytes, entry->n_room, entry->numbers->width) ||
      n_bytes > entry->storage->n_bytes)
    return refuse (entry, ATTN_ERROR_SHAPE, error,
                   "storage %s: found %" G_GUINT64_FORMAT " bytes, wanted %zu numbers of %zu",
                   shown, entry->storage->n_bytes, entry->n_room, entry->numbers->width);
  return true;
}

static bool
read_shape (Entry *entry, GError **error)
{
  const AttnPickleValue *sizes = entry->tensor->sizes, *strides = entry->tensor->strides;
  if (sizes->n > ATTN_TENSOR_MAX_DIMS)
    return refuse (entry, ATTN_ERROR_UNSUPPORTED, error,
                   "size: found %u dimensions, wanted at most %d", sizes->n, ATTN_TENSOR_MAX_DIMS);
  if (sizes->n != strides->n)
    return refuse (entry, ATTN_ERROR_SHAPE, error, "found %u sizes and %u strides, wanted as many",
                   sizes->n, strides->n);
  entry->n_dims = sizes->n;
  entry->n_elements = 1;
  bool fits = true;
  for (size_t d = 0; d < entry->n_dims; d++) {
    if (!read_number (entry, sizes->items[d], "size", &entry->shape[d], error) ||
        !read_number (entry, strides->items[d], "stride", &entry->strides[d], error))
      return false;
    fits = fits && g_size_checked_mul (&entry->n_elements, entry->n_elements, entry->shape[d]);
  }
  size_t n_bytes = 0;
  return (fits && g_size_checked_mul (&n_bytes, entry->n_elements, entry->numbers->width)) ||
         refuse (entry, ATTN_ERROR_SHAPE, error,
                 "size: found one of more than 2^64 bytes, wanted one that fits the storage");
}

/* The last element must be in the storage; strides are not negative, so the others are as well. */
static bool
check_bounds (const Entry *entry, GError **error)
{
  size_t last = entry->offset;
  bool fits = true;
  for (size_t d = 0; fits && d < entry->n_dims && entry->n_elements > 0; d++) {
    size_t reach = 0;
    fits = g_size_checked_mul (&reach, entry->shape[d] - 1, entry->strides[d]) &&
           g_size_checked_add (&last, last, reach);
  }
  if (fits && (entry->n_elements == 0 || last < entry->n_room))
    return true;
  return refuse (entry, ATTN_ERROR_SHAPE, error,
                 "offset, size and strides: found elements outside the storage, wanted them "
                 "within its %zu",
                 entry->n_room);
}

/* Whether the elements stand one behind the other; the stride of a single index does not count. */
static bool
is_plain (const Entry *entry)
{
  size_t wanted = 1;
  for (size_t d = entry->n_dims; d-- > 0; wanted *= entry->shape[d])
    if (entry->shape[d] > 1 && entry->strides[d] != wanted)
      return entry->n_elements == 0;
  return true;
}

static bool
add_entry (const Entry *entry, GError **error)
{
  AttnTensorTable *table = entry->lister->table;
  AttnStoredTensor *stored = attn_tensor_table_append (table, entry->lister->path, error);
  if (stored == NULL)
    return false;
  stored->info.name = entry->name;
  stored->info.dtype_name = entry->numbers->dtype_name;
  stored->info.dtype = entry->numbers->dtype;
  stored->info.n_dims = entry->n_dims;
  memcpy (stored->info.shape, entry->shape, sizeof entry->shape);
  stored->info.n_elements = entry->n_elements;
  stored->info.n_bytes = entry->n_elements * entry->numbers->width;
  stored->storage = entry->storage;
  stored->offset = entry->storage->offset;
  if (entry->n_elements > 0) /* of an empty tensor the offset may be anything */
    stored->offset += (guint64)entry->offset * entry->numbers->width;
  if (is_plain (entry))
    return true;
  size_t *strides = attn_arena_alloc (&table->arena, sizeof entry->strides);
  if (strides == NULL)
    return refuse (entry, ATTN_ERROR_TOO_LARGE, error, "no memory for its strides");
  memcpy (strides, entry->strides, sizeof entry->strides);
  stored->strides = strides;
  return true;
}

static bool
list_tensor (const Lister *lister,
             const AttnPickleValue *key,
             const AttnPickleTensor *tensor,
             GError **error)
{
  Entry entry = {.lister = lister, .tensor = tensor};
  const char *end = NULL;
  if (!g_utf8_validate_len (key->text, key->n, &end)) {
    g_autofree char *shown = attn_file_dup_shown (key->text, key->n);
    return attn_file_refuse (lister->path, ATTN_ERROR_FORMAT, error,
                             "tensor %s: found 0x%02X in the name, wanted UTF-8 text without "
                             "U+0000",
                             shown, (guint)(guint8)*end);
  }
  entry.name = attn_arena_dup (&lister->table->arena, key->text, key->n);
  if (entry.name == NULL)
    return attn_file_refuse (lister->path, ATTN_ERROR_TOO_LARGE, error,
                             "no memory for the tensors' names");
  return find_storage (&entry, error) &&
         read_number (&entry, tensor->offset, "offset", &entry.offset, error) &&
         read_shape (&entry, error) && check_bounds (&entry, error) && add_entry (&entry, error);
}

static bool
holds_tensors (const AttnPickleValue *value)
{
  if (value == NULL || value->kind != ATTN_PICKLE_DICT)
    return false;
  for (guint32 i = 1; i < value->n; i += 2)
    if (value->items[i]->kind == ATTN_PICKLE_TENSOR)
      return true;
  return false;
}

/* The dictionary of tensors: the root, or what training scripts call it. */
static const AttnPickleValue *
find_dict (const AttnPickleValue *root)
{
  static const char *const keys[] = {"state_dict", "model"};
  if (holds_tensors (root))
    return root;
  for (size_t i = 0; root->kind == ATTN_PICKLE_DICT && i < G_N_ELEMENTS (keys); i++) {
    const AttnPickleValue *inner = attn_pickle_dict_find (root, keys[i]);
    if (holds_tensors (inner))
      return inner;
  }
  return NULL;
}

bool
attn_torch_list_tensors (const AttnPickleValue *root,
                         const AttnTorchStorages *storages,
                         const char *path,
                         AttnTensorTable *table,
                         GError **error)
{
  const Lister lister = {storages, path, table};
  const AttnPickleValue *dict = find_dict (root);
  if (dict == NULL)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "found no tensors, wanted a dictionary of them, alone or as "
                             "state_dict or model of another");
  for (guint32 i = 0; i < dict->n; i += 2)
    if (dict->items[i]->kind == ATTN_PICKLE_STRING &&
        dict->items[i + 1]->kind == ATTN_PICKLE_TENSOR)
      if (!list_tensor (&lister, dict->items[i], dict->items[i + 1]->tensor, error))
        return false;
  return true;
}
