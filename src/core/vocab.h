/* SPDX-License-Identifier: MIT */
/* A vocabulary: pieces by id and ids by piece. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct _AttnVocab AttnVocab;

/**
 * attn_vocab_load:
 * @path:     a file with one piece a line, the line's number being its id
 * @warnings: of owned strings; what was found odd is appended
 *
 * Lines end at "\n" alone (a published vocabulary has U+2028 as a piece); white space at a line's
 * end is no part of the piece, so CR LF does no harm. Of equal lines the last one's id counts.
 *
 * Returns: a new vocabulary for attn_vocab_free(), or NULL with @error: IO, TOO_LARGE, FORMAT
 *   (empty, or not UTF-8; the message names the line).
 */
AttnVocab *attn_vocab_load (const char *path, GPtrArray *warnings, GError **error);

void attn_vocab_free (AttnVocab *vocab);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnVocab, attn_vocab_free)

size_t attn_vocab_get_n (const AttnVocab *vocab);

/* Returns: (nullable): the piece with this id; a U+0000 in it is shown as U+2400. */
const char *attn_vocab_peek (const AttnVocab *vocab, int32_t id);

/* Returns: the id of a piece, or -1. An empty piece has none. */
int32_t attn_vocab_find (const AttnVocab *vocab, const char *piece, size_t n_bytes);

/* Returns: the id of @piece, which is appended if it is not there yet. */
int32_t attn_vocab_add (AttnVocab *vocab, const char *piece);

/* Looking for the longest piece at some place means looking for every prefix of what follows; the
 * hash of a longer prefix comes from the hash of the shorter one. */
guint64 attn_vocab_begin_hash (const AttnVocab *vocab);

static inline guint64
attn_vocab_step_hash (guint64 hash, char byte)
{
  return (hash ^ (unsigned char)byte) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
}

/* Returns: false when certainly no piece begins with the bytes this is the hash of. */
bool attn_vocab_may_begin (const AttnVocab *vocab, guint64 hash);

/**
 * attn_vocab_match:
 * @hash: of @prefix and @piece
 *
 * Returns: the id of the piece that is @prefix and @piece together, or -1. Pieces that were added
 *   are no part of words, so they are not among them.
 */
int32_t attn_vocab_match (
    const AttnVocab *vocab, guint64 hash, const char *prefix, const char *piece, size_t n_bytes);
