/* SPDX-License-Identifier: MIT */
/* Builds a tokenizer as a tokenizer.json says. */
#include "tokenizer-json.h"

#include "bpe-merges.h"
#include "file.h"
#include "piece-kinds.h"
#include "post-processor.h"
#include "tokenizer-json-text.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

typedef struct {
  AttnTokenizerText *text;
  json_t *model;
  char *place; /* "PATH: model", before a field's name in messages */
  AttnTokenizerParts *parts;
} Builder;

/* The piece a field names must be in the vocabulary. */
static bool
find_unk (const Builder *builder, int32_t *id, GError **error)
{
  const char *piece = NULL;
  if (!attn_json_get_string (builder->model, "unk_token", NULL, &piece, builder->place, error))
    return false;
  *id = piece == NULL ? -1 : attn_vocab_find_plain (builder->parts->vocab, piece, strlen (piece));
  if (piece == NULL || *id >= 0)
    return true;
  return attn_json_refuse (error, ATTN_ERROR_FORMAT, builder->place, "unk_token",
                           json_object_get (builder->model, "unk_token"),
                           "a piece of the vocabulary");
}

static bool
require_unk (const Builder *builder, int32_t *id, GError **error)
{
  if (!find_unk (builder, id, error))
    return false;
  if (*id >= 0)
    return true;
  return attn_file_refuse (builder->text->path, ATTN_ERROR_FORMAT, error,
                           "model: found no unk_token, wanted a piece of the vocabulary");
}

static bool
pull_vocab (const Builder *builder, bool prefixes, GError **error)
{
  AttnVocabRepeats repeats;
  AttnVocab *vocab = builder->parts->vocab;
  if (!attn_tokenizer_text_pull_ids (builder->text, vocab, error))
    return false;
  attn_vocab_index (vocab, prefixes, &repeats);
  if (repeats.n == 0)
    return true;
  const char *piece = attn_vocab_peek (vocab, repeats.first);
  g_autofree char *shown = attn_file_dup_shown (piece, strlen (piece));
  return attn_file_refuse (builder->text->path, ATTN_ERROR_FORMAT, error,
                           "model: vocab: \"%s\" has the ids %d and %d, wanted one", shown,
                           repeats.earlier, repeats.first);
}

static bool
build_wordpiece (const Builder *builder, GError **error)
{
  enum { DEFAULT_WORD_CHARS = 100, MAX_WORD_CHARS = 1 << 24 };
  AttnWordPieceOptions options;
  if (!pull_vocab (builder, true, error) || !require_unk (builder, &options.unk_id, error) ||
      !attn_json_get_string (builder->model, "continuing_subword_prefix", "##", &options.prefix,
                             builder->place, error) ||
      !attn_json_get_size (builder->model, "max_input_chars_per_word", 0, MAX_WORD_CHARS,
                           DEFAULT_WORD_CHARS, &options.max_word_chars, builder->place, error))
    return false;
  attn_wordpiece_init (builder->parts, &options);
  return true;
}

static bool
build_word_level (const Builder *builder, GError **error)
{
  int32_t unk_id;
  if (!pull_vocab (builder, false, error) || !require_unk (builder, &unk_id, error))
    return false;
  attn_word_level_init (builder->parts, unk_id);
  return true;
}

static bool
get_affix (const Builder *builder, const char *key, const char **affix, GError **error)
{
  if (!attn_json_get_string (builder->model, key, "", affix, builder->place, error))
    return false;
  if (strlen (*affix) <= ATTN_BPE_MAX_AFFIX_BYTES)
    return true;
  g_autofree char *wanted = g_strdup_printf ("at most %d bytes", ATTN_BPE_MAX_AFFIX_BYTES);
  return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, builder->place, key,
                           json_object_get (builder->model, key), wanted);
}

static bool
build_bpe (const Builder *builder, GError **error)
{
  AttnBpeOptions options;
  json_t *model = builder->model;
  const char *place = builder->place;
  if (!pull_vocab (builder, false, error) || !find_unk (builder, &options.unk_id, error) ||
      !get_affix (builder, "continuing_subword_prefix", &options.prefix, error) ||
      !get_affix (builder, "end_of_word_suffix", &options.suffix, error) ||
      !attn_json_get_bool (model, "fuse_unk", false, &options.fuse_unk, place, error) ||
      !attn_json_get_bool (model, "byte_fallback", false, &options.byte_fallback, place, error) ||
      !attn_json_get_bool (model, "ignore_merges", false, &options.ignore_merges, place, error))
    return false;
  g_autoptr (GArray) merges = g_array_new (FALSE, FALSE, sizeof (AttnMerge));
  AttnMergeList list = {.vocab = builder->parts->vocab,
                        .path = builder->text->path,
                        .prefix = options.prefix,
                        .merges = merges};
  if (!attn_tokenizer_text_pull_merges (builder->text, attn_merge_list_take, &list, error))
    return false;
  attn_bpe_init (builder->parts, &options, merges);
  return true;
}

