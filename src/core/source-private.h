/* SPDX-License-Identifier: MIT */
/* Inside a source, for the files that open one and those that read from it. */
#pragma once

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

/**
 * attn_source_read_summed:
 * @sum: (inout) (optional): exclusive-or of the checksums of what was read; 0 at first, atomic
 *
 * attn_source_read_f32() for who reads every element of a tensor exactly once, in any order and by
 * any threads, and wants to know whether the bytes were those once written:
 * attn_source_check_sum() tells.
 */
bool attn_source_read_summed (const AttnSource *source,
                              const AttnTensorInfo *tensor,
                              size_t first,
                              size_t n,
                              float *out,
                              guint *sum,
                              GError **error);

/**
 * attn_source_check_sum:
 * @sum: of a whole tensor, by attn_source_read_summed()
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
