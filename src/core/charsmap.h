/* SPDX-License-Identifier: MIT */
/* SentencePiece's precompiled map of characters: what each becomes, found by a double array. */
#pragma once

#include "char-text.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnCharsmap AttnCharsmap;

/**
 * attn_charsmap_new:
 * @blob: [n_bytes]: the length of a double array in bytes, the array, strings apart by NUL; numbers
 *   are little-endian
 * @what: file and field, for messages
 *
 * Returns: a new map for attn_charsmap_free(), or NULL with @error: FORMAT.
 */
AttnCharsmap *
attn_charsmap_new (const guint8 *blob, size_t n_bytes, const char *what, GError **error);

void attn_charsmap_free (AttnCharsmap *map);

/**
 * attn_charsmap_write:
 * @chars: [n]
 * @out:   appended to
 *
 * Replaces grapheme clusters of up to 5 bytes as a whole, all others character by character. A
 * cluster whose beginning is in the map becomes what the beginning becomes, its rest is lost: so
 * do the published tokenizers.
 *
 * Test: tests/core/test-normalizer.c
 */
void
attn_charsmap_write (const AttnCharsmap *map, const AttnChar *chars, size_t n, AttnCharText *out);
