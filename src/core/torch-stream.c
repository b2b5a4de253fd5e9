/* SPDX-License-Identifier: MIT */
/* PyTorch's container from before 2020: five pickles, then the storages one behind the other. */
#include "file.h"
#include "torch-parts.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_BYTES = 1 << 18,
  PROTOCOL = 1001,
  COUNT_BYTES = 8,
};

/* 0x1950a86a20f9469cfc6c, little-endian */
static const char magic[10] = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

/* The pickles in turn. */
typedef struct {
  const AttnPickleValue *magic;
  const AttnPickleValue *protocol;
  const AttnPickleValue *system;
  const AttnPickleValue *root;
  const AttnPickleValue *keys;
} Parts;

typedef struct {
  int fd;
  guint64 n_bytes;
  const char *path;
  AttnTensorTable *table;
  char *bytes;          /* owned: the part of the file that holds the pickles */
  AttnArena values;     /* owned: what they say */
  GPtrArray *mentioned; /* of AttnPickleStorage *, owned array of borrowed; by key once sorted */
  Parts parts;
  guint64 at; /* in the file, behind what has been read */
} Stream;

static void
stream_clear (Stream *stream)
{
  g_free (stream->bytes);
  attn_arena_clear (&stream->values);
  g_ptr_array_unref (stream->mentioned);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_clear)

