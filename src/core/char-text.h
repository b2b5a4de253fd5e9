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
  size_t limit;  /* of n; 0: none */
  bool too_long; /* the limit was reached */
  bool failed;   /* so it was, or there was no memory; from then on nothing is appended */
} AttnCharText;

/* Some of a text's characters. */
typedef struct {
  size_t first, n;
} AttnStretch;

/* A text cut into words; what stands between them is left out. */
typedef struct {
  const AttnChar *chars;  /* what the words are stretches of */
  AttnCharText text;      /* holds them where they had to be changed */
  AttnStretch *stretches; /* [n], each with at least one character */
  size_t n;
  size_t n_allocated;
  bool failed; /* as above */
} AttnWords;

/* Writes a changed copy of some characters; every new one takes the span of an old one. */
typedef struct {
  const AttnChar *old; /* [n] */
  size_t n;
  size_t at; /* the old character that comes next */
  AttnCharText *out;
} AttnRewrite;

/* Memory for one word's work, kept for the next one. */
typedef struct {
  void *block;
  size_t n_bytes;
} AttnScratch;

typedef struct {
  int32_t id;
  guint32 word : 31; /* number of its word in the text */
  guint32 found : 1; /* a token that was found as a whole, not made of a word */
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

/* Returns: how many characters may be made of a text of @n: far more than any writing system needs,
 * far less than a normaliser made to fill the memory wants. */
static inline size_t
attn_char_text_get_ceiling (size_t n)
{
  return MIN (64 * n + 4096, 2 * (size_t)ATTN_TEXT_MAX_BYTES);
}

/* Gives room for one more; @failed is set where there is none. */
void attn_char_text_grow (AttnCharText *text);
void attn_piece_list_grow (AttnPieceList *list);
void attn_words_grow (AttnWords *words);

/* Appends the characters of valid UTF-8. */
void attn_char_text_decode (AttnCharText *text, const char *utf8, size_t n_bytes);

void attn_char_text_clear (AttnCharText *text);
void attn_piece_list_clear (AttnPieceList *list);
void attn_words_clear (AttnWords *words);
void attn_scratch_clear (AttnScratch *scratch);

/* Returns: (nullable): @n_bytes for the caller until the next call, with any content. */
void *attn_scratch_get (AttnScratch *scratch, size_t n_bytes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnCharText, attn_char_text_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnPieceList, attn_piece_list_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnWords, attn_words_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnScratch, attn_scratch_clear)

static inline void
attn_char_text_append (AttnCharText *text, gunichar c, guint32 start, guint32 end)
{
  if (text->n == text->n_allocated)
    attn_char_text_grow (text);
  if (!text->failed)
    text->chars[text->n++] = (AttnChar){.c = c, .start = start, .end = end};
}

/* An empty stretch is no word. */
static inline void
attn_words_append (AttnWords *words, size_t first, size_t n)
{
  if (n == 0)
    return;
  if (words->n == words->n_allocated)
    attn_words_grow (words);
  if (!words->failed)
    words->stretches[words->n++] = (AttnStretch){.first = first, .n = n};
}

/* Writes @c in the place of the next old character. */
static inline void
attn_rewrite_replace (AttnRewrite *rewrite, gunichar c)
{
  const AttnChar *old = &rewrite->old[rewrite->at++];
  attn_char_text_append (rewrite->out, c, old->start, old->end);
}

/* Writes @c behind the old character before; it shares that one's span. */
static inline void
attn_rewrite_insert (AttnRewrite *rewrite, gunichar c)
{
  const AttnChar *old = &rewrite->old[rewrite->at == 0 ? 0 : rewrite->at - 1];
  attn_char_text_append (rewrite->out, c, old->start, old->end);
}

static inline void
attn_rewrite_skip (AttnRewrite *rewrite, size_t n)
{
  rewrite->at += n;
}

/* Appends a piece of the word that is being counted; attn_piece_list_end_word() goes on to the
 * next. */
static inline void
attn_piece_list_append (AttnPieceList *list, int32_t id, guint32 start, guint32 end)
{
  if (list->n == list->n_allocated)
    attn_piece_list_grow (list);
  if (!list->failed)
    list->pieces[list->n++] = (AttnPiece){
        .id = id, .word = (guint32)list->n_words & G_MAXINT32, .start = start, .end = end};
}

static inline void
attn_piece_list_end_word (AttnPieceList *list)
{
  list->n_words++;
}
