/* SPDX-License-Identifier: MIT */
/* The front of every tokenizer: which kind a folder has, tokens that stand in the text, limit,
 * template, spans. */
#include "attn/tokenizer.h"

#include "file.h"
#include "tokenizer-wordpiece.h"
#include "tokens.h"
#include "unicode.h"

#include "attn/error.h"

#include <string.h>

struct _AttnTokenizer {
  gatomicrefcount ref_count;
  AttnTokenizerParts parts;
};

/* What a folder may have instead of vocab.txt, none of which is read yet. */
static const char *const other_files[] = {
    "tokenizer.json", "vocab.json", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model",
};

static bool
check_folder (const char *folder, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  g_autofree char *vocab = g_build_filename (folder, "vocab.txt", NULL);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: found no folder, wanted a model's folder",
                 shown);
    return false;
  }
  bool found;
  if (!attn_file_find (vocab, &found, error))
    return false;
  if (found)
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (other_files); i++) {
    g_autofree char *path = g_build_filename (folder, other_files[i], NULL);
    if (!attn_file_find (path, &found, error))
      return false;
    if (!found)
      continue;
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "%s: found a tokenizer in %s, which this version does not read; wanted vocab.txt",
                 shown, other_files[i]);
    return false;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: found neither vocab.txt nor tokenizer.json, wanted one of them", shown);
  return false;
}

AttnTokenizer *
attn_tokenizer_load (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  if (!check_folder (folder, error))
    return NULL;
  g_autoptr (AttnTokenizer) self = g_new0 (AttnTokenizer, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->parts.warnings = g_ptr_array_new_with_free_func (g_free);
  self->parts.raw_tokens = attn_added_tokens_new ();
  self->parts.normalized_tokens = attn_added_tokens_new ();
  self->parts.mask_id = -1;
  if (!attn_wordpiece_load (folder, &self->parts, error))
    return NULL;
  attn_added_tokens_seal (self->parts.raw_tokens);
  attn_added_tokens_seal (self->parts.normalized_tokens);
  return g_steal_pointer (&self);
}

AttnTokenizer *
attn_tokenizer_ref (AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  g_atomic_ref_count_inc (&tokenizer->ref_count);
  return tokenizer;
}

void
attn_tokenizer_unref (AttnTokenizer *tokenizer)
{
  g_return_if_fail (tokenizer != NULL);
  if (!g_atomic_ref_count_dec (&tokenizer->ref_count))
    return;
  AttnTokenizerParts *parts = &tokenizer->parts;
  if (parts->model != NULL)
    parts->kind->free (parts->model);
  g_clear_pointer (&parts->vocab, attn_vocab_free);
  attn_added_tokens_free (parts->raw_tokens);
  attn_added_tokens_free (parts->normalized_tokens);
  g_ptr_array_unref (parts->warnings);
  g_free (tokenizer);
}

static bool
check_text (const char *text, size_t n_bytes, const char *name, GError **error)
{
  size_t at;
  if (n_bytes > ATTN_TEXT_MAX_BYTES) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "%s has %zu bytes, wanted at most %d",
                 name, n_bytes, ATTN_TEXT_MAX_BYTES);
    return false;
  }
  if (attn_utf8_check (text, n_bytes, &at))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT,
               "%s is not valid UTF-8: found the byte 0x%02X at byte %zu", name,
               (unsigned)(unsigned char)text[at], at);
  return false;
}

static void
append_token (AttnPieceList *out, const AttnChar *chars, const AttnStretch *stretch)
{
  attn_piece_list_append (out, stretch->id, chars[stretch->first].start,
                          chars[stretch->first + stretch->n - 1].end);
  attn_piece_list_end_word (out);
}

/* Normalises what stands between two tokens, and looks for tokens once more. */
static void
encode_plain (const AttnTokenizerParts *parts,
              const AttnChar *chars,
              size_t n,
              AttnCharText *normalized,
              AttnPieceList *out)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (AttnStretch));
  normalized->n = 0;
  parts->kind->normalize (parts->model, chars, n, normalized);
  attn_added_tokens_split (parts->normalized_tokens, normalized->chars, normalized->n, stretches);
  for (guint i = 0; i < stretches->len; i++) {
    const AttnStretch *stretch = &g_array_index (stretches, AttnStretch, i);
    if (stretch->id >= 0)
      append_token (out, normalized->chars, stretch);
    else
      parts->kind->encode (parts->model, parts->vocab, normalized->chars + stretch->first,
                           stretch->n, out);
  }
}

/* Makes the pieces of one text. */
static bool
encode_text (const AttnTokenizerParts *parts,
             const char *text,
             size_t n_bytes,
             const char *name,
             AttnPieceList *out,
             GError **error)
{
  if (!check_text (text, n_bytes, name, error))
    return false;
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnCharText) normalized = {0};
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (AttnStretch));
  attn_char_text_decode (&raw, text, n_bytes);
  attn_added_tokens_split (parts->raw_tokens, raw.chars, raw.n, stretches);
  for (guint i = 0; i < stretches->len; i++) {
    const AttnStretch *stretch = &g_array_index (stretches, AttnStretch, i);
    if (stretch->id >= 0)
      append_token (out, raw.chars, stretch);
    else
      encode_plain (parts, raw.chars + stretch->first, stretch->n, &normalized, out);
  }
  if (!raw.failed && !normalized.failed && !out->failed)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
               "there is no memory to make tokens of %s (%zu bytes)", name, n_bytes);
  return false;
}

