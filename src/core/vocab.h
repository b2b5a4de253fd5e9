/* SPDX-License-Identifier: MIT */
/* A vocabulary: pieces by id and ids by piece. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest published vocabularies have half a million. */
enum { ATTN_VOCAB_MAX_IDS = 4 << 20 };

typedef struct _AttnVocab AttnVocab;

/* Returns: an empty vocabulary for attn_vocab_free(). Its pieces are put in first, then it is
 * indexed, then it is asked and may get added tokens. */
AttnVocab *attn_vocab_new (void);
void attn_vocab_free (AttnVocab *vocab);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnVocab, attn_vocab_free)

/* Gives a piece the next id. An empty one takes an id and is never found. */
void attn_vocab_append (AttnVocab *vocab, const char *piece, size_t n_bytes);

/* The same for an empty piece that is shown as something. */
void attn_vocab_append_shown (AttnVocab *vocab, const char *shown, size_t n_bytes);

/* Gives a piece the id @id, below ATTN_VOCAB_MAX_IDS; what lies between stays without piece.
 * Returns: false when @id has one already. */
bool attn_vocab_set (AttnVocab *vocab, int32_t id, const char *piece, size_t n_bytes);

typedef struct {
  size_t n;               /* pieces that are there already */
  int32_t first, earlier; /* the first of them, and the id it has too */
} AttnVocabRepeats;

/**
 * attn_vocab_index:
 * @prefixes: makes attn_vocab_may_begin() work
 * @repeats:  (out): of equal pieces the last one's id counts
 */
void attn_vocab_index (AttnVocab *vocab, bool prefixes, AttnVocabRepeats *repeats);

/* Returns: one more than the largest id. */
size_t attn_vocab_get_n (const AttnVocab *vocab);

/* Returns: (nullable): the piece with this id; a U+0000 in it is shown as U+2400. */
const char *attn_vocab_peek (const AttnVocab *vocab, int32_t id);

/* Returns: the id of a piece, or -1. An empty piece has none. */
int32_t attn_vocab_find (const AttnVocab *vocab, const char *piece, size_t n_bytes);

/* The same without those that were added, which are no part of words. */
int32_t attn_vocab_find_plain (const AttnVocab *vocab, const char *piece, size_t n_bytes);

/* Returns: the id of @piece, which gets the next free one if it is not there yet; the first free
 * one is the number of pieces. */
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
 * Returns: the id of the piece that is @prefix and @piece together, or -1; none that was added.
 */
int32_t attn_vocab_match (
    const AttnVocab *vocab, guint64 hash, const char *prefix, const char *piece, size_t n_bytes);
