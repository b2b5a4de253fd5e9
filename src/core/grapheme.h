/* SPDX-License-Identifier: MIT */
/* Where a reader's characters (extended grapheme clusters) end. */
#pragma once

#include "char-text.h"

/**
 * attn_grapheme_find_end:
 * @chars: [n]
 * @at:    below @n: where a cluster begins
 *
 * Returns: where the next one begins, at most @n.
 * Source: Unicode's annex 29, rules GB3 to GB13.
 * Test: tests/core/test-normalizer.c, with Unicode's own cases where they are installed.
 */
size_t attn_grapheme_find_end (const AttnChar *chars, size_t n, size_t at);
