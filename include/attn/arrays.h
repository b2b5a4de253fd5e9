/* SPDX-License-Identifier: MIT */
/* Attention that another program computed: a file of numbers, read and shown as it is.
 *
 * For: people whose model we cannot run. NumPy's .npy and .npz and safetensors are told apart by
 * their content. Not for: weights of a model (source.h). Order of calls: attn_arrays_load(),
 * attn_labels_load(), attn_maps_new_from_arrays(); everything that takes maps takes these, and what
 * needs a model finds no trace in them. Files are hostile: every size is checked before it is used,
 * a header is parsed as data and never evaluated.
 *
 * Shapes are those of Hugging Face's `attentions`:
 *
 *   [layers, heads, query, key]
 *   [heads, query, key]         one layer
 *   [query, key]                one head
 *   [1, layers, heads, query, key] and [layers, 1, heads, query, key]   a batch of one
 *
 * [1, heads, query, key] is one layer or a batch of one: the same maps either way. Queries and keys
 * may differ in number. */
#pragma once

#include "attn/labels.h"
#include "attn/maps.h"
#include "attn/progress.h"
#include "attn/source.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_ARRAYS_MAX_LAYERS 1024
#define ATTN_ARRAYS_MAX_HEADS 4096
#define ATTN_ARRAYS_MAX_TOKENS 8192 /* queries, and keys */

/* Immutable and reference-counted; safe to share between threads. */
typedef struct _AttnArrays AttnArrays;

typedef enum { ATTN_ARRAYS_NPY, ATTN_ARRAYS_NPZ, ATTN_ARRAYS_SAFETENSORS } AttnArraysFormat;

typedef struct {
  const char *array; /* (nullable): which of the file's arrays; see attn_arrays_load() */
  bool takes_first;  /* of several that could be meant the first, for who can choose another */
  guint64 max_bytes; /* of weights in memory; 0: half of the machine's memory, at most 4 GiB */
  AttnProgressFunc progress; /* nullable */
  void *progress_data;
} AttnArraysOptions;

/**
 * attn_arrays_load:
 * @path:    of the file
 * @options: (nullable)
 *
 * Reads one array, or as many as there are layers. Without a name it is the array `attentions` or
 * `attention`, else the only one that has numbers and a shape as above; else all of these, where
 * their names differ in one whole number alone that counts from 0 or 1 without a gap and each of
 * them is one layer of the same shape: "layer_0", "layer_1" …
 *
 * Elements are 2-, 4- or 8-byte floats of either byte order (NumPy: '<f2', '>f4' …; safetensors:
 * F16, BF16, F32, F64) and rows may run either way (C or Fortran order). Half-precision numbers
 * stay so in memory, doubles become f32. NPZ entries are stored or deflated.
 *
 * All values are looked through once, and attn_arrays_peek_warning() has a sentence for each kind
 * that no softmax gives: rows that do not sum to 1, negative values, NaN, infinities.
 *
 * Returns: new arrays for attn_arrays_unref(), or NULL with @error: IO, FORMAT (damaged, or of
 *   another kind), SHAPE (none of these shapes; the message has the one found), UNSUPPORTED (other
 *   dtypes; several arrays and none named; the message has their names), TOO_LARGE, CANCELLED.
 * Test: tests/core/test-arrays.c, test-arrays-hostile.c
 */
AttnArrays *attn_arrays_load (const char *path, const AttnArraysOptions *options, GError **error);

AttnArrays *attn_arrays_ref (AttnArrays *arrays);
void attn_arrays_unref (AttnArrays *arrays);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnArrays, attn_arrays_unref)

/* Returns: (transfer none): as it was given; and the file's own name, fit to be shown. */
const char *attn_arrays_peek_path (const AttnArrays *arrays);
const char *attn_arrays_peek_name (const AttnArrays *arrays);

AttnArraysFormat attn_arrays_get_format (const AttnArrays *arrays);
const char *attn_arrays_format_peek_name (AttnArraysFormat format); /* "npy", "npz" … */

/* Returns: (nullable) (transfer none): the array's name in the file, fit to be shown, "layer_0 …
 * layer_11" of several; NULL in an NPY file. */
const char *attn_arrays_peek_array (const AttnArrays *arrays);

/* The arrays of the file that could have been read instead, and the one that was: their names as
 * options take them, and their shapes. None where there is no choice. */
size_t attn_arrays_get_n_choices (const AttnArrays *arrays);
const char *attn_arrays_peek_choice (const AttnArrays *arrays, size_t index);
const char *attn_arrays_peek_choice_shape (const AttnArrays *arrays, size_t index);

/* Returns: which of the choices was read. */
size_t attn_arrays_get_chosen (const AttnArrays *arrays);

/* Returns: (transfer none): as the file has it: "<f4", "BF16". */
const char *attn_arrays_peek_dtype (const AttnArrays *arrays);

/* Returns: (transfer none): as the file has it: "[12, 1, 12, 9, 9]"; of several arrays each. */
const char *attn_arrays_peek_shape (const AttnArrays *arrays);

size_t attn_arrays_get_n_layers (const AttnArrays *arrays);
size_t attn_arrays_get_n_heads (const AttnArrays *arrays);
size_t attn_arrays_get_n (const AttnArrays *arrays, AttnSide side);

/* Bytes of the weights in memory. */
guint64 attn_arrays_get_n_bytes (const AttnArrays *arrays);

/* Sentences about values that are no attention weights, or odd otherwise. */
size_t attn_arrays_get_n_warnings (const AttnArrays *arrays);
const char *attn_arrays_peek_warning (const AttnArrays *arrays, size_t index);

/* Returns: (nullable) (transfer none): tokens that the file itself brings, `queries` and `keys`, or
 * `tokens`: NPZ as arrays of strings, safetensors as metadata that are JSON lists; as exported. */
AttnLabels *attn_arrays_peek_labels (const AttnArrays *arrays);

/**
 * attn_arrays_compute_sha256:
 *
 * Reads the file once more, the first time, and checks that it is still the one that was loaded.
 *
 * Returns: (transfer none): 64 hexadecimal digits, valid as long as @arrays; or NULL with @error:
 *   IO, CANCELLED.
 * Threads: any; those who ask at once wait for one answer.
 */
const char *attn_arrays_compute_sha256 (AttnArrays *arrays,
                                        AttnProgressFunc progress,
                                        void *progress_data,
                                        GError **error);

/* Returns: (nullable) (transfer none): the same, where it is known by now. */
const char *attn_arrays_peek_sha256 (AttnArrays *arrays);

/**
 * attn_maps_new_from_arrays:
 * @arrays: referenced
 * @labels: (nullable): referenced; none for the file's own, or else for numbers from 0
 *
 * Maps of the values as they are: nothing is hidden, normalised or clipped. They have no trace, and
 * origins only in a text that is made of the labels (attn_maps_arrange()).
 *
 * Returns: new maps for attn_maps_unref(), or NULL with @error: SHAPE where the numbers of labels
 * are not those of queries and keys; TOO_LARGE.
 */
AttnMaps *attn_maps_new_from_arrays (AttnArrays *arrays, AttnLabels *labels, GError **error);

/* Returns: (nullable) (transfer none): the arrays that @maps were made from, not through other
 * maps: NULL for those of a trace, and for arranged ones. */
AttnArrays *attn_maps_peek_arrays (const AttnMaps *maps);

/* Returns: (nullable) (transfer none): what their queries and keys are called, likewise. */
AttnLabels *attn_maps_peek_labels (const AttnMaps *maps);

G_END_DECLS
