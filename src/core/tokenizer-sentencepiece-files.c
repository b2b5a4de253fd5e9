/* SPDX-License-Identifier: MIT */
/* The pipelines of XLM-RoBERTa, CamemBERT, ALBERT and DeBERTa around a SentencePiece model, as
 * their published tokenizers make them. */
#include "tokenizer-sentencepiece-files.h"

#include "file.h"
#include "piece-kinds.h"
#include "post-processor.h"
#include "sentencepiece.h"

#include "attn/error.h"
#include "attn/json.h"

#include <string.h>

enum { SPACE = 0x2581, MAX_CONFIG_BYTES = 1 << 20 };

typedef enum { LIKE_XLM_ROBERTA, LIKE_CAMEMBERT, LIKE_ALBERT, LIKE_DEBERTA } Family;

static const struct {
  const char *class;      /* the suffix Fast means no other tokens */
  const char *model_type; /* of config.json, where no class is said */
  Family family;
  const char *specials[ATTN_N_SPECIALS]; /* unk, sep, pad, cls, mask, bos, eos */
} families[] = {
    {"XLMRobertaTokenizer",
     "xlm-roberta",
     LIKE_XLM_ROBERTA,
     {"<unk>", "</s>", "<pad>", "<s>", "<mask>", "<s>", "</s>"}},
    {"CamembertTokenizer",
     "camembert",
     LIKE_CAMEMBERT,
     {"<unk>", "</s>", "<pad>", "<s>", "<mask>", "<s>", "</s>"}},
    {"AlbertTokenizer",
     "albert",
     LIKE_ALBERT,
     {"<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]", "[CLS]", "[SEP]"}},
    {"DebertaV2Tokenizer",
     "deberta-v2",
     LIKE_DEBERTA,
     {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]", "[CLS]", "[SEP]"}},
};

/* What is being put together. */
typedef struct {
  AttnTokenizerConfig *config;
  AttnTokenizerParts *parts;
  AttnSentencePieceModel *model;
  const char *path; /* of the model, fit for messages */
  size_t family;    /* of families */
  GArray *scores;   /* of double */
} Builder;

static bool
find_family (const char *folder, const AttnTokenizerConfig *config, size_t *family, GError **error)
{
  const char *class = config->tokenizer_class, *type = NULL;
  g_autoptr (json_t) root = NULL;
  if (class == NULL) {
    g_autofree char *path = g_build_filename (folder, "config.json", NULL);
    root = attn_json_load_file (path, MAX_CONFIG_BYTES, error);
    if (root == NULL || !attn_json_get_string (root, "model_type", NULL, &type, path, error))
      return false;
  }
  size_t n = class == NULL ? 0 : strlen (class) - (g_str_has_suffix (class, "Fast") ? 4 : 0);
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    *family = i;
    if (class != NULL && strlen (families[i].class) == n &&
        strncmp (families[i].class, class, n) == 0)
      return true;
    if (class == NULL && g_strcmp0 (families[i].model_type, type) == 0)
      return true;
  }
  const char *found = class != NULL ? class : type != NULL ? type : "";
  g_autofree char *shown = attn_file_dup_shown (found, strlen (found));
  return attn_file_refuse (config->path, ATTN_ERROR_UNSUPPORTED, error,
                           "found a SentencePiece model of \"%s\", wanted one of XLM-RoBERTa, "
                           "CamemBERT, ALBERT or DeBERTa (or tokenizer.json)",
                           shown);
}

static void
append_piece (Builder *builder, const char *text, size_t n_bytes, double score)
{
  attn_vocab_append (builder->parts->vocab, text, n_bytes);
  g_array_append_val (builder->scores, score);
}

static void
append_special (Builder *builder, AttnSpecial special)
{
  const char *content = builder->config->specials[special].content;
  append_piece (builder, content, strlen (content), 0);
}

/* The model's own pieces from @first on. */
static void
append_pieces (Builder *builder, guint first)
{
  for (guint i = first; i < builder->model->pieces->len; i++) {
    const AttnSentencePiece *piece = &g_array_index (builder->model->pieces, AttnSentencePiece, i);
    append_piece (builder, piece->text, piece->n_bytes, (double)piece->score);
  }
}

