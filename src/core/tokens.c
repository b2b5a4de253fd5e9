/* SPDX-License-Identifier: MIT */
/* A text's tokens, its words and the text itself, in one block. */
#include "tokens.h"

#include "token-words.h"

#include "attn/error.h"

#include <string.h>

enum { N_TEXTS = 2 };

struct _AttnTokens {
  gatomicrefcount ref_count;
  AttnTokenizer *owner; /* of the pieces; nullable */
  size_t n;
  size_t n_words;
  size_t n_truncated;
  AttnWord *words;      /* [n_words], behind the tokens */
  char *texts[N_TEXTS]; /* behind the words; the second may be NULL */
  size_t n_bytes[N_TEXTS];
  AttnToken tokens[];
};

static size_t
count_word_bytes (const AttnTokenGroup *group, const AttnToken *tokens, const AttnTokensText *texts)
{
  if (attn_token_group_shows_text (group, &tokens[group->first], texts))
    return group->end - group->start + 1;
  size_t n_bytes = 1;
  for (size_t i = 0; i < group->n; i++)
    n_bytes += strlen (tokens[group->first + i].text);
  return n_bytes;
}

/* Writes a word's text and its NUL; returns what follows. */
static char *
write_word (char *at,
            const AttnTokenGroup *group,
            const AttnToken *tokens,
            const AttnTokensText *texts)
{
  const AttnToken *first = &tokens[group->first];
  if (attn_token_group_shows_text (group, first, texts)) {
    size_t n_bytes = group->end - group->start;
    memcpy (at, texts[first->sequence].bytes + group->start, n_bytes);
    at += n_bytes;
  } else {
    for (size_t i = 0; i < group->n; i++)
      at = g_stpcpy (at, first[i].text);
  }
  *at = '\0';
  return at + 1;
}

/* Bytes of the block that holds all; false where they are too many to count. */
static bool
add_sizes (const AttnTokens *self,
           const AttnTokenGroup *groups,
           const AttnTokensText *texts,
           const AttnToken *tokens,
           size_t *n_bytes)
{
  size_t n_tokens_bytes, n_words_bytes;
  bool fits = g_size_checked_mul (&n_tokens_bytes, self->n, sizeof (AttnToken)) &&
              g_size_checked_mul (&n_words_bytes, self->n_words, sizeof (AttnWord)) &&
              g_size_checked_add (n_bytes, n_tokens_bytes, n_words_bytes) &&
              g_size_checked_add (n_bytes, *n_bytes, sizeof (AttnTokens));
  for (size_t i = 0; i < N_TEXTS; i++)
    fits = fits && g_size_checked_add (n_bytes, *n_bytes, texts[i].n_bytes) &&
           g_size_checked_add (n_bytes, *n_bytes, 1);
  for (size_t i = 0; i < self->n_words; i++)
    fits = fits &&
           g_size_checked_add (n_bytes, *n_bytes, count_word_bytes (&groups[i], tokens, texts));
  return fits;
}

static void
fill_words (AttnTokens *self, const AttnTokenGroup *groups, const AttnTokensText *texts, char *at)
{
  for (size_t i = 0; i < self->n_words; i++) {
    const AttnTokenGroup *group = &groups[i];
    self->words[i] = (AttnWord){.text = at,
                                .first = group->first,
                                .n = group->n,
                                .sequence = self->tokens[group->first].sequence,
                                .start = group->start,
                                .end = group->end};
    at = write_word (at, group, self->tokens, texts);
  }
}

static char *
fill_texts (AttnTokens *self, const AttnTokensText *texts, char *at)
{
  for (size_t i = 0; i < N_TEXTS; i++) {
    if (texts[i].bytes == NULL)
      continue;
    self->texts[i] = at;
    self->n_bytes[i] = texts[i].n_bytes;
    memcpy (at, texts[i].bytes, texts[i].n_bytes);
    at[texts[i].n_bytes] = '\0';
    at += texts[i].n_bytes + 1;
  }
  return at;
}

AttnTokens *
attn_tokens_new (const AttnToken *tokens,
                 size_t n,
                 size_t n_truncated,
                 const AttnTokensText *texts,
                 AttnTokenizer *owner,
                 GError **error)
{
  g_autofree AttnToken *complete = g_try_new (AttnToken, MAX (n, 1));
  g_autofree AttnTokenGroup *groups = g_try_new (AttnTokenGroup, MAX (n, 1));
  AttnTokens sizes = {.n = n}, *self = NULL;
  size_t n_bytes = 0;
  if (complete != NULL && groups != NULL) {
    for (size_t i = 0; i < n; i++) {
      complete[i] = tokens[i];
      if (tokens[i].text == NULL)
        complete[i].text = tokens[i].piece;
    }
    sizes.n_words = attn_token_groups_find (complete, n, texts, NULL, groups);
    if (add_sizes (&sizes, groups, texts, complete, &n_bytes))
      self = g_try_malloc (n_bytes);
  }
  if (self == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "there is no memory for %zu tokens and their text (%zu bytes)", n, n_bytes);
    return NULL;
  }
  *self = (AttnTokens){.n = n, .n_words = sizes.n_words, .n_truncated = n_truncated};
  g_atomic_ref_count_init (&self->ref_count);
  self->owner = owner == NULL ? NULL : attn_tokenizer_ref (owner);
  self->words = (AttnWord *)(void *)(self->tokens + n);
  if (n > 0)
    memcpy (self->tokens, complete, n * sizeof (AttnToken));
  fill_words (self, groups, texts, fill_texts (self, texts, (char *)(self->words + sizes.n_words)));
  return self;
}

AttnTokens *
attn_tokens_ref (AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, NULL);
  g_atomic_ref_count_inc (&tokens->ref_count);
  return tokens;
}

void
attn_tokens_unref (AttnTokens *tokens)
{
  g_return_if_fail (tokens != NULL);
  if (!g_atomic_ref_count_dec (&tokens->ref_count))
    return;
  if (tokens->owner != NULL)
    attn_tokenizer_unref (tokens->owner);
  g_free (tokens);
}

size_t
attn_tokens_get_n (const AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, 0);
  return tokens->n;
}

const AttnToken *
attn_tokens_peek (const AttnTokens *tokens, size_t index)
{
  g_return_val_if_fail (tokens != NULL && index < tokens->n, NULL);
  return &tokens->tokens[index];
}

size_t
attn_tokens_get_n_words (const AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, 0);
  return tokens->n_words;
}

const AttnWord *
attn_tokens_peek_word (const AttnTokens *tokens, size_t index)
{
  g_return_val_if_fail (tokens != NULL && index < tokens->n_words, NULL);
  return &tokens->words[index];
}

size_t
attn_tokens_find_word (const AttnTokens *tokens, size_t index)
{
  g_return_val_if_fail (tokens != NULL && index < tokens->n, 0);
  size_t low = 0, high = tokens->n_words;
  while (high - low > 1) { /* the last word that begins at @index or before */
    size_t middle = (low + high) / 2;
    if (tokens->words[middle].first <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

size_t
attn_tokens_get_n_truncated (const AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, 0);
  return tokens->n_truncated;
}

const char *
attn_tokens_peek_text (const AttnTokens *tokens, int sequence, size_t *length)
{
  g_return_val_if_fail (tokens != NULL && sequence >= 0 && sequence < N_TEXTS, NULL);
  if (length != NULL)
    *length = tokens->n_bytes[sequence];
  return tokens->texts[sequence];
}
