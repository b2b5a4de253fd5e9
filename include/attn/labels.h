/* SPDX-License-Identifier: MIT */
/* What the queries and keys of arrays are called: tokens without a tokenizer and without a text.
 *
 * For: attention that another program computed (arrays.h). Not for: tokens of a model (tokens.h). A
 * label may be any text, of any length, empty, with line ends or control characters: pictures and
 * messages show it safely, as they do pieces of vocabularies. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_LABELS_MAX_BYTES ((size_t)16 << 20) /* of a file of labels */

/* Immutable and reference-counted; safe to share between threads. */
typedef struct _AttnLabels AttnLabels;

/**
 * attn_labels_load:
 * @path: of a text file in UTF-8
 *
 * Reads JSON where the name ends in ".json" or the file begins like a JSON array of strings or an
 * object: ["a", "b"] for both sides, or {"queries": ["a"], "keys": ["b", "c"]}, or {"tokens": […]}.
 * Every other file has one token a line; an empty line is an empty token, the end of the last line
 * begins none, and a byte order mark and the carriage returns of Windows are no part of a token.
 * U+0000 becomes its picture, "␀".
 *
 * Returns: new labels for attn_labels_unref(), or NULL with @error: IO, TOO_LARGE, FORMAT (no
 *   tokens at all, too), INVALID_TEXT.
 * Test: tests/core/test-labels.c
 */
AttnLabels *attn_labels_load (const char *path, GError **error);

/* attn_labels_load() of text in memory; @name is for messages, and for its ending. */
AttnLabels *
attn_labels_load_text (const char *text, size_t n_bytes, const char *name, GError **error);

/**
 * attn_labels_new_typed:
 * @queries: UTF-8: tokens with white space between them, or a JSON array of strings where tokens
 *   have white space themselves: ["New York", "is"]
 * @keys:    (nullable): likewise; none for the same on both sides
 *
 * Returns: new labels likewise, or NULL with @error: FORMAT (no tokens), INVALID_TEXT.
 */
AttnLabels *attn_labels_new_typed (const char *queries, const char *keys, GError **error);

/* Returns: new labels likewise: "0", "1" … for each side; for arrays that come without tokens. */
AttnLabels *attn_labels_new_numbers (size_t n_queries, size_t n_keys);

/**
 * attn_labels_new:
 * @queries: (element-type utf8): copied
 * @keys:    (nullable) (element-type utf8): likewise; none for the same on both sides
 *
 * Returns: new labels likewise, of valid UTF-8 whatever was given.
 */
AttnLabels *attn_labels_new (const GPtrArray *queries, const GPtrArray *keys);

AttnLabels *attn_labels_ref (AttnLabels *labels);
void attn_labels_unref (AttnLabels *labels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnLabels, attn_labels_unref)

size_t attn_labels_get_n (const AttnLabels *labels, AttnSide side);

/* Returns: (transfer none): label @index of @side, UTF-8, valid as long as @labels. */
const char *attn_labels_peek (const AttnLabels *labels, AttnSide side, size_t index);

/* Returns: whether one list stands for both sides. */
bool attn_labels_is_one_list (const AttnLabels *labels);

/* Returns: whether attn_labels_new_numbers() made them. */
bool attn_labels_is_numbers (const AttnLabels *labels);

/* Returns: whether any label of either side has a mark of where words begin or go on: "##", "Ġ",
 * "▁" or a blank in front; see attn_maps_arrange(). */
bool attn_labels_has_marks (const AttnLabels *labels);

/* Returns: (nullable) (transfer none): the file they are from. */
const char *attn_labels_peek_path (const AttnLabels *labels);

/* Returns: (transfer full): the labels of @side with spaces between them, of at most @max_bytes
 * bytes and whole characters; for titles and g_free(). */
char *attn_labels_dup_line (const AttnLabels *labels, AttnSide side, size_t max_bytes);

/* Returns: (transfer full): the labels of @side as attn_labels_new_typed() reads the very same:
 * with spaces between them, or a JSON array where one is empty or has white space; for g_free(). */
char *attn_labels_dup_typed (const AttnLabels *labels, AttnSide side);

G_END_DECLS
