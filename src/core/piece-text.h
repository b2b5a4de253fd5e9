/* SPDX-License-Identifier: MIT */
/* Pieces as people read them. */
#pragma once

#include "vocab.h"

#include <glib.h>

#include <stdbool.h>

/* How a vocabulary writes text. */
typedef struct {
  bool by_bytes;  /* each character stands for a byte (byte-level.h) */
  gunichar space; /* stands for a space, in SentencePiece U+2581; 0 for none */
} AttnPieceAlphabet;

/**
 * attn_piece_texts_new:
 * @registered: (nullable): pieces that are written as they are, as keys
 *
 * Each piece's text: spaces are "␣", a line's end "↵", a tab "⇥", other characters without a shape
 * their number, as "U+00A0"; bytes that form no whole character, and those of SentencePiece, as
 * "<E4>".
 *
 * Returns: (transfer full): [attn_vocab_get_n()] texts, NULL where the text is the piece itself;
 *   they live as long as @chunk.
 */
const char **attn_piece_texts_new (const AttnVocab *vocab,
                                   const AttnPieceAlphabet *alphabet,
                                   GHashTable *registered,
                                   GStringChunk *chunk);

/* Returns: (transfer full): @n_bytes of a text in the same writing. */
char *attn_piece_text_dup (const char *text, size_t n_bytes);
