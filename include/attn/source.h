/* SPDX-License-Identifier: MIT */
/* The weight files of a model folder, read tensor by tensor.
 *
 * For: finding tensors by name and reading any stretch of one as f32. Not for: knowing what a
 * tensor means (arch.h) or keeping weights (model.h). Order of calls: open, find, read, free. Files
 * are hostile: every size is checked before it is used, nothing is mapped. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnSource AttnSource;

#define ATTN_TENSOR_MAX_DIMS 8

typedef enum {
  ATTN_DTYPE_F32,
  ATTN_DTYPE_F16,
  ATTN_DTYPE_BF16,
  ATTN_DTYPE_F64,
  ATTN_DTYPE_OTHER
} AttnDtype;

typedef struct {
  const char *name;       /* as in the file; owned by the source */
  const char *dtype_name; /* as in the file: "F32", "I64" …; owned by the source */
  AttnDtype dtype;        /* ATTN_DTYPE_OTHER cannot be read as f32 */
  size_t n_dims;          /* 0 … ATTN_TENSOR_MAX_DIMS; 0 is a scalar */
  size_t shape[ATTN_TENSOR_MAX_DIMS];
  size_t n_elements;
  size_t n_bytes; /* in the file */
} AttnTensorInfo;

/**
 * attn_source_open:
 * @path: a model folder, or a weight file
 *
 * Opens the first of these that is there, as Hugging Face's library does, and lists its tensors:
 * model.safetensors, model.safetensors.index.json with the files it names, pytorch_model.bin (a zip
 * archive, or the stream of pickles from before 2020), pytorch_model.bin.index.json likewise; else
 * the folder's only .safetensors file, whatever its name. A weight file that is named itself is
 * opened alone; a part of several, with the others where their index is beside it.
 * Pickles are never executed: a reader of their few harmless instructions rebuilds tensors and
 * refuses, by name, whatever else a file asks for.
 *
 * Limits: a header of 100,000,000 bytes (safetensors' own), 64 MiB of pickle or index, a million
 * tensors a file, 1,000 files, ATTN_TENSOR_MAX_DIMS.
 *
 * Returns: a new source for attn_source_free(), or NULL with @error: IO, FORMAT, SHAPE, TOO_LARGE,
 *   UNSUPPORTED (a folder with weights of another kind, and the message names what was found; an
 *   unknown dtype; too many dimensions; a pickle that asks for more than tensors).
 * Test: tests/core/test-safetensors.c, test-shards.c, test-torch.c
 */
AttnSource *attn_source_open (const char *path, GError **error);

/* A file that attn_source_open() may begin with. */
typedef struct {
  const char *name; /* as in "model.safetensors"; static */
  bool is_index;    /* it lists the files that hold the tensors: attn_source_list_shards() */
} AttnWeightForm;

/* Returns: (transfer none) (nullable): form @index, the most preferred first; NULL past the last.
 */
const AttnWeightForm *attn_source_peek_form (size_t index);

/**
 * attn_source_list_shards:
 * @index_path: a model.safetensors.index.json or its like
 *
 * For those who look whether a model is complete, without opening its weights.
 *
 * Returns: (transfer full): the names of the files it lists, each once, sorted; NULL-terminated,
 *   for g_strfreev(). Or NULL with @error: IO, FORMAT, TOO_LARGE.
 * Test: tests/core/test-shards.c
 */
char **attn_source_list_shards (const char *index_path, GError **error);

void attn_source_free (AttnSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnSource, attn_source_free)

size_t attn_source_get_n_tensors (const AttnSource *source);

/* Returns: (transfer none): tensor @index in the files' order, valid as long as the source. */
const AttnTensorInfo *attn_source_peek_tensor (const AttnSource *source, size_t index);

/* Returns: (nullable) (transfer none): the tensor with exactly this name. */
const AttnTensorInfo *attn_source_find (const AttnSource *source, const char *name);

/* Returns: (transfer none): path of the file a tensor's bytes are in, for messages. */
const char *attn_source_peek_path (const AttnSource *source, const AttnTensorInfo *tensor);

/* The weight files' names, NULL-terminated, and their bytes altogether. */
const char *const *attn_source_peek_files (const AttnSource *source);
guint64 attn_source_get_n_bytes (const AttnSource *source);

/* Sentences about what is odd but usable, in the order found. */
size_t attn_source_get_n_warnings (const AttnSource *source);
const char *attn_source_peek_warning (const AttnSource *source, size_t index);

/**
 * attn_source_read_f32:
 * @tensor: from this source
 * @first:  index of the first element, row-major
 * @n:      elements to read; @first + @n ≤ tensor->n_elements
 * @out:    [n] f32, written; may stand anywhere, needs no alignment
 *
 * Reads part of a tensor and converts it to f32: f16 and bf16 exactly, f64 rounded to nearest.
 *
 * Returns: false with @error: IO (a short read too), UNSUPPORTED (dtype that is no float).
 * Threads: reentrant for one source.
 * Test: tests/core/test-safetensors.c, bit patterns.
 */
bool attn_source_read_f32 (const AttnSource *source,
                           const AttnTensorInfo *tensor,
                           size_t first,
                           size_t n,
                           float *out,
                           GError **error);

G_END_DECLS
