/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder: a stretch of a tensor as f32, checked on the way. */
#include "crc32.h"
#include "file.h"
#include "gather.h"
#include "source-private.h"

#include "attn/error.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

/* One stretch of a file on its way to f32. */
typedef struct {
  const AttnStoredTensor *tensor;
  const char *what; /* file and tensor, for messages */
  guint64 offset;   /* in the file */
  AttnSourceSeen *seen;
} Stretch;

static const AttnStoredTensor *
peek_stored (const AttnTensorInfo *tensor)
{
  return (const AttnStoredTensor *)(const void *)tensor;
}

static char *
dup_what (const AttnStoredTensor *tensor)
{
  const char *path = tensor->file->path;
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autofree char *name = attn_file_dup_shown (tensor->info.name, strlen (tensor->info.name));
  return g_strdup_printf ("%s: tensor %s", shown, name);
}

static bool
fills_storage (const AttnStoredTensor *tensor)
{
  return tensor->strides == NULL && tensor->offset == tensor->storage->offset &&
         tensor->info.n_bytes == tensor->storage->n_bytes;
}

static bool
has_sum (const AttnStoredTensor *tensor)
{
  return tensor->storage != NULL && tensor->storage->has_crc;
}

static bool
read_bytes (Stretch *stretch, void *out, size_t n, GError **error)
{
  const AttnStoredTensor *tensor = stretch->tensor;
  if (!attn_file_read_at (tensor->file->fd, stretch->offset, out, n, stretch->what, error))
    return false;
  stretch->offset += n;
  if (has_sum (tensor) && fills_storage (tensor)) {
    guint64 n_behind = tensor->offset + tensor->info.n_bytes - stretch->offset;
    stretch->seen->sum ^= attn_crc32_shift (attn_crc32 (out, n), n_behind);
  }
  return true;
}

/* Block by block through a small buffer, so that memory stays that of the result. */
static bool
read_converted (Stretch *stretch, size_t n, float *out, GError **error)
{
  char block[BLOCK_BYTES];
  AttnDtype dtype = stretch->tensor->info.dtype;
  size_t width = attn_convert_get_width (dtype);
  size_t per_block = BLOCK_BYTES / width;
  while (n > 0) {
    size_t n_now = MIN (n, per_block);
    if (!read_bytes (stretch, block, n_now * width, error))
      return false;
    attn_convert_to_f32 (dtype, block, out, n_now);
    if (dtype == ATTN_DTYPE_F64)
      attn_convert_note_infinities (dtype, block, out, n_now, &stretch->seen->infinities);
    out += n_now;
    n -= n_now;
  }
  return true;
}

bool
attn_source_read_noting (const AttnSource *source,
                         const AttnTensorInfo *tensor,
                         size_t first,
                         size_t n,
                         float *out,
                         AttnSourceSeen *seen,
                         GError **error)
{
  g_return_val_if_fail (source != NULL && tensor != NULL, false);
  g_return_val_if_fail (n == 0 || out != NULL, false);
  g_return_val_if_fail (first <= tensor->n_elements && n <= tensor->n_elements - first, false);
  const AttnStoredTensor *stored = peek_stored (tensor);
  g_autofree char *what = dup_what (stored);
  size_t width = attn_convert_get_width (tensor->dtype);
  if (width == 0)
    return attn_file_refuse (what, ATTN_ERROR_UNSUPPORTED, error,
                             "dtype: found %s, wanted F32, F16, BF16 or F64", tensor->dtype_name);
  if (stored->strides != NULL)
    return attn_gather (stored, first, n, out, &seen->infinities, what, error);
  Stretch stretch = {stored, what, stored->offset + (guint64)first * width, seen};
  if (tensor->dtype == ATTN_DTYPE_F32 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return read_bytes (&stretch, out, n * width, error);
  return read_converted (&stretch, n, out, error);
}

bool
attn_source_read_f32 (const AttnSource *source,
                      const AttnTensorInfo *tensor,
                      size_t first,
                      size_t n,
                      float *out,
                      GError **error)
{
  AttnSourceSeen seen = {0};
  return attn_source_read_noting (source, tensor, first, n, out, &seen, error);
}

void
attn_source_join_seen (AttnSourceSeen *seen, const AttnSourceSeen *more)
{
  seen->sum ^= more->sum;
  attn_convert_join_infinities (&seen->infinities, &more->infinities);
}

static bool
refuse_sum (const AttnStoredTensor *tensor, const char *what, guint32 sum, GError **error)
{
  g_autofree char *entry =
      attn_file_dup_shown (tensor->storage->name, strlen (tensor->storage->name));
  return attn_file_refuse (what, ATTN_ERROR_FORMAT, error,
                           "entry %s: found bytes with the checksum %08x, wanted %08x; the file "
                           "is damaged",
                           entry, sum, tensor->storage->crc);
}

/* A storage that tensors share is read through once. */
static bool
check_storage (const AttnStoredTensor *tensor, const char *what, GError **error)
{
  AttnStorage *storage = tensor->storage;
  if (g_atomic_int_get (&storage->is_intact))
    return true;
  char block[BLOCK_BYTES];
  guint32 sum = 0;
  for (guint64 at = 0; at < storage->n_bytes;) {
    size_t n = (size_t)MIN (storage->n_bytes - at, sizeof block);
    if (!attn_file_read_at (tensor->file->fd, storage->offset + at, block, n, what, error))
      return false;
    at += n;
    sum = attn_crc32_shift (sum, n) ^ attn_crc32 (block, n);
  }
  if (sum != storage->crc)
    return refuse_sum (tensor, what, sum, error);
  g_atomic_int_set (&storage->is_intact, 1);
  return true;
}

bool
attn_source_check_sum (const AttnSource *source,
                       const AttnTensorInfo *tensor,
                       guint sum,
                       GError **error)
{
  g_return_val_if_fail (source != NULL && tensor != NULL, false);
  const AttnStoredTensor *stored = peek_stored (tensor);
  if (!has_sum (stored))
    return true;
  g_autofree char *what = dup_what (stored);
  if (!fills_storage (stored))
    return check_storage (stored, what, error);
  return sum == stored->storage->crc || refuse_sum (stored, what, sum, error);
}

bool
attn_source_is_same_place (const AttnTensorInfo *a, const AttnTensorInfo *b)
{
  const AttnStoredTensor *left = peek_stored (a), *right = peek_stored (b);
  return left->file == right->file && left->offset == right->offset && a->dtype == b->dtype &&
         a->n_dims == b->n_dims && memcmp (a->shape, b->shape, a->n_dims * sizeof *a->shape) == 0 &&
         (left->strides == NULL) == (right->strides == NULL) &&
         (left->strides == NULL ||
          memcmp (left->strides, right->strides, a->n_dims * sizeof *left->strides) == 0);
}