/* The first ids are fairseq's in XLM-RoBERTa and CamemBERT: the model's own are moved behind them,
 * and the mask comes last. */
static void
fill_vocab (Builder *builder)
{
  switch (families[builder->family].family) {
  case LIKE_XLM_ROBERTA:
    append_special (builder, ATTN_SPECIAL_BOS);
    append_special (builder, ATTN_SPECIAL_PAD);
    append_special (builder, ATTN_SPECIAL_EOS);
    append_special (builder, ATTN_SPECIAL_UNK);
    append_pieces (builder, 3);
    append_special (builder, ATTN_SPECIAL_MASK);
    break;
  case LIKE_CAMEMBERT:
    append_piece (builder, "<s>NOTUSED", strlen ("<s>NOTUSED"), 0);
    append_special (builder, ATTN_SPECIAL_PAD);
    append_piece (builder, "</s>NOTUSED", strlen ("</s>NOTUSED"), 0);
    append_special (builder, ATTN_SPECIAL_UNK);
    append_piece (builder, "<unk>NOTUSED", strlen ("<unk>NOTUSED"), -100);
    append_pieces (builder, 1);
    append_special (builder, ATTN_SPECIAL_MASK);
    break;
  case LIKE_ALBERT:
  case LIKE_DEBERTA:
  default:
    append_pieces (builder, 0);
    break;
  }
}

static bool
add_model (Builder *builder, GError **error)
{
  AttnVocabRepeats repeats;
  AttnTokenizerParts *parts = builder->parts;
  AttnUnigramOptions options = {.unk_id = -1};
  const char *unk = builder->config->specials[ATTN_SPECIAL_UNK].content;
  parts->vocab = attn_vocab_new ();
  builder->scores = g_array_new (FALSE, FALSE, sizeof (double));
  fill_vocab (builder);
  attn_vocab_index (parts->vocab, true, &repeats);
  switch (families[builder->family].family) {
  case LIKE_XLM_ROBERTA:
    options.unk_id = 3;
    break;
  case LIKE_CAMEMBERT:
  case LIKE_DEBERTA:
    options.unk_id = attn_vocab_find (parts->vocab, unk, strlen (unk));
    break;
  case LIKE_ALBERT:
  default:
    options.unk_id = 1;
    break;
  }
  if (options.unk_id < 0)
    options.unk_id = builder->model->unk_id;
  guint n_pieces = builder->scores->len;
  attn_unigram_init (parts, &options, g_steal_pointer (&builder->scores));
  if ((guint)options.unk_id < n_pieces)
    return true;
  return attn_file_refuse (builder->path, ATTN_ERROR_FORMAT, error,
                           "the unknown piece has the id %d, wanted one below %u", options.unk_id,
                           n_pieces);
}

static void
add_replace (AttnNormalizer *normalizer, const char *text, const char *content)
{
  attn_normalizer_add_replace (normalizer, attn_pattern_new_text (text), content);
}

static void
add_normalizer (Builder *builder)
{
  AttnNormalizer *normalizer = builder->parts->normalizer;
  const AttnTokenizerConfig *config = builder->config;
  Family family = families[builder->family].family;
  if (family == LIKE_ALBERT) {
    add_replace (normalizer, "``", "\"");
    add_replace (normalizer, "''", "\"");
    if (!config->keeps_accents) {
      attn_normalizer_add_form (normalizer, ATTN_FORM_KD);
      attn_normalizer_add_strip_accents (normalizer);
    }
  }
  if (config->lower && (family == LIKE_ALBERT || (family == LIKE_DEBERTA && config->says_lower)))
    attn_normalizer_add_lower (normalizer);
  if (family == LIKE_DEBERTA) {
    attn_normalizer_add_replace (normalizer, attn_pattern_new_spaces_or_breaks (), " ");
    attn_normalizer_add_form (normalizer, ATTN_FORM_C);
    attn_normalizer_add_strip (normalizer, false, true);
  } else if (builder->model->charsmap != NULL) {
    attn_normalizer_add_charsmap (normalizer, g_steal_pointer (&builder->model->charsmap));
  }
}

