/* SPDX-License-Identifier: MIT */
/* BERT's pipeline around a vocab.txt. */
#include "tokenizer-bert-files.h"

#include "file.h"
#include "piece-kinds.h"
#include "post-processor.h"
#include "vocab-text.h"

#include "attn/error.h"

#include <string.h>

enum { MAX_WORD_CHARS = 100 };

/* Classes that make tokens as BertTokenizer does, or with RoBERTa's template; the suffix Fast means
 * no other tokens. */
static const struct {
  const char *name;
  bool as_roberta;
} known_classes[] = {
    {"BertTokenizer", false},
    {"DistilBertTokenizer", false},
    {"ElectraTokenizer", false},
    {"MobileBertTokenizer", false},
    {"SqueezeBertTokenizer", false},
    {"ConvBertTokenizer", false},
    {"LxmertTokenizer", false},
    {"DPRQuestionEncoderTokenizer", false},
    {"DPRContextEncoderTokenizer", false},
    {"PreTrainedTokenizer", false},
    {"TokenizersBackend", false},
    {"MPNetTokenizer", true},
};

static bool
find_class (AttnTokenizerConfig *config, bool *as_roberta, GError **error)
{
  const char *class = config->tokenizer_class;
  *as_roberta = false;
  if (class == NULL)
    return true;
  size_t n = strlen (class) - (g_str_has_suffix (class, "Fast") ? strlen ("Fast") : 0);
  for (size_t i = 0; i < G_N_ELEMENTS (known_classes); i++) {
    if (strlen (known_classes[i].name) != n || strncmp (known_classes[i].name, class, n) != 0)
      continue;
    *as_roberta = known_classes[i].as_roberta;
    if (*as_roberta)
      attn_tokenizer_config_set_roberta_specials (config, "[UNK]");
    return true;
  }
  g_autofree char *shown = attn_file_dup_shown (class, strlen (class));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "%s: tokenizer_class is \"%s\", wanted BertTokenizer or one that works alike "
               "(DistilBertTokenizer, ElectraTokenizer, MPNetTokenizer)",
               config->path, shown);
  return false;
}

/* Finds the ids of the special tokens; without [UNK], [CLS] or [SEP] there is no tokenizer. */
static bool
find_specials (AttnTokenizerParts *parts,
               const AttnTokenizerConfig *config,
               const char *vocab_path,
               int32_t *ids,
               GError **error)
{
  for (AttnSpecial i = 0; i < ATTN_N_SPECIALS; i++) {
    const char *content = config->specials[i].content;
    ids[i] = -1;
    if ((i == ATTN_SPECIAL_BOS || i == ATTN_SPECIAL_EOS) && !config->says_special[i])
      continue; /* BERT has none */
    ids[i] = attn_tokenizer_parts_find_token (parts, &config->specials[i]);
    if (ids[i] >= 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (content, strlen (content));
    if (i == ATTN_SPECIAL_UNK || i == ATTN_SPECIAL_CLS || i == ATTN_SPECIAL_SEP) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                   "%s: the token %s (%s) is not among its %zu tokens", vocab_path, shown,
                   attn_special_get_key (i), attn_vocab_get_n (parts->vocab));
      return false;
    }
    if (config->says_special[i] || i == ATTN_SPECIAL_PAD || i == ATTN_SPECIAL_MASK)
      g_ptr_array_add (parts->warnings,
                       g_strdup_printf ("%s: there is no token %s (%s); typed, it is plain text",
                                        vocab_path, shown, attn_special_get_key (i)));
  }
  return true;
}

bool
attn_bert_files_load (const char *folder,
                      AttnTokenizerConfig *config,
                      AttnTokenizerParts *parts,
                      GError **error)
{
  bool as_roberta;
  int32_t ids[ATTN_N_SPECIALS];
  g_autofree char *path = g_build_filename (folder, "vocab.txt", NULL);
  g_autofree char *shown_path = attn_file_dup_shown (path, strlen (path));
  if (!find_class (config, &as_roberta, error))
    return false;
  parts->vocab = attn_vocab_load_text (path, parts->warnings, error);
  if (parts->vocab == NULL)
    return false;
  AttnBertNormalizer normalizer = {.clean = true,
                                   .lower = config->lower,
                                   .strip_accents = config->strip_accents,
                                   .split_ideographs = config->split_ideographs};
  attn_normalizer_add_bert (parts->normalizer, &normalizer);
  attn_pre_tokenizer_add_bert (parts->pre_tokenizer);
  for (guint i = 0; i < config->added->len; i++)
    attn_tokenizer_parts_add_token (parts, &g_array_index (config->added, AttnConfigToken, i),
                                    config->path);
  if (!find_specials (parts, config, shown_path, ids, error))
    return false;
  AttnWordPieceOptions options = {
      .unk_id = ids[ATTN_SPECIAL_UNK], .prefix = "##", .max_word_chars = MAX_WORD_CHARS};
  attn_wordpiece_init (parts, &options);
  parts->mask_id = ids[ATTN_SPECIAL_MASK];
  if (as_roberta)
    attn_post_processor_init_roberta (parts, ids[ATTN_SPECIAL_CLS], ids[ATTN_SPECIAL_SEP]);
  else
    attn_post_processor_init_bert (parts, ids[ATTN_SPECIAL_CLS], ids[ATTN_SPECIAL_SEP]);
  if (config->has_never_split)
    g_ptr_array_add (
        parts->warnings,
        g_strdup_printf ("%s: never_split is left out, as the fast tokenizer does", config->path));
  return true;
}
