/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder: what is asked of an open source. */
#include "attn/source.h"

#include "source-private.h"

size_t
attn_source_get_n_tensors (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, 0);
  return source->n_tensors;
}

const AttnTensorInfo *
attn_source_peek_tensor (const AttnSource *source, size_t index)
{
  g_return_val_if_fail (source != NULL && index < source->n_tensors, NULL);
  return &source->tensors[index]->info;
}

const AttnTensorInfo *
attn_source_find (const AttnSource *source, const char *name)
{
  g_return_val_if_fail (source != NULL && name != NULL, NULL);
  const AttnStoredTensor *found =
      attn_stored_tensor_find (source->by_name, source->n_tensors, name);
  return found == NULL ? NULL : &found->info;
}

const char *
attn_source_peek_path (const AttnSource *source, const AttnTensorInfo *tensor)
{
  g_return_val_if_fail (source != NULL && tensor != NULL, NULL);
  return ((const AttnStoredTensor *)(const void *)tensor)->file->path;
}

const char *const *
attn_source_peek_files (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, NULL);
  return (const char *const *)source->names->pdata;
}

guint64
attn_source_get_n_bytes (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, 0);
  guint64 n_bytes = 0;
  for (guint i = 0; i < source->files->len; i++)
    n_bytes += ((const AttnWeightFile *)g_ptr_array_index (source->files, i))->n_bytes;
  return n_bytes;
}

size_t
attn_source_get_n_warnings (const AttnSource *source)
{
  g_return_val_if_fail (source != NULL, 0);
  return source->warnings->len;
}

const char *
attn_source_peek_warning (const AttnSource *source, size_t index)
{
  g_return_val_if_fail (source != NULL && index < source->warnings->len, NULL);
  return g_ptr_array_index (source->warnings, index);
}
