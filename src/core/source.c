/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder: open, find a tensor, read a stretch of it as f32. */
#include "attn/source.h"

#include "convert.h"
#include "file.h"
#include "safetensors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char weights_name[] = "model.safetensors";

enum { BLOCK_BYTES = 1 << 16 };

struct _AttnSource {
  char *path;
  int fd;
  guint64 n_bytes;
  const char *files[2]; /* NULL-terminated names */
  AttnSafetensors header;
  AttnSafetensor **by_name; /* [n_tensors], sorted, owned array of borrowed */
};

void
attn_source_free (AttnSource *source)
{
  if (source == NULL)
    return;
  if (source->fd >= 0)
    close (source->fd);
  attn_safetensors_clear (&source->header);
  g_free (source->by_name);
  g_free (source->path);
  g_free (source);
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

/* The folder has no model.safetensors: say what it has instead. */
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
  if (n_found == 0)
    return attn_file_refuse (folder, ATTN_ERROR_IO, error, "found no weights, wanted the file %s",
                             weights_name);
  g_ptr_array_sort (found, compare_strings);
  g_ptr_array_set_size (found, (int)MIN (n_found, MAX_NAMED));
  g_ptr_array_add (found, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **)found->pdata);
  return attn_file_refuse (
      folder, ATTN_ERROR_UNSUPPORTED, error,
      "found weights in %s%s, wanted the file %s, the only form this version reads", names,
      n_found > MAX_NAMED ? " and more" : "", weights_name);
}

static bool
sort_names (AttnSource *source, GError **error)
{
  size_t n = source->header.n_tensors;
  source->by_name = g_try_new (AttnSafetensor *, MAX (n, 1));
  if (source->by_name == NULL)
    return attn_file_refuse (source->path, ATTN_ERROR_TOO_LARGE, error,
                             "no memory for the names of %zu tensors", n);
  for (size_t i = 0; i < n; i++)
    source->by_name[i] = &source->header.tensors[i];
  qsort (source->by_name, n, sizeof source->by_name[0], attn_safetensors_compare_names);
  return true;
}

AttnSource *
attn_source_open (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autoptr (AttnSource) source = g_new0 (AttnSource, 1);
  source->fd = -1;
  source->path = g_build_filename (folder, weights_name, NULL);
  source->files[0] = weights_name;
  if (!g_file_test (source->path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK)) {
    refuse_folder (folder, error);
    return NULL;
  }
  source->fd = attn_file_open (source->path, &source->n_bytes, error);
  if (source->fd < 0 ||
      !attn_safetensors_read (source->fd, source->n_bytes, source->path, &source->header, error) ||
      !sort_names (source, error))
    return NULL;
  return g_steal_pointer (&source);
}

size_t
attn_source_get_n_tensors (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, 0);
  return source->header.n_tensors;
}

const AttnTensorInfo *
attn_source_peek_tensor (const AttnSource *source, size_t index)
{
  g_return_val_if_fail (source != NULL && index < source->header.n_tensors, NULL);
  return &source->header.tensors[index].info;
}

static int
compare_name_with_tensor (const void *name, const void *tensor)
{
  return strcmp (name, (*(const AttnSafetensor *const *)tensor)->info.name);
}

const AttnTensorInfo *
attn_source_find (const AttnSource *source, const char *name)
{
  g_return_val_if_fail (source != NULL && name != NULL, NULL);
  AttnSafetensor **found = bsearch (name, source->by_name, source->header.n_tensors,
                                    sizeof source->by_name[0], compare_name_with_tensor);
  return found == NULL ? NULL : &(*found)->info;
}

const char *
attn_source_peek_path (const AttnSource *source, const AttnTensorInfo *tensor)
{
  g_return_val_if_fail (source != NULL && tensor != NULL, NULL);
  return source->path;
}

const char *const *
attn_source_peek_files (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, NULL);
  return source->files;
}

guint64
attn_source_get_n_bytes (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, 0);
  return source->n_bytes;
}

static char *
dup_what (const AttnSource *source, const AttnTensorInfo *tensor)
{
  g_autofree char *path = attn_file_dup_shown (source->path, strlen (source->path));
  g_autofree char *name = attn_file_dup_shown (tensor->name, strlen (tensor->name));
  return g_strdup_printf ("%s: tensor %s", path, name);
}

/* Block by block through a small buffer, so that memory stays that of the result. */
static bool
read_converted (const AttnSource *source,
                AttnDtype dtype,
                guint64 offset,
                size_t n,
                float *out,
                const char *what,
                GError **error)
{
  char block[BLOCK_BYTES];
  size_t width = attn_convert_get_width (dtype);
  size_t per_block = BLOCK_BYTES / width;
  while (n > 0) {
    size_t n_now = MIN (n, per_block);
    if (!attn_file_read_at (source->fd, offset, block, n_now * width, what, error))
      return false;
    attn_convert_to_f32 (dtype, block, out, n_now);
    offset += n_now * width;
    out += n_now;
    n -= n_now;
  }
  return true;
}

bool
attn_source_read_f32 (const AttnSource *source,
                      const AttnTensorInfo *tensor,
                      size_t first,
                      size_t n,
                      float *out,
                      GError **error)
{
  g_return_val_if_fail (source != NULL && tensor != NULL, false);
  g_return_val_if_fail (n == 0 || out != NULL, false);
  g_return_val_if_fail (first <= tensor->n_elements && n <= tensor->n_elements - first, false);
  const AttnSafetensor *place = (const AttnSafetensor *)(const void *)tensor;
  g_autofree char *what = dup_what (source, tensor);
  size_t width = attn_convert_get_width (tensor->dtype);
  if (width == 0)
    return attn_file_refuse (what, ATTN_ERROR_UNSUPPORTED, error,
                             "dtype: found %s, wanted F32, F16, BF16 or F64", tensor->dtype_name);
  guint64 offset = place->offset + (guint64)first * width;
  if (tensor->dtype == ATTN_DTYPE_F32 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return attn_file_read_at (source->fd, offset, out, n * width, what, error);
  return read_converted (source, tensor->dtype, offset, n, out, what, error);
}
