/* SPDX-License-Identifier: MIT */
/* The header of one safetensors file: every tensor's name, dtype, shape and place. */
#pragma once

#include "attn/source.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  AttnTensorInfo info; /* first, so that a pointer to it is one to the whole */
  guint64 offset;      /* of its first byte in the file */
} AttnSafetensor;

/* What a header says; names live in text. */
typedef struct {
  char *text;              /* owned: the header, decoded in place */
  AttnSafetensor *tensors; /* [n_tensors], owned; in the header's order */
  size_t n_tensors;
} AttnSafetensors;

/**
 * attn_safetensors_read:
 * @fd:      open for reading
 * @n_bytes: the file's size
 * @path:    for messages
 * @header:  (out): for attn_safetensors_clear(); untouched on error
 *
 * Reads the header and checks it against the file: that it is JSON of the right types, that names
 * occur once, that every shape fills exactly its bytes, and that the tensors cover the data without
 * hole or overlap up to the last byte.
 *
 * Returns: false with @error: IO, FORMAT, SHAPE, TOO_LARGE, UNSUPPORTED.
 * Memory:  the header's size, then a table in proportion to the tensors found, not to a number
 * read.
 */
bool attn_safetensors_read (
    int fd, guint64 n_bytes, const char *path, AttnSafetensors *header, GError **error);

void attn_safetensors_clear (AttnSafetensors *header);

/* For qsort() of an array of pointers to AttnSafetensor. */
int attn_safetensors_compare_names (const void *a, const void *b);