static void
add_pre_tokenizer (Builder *builder)
{
  AttnPreTokenizer *pre = builder->parts->pre_tokenizer;
  const AttnTokenizerConfig *config = builder->config;
  bool is_deberta = families[builder->family].family == LIKE_DEBERTA;
  bool prefix = !config->says_prefix_space || config->prefix_space;
  if (!is_deberta)
    attn_pre_tokenizer_add_white (pre);
  else if (config->splits_punctuation)
    attn_pre_tokenizer_add_punctuation (pre, ATTN_CUT_ISOLATED);
  attn_pre_tokenizer_add_metaspace (pre, SPACE,
                                    prefix       ? ATTN_PREPEND_ALWAYS
                                    : is_deberta ? ATTN_PREPEND_FIRST
                                                 : ATTN_PREPEND_NEVER,
                                    true);
}

/* Tokens of the other files, the special ones, and those that the model itself never cuts; what the
 * vocabulary lacks is added to it, as the published tokenizers do. */
static void
add_tokens (Builder *builder, int32_t *ids)
{
  static const AttnSpecial order[] = {
      ATTN_SPECIAL_BOS, ATTN_SPECIAL_EOS, ATTN_SPECIAL_UNK,  ATTN_SPECIAL_SEP,
      ATTN_SPECIAL_PAD, ATTN_SPECIAL_CLS, ATTN_SPECIAL_MASK,
  };
  const AttnTokenizerConfig *config = builder->config;
  AttnTokenizerParts *parts = builder->parts;
  for (guint i = 0; i < config->added->len; i++)
    attn_tokenizer_parts_add_token (parts, &g_array_index (config->added, AttnConfigToken, i),
                                    config->path);
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
    const AttnConfigToken *token = &config->specials[order[i]];
    attn_tokenizer_parts_add_token (parts, token, config->path);
    ids[order[i]] = attn_vocab_find (parts->vocab, token->content, strlen (token->content));
  }
  for (guint i = 0; i < builder->model->pieces->len; i++) {
    const AttnSentencePiece *piece = &g_array_index (builder->model->pieces, AttnSentencePiece, i);
    if (piece->type != ATTN_SENTENCEPIECE_CONTROL && piece->type != ATTN_SENTENCEPIECE_USER_DEFINED)
      continue;
    AttnConfigToken token = {.content = g_strndup (piece->text, piece->n_bytes), .id = -1};
    if (token.content[0] != '\0')
      attn_tokenizer_parts_add_token (parts, &token, builder->path);
    g_free (token.content);
  }
}

bool
attn_sentencepiece_files_load (const char *folder,
                               const char *path,
                               AttnTokenizerConfig *config,
                               AttnTokenizerParts *parts,
                               GError **error)
{
  g_auto (AttnSentencePieceModel) model = {0};
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  Builder builder = {.config = config, .parts = parts, .model = &model, .path = shown};
  int32_t ids[ATTN_N_SPECIALS];
  if (!find_family (folder, config, &builder.family, error) ||
      !attn_sentencepiece_load (&model, path, error))
    return false;
  for (AttnSpecial i = 0; i < ATTN_N_SPECIALS; i++)
    attn_tokenizer_config_set_special (config, i, families[builder.family].specials[i]);
  Family family = families[builder.family].family;
  AttnConfigToken *mask = &config->specials[ATTN_SPECIAL_MASK];
  mask->lstrip |= family == LIKE_CAMEMBERT && mask->is_text;
  if (!add_model (&builder, error))
    return false;
  add_normalizer (&builder);
  add_pre_tokenizer (&builder);
  add_tokens (&builder, ids);
  parts->mask_id = ids[ATTN_SPECIAL_MASK];
  if (family == LIKE_XLM_ROBERTA || family == LIKE_CAMEMBERT)
    attn_post_processor_init_roberta (parts, ids[ATTN_SPECIAL_BOS], ids[ATTN_SPECIAL_EOS]);
  else
    attn_post_processor_init_bert (parts, ids[ATTN_SPECIAL_CLS], ids[ATTN_SPECIAL_SEP]);
  return true;
}