/* Cuts two lists to @max pieces together, the longer one first; of equal ones the first. */
static void
cut_longest_first (size_t *n_first, size_t *n_second, size_t max)
{
  if (*n_first + *n_second <= max)
    return;
  size_t *shorter = *n_first <= *n_second ? n_first : n_second;
  size_t *longer = shorter == n_first ? n_second : n_first;
  if (*shorter > max)
    *longer = *shorter;
  else
    *longer = MAX (*shorter, max - *shorter);
  if (*shorter + *longer > max) {
    *shorter = max / 2;
    *longer = *shorter + max % 2;
  }
}

static size_t
count_template_tokens (const AttnTemplate *template)
{
  size_t n = 0;
  for (size_t i = 0; i < template->n_items; i++)
    n += template->items[i].sequence < 0;
  return n;
}

static AttnToken
make_token (const AttnTokenizerParts *parts, const AttnTemplateItem *item, const AttnPiece *piece)
{
  int32_t id = piece == NULL ? item->id : piece->id;
  return (AttnToken){.piece = attn_vocab_peek (parts->vocab, id),
                     .id = id,
                     .type_id = item->type_id,
                     .sequence = item->sequence,
                     .start = piece == NULL ? 0 : piece->start,
                     .end = piece == NULL ? 0 : piece->end,
                     .word = piece == NULL ? -1 : piece->word,
                     .special = piece == NULL,
                     .mask = id == parts->mask_id};
}

/* Puts the pieces that are kept into the template. */
static void
fill_template (const AttnTokenizerParts *parts,
               const AttnTemplate *template,
               const AttnPieceList *lists,
               const size_t *n_kept,
               AttnToken *tokens)
{
  for (size_t i = 0; i < template->n_items; i++) {
    const AttnTemplateItem *item = &template->items[i];
    if (item->sequence < 0)
      *tokens++ = make_token (parts, item, NULL);
    else
      for (size_t k = 0; k < n_kept[item->sequence]; k++)
        *tokens++ = make_token (parts, item, &lists[item->sequence].pieces[k]);
  }
}

static AttnTokens *
make_tokens (AttnTokenizer *tokenizer,
             const AttnTokenizerInput *input,
             const AttnPieceList *lists,
             GError **error)
{
  const AttnTokenizerParts *parts = &tokenizer->parts;
  const AttnTemplate *template = input->pair == NULL ? &parts->single : &parts->pair;
  size_t n_template = count_template_tokens (template);
  size_t limit = input->max_tokens == 0 ? parts->max_tokens : input->max_tokens;
  if (limit < n_template) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the limit of tokens is %zu, wanted at least %zu: so many are added to every text",
                 limit, n_template);
    return NULL;
  }
  size_t n_kept[] = {lists[0].n, lists[1].n};
  cut_longest_first (&n_kept[0], &n_kept[1], limit - n_template);
  size_t n = n_template + n_kept[0] + n_kept[1];
  g_autofree AttnToken *tokens = g_try_new (AttnToken, n);
  if (tokens == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "there is no memory for %zu tokens", n);
    return NULL;
  }
  fill_template (parts, template, lists, n_kept, tokens);
  AttnTokensText texts[] = {{input->text, input->text_length}, {input->pair, input->pair_length}};
  return attn_tokens_new (tokens, n, lists[0].n + lists[1].n - n_kept[0] - n_kept[1], texts,
                          tokenizer, error);
}

AttnTokens *
attn_tokenizer_encode (AttnTokenizer *tokenizer, const AttnTokenizerInput *input, GError **error)
{
  g_return_val_if_fail (tokenizer != NULL && input != NULL && input->text != NULL, NULL);
  g_auto (AttnPieceList) first = {0};
  g_auto (AttnPieceList) second = {0};
  if (!encode_text (&tokenizer->parts, input->text, input->text_length, "the text", &first, error))
    return NULL;
  if (input->pair != NULL && !encode_text (&tokenizer->parts, input->pair, input->pair_length,
                                           "the second text", &second, error))
    return NULL;
  AttnPieceList lists[] = {first, second};
  return make_tokens (tokenizer, input, lists, error);
}

size_t
attn_tokenizer_get_vocab_size (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return attn_vocab_get_n (tokenizer->parts.vocab);
}

size_t
attn_tokenizer_get_max_tokens (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return tokenizer->parts.max_tokens;
}

const char *
attn_tokenizer_peek_piece (const AttnTokenizer *tokenizer, int32_t id)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  return attn_vocab_peek (tokenizer->parts.vocab, id);
}

int32_t
attn_tokenizer_find_id (const AttnTokenizer *tokenizer, const char *piece)
{
  g_return_val_if_fail (tokenizer != NULL && piece != NULL, -1);
  return attn_vocab_find (tokenizer->parts.vocab, piece, strlen (piece));
}

const char *
attn_tokenizer_peek_mask (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  return attn_vocab_peek (tokenizer->parts.vocab, tokenizer->parts.mask_id);
}

size_t
attn_tokenizer_get_n_warnings (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return tokenizer->parts.warnings->len;
}

const char *
attn_tokenizer_peek_warning (const AttnTokenizer *tokenizer, size_t index)
{
  g_return_val_if_fail (tokenizer != NULL && index < tokenizer->parts.warnings->len, NULL);
  return g_ptr_array_index (tokenizer->parts.warnings, index);
}
