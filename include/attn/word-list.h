/* SPDX-License-Identifier: MIT */
/* Words of several Han characters, for texts that are written without spaces. */
#pragma once

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; safe to share between threads. */
typedef struct _AttnWordList AttnWordList;

/**
 * attn_word_list_load:
 * @path: UTF-8, one word a line; what follows a blank on the line (a frequency, a class) is ignored
 *
 * Returns: a new list for attn_word_list_unref(), or NULL with @error: IO, FORMAT (not UTF-8, no
 *   word at all), TOO_LARGE.
 * Test: tests/core/test-word-list.c
 */
AttnWordList *attn_word_list_load (const char *path, GError **error);

AttnWordList *attn_word_list_ref (AttnWordList *list);
void attn_word_list_unref (AttnWordList *list);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnWordList, attn_word_list_unref)

/* Returns: (transfer none): the path it was loaded from. */
const char *attn_word_list_peek_path (const AttnWordList *list);

/**
 * attn_word_list_match:
 * @text: UTF-8 of @length bytes, at the beginning of a character
 *
 * Returns: bytes of the longest word that stands there, 0 for none.
 */
size_t attn_word_list_match (const AttnWordList *list, const char *text, size_t length);

G_END_DECLS
