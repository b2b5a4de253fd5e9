/* SPDX-License-Identifier: MIT */
/* A file of arrays of any of the known formats: what is in it, and one array's bytes. */
#pragma once

#include "array-entry.h"
#include "file.h"
#include "zip-input.h"

#include "attn/arrays.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *path;
  int fd;
  guint64 n_bytes;
  AttnFileState state; /* when it was opened */
  AttnArraysFormat format;
  GPtrArray *entries; /* of AttnArrayEntry *, owned; in the file's order */
  GHashTable *texts;  /* (nullable) owned: of safetensors, as AttnTensorTable has them */
  AttnZipInput input;
  zip_t *archive;      /* nullable */
  guint64 n_too_large; /* doubles, of all that were read, that are finite and more than f32 holds */
} AttnArrayFile;

/* Returns: NULL with @error: IO, FORMAT, SHAPE, UNSUPPORTED, TOO_LARGE. */
AttnArrayFile *attn_array_file_open (const char *path, GError **error);

void attn_array_file_free (AttnArrayFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnArrayFile, attn_array_file_free)

/* What is told of reading, and how much of it there is; see AttnArraysOptions. */
typedef struct {
  AttnProgressFunc func;
  void *data;
  double at, per_byte; /* of those kept */
} AttnArrayProgress;

/**
 * attn_array_file_read:
 * @entry: of floats
 * @out:   [n_elements × width] bytes, written: little-endian, in the file's order
 *
 * Returns: false with @error: IO, FORMAT (a zip entry whose checksum differs, too), CANCELLED.
 */
bool attn_array_file_read (AttnArrayFile *file,
                           const AttnArrayEntry *entry,
                           guint8 *out,
                           AttnArrayProgress *progress,
                           GError **error);

/* Returns: (transfer full) (nullable): the texts of a list of strings, "<U12"; NULL without @error
 * where @entry is none, and with @error as above. */
GPtrArray *
attn_array_file_read_texts (AttnArrayFile *file, const AttnArrayEntry *entry, GError **error);
