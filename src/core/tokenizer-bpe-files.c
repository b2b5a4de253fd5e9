/* SPDX-License-Identifier: MIT */
/* The byte-level pipelines around a vocab.json and a merges.txt. */
#include "tokenizer-bpe-files.h"

#include "bpe-merges.h"
#include "file.h"
#include "piece-kinds.h"
#include "post-processor.h"
#include "tokenizer-json-text.h"

#include "attn/error.h"

#include <string.h>

typedef enum { LIKE_GPT2, LIKE_ROBERTA } Family;

static const struct {
  const char *name; /* the suffix Fast means no other tokens */
  Family family;
} known_classes[] = {
    {"GPT2Tokenizer", LIKE_GPT2},          {"RobertaTokenizer", LIKE_ROBERTA},
    {"LongformerTokenizer", LIKE_ROBERTA}, {"BartTokenizer", LIKE_ROBERTA},
    {"LEDTokenizer", LIKE_ROBERTA},
};

/* The class where it is said; otherwise RoBERTa's where the vocabulary has its special tokens. */
static bool
find_family (const AttnTokenizerConfig *config,
             const AttnVocab *vocab,
             Family *family,
             GError **error)
{
  const char *class = config->tokenizer_class;
  if (class == NULL || g_str_equal (class, "TokenizersBackend")) {
    *family = attn_vocab_find (vocab, "<s>", 3) >= 0 && attn_vocab_find (vocab, "</s>", 4) >= 0
                  ? LIKE_ROBERTA
                  : LIKE_GPT2;
    return true;
  }
  size_t n = strlen (class) - (g_str_has_suffix (class, "Fast") ? strlen ("Fast") : 0);
  for (size_t i = 0; i < G_N_ELEMENTS (known_classes); i++) {
    if (strlen (known_classes[i].name) != n || strncmp (known_classes[i].name, class, n) != 0)
      continue;
    *family = known_classes[i].family;
    return true;
  }
  g_autofree char *shown = attn_file_dup_shown (class, strlen (class));
  return attn_file_refuse (config->path, ATTN_ERROR_UNSUPPORTED, error,
                           "tokenizer_class is \"%s\", wanted GPT2Tokenizer or RobertaTokenizer to "
                           "go with vocab.json",
                           shown);
}

static bool
load_model (const char *folder, AttnTokenizerParts *parts, GError **error)
{
  g_auto (AttnTokenizerText) text = {0};
  g_autofree char *vocab_path = g_build_filename (folder, "vocab.json", NULL);
  g_autofree char *merges_path = g_build_filename (folder, "merges.txt", NULL);
  g_autofree char *shown_merges = attn_file_dup_shown (merges_path, strlen (merges_path));
  AttnVocabRepeats repeats;
  parts->vocab = attn_vocab_new ();
  if (!attn_tokenizer_text_load_vocab (&text, vocab_path, error) ||
      !attn_tokenizer_text_pull_ids (&text, parts->vocab, error))
    return false;
  attn_vocab_index (parts->vocab, false, &repeats);
  if (repeats.n > 0)
    return attn_file_refuse (text.path, ATTN_ERROR_FORMAT, error,
                             "a piece has the ids %d and %d, wanted one", repeats.earlier,
                             repeats.first);
  g_autoptr (GArray) merges = g_array_new (FALSE, FALSE, sizeof (AttnMerge));
  AttnMergeList list = {
      .vocab = parts->vocab, .path = shown_merges, .prefix = "", .merges = merges};
  if (!attn_merge_list_load (&list, merges_path, error))
    return false;
  AttnBpeOptions options = {.unk_id = -1, .prefix = "", .suffix = ""};
  attn_bpe_init (parts, &options, merges);
  return true;
}

static void
add_gpt2_templates (AttnTokenizerParts *parts, int32_t bos_id)
{
  GArray *items[] = {parts->single, parts->pair};
  for (size_t i = 0; i < G_N_ELEMENTS (items); i++)
    for (int sequence = 0; sequence <= (int)i; sequence++) {
      if (bos_id >= 0)
        attn_template_add_token (items[i], bos_id, sequence);
      attn_template_add_text (items[i], sequence, sequence);
    }
}

static bool
add_roberta_templates (AttnTokenizerParts *parts,
                       const AttnTokenizerConfig *config,
                       const int32_t *ids,
                       GError **error)
{
  static const AttnSpecial needed[] = {ATTN_SPECIAL_CLS, ATTN_SPECIAL_SEP};
  for (size_t i = 0; i < G_N_ELEMENTS (needed); i++) {
    if (ids[needed[i]] >= 0)
      continue;
    const char *content = config->specials[needed[i]].content;
    g_autofree char *shown = attn_file_dup_shown (content, strlen (content));
    return attn_file_refuse (config->path, ATTN_ERROR_FORMAT, error,
                             "the token %s (%s) is not in vocab.json", shown,
                             attn_special_get_key (needed[i]));
  }
  attn_post_processor_init_roberta (parts, ids[ATTN_SPECIAL_CLS], ids[ATTN_SPECIAL_SEP]);
  parts->trim = (AttnSpanTrim){.trims = config->trims_spans, .keeps_prefix = config->prefix_space};
  return true;
}

bool
attn_bpe_files_load (const char *folder,
                     AttnTokenizerConfig *config,
                     AttnTokenizerParts *parts,
                     GError **error)
{
  Family family = LIKE_GPT2;
  int32_t ids[ATTN_N_SPECIALS];
  if (!load_model (folder, parts, error) || !find_family (config, parts->vocab, &family, error))
    return false;
  if (family == LIKE_ROBERTA)
    attn_tokenizer_config_set_roberta_specials (config, "<unk>");
  else
    attn_tokenizer_config_set_gpt2_specials (config);
  attn_pre_tokenizer_add_byte_level (parts->pre_tokenizer, config->prefix_space, true);
  for (guint i = 0; i < config->added->len; i++)
    attn_tokenizer_parts_add_token (parts, &g_array_index (config->added, AttnConfigToken, i),
                                    config->path);
  for (AttnSpecial i = 0; i < ATTN_N_SPECIALS; i++)
    ids[i] = config->says_special[i] ? attn_tokenizer_parts_find_token (parts, &config->specials[i])
                                     : -1;
  parts->mask_id = ids[ATTN_SPECIAL_MASK];
  if (family == LIKE_ROBERTA)
    return add_roberta_templates (parts, config, ids, error);
  add_gpt2_templates (parts, config->adds_bos ? ids[ATTN_SPECIAL_BOS] : -1);
  return true;
}
