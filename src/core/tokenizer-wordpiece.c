/* SPDX-License-Identifier: MIT */
/* Splits normalised text into words and words into the longest pieces the vocabulary has. */
#include "tokenizer-wordpiece.h"

#include "bert-normalizer.h"
#include "file.h"
#include "tokenizer-config.h"
#include "unicode.h"

#include "attn/error.h"

#include <string.h>

enum {
  MAX_WORD_CHARS = 100, /* a longer word is unknown; the reference's max_input_chars_per_word */
  MAX_CHAR_BYTES = 4,
};

static const char continuing[] = "##"; /* in front of every piece but a word's first */

typedef struct {
  AttnBertNormalizer normalizer;
  int32_t unk_id;
} WordPiece;

/* A word as bytes, and where each of its characters ends in them. */
typedef struct {
  const AttnChar *chars; /* [n] */
  size_t n;
  char bytes[MAX_WORD_CHARS * MAX_CHAR_BYTES];
  size_t ends[MAX_WORD_CHARS + 1]; /* [n + 1]; ends[0] is 0 */
} Word;

static void
normalize (const void *model, const AttnChar *chars, size_t n, AttnCharText *out)
{
  attn_bert_normalize (&((const WordPiece *)model)->normalizer, chars, n, out);
}

static void
fill_word (Word *word, const AttnChar *chars, size_t n)
{
  word->chars = chars;
  word->n = n;
  word->ends[0] = 0;
  for (size_t i = 0; i < n; i++)
    word->ends[i + 1] =
        word->ends[i] + (size_t)g_unichar_to_utf8 (chars[i].c, word->bytes + word->ends[i]);
}

/* The longest piece that begins with character @first; writes where it stops. -1 for none. */
static int32_t
find_longest_piece (const AttnVocab *vocab, const Word *word, size_t first, size_t *stop)
{
  const char *prefix = first == 0 ? "" : continuing;
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
encode_word (const WordPiece *model,
             const AttnVocab *vocab,
             const AttnChar *chars,
             size_t n,
             AttnPieceList *out)
{
  size_t n_before = out->n, stop = 0;
  bool known = n <= MAX_WORD_CHARS;
  Word word;
  if (known)
    fill_word (&word, chars, n);
  for (size_t first = 0; known && first < n; first = stop) {
    int32_t id = find_longest_piece (vocab, &word, first, &stop);
    known = id >= 0;
    if (known)
      attn_piece_list_append (out, id, chars[first].start, chars[stop - 1].end);
  }
  if (!known) { /* one piece that cannot be found makes the whole word unknown */
    out->n = n_before;
    attn_piece_list_append (out, model->unk_id, chars[0].start, chars[n - 1].end);
  }
  attn_piece_list_end_word (out);
}

/* Words end at white space, which is dropped; punctuation is a word of one character. */
static void
encode (
    const void *model, const AttnVocab *vocab, const AttnChar *chars, size_t n, AttnPieceList *out)
{
  size_t begin = 0;
  for (size_t i = 0; i <= n && !out->failed; i++) {
    unsigned flags = i == n ? ATTN_CHAR_WHITE : attn_char_get_flags (chars[i].c);
    if ((flags & (ATTN_CHAR_WHITE | ATTN_CHAR_PUNCTUATION)) == 0)
      continue;
    if (i > begin)
      encode_word (model, vocab, chars + begin, i - begin, out);
    if ((flags & ATTN_CHAR_PUNCTUATION) != 0)
      encode_word (model, vocab, chars + i, 1, out);
    begin = i + 1;
  }
}

static const AttnTokenizerKind wordpiece_kind = {
    .normalize = normalize,
    .encode = encode,
    .free = g_free,
};

/* Classes that make tokens as BertTokenizer does; the suffix Fast means no other tokens. */
static const char *const known_classes[] = {
    "BertTokenizer",       "DistilBertTokenizer",         "ElectraTokenizer",
    "MobileBertTokenizer", "SqueezeBertTokenizer",        "ConvBertTokenizer",
    "LxmertTokenizer",     "DPRQuestionEncoderTokenizer", "DPRContextEncoderTokenizer",
    "PreTrainedTokenizer", "TokenizersBackend",
};

static bool
check_class (const AttnTokenizerConfig *config, GError **error)
{
  const char *class = config->tokenizer_class;
  if (class == NULL)
    return true;
  size_t n = strlen (class) - (g_str_has_suffix (class, "Fast") ? strlen ("Fast") : 0);
  for (size_t i = 0; i < G_N_ELEMENTS (known_classes); i++)
    if (strlen (known_classes[i]) == n && strncmp (known_classes[i], class, n) == 0)
      return true;
  g_autofree char *shown = attn_file_dup_shown (class, strlen (class));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "%s: tokenizer_class is \"%s\", wanted BertTokenizer or one that works alike "
               "(DistilBertTokenizer, ElectraTokenizer, MobileBertTokenizer)",
               config->path, shown);
  return false;
}