static bool
read_parts (Stream *stream, AttnPickle *pickle, GError **error)
{
  const struct {
    const AttnPickleValue **value;
    const char *part;
  } parts[] = {
      {&stream->parts.magic, "the pickle of the magic number"},
      {&stream->parts.protocol, "the pickle of the protocol"},
      {&stream->parts.system, "the pickle of the system"},
      {&stream->parts.root, "the pickle of the tensors"},
      {&stream->parts.keys, "the pickle of the storages' keys"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    pickle->part = parts[i].part;
    *parts[i].value = attn_pickle_read (pickle, error);
    if (*parts[i].value == NULL)
      return false;
    const AttnPickleValue *first = stream->parts.magic;
    if (i == 0 && (first->kind != ATTN_PICKLE_BIG || first->n != sizeof magic ||
                   memcmp (first->text, magic, sizeof magic) != 0))
      return attn_file_refuse (stream->path, ATTN_ERROR_FORMAT, error,
                               "found a pickle without PyTorch's magic number, wanted a PyTorch "
                               "file");
  }
  const AttnPickleValue *protocol = stream->parts.protocol;
  if (protocol->kind != ATTN_PICKLE_INT || protocol->integer != PROTOCOL)
    return attn_file_refuse (stream->path, ATTN_ERROR_UNSUPPORTED, error,
                             "protocol: found another, wanted %d", PROTOCOL);
  if (stream->parts.keys->kind != ATTN_PICKLE_LIST)
    return attn_file_refuse (stream->path, ATTN_ERROR_FORMAT, error,
                             "keys of the storages: found no list, wanted one");
  return true;
}

/* How long the pickles are is known only at their end: more and more of the file is tried. */
static bool
read_pickles (Stream *stream, GError **error)
{
  for (size_t n_max = FIRST_BYTES;; n_max *= 4) {
    size_t n = (size_t)MIN (stream->n_bytes, MIN (n_max, ATTN_TORCH_MAX_PICKLE_BYTES));
    g_free (stream->bytes);
    stream->bytes = g_try_malloc (n);
    if (stream->bytes == NULL)
      return attn_file_refuse (stream->path, ATTN_ERROR_TOO_LARGE, error, "no memory for %zu bytes",
                               n);
    if (!attn_file_read_at (stream->fd, 0, stream->bytes, n, stream->path, error))
      return false;
    attn_arena_clear (&stream->values);
    g_ptr_array_set_size (stream->mentioned, 0);
    AttnPickle pickle = {.path = stream->path,
                         .bytes = stream->bytes,
                         .n = n,
                         .arena = &stream->values,
                         .storages = stream->mentioned};
    GError *fault = NULL;
    if (read_parts (stream, &pickle, &fault)) {
      stream->at = pickle.at;
      return true;
    }
    if (!pickle.is_cut || n == stream->n_bytes || n == ATTN_TORCH_MAX_PICKLE_BYTES) {
      g_propagate_error (error, fault);
      return false;
    }
    g_error_free (fault);
  }
}

static int
compare_keys (const AttnPickleValue *a, const AttnPickleValue *b)
{
  int order = memcmp (a->text, b->text, MIN (a->n, b->n));
  return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

static int
compare_mentioned (const void *a, const void *b)
{
  return compare_keys ((*(AttnPickleStorage *const *)a)->key,
                       (*(AttnPickleStorage *const *)b)->key);
}

static int
compare_key_with_mentioned (const void *key, const void *mentioned)
{
  return compare_keys (key, (*(AttnPickleStorage *const *)mentioned)->key);
}

/* Bytes of one number of the storage @key, which only the tensors' pickle knows; 0 for none. */
static size_t
find_width (const Stream *stream, const AttnPickleValue *key)
{
  const GPtrArray *mentioned = stream->mentioned;
  AttnPickleStorage **found = mentioned->len == 0
                                  ? NULL
                                  : bsearch (key, mentioned->pdata, mentioned->len, sizeof (void *),
                                             compare_key_with_mentioned);
  return found == NULL ? 0 : attn_pickle_global_peek_numbers ((*found)->type)->width;
}

/* One storage: how many numbers, then the numbers. */
static AttnStorage *
read_storage (Stream *stream, const AttnPickleValue *key, GError **error)
{
  size_t width = key->kind == ATTN_PICKLE_STRING ? find_width (stream, key) : 0;
  if (width == 0 || memchr (key->text, '\0', key->n) != NULL) {
    attn_file_refuse (stream->path, ATTN_ERROR_FORMAT, error,
                      "keys of the storages: found one that no tensor mentions");
    return NULL;
  }
  g_autofree char *shown = attn_file_dup_shown (key->text, key->n);
  guint64 count = 0;
  if (stream->n_bytes - stream->at < COUNT_BYTES) {
    attn_file_refuse (stream->path, ATTN_ERROR_FORMAT, error,
                      "storage %s: the file is cut short: found no size", shown);
    return NULL;
  }
  if (!attn_file_read_at (stream->fd, stream->at, &count, COUNT_BYTES, stream->path, error))
    return NULL;
  count = GUINT64_FROM_LE (count);
  stream->at += COUNT_BYTES;
  if (count > (stream->n_bytes - stream->at) / width) {
    attn_file_refuse (stream->path, ATTN_ERROR_FORMAT, error,
                      "storage %s: found %" G_GUINT64_FORMAT
                      " bytes up to the end of the file, wanted %" G_GUINT64_FORMAT
                      " numbers of %zu bytes",
                      shown, stream->n_bytes - stream->at, count, width);
    return NULL;
  }
  AttnStorage *storage = attn_arena_alloc (&stream->table->arena, sizeof *storage);
  char *name = attn_arena_dup (&stream->table->arena, key->text, key->n);
  if (storage == NULL || name == NULL) {
    attn_file_refuse (stream->path, ATTN_ERROR_TOO_LARGE, error, "found too many storages");
    return NULL;
  }
  *storage = (AttnStorage){.name = name, .offset = stream->at, .n_bytes = count * width};
  stream->at += storage->n_bytes;
  return storage;
}

static bool
read_storages (Stream *stream, AttnTorchStorages *storages, GError **error)
{
  const AttnPickleValue *keys = stream->parts.keys;
  for (guint32 i = 0; i < keys->n; i++) {
    storages->sorted[i] = read_storage (stream, keys->items[i], error);
    if (storages->sorted[i] == NULL)
      return false;
    storages->n++;
  }
  return attn_torch_storages_sort (storages, stream->path, error);
}

bool
attn_torch_read_stream (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error)
{
  g_auto (Stream) stream = {.fd = fd, .n_bytes = n_bytes, .path = path, .table = table};
  stream.values.limit = ATTN_TORCH_MAX_VALUE_BYTES;
  stream.mentioned = g_ptr_array_new ();
  if (!read_pickles (&stream, error))
    return false;
  g_ptr_array_sort (stream.mentioned, compare_mentioned);
  g_autofree AttnStorage **sorted = g_try_new (AttnStorage *, MAX (stream.parts.keys->n, 1));
  if (sorted == NULL)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error, "found too many storages");
  AttnTorchStorages storages = {.sorted = sorted, .prefix = ""};
  return read_storages (&stream, &storages, error) &&
         attn_torch_list_tensors (stream.parts.root, &storages, path, table, error);
}
