/* SPDX-License-Identifier: MIT */
/* vocab.txt, the vocabulary as lines. */
#pragma once

#include "vocab.h"

/**
 * attn_vocab_load_text:
 * @path:     a file with one piece a line, the line's number being its id
 * @warnings: of owned strings; what was found odd is appended
 *
 * Lines end at "\n" alone (a published vocabulary has U+2028 as a piece); white space at a line's
 * end is no part of the piece, so CR LF does no harm. Of equal lines the last one's id counts.
 *
 * Returns: a new vocabulary for attn_vocab_free(), or NULL with @error: IO, TOO_LARGE, FORMAT
 *   (empty, or not UTF-8; the message names the line).
 */
AttnVocab *attn_vocab_load_text (const char *path, GPtrArray *warnings, GError **error);
