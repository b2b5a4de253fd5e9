/* SPDX-License-Identifier: MIT */
/* Growing lists a tokenizer works on: characters, and pieces, that know their place in the text. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character of the text, or what normalising made of it. */
typedef struct {
  gunichar c;
  guint32 start, end; /* bytes of the original text; a new character takes its origin's */
} AttnChar;

typedef struct {
  AttnChar *chars; /* [n] */
  size_t n;
  size_t n_allocated;
  bool failed; /* memory could not be had; from then on nothing is appended */
} AttnCharText;

typedef struct {
  int32_t id;
  int32_t word; /* number of its word in the text */
  guint32 start, end;
} AttnPiece;

typedef struct {
  AttnPiece *pieces; /* [n] */
  size_t n;
  size_t n_allocated;
  int32_t n_words;
  bool failed; /* as above */
} AttnPieceList;

/* Longer texts are refused, so that places fit guint32 and a slip of the hand costs no gigabytes.
 */
enum { ATTN_TEXT_MAX_BYTES = 16 << 20 };

/* Gives room for one more; @failed is set where there is none. */
void attn_char_text_grow (AttnCharText *text);
void attn_piece_list_grow (AttnPieceList *list);

/* Appends the characters of valid UTF-8. */
void attn_char_text_decode (AttnCharText *text, const char *utf8, size_t n_bytes);

void attn_char_text_clear (AttnCharText *text);
void attn_piece_list_clear (AttnPieceList *list);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnCharText, attn_char_text_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnPieceList, attn_piece_list_clear)

static inline void
attn_char_text_append (AttnCharText *text, gunichar c, guint32 start, guint32 end)
{
  if (text->n == text->n_allocated)
    attn_char_text_grow (text);
  if (!text->failed)
    text->chars[text->n++] = (AttnChar){.c = c, .start = start, .end = end};
}

/* Appends a piece of the word that is being counted; attn_piece_list_end_word() goes on to the
 * next. */
static inline void
attn_piece_list_append (AttnPieceList *list, int32_t id, guint32 start, guint32 end)
{
  if (list->n == list->n_allocated)
    attn_piece_list_grow (list);
  if (!list->failed)
    list->pieces[list->n++] =
        (AttnPiece){.id = id, .word = list->n_words, .start = start, .end = end};
}

static inline void
attn_piece_list_end_word (AttnPieceList *list)
{
  list->n_words++;
}