static bool
build_unigram (const Builder *builder, GError **error)
{
  AttnUnigramOptions options;
  AttnVocabRepeats repeats;
  size_t unk_id;
  AttnVocab *vocab = builder->parts->vocab;
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (double));
  if (!attn_tokenizer_text_pull_scores (builder->text, vocab, scores, error))
    return false;
  if (scores->len == 0)
    return attn_file_refuse (builder->text->path, ATTN_ERROR_FORMAT, error,
                             "model: vocab: found no piece, wanted at least one");
  if (!attn_json_get_size (builder->model, "unk_id", 0, scores->len - 1, G_MAXSIZE, &unk_id,
                           builder->place, error) ||
      !attn_json_get_bool (builder->model, "byte_fallback", false, &options.byte_fallback,
                           builder->place, error))
    return false;
  if (unk_id == G_MAXSIZE)
    return attn_file_refuse (builder->text->path, ATTN_ERROR_FORMAT, error,
                             "model: found no unk_id, wanted the id of a piece");
  attn_vocab_index (vocab, true, &repeats);
  options.unk_id = (int32_t)unk_id;
  attn_unigram_init (builder->parts, &options, g_steal_pointer (&scores));
  return true;
}

/* Older files do not say which kind of model they have; then its fields tell. */
static const char *
guess_type (const Builder *builder)
{
  json_t *model = builder->model;
  if (builder->text->merges.end > 0)
    return "BPE";
  if (json_object_get (model, "unk_id") != NULL)
    return "Unigram";
  return json_object_get (model, "max_input_chars_per_word") != NULL ? "WordPiece" : "WordLevel";
}

static bool
build_model (const Builder *builder, GError **error)
{
  static const struct {
    const char *type;
    bool (*build) (const Builder *builder, GError **error);
  } kinds[] = {
      {"WordPiece", build_wordpiece},
      {"BPE", build_bpe},
      {"Unigram", build_unigram},
      {"WordLevel", build_word_level},
  };
  const char *type = NULL;
  if (!json_is_object (builder->model))
    return attn_file_refuse (builder->text->path, ATTN_ERROR_FORMAT, error,
                             "found no model, wanted an object");
  if (!attn_json_get_string (builder->model, "type", NULL, &type, builder->place, error))
    return false;
  if (type == NULL)
    type = guess_type (builder);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type))
      return kinds[i].build (builder, error);
  return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, builder->place, "type",
                           json_object_get (builder->model, "type"),
                           "one of WordPiece, BPE, Unigram, WordLevel");
}

static bool
read_added_token (json_t *value, const char *place, AttnConfigToken *token, GError **error)
{
  bool special;
  json_t *id = json_object_get (value, "id");
  if (!attn_config_token_read (value, place, "added_tokens", token, &special, error))
    return false;
  token->id = json_is_number (id) ? json_number_value (id) : -1;
  return true;
}

static bool
read_added_tokens (const AttnTokenizerText *text, AttnTokenizerParts *parts, GError **error)
{
  json_t *value;
  size_t index;
  json_array_foreach (json_object_get (text->root, "added_tokens"), index, value)
  {
    AttnConfigToken token;
    if (!read_added_token (value, text->path, &token, error))
      return false;
    attn_tokenizer_parts_add_token (parts, &token, text->path);
    g_free (token.content);
  }
  return true;
}

/* What the file itself says about the greatest length counts where tokenizer_config.json is
 * silent, as in the reference. */
static bool
read_truncation (const AttnTokenizerText *text,
                 const AttnTokenizerConfig *config,
                 AttnTokenizerParts *parts,
                 GError **error)
{
  json_t *truncation = json_object_get (text->root, "truncation");
  const char *direction;
  size_t max_tokens;
  if (!attn_json_get_size (truncation, "max_length", 0, G_MAXSIZE, G_MAXSIZE, &max_tokens,
                           text->path, error) ||
      !attn_json_get_string (truncation, "direction", "Right", &direction, text->path, error))
    return false;
  if (!config->says_max_tokens)
    parts->max_tokens = MIN (parts->max_tokens, max_tokens);
  if (!config->says_side)
    parts->cuts_start = g_str_equal (direction, "Left");
  return true;
}

bool
attn_tokenizer_json_load (const char *path,
                          const AttnTokenizerConfig *config,
                          AttnTokenizerParts *parts,
                          GError **error)
{
  g_auto (AttnTokenizerText) text = {0};
  if (!attn_tokenizer_text_load (&text, path, error))
    return false;
  g_autofree char *place = g_strdup_printf ("%s: model", text.path);
  Builder builder = {
      .text = &text, .model = json_object_get (text.root, "model"), .place = place, .parts = parts};
  parts->vocab = attn_vocab_new ();
  return attn_normalizer_read (json_object_get (text.root, "normalizer"), parts->normalizer,
                               text.path, error) &&
         attn_pre_tokenizer_read (json_object_get (text.root, "pre_tokenizer"),
                                  parts->pre_tokenizer, text.path, error) &&
         build_model (&builder, error) && read_added_tokens (&text, parts, error) &&
         attn_post_processor_read (json_object_get (text.root, "post_processor"), parts, text.path,
                                   error) &&
         read_truncation (&text, config, parts, error);
}