/* Gives tokens that vocab.txt does not have the ids behind its last one, as the reference does. */
static void
add_to_vocab (AttnTokenizerParts *parts, const AttnTokenizerConfig *config)
{
  for (guint i = 0; i < config->added->len; i++) {
    const AttnConfigToken *token = &g_array_index (config->added, AttnConfigToken, i);
    int32_t id = attn_vocab_add (parts->vocab, token->content);
    if (token->id < 0 || (int32_t)token->id == id)
      continue;
    g_autofree char *shown = attn_file_dup_shown (token->content, strlen (token->content));
    g_ptr_array_add (parts->warnings,
                     g_strdup_printf ("%s: token \"%s\" should have the id %.0f, but by vocab.txt "
                                      "it is %d, which counts",
                                      config->path, shown, token->id, id));
  }
}

/* Finds the ids of the special tokens; without [UNK], [CLS] or [SEP] there is no tokenizer. */
static bool
find_specials (AttnTokenizerParts *parts,
               const AttnTokenizerConfig *config,
               const char *vocab_path,
               int32_t *ids,
               GError **error)
{
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++) {
    const char *content = config->specials[i].content;
    const char *key = attn_special_get_key ((AttnSpecial)i);
    ids[i] = attn_vocab_find (parts->vocab, content, strlen (content));
    if (ids[i] >= 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (content, strlen (content));
    if (i == ATTN_SPECIAL_UNK || i == ATTN_SPECIAL_CLS || i == ATTN_SPECIAL_SEP) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                   "%s: the token %s (%s) is not among its %zu tokens", vocab_path, shown, key,
                   attn_vocab_get_n (parts->vocab));
      return false;
    }
    g_ptr_array_add (parts->warnings,
                     g_strdup_printf ("%s: there is no token %s (%s); typed, it is plain text",
                                      vocab_path, shown, key));
  }
  return true;
}

/* Has a token found in texts as a whole, unless the vocabulary does not have it. Of two with the
 * same content the first counts. */
static void
register_token (AttnTokenizerParts *parts, const AttnConfigToken *token, GHashTable *contents)
{
  size_t n_bytes = strlen (token->content);
  AttnAddedToken added = {.id = attn_vocab_find (parts->vocab, token->content, n_bytes),
                          .single_word = token->single_word,
                          .lstrip = token->lstrip,
                          .rstrip = token->rstrip};
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnCharText) normalized = {0};
  if (added.id < 0 || !g_hash_table_add (contents, token->content))
    return;
  attn_char_text_decode (&raw, token->content, n_bytes);
  if (!token->normalized) {
    attn_added_tokens_add (parts->raw_tokens, &raw, &added);
    return;
  }
  parts->kind->normalize (parts->model, raw.chars, raw.n, &normalized);
  if (normalized.n > 0)
    attn_added_tokens_add (parts->normalized_tokens, &normalized, &added);
}

static void
register_tokens (AttnTokenizerParts *parts, const AttnTokenizerConfig *config)
{
  g_autoptr (GHashTable) contents = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < config->added->len; i++)
    register_token (parts, &g_array_index (config->added, AttnConfigToken, i), contents);
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++)
    register_token (parts, &config->specials[i], contents);
}

static void
fill_templates (AttnTokenizerParts *parts, int32_t cls_id, int32_t sep_id)
{
  AttnTemplateItem items[] = {
      {.sequence = -1, .id = cls_id, .type_id = 0}, {.sequence = 0, .type_id = 0},
      {.sequence = -1, .id = sep_id, .type_id = 0}, {.sequence = 1, .type_id = 1},
      {.sequence = -1, .id = sep_id, .type_id = 1},
  };
  memcpy (parts->single.items, items, 3 * sizeof *items);
  parts->single.n_items = 3;
  memcpy (parts->pair.items, items, sizeof items);
  parts->pair.n_items = G_N_ELEMENTS (items);
}

bool
attn_wordpiece_load (const char *folder, AttnTokenizerParts *parts, GError **error)
{
  g_autoptr (AttnTokenizerConfig) config =
      attn_tokenizer_config_load (folder, parts->warnings, error);
  if (config == NULL || !check_class (config, error))
    return false;
  g_autofree char *path = g_build_filename (folder, "vocab.txt", NULL);
  g_autofree char *shown_path = attn_file_dup_shown (path, strlen (path));
  parts->vocab = attn_vocab_load (path, parts->warnings, error);
  if (parts->vocab == NULL)
    return false;
  int32_t ids[ATTN_N_SPECIALS];
  add_to_vocab (parts, config);
  if (!find_specials (parts, config, shown_path, ids, error))
    return false;

  WordPiece *model = g_new0 (WordPiece, 1);
  model->normalizer = (AttnBertNormalizer){.lower = config->lower,
                                           .strip_accents = config->strip_accents,
                                           .split_ideographs = config->split_ideographs};
  model->unk_id = ids[ATTN_SPECIAL_UNK];
  parts->kind = &wordpiece_kind;
  parts->model = model;
  parts->mask_id = ids[ATTN_SPECIAL_MASK];
  parts->max_tokens = config->max_tokens;
  if (config->has_never_split)
    g_ptr_array_add (
        parts->warnings,
        g_strdup_printf ("%s: never_split is left out, as the fast tokenizer does", config->path));
  fill_templates (parts, ids[ATTN_SPECIAL_CLS], ids[ATTN_SPECIAL_SEP]);
  register_tokens (parts, config);
  return true;
}
