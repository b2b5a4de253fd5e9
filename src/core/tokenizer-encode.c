/* SPDX-License-Identifier: MIT */
/* From text through a tokenizer's parts to tokens in their template. */
#include "span-trim.h"
#include "tokenizer-private.h"
#include "tokens.h"
#include "unicode.h"

#include "attn/error.h"

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
  if (attn_utf16_is_marked (text, n_bytes)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT, "found text in UTF-16, wanted UTF-8");
    return false;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT,
               "%s is not valid UTF-8: found the byte 0x%02X at byte %zu", name,
               (unsigned)(unsigned char)text[at], at);
  return false;
}

/* Lists that encoding one text works on. */
typedef struct {
  AttnCharText raw, normalized, spare_text;
  AttnWords words, spare_words;
  AttnScratch scratch;
  size_t n_left; /* characters that normalising may still make of the text */
  bool too_long; /* it made more */
} Workspace;

static void
workspace_clear (Workspace *work)
{
  attn_char_text_clear (&work->raw);
  attn_char_text_clear (&work->normalized);
  attn_char_text_clear (&work->spare_text);
  attn_words_clear (&work->words);
  attn_words_clear (&work->spare_words);
  attn_scratch_clear (&work->scratch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Workspace, workspace_clear)

static void
append_token (AttnPieceList *out, const AttnChar *chars, const AttnFoundToken *found)
{
  attn_piece_list_append (out, found->id, chars[found->first].start,
                          chars[found->first + found->n - 1].end);
  if (!out->failed)
    out->pieces[out->n - 1].found = true;
  attn_piece_list_end_word (out);
}

static void
encode_words (const AttnTokenizerParts *parts,
              const AttnChar *chars,
              size_t n,
              Workspace *work,
              AttnPieceList *out)
{
  AttnWords *words = &work->words;
  attn_pre_tokenizer_run (parts->pre_tokenizer, chars, n, words, &work->spare_words);
  out->failed |= words->failed;
  for (size_t i = 0; i < words->n && !out->failed; i++) {
    parts->kind->encode (parts->model, parts->vocab, words->chars + words->stretches[i].first,
                         words->stretches[i].n, &work->scratch, out);
    attn_piece_list_end_word (out);
  }
}

/* Normalises what stands between two tokens, and looks for tokens once more. */
static void
encode_plain (const AttnTokenizerParts *parts,
              const AttnChar *chars,
              size_t n,
              Workspace *work,
              AttnPieceList *out)
{
  AttnCharText *normalized = &work->normalized;
  normalized->limit = work->spare_text.limit = MAX (work->n_left, 1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (AttnFoundToken));
  attn_normalizer_run (parts->normalizer, chars, n, normalized, &work->spare_text);
  work->too_long = normalized->n > work->n_left || normalized->too_long;
  out->failed |= normalized->failed || work->too_long;
  work->n_left -= MIN (normalized->n, work->n_left);
  attn_added_tokens_split (parts->normalized_tokens, normalized->chars, normalized->n, found);
  for (guint i = 0; i < found->len && !out->failed; i++) {
    const AttnFoundToken *token = &g_array_index (found, AttnFoundToken, i);
    if (token->id >= 0)
      append_token (out, normalized->chars, token);
    else
      encode_words (parts, normalized->chars + token->first, token->n, work, out);
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
  const size_t ceiling = attn_char_text_get_ceiling (n_bytes);
  g_auto (Workspace) work = {.n_left = ceiling};
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (AttnFoundToken));
  attn_char_text_decode (&work.raw, text, n_bytes);
  attn_added_tokens_split (parts->raw_tokens, work.raw.chars, work.raw.n, found);
  for (guint i = 0; i < found->len && !out->failed; i++) {
    const AttnFoundToken *token = &g_array_index (found, AttnFoundToken, i);
    if (token->id >= 0)
      append_token (out, work.raw.chars, token);
    else
      encode_plain (parts, work.raw.chars + token->first, token->n, &work, out);
  }
  if (!work.raw.failed && !out->failed)
    return true;
  if (work.too_long)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the tokenizer's normalizer makes more than %zu characters of %s (%zu bytes)",
                 ceiling, name, n_bytes);
  else
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

/* Cuts one text alone; it must keep a token. */
static bool
cut_one (size_t *n_cut, size_t n_other, size_t max, const char *name, GError **error)
{
  if (*n_cut + n_other <= max)
    return true;
  if (n_other < max) {
    *n_cut = max - n_other;
    return true;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
               "%s cannot be cut enough: its other text has %zu tokens, and there is room for %zu",
               name, n_other, max);
  return false;
}

static bool
cut (const AttnTokenizerInput *input, size_t *n_kept, size_t max, GError **error)
{
  switch (input->truncation) {
  case ATTN_TRUNCATION_ONLY_FIRST:
    return cut_one (&n_kept[0], n_kept[1], max, "the first text", error);
  case ATTN_TRUNCATION_ONLY_SECOND:
    return cut_one (&n_kept[1], n_kept[0], max, "the second text", error);
  case ATTN_TRUNCATION_LONGEST_FIRST:
  default:
    cut_longest_first (&n_kept[0], &n_kept[1], max);
    return true;
  }
}

static size_t
count_template_tokens (const GArray *items)
{
  size_t n = 0;
  for (guint i = 0; i < items->len; i++)
    n += g_array_index (items, AttnTemplateItem, i).sequence < 0;
  return n;
}

static AttnToken
make_token (const AttnTokenizerParts *parts, const AttnTemplateItem *item, const AttnPiece *piece)
{
  int32_t id = piece == NULL ? item->id : piece->id;
  return (AttnToken){.piece = attn_vocab_peek (parts->vocab, id),
                     .text = parts->texts[id],
                     .id = id,
                     .type_id = item->type_id,
                     .sequence = item->sequence,
                     .start = piece == NULL ? 0 : piece->start,
                     .end = piece == NULL ? 0 : piece->end,
                     .word = piece == NULL ? -1 : (int)piece->word,
                     .special = piece == NULL,
                     .mask = id == parts->mask_id};
}

/* Puts the pieces that are kept into the template. */
static void
fill_template (const AttnTokenizerParts *parts,
               const GArray *items,
               const AttnPieceList *lists,
               const size_t *n_kept,
               const AttnTokensText *texts,
               AttnToken *tokens)
{
  for (guint i = 0; i < items->len; i++) {
    const AttnTemplateItem *item = &g_array_index (items, AttnTemplateItem, i);
    if (item->sequence < 0) {
      *tokens++ = make_token (parts, item, NULL);
      continue;
    }
    const AttnPieceList *list = &lists[item->sequence];
    size_t n = n_kept[item->sequence];
    size_t first = parts->cuts_start ? list->n - n : 0;
    for (size_t k = 0; k < n; k++) {
      AttnPiece piece = list->pieces[first + k];
      if (parts->trim.trims)
        attn_span_trim_run (parts, &piece, k == 0, texts[item->sequence].bytes);
      *tokens++ = make_token (parts, item, &piece);
    }
  }
}

static AttnTokens *
make_tokens (AttnTokenizer *tokenizer,
             const AttnTokenizerInput *input,
             const AttnPieceList *lists,
             GError **error)
{
  const AttnTokenizerParts *parts = &tokenizer->parts;
  const GArray *items = input->pair == NULL ? parts->single : parts->pair;
  size_t n_template = count_template_tokens (items);
  size_t limit = input->max_tokens == 0 ? parts->max_tokens : input->max_tokens;
  if (limit < n_template) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the limit of tokens is %zu, wanted at least %zu: so many are added to every text",
                 limit, n_template);
    return NULL;
  }
  size_t n_kept[] = {lists[0].n, lists[1].n};
  if (!cut (input, n_kept, limit - n_template, error))
    return NULL;
  size_t n = n_template + n_kept[0] + n_kept[1];
  g_autofree AttnToken *tokens = g_try_new (AttnToken, MAX (n, 1));
  if (tokens == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "there is no memory for %zu tokens", n);
    return NULL;
  }
  AttnTokensText texts[] = {{input->text, input->text_length}, {input->pair, input->pair_length}};
  fill_template (parts, items, lists, n_kept, texts, tokens);
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
