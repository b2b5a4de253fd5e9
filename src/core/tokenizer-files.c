/* SPDX-License-Identifier: MIT */
/* Which of a folder's files make its tokenizer. */
#include "tokenizer-files.h"

#include "file.h"
#include "tokenizer-bert-files.h"
#include "tokenizer-bpe-files.h"
#include "tokenizer-json.h"
#include "tokenizer-sentencepiece-files.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <string.h>

/* The files a tokenizer may be in, the best first. */
typedef enum {
  FILE_JSON,
  FILE_VOCAB_TEXT,
  FILE_VOCAB_JSON,
  FILE_MERGES,
  FILE_SENTENCEPIECE, /* XLM-RoBERTa's and CamemBERT's name, */
  FILE_SPIECE,        /* ALBERT's, */
  FILE_SPM,           /* DeBERTa's, */
  FILE_MODEL,         /* and one for all */
  N_FILES,
} File;

static const char *const file_names[N_FILES] = {
    [FILE_JSON] = "tokenizer.json",
    [FILE_VOCAB_TEXT] = "vocab.txt",
    [FILE_VOCAB_JSON] = "vocab.json",
    [FILE_MERGES] = "merges.txt",
    [FILE_SENTENCEPIECE] = "sentencepiece.bpe.model",
    [FILE_SPIECE] = "spiece.model",
    [FILE_SPM] = "spm.model",
    [FILE_MODEL] = "tokenizer.model",
};

static bool
find_files (const char *folder, bool *found, GError **error)
{
  for (size_t i = 0; i < N_FILES; i++) {
    g_autofree char *path = g_build_filename (folder, file_names[i], NULL);
    if (!attn_file_find (path, &found[i], error))
      return false;
  }
  return true;
}

/* The mask is what tokenizer_config.json says it is; tokenizer.json does not say, so where nothing
 * does, it is what BERT or RoBERTa call it. */
static void
find_json_mask (AttnTokenizerParts *parts, const AttnTokenizerConfig *config)
{
  static const char *const names[] = {"[MASK]", "<mask>"};
  const AttnConfigToken *mask = &config->specials[ATTN_SPECIAL_MASK];
  if (config->says_special[ATTN_SPECIAL_MASK]) {
    parts->mask_id = attn_vocab_find (parts->vocab, mask->content, strlen (mask->content));
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (names) && parts->mask_id < 0; i++)
    if (g_hash_table_contains (parts->registered, names[i]))
      parts->mask_id = attn_vocab_find (parts->vocab, names[i], strlen (names[i]));
}

static bool
load_json (const char *folder,
           const AttnTokenizerConfig *config,
           AttnTokenizerParts *parts,
           GError **error)
{
  g_autofree char *path = g_build_filename (folder, file_names[FILE_JSON], NULL);
  if (!attn_tokenizer_json_load (path, config, parts, error))
    return false;
  for (guint i = 0; i < config->added->len; i++)
    attn_tokenizer_parts_add_token (parts, &g_array_index (config->added, AttnConfigToken, i),
                                    config->path);
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++)
    if (config->says_special[i])
      attn_tokenizer_parts_find_token (parts, &config->specials[i]);
  find_json_mask (parts, config);
  return true;
}

static bool
refuse_folder (const char *folder, const bool *found, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  if (found[FILE_VOCAB_JSON])
    return attn_file_refuse (shown, ATTN_ERROR_IO, error,
                             "found vocab.json without merges.txt, wanted both or tokenizer.json");
  return attn_file_refuse (
      shown, ATTN_ERROR_IO, error,
      "found neither tokenizer.json nor vocab.txt nor vocab.json nor a "
      "SentencePiece model, wanted one of them; the model's own tokenizer.json "
      "put there is enough");
}

static bool
is_enough (const bool *found)
{
  if (found[FILE_JSON] || found[FILE_VOCAB_TEXT] || (found[FILE_VOCAB_JSON] && found[FILE_MERGES]))
    return true;
  for (size_t i = FILE_SENTENCEPIECE; i < N_FILES; i++)
    if (found[i])
      return true;
  return false;
}

bool
attn_tokenizer_check_files (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, false);
  bool found[N_FILES];
  if (!find_files (folder, found, error))
    return false;
  return is_enough (found) || refuse_folder (folder, found, error);
}

bool
attn_tokenizer_files_load (const char *folder, AttnTokenizerParts *parts, GError **error)
{
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
    return attn_file_refuse (shown, ATTN_ERROR_IO, error,
                             "found no folder, wanted a model's folder");
  }
  bool found[N_FILES];
  if (!find_files (folder, found, error))
    return false;
  g_autoptr (AttnTokenizerConfig) config =
      attn_tokenizer_config_load (folder, parts->warnings, error);
  if (config == NULL)
    return false;
  parts->max_tokens = config->max_tokens;
  parts->cuts_start = config->cuts_start;
  if (found[FILE_JSON])
    return load_json (folder, config, parts, error);
  if (found[FILE_VOCAB_TEXT])
    return attn_bert_files_load (folder, config, parts, error);
  if (found[FILE_VOCAB_JSON] && found[FILE_MERGES])
    return attn_bpe_files_load (folder, config, parts, error);
  for (size_t i = FILE_SENTENCEPIECE; i < N_FILES; i++) {
    if (!found[i])
      continue;
    g_autofree char *path = g_build_filename (folder, file_names[i], NULL);
    return attn_sentencepiece_files_load (folder, path, config, parts, error);
  }
  return refuse_folder (folder, found, error);
}
