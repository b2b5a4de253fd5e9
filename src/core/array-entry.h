/* SPDX-License-Identifier: MIT */
/* One array of a file: what it is and where it stands. */
#pragma once

#include "attn/arrays.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *name;                         /* owned; NULL in an NPY file */
  char *dtype_name;                   /* owned, fit to be shown: "<f4", "BF16" */
  AttnDtype dtype;                    /* ATTN_DTYPE_OTHER: no floats */
  bool big_endian;                    /* of floats */
  bool fortran;                       /* the first index runs fastest */
  size_t n_dims;                      /* may be more than are kept */
  size_t shape[ATTN_TENSOR_MAX_DIMS]; /* the first of them */
  size_t n_elements;
  guint64 offset; /* of the first element: in the file, or in the entry */
  guint64 index;  /* of the zip entry */
} AttnArrayEntry;

void attn_array_entry_free (AttnArrayEntry *entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnArrayEntry, attn_array_entry_free)

/* Returns: (transfer full): "[2, 4, 5, 5]". */
char *attn_array_entry_dup_shape (const AttnArrayEntry *entry);

/* Bytes of one element as it is kept: doubles become f32. 0 for what is no float. */
size_t attn_array_entry_get_width (const AttnArrayEntry *entry);

/* Returns: (transfer full): how messages name one array of the file at @path. */
char *attn_array_entry_dup_what (const AttnArrayEntry *entry, const char *path);
