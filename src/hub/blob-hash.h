/* SPDX-License-Identifier: MIT */
/* Hashing files of the cache as their names want it. */
#pragma once

#include "attn-hub/blob.h"
#include "attn/sha256.h"

/* Bytes read at once. */
#define ATTN_HUB_PIECE ((size_t)1 << 20)

/* Told every piece that was read. Returns: whether to go on. */
typedef bool (*AttnHubPieceFunc) (const void *bytes, size_t n, void *data);

/* Reads the first @n_bytes of a file, or up to its end. Returns: false with errno, which is
 * ECANCELED where @func stopped it and EIO where the file is shorter. */
bool attn_hub_read_pieces (int fd, guint64 n_bytes, AttnHubPieceFunc func, void *data);

/**
 * attn_hub_hash_file:
 * @n_bytes: the file's size
 * @tell:    (nullable): told how many bytes more were read; answers whether to go on
 * @hex:     (out): the hash; empty for ATTN_HUB_HASH_NONE
 *
 * Returns: false with errno, as above.
 */
bool attn_hub_hash_file (int fd,
                         guint64 n_bytes,
                         AttnHubHash kind,
                         bool (*tell) (guint64 n_more, void *data),
                         void *data,
                         char hex[ATTN_SHA256_HEX_SIZE]);
