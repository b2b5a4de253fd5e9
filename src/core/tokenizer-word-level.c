/* SPDX-License-Identifier: MIT */
/* Whole words by their ids. */
#include "piece-kinds.h"

static void
encode (const void *data,
        const AttnVocab *vocab,
        const AttnChar *chars,
        size_t n,
        G_GNUC_UNUSED AttnScratch *scratch,
        AttnPieceList *out)
{
  const int32_t *unk_id = data;
  guint64 hash = attn_vocab_begin_hash (vocab);
  g_autoptr (GString) bytes = g_string_sized_new (n * 4);
  for (size_t i = 0; i < n; i++)
    g_string_append_unichar (bytes, chars[i].c);
  for (size_t i = 0; i < bytes->len; i++)
    hash = attn_vocab_step_hash (hash, bytes->str[i]);
  int32_t id = attn_vocab_match (vocab, hash, "", bytes->str, bytes->len);
  attn_piece_list_append (out, id >= 0 ? id : *unk_id, chars[0].start, chars[n - 1].end);
}

void
attn_word_level_init (AttnTokenizerParts *parts, int32_t unk_id)
{
  static const AttnPieceKind kind = {.encode = encode, .free = g_free};
  int32_t *model = g_new (int32_t, 1);
  *model = unk_id;
  parts->kind = &kind;
  parts->model = model;
}
