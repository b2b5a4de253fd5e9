/* SPDX-License-Identifier: MIT */
/* PyTorch files made by tests: a pickle instruction by instruction, and both containers. */
#pragma once

#include <glib.h>

#include <stddef.h>

/* Appends one instruction to a pickle; the names are those of Python's pickletools. */
void pickle_code (GByteArray *pickle, int code);
void pickle_text (GByteArray *pickle, const char *text);
void pickle_int (GByteArray *pickle, gint64 number);
void pickle_global (GByteArray *pickle, const char *module, const char *name);
void pickle_bytes (GByteArray *pickle, const void *bytes, size_t n);

typedef struct {
  const char *name;
  const char *type; /* of its storage: "FloatStorage" … */
  const char *key;  /* of its storage */
  gint64 n_room;    /* elements in the storage */
  gint64 offset;
  size_t n_dims;
  gint64 sizes[4];
  gint64 strides[4];
} TestTensor;

/* Appends what rebuilds @tensor and leaves it on the stack; @is_stream for the older container. */
void pickle_tensor (GByteArray *pickle, const TestTensor *tensor, gboolean is_stream);

/* Returns: a whole pickle of a dictionary of tensors. */
GByteArray *pickle_state_dict (const TestTensor *tensors, size_t n, gboolean is_stream);

typedef struct {
  const char *name;
  const void *bytes;
  size_t n;
  guint16 method;   /* 0: stored */
  guint16 flags;    /* 1: encrypted */
  guint32 crc_lie;  /* exclusive-or on the true checksum */
  gboolean no_crc;  /* zero for it */
  gboolean is_twin; /* in the directory only, over the bytes of the entry before */
} TestZipEntry;

/* Returns: a zip archive. */
GByteArray *test_zip_new (const TestZipEntry *entries, size_t n);

/* Writes a zip archive of a/data.pkl, of a/data/0 with @n_zeros bytes, more than 4 GiB of them and
 * a hole on the disk, without a checksum, and of a/byteorder behind it.
 *
 * Returns: FALSE where the disk takes no such file. */
gboolean test_zip64_write (const char *path, const GByteArray *pickle, guint64 n_zeros);

typedef struct {
  const char *key;
  guint64 count; /* as the file says */
  const void *bytes;
  size_t n;
} TestStreamStorage;

/* Returns: the older container with @state_dict for its fourth pickle. */
GByteArray *
test_stream_new (const GByteArray *state_dict, const TestStreamStorage *storages, size_t n);
