/* SPDX-License-Identifier: MIT */
/* Reads the parts of a SentencePiece model that make tokens. */
#include "sentencepiece.h"

#include "file.h"
#include "protobuf.h"
#include "unicode.h"
#include "vocab.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

enum {
  MAX_FILE_BYTES = 64 << 20,
  /* fields of ModelProto, */
  MODEL_PIECE = 1,
  MODEL_TRAINER = 2,
  MODEL_NORMALIZER = 3,
  /* of a piece, */
  PIECE_TEXT = 1,
  PIECE_SCORE = 2,
  PIECE_TYPE = 3,
  /* of how it was trained, */
  TRAINER_TYPE = 3,
  TRAINER_UNK_ID = 40,
  /* and of how it normalises */
  NORMALIZER_CHARSMAP = 2,
  UNIGRAM = 1,
};

void
attn_sentencepiece_clear (AttnSentencePieceModel *model)
{
  g_free (model->bytes);
  g_clear_pointer (&model->pieces, g_array_unref);
  g_clear_pointer (&model->charsmap, attn_charsmap_free);
}

static bool
refuse (const char *path, GError **error)
{
  return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                           "found no SentencePiece model: its fields do not fit their lengths");
}

static bool
read_piece (AttnSentencePieceModel *model,
            const AttnProtobufField *field,
            const char *path,
            GError **error)
{
  AttnProtobuf message = {.bytes = field->bytes, .n = field->n};
  AttnProtobufField part;
  AttnSentencePiece piece = {.text = "", .type = ATTN_SENTENCEPIECE_NORMAL};
  size_t at;
  while (attn_protobuf_next (&message, &part)) {
    if (part.number == PIECE_TEXT && part.bytes != NULL) {
      piece.text = (const char *)part.bytes;
      piece.n_bytes = part.n;
    } else if (part.number == PIECE_SCORE) {
      piece.score = attn_protobuf_get_float (&part);
    } else if (part.number == PIECE_TYPE) {
      piece.type = (int)MIN (part.value, 99);
    }
  }
  if (message.failed)
    return refuse (path, error);
  if (!attn_utf8_check (piece.text, piece.n_bytes, &at) || !isfinite (piece.score))
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "piece %u is not valid UTF-8, or its score is no number",
                             model->pieces->len);
  if (model->pieces->len >= ATTN_VOCAB_MAX_IDS)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error, "found more than %d pieces",
                             ATTN_VOCAB_MAX_IDS);
  g_array_append_val (model->pieces, piece);
  return true;
}

static bool
read_trainer (AttnSentencePieceModel *model,
              const AttnProtobufField *field,
              const char *path,
              GError **error)
{
  AttnProtobuf message = {.bytes = field->bytes, .n = field->n};
  AttnProtobufField part;
  while (attn_protobuf_next (&message, &part)) {
    if (part.number == TRAINER_UNK_ID)
      model->unk_id = (int32_t)MIN (part.value, G_MAXINT32);
    if (part.number == TRAINER_TYPE && part.value != UNIGRAM)
      return attn_file_refuse (path, ATTN_ERROR_UNSUPPORTED, error,
                               "found a model of type %" G_GUINT64_FORMAT
                               ", wanted Unigram (%d): others are read from tokenizer.json",
                               part.value, UNIGRAM);
  }
  return !message.failed || refuse (path, error);
}

static bool
read_normalizer (AttnSentencePieceModel *model,
                 const AttnProtobufField *field,
                 const char *path,
                 GError **error)
{
  AttnProtobuf message = {.bytes = field->bytes, .n = field->n};
  AttnProtobufField part;
  g_autofree char *what = g_strdup_printf ("%s: precompiled_charsmap", path);
  while (attn_protobuf_next (&message, &part)) {
    if (part.number != NORMALIZER_CHARSMAP || part.n == 0)
      continue;
    g_clear_pointer (&model->charsmap, attn_charsmap_free);
    model->charsmap = attn_charsmap_new (part.bytes, part.n, what, error);
    if (model->charsmap == NULL)
      return false;
  }
  return !message.failed || refuse (path, error);
}

bool
attn_sentencepiece_load (AttnSentencePieceModel *model, const char *path, GError **error)
{
  static const struct {
    guint32 number;
    bool (*read) (AttnSentencePieceModel *, const AttnProtobufField *, const char *, GError **);
  } readers[] = {
      {MODEL_PIECE, read_piece},
      {MODEL_TRAINER, read_trainer},
      {MODEL_NORMALIZER, read_normalizer},
  };
  size_t n_bytes = 0;
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  model->pieces = g_array_new (FALSE, FALSE, sizeof (AttnSentencePiece));
  model->bytes = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  if (model->bytes == NULL)
    return false;
  AttnProtobuf message = {.bytes = (const guint8 *)model->bytes, .n = n_bytes};
  AttnProtobufField field;
  while (attn_protobuf_next (&message, &field))
    for (size_t i = 0; i < G_N_ELEMENTS (readers); i++)
      if (readers[i].number == field.number && field.bytes != NULL &&
          !readers[i].read (model, &field, shown, error))
        return false;
  if (message.failed || model->pieces->len == 0)
    return refuse (shown, error);
  return true;
}
