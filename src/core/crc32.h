/* SPDX-License-Identifier: MIT */
/* CRC-32 as zip archives keep it, at the speed memory is read. */
#pragma once

#include <glib.h>

#include <stddef.h>

/* Returns: the CRC-32 (IEEE 802.3, reflected) of @n bytes. */
guint32 attn_crc32 (const void *bytes, size_t n);

/* The same by zlib alone, so that a test can compare the two. */
guint32 attn_crc32_portable (const void *bytes, size_t n);

/**
 * attn_crc32_shift:
 * @crc: of some bytes
 * @n:   how many bytes follow them
 *
 * The checksum of a whole is the exclusive-or of those of its parts, each shifted by what follows
 * it; so parts may be read in any order.
 */
guint32 attn_crc32_shift (guint32 crc, guint64 n);
