/* SPDX-License-Identifier: MIT */
/* Cuts words into the longest pieces the vocabulary has. */
#include "piece-kinds.h"

#include <string.h>

enum { MAX_CHAR_BYTES = 6 };

typedef struct {
  int32_t unk_id;
  char *prefix;
  size_t max_word_chars;
} WordPiece;

/* A word as bytes, and where each of its characters ends in them. */
typedef struct {
  char *bytes;
  size_t *ends; /* [n + 1]; ends[0] is 0 */
  size_t n;
} Word;

static bool
fill_word (Word *word, const AttnChar *chars, size_t n, AttnScratch *scratch)
{
  /* at most 2^24 characters (ATTN_TEXT_MAX_BYTES), a few each: no overflow */
  word->ends = attn_scratch_get (scratch, (n + 1) * sizeof *word->ends + n * MAX_CHAR_BYTES);
  if (word->ends == NULL)
    return false;
  word->bytes = (char *)(word->ends + n + 1);
  word->n = n;
  word->ends[0] = 0;
  for (size_t i = 0; i < n; i++)
    word->ends[i + 1] =
        word->ends[i] + (size_t)g_unichar_to_utf8 (chars[i].c, word->bytes + word->ends[i]);
  return true;
}

/* The longest piece that begins with character @first; writes where it stops. -1 for none. */
static int32_t
find_longest_piece (
    const WordPiece *model, const AttnVocab *vocab, const Word *word, size_t first, size_t *stop)
{
  const char *prefix = first == 0 ? "" : model->prefix;
  const char *begin = word->bytes + word->ends[first];
  guint64 hash = attn_vocab_begin_hash (vocab);
  for (const char *c = prefix; *c != '\0'; c++)
    hash = attn_vocab_step_hash (hash, *c);
  int32_t longest = -1;
  for (size_t i = first; i < word->n; i++) {
    for (size_t at = word->ends[i]; at < word->ends[i + 1]; at++)
      hash = attn_vocab_step_hash (hash, word->bytes[at]);
    if (!attn_vocab_may_begin (vocab, hash))
      break;
    int32_t id =
        attn_vocab_match (vocab, hash, prefix, begin, word->ends[i + 1] - word->ends[first]);
    if (id >= 0) {
      longest = id;
      *stop = i + 1;
    }
  }
  return longest;
}

static void
encode (const void *data,
        const AttnVocab *vocab,
        const AttnChar *chars,
        size_t n,
        AttnScratch *scratch,
        AttnPieceList *out)
{
  const WordPiece *model = data;
  size_t n_before = out->n, stop = 0;
  bool known = n <= model->max_word_chars;
  Word word;
  if (known && !fill_word (&word, chars, n, scratch)) {
    out->failed = true;
    return;
  }
  for (size_t first = 0; known && first < n; first = stop) {
    int32_t id = find_longest_piece (model, vocab, &word, first, &stop);
    known = id >= 0;
    if (known)
      attn_piece_list_append (out, id, chars[first].start, chars[stop - 1].end);
  }
  if (!known) { /* one piece that cannot be found makes the whole word unknown */
    out->n = n_before;
    attn_piece_list_append (out, model->unk_id, chars[0].start, chars[n - 1].end);
  }
}

static void
free_model (void *data)
{
  WordPiece *model = data;
  g_free (model->prefix);
  g_free (model);
}

void
attn_wordpiece_init (AttnTokenizerParts *parts, const AttnWordPieceOptions *options)
{
  static const AttnPieceKind kind = {.encode = encode, .free = free_model};
  WordPiece *model = g_new0 (WordPiece, 1);
  model->unk_id = options->unk_id;
  model->prefix = g_strdup (options->prefix);
  model->max_word_chars = options->max_word_chars;
  parts->kind = &kind;
  parts->model = model;
}
