/* SPDX-License-Identifier: MIT */
/* Inside a source, for the files that open one and those that read from it. */
#pragma once

#include "convert.h"
#include "file.h"
#include "tensor-table.h"

#include "attn/source.h"

#include <glib.h>

struct AttnWeightFile {
  char *path;
  int fd;
  guint64 n_bytes;
  AttnFileState state; /* when it was opened */
  AttnTensorTable table;
};

struct _AttnSource {
  GPtrArray *files;           /* of AttnWeightFile *, owned */
  GPtrArray *names;           /* of char *, owned; their names, and NULL at the end */
  AttnStoredTensor **tensors; /* [n_tensors], owned array of borrowed; in the files' order */
  AttnStoredTensor **by_name; /* [n_tensors], likewise, sorted */
  size_t n_tensors;
  GPtrArray *warnings; /* of char *, owned */
};

/* Returns: (transfer full): @path, or its folder where @path is a weight file that opening the
 * folder would open as well; of a part of several files, the index that lists it. */
char *attn_source_dup_place (const char *path);

/* What was seen of a tensor while it was read; zeros at first. */
typedef struct {
  guint sum;                 /* exclusive-or of the checksums of the parts */
  AttnInfinities infinities; /* of F64 alone: those of the others are infinite in the file too */
} AttnSourceSeen;

/**
 * attn_source_read_noting:
 * @seen: added to; of one thread, attn_source_join_seen() adds those of several
 *
 * attn_source_read_f32() for who reads every element of a tensor exactly once, in any order, and
 * wants to know what was in the file: whether the bytes were those once written, which
 * attn_source_check_sum() tells of the sum, and which numbers became infinite only here.
 */
bool attn_source_read_noting (const AttnSource *source,
                              const AttnTensorInfo *tensor,
                              size_t first,
                              size_t n,
                              float *out,
                              AttnSourceSeen *seen,
                              GError **error);

/* @more, of other elements of the same tensor, is added to @seen. */
void attn_source_join_seen (AttnSourceSeen *seen, const AttnSourceSeen *more);

/**
 * attn_source_check_sum:
 * @sum: of a whole tensor, by attn_source_read_noting()
 *
 * Compares with the container's checksum, where it keeps one. A tensor that is only a part of its
 * storage, or lies across it, has its storage read once more, the first time.
 *
 * Returns: false with @error: IO, FORMAT (the bytes have changed).
 */
bool attn_source_check_sum (const AttnSource *source,
                            const AttnTensorInfo *tensor,
                            guint sum,
                            GError **error);

/* Returns: whether both are the same bytes of the same file, read in the same order. */
bool attn_source_is_same_place (const AttnTensorInfo *a, const AttnTensorInfo *b);
