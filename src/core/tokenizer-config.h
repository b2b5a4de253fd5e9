/* SPDX-License-Identifier: MIT */
/* What tokenizer_config.json, special_tokens_map.json, added_tokens.json and
 * sentence_bert_config.json say. */
#pragma once

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* A token that is to be found in the text as a whole. */
typedef struct {
  char *content;
  bool single_word;
  bool lstrip, rstrip;
  bool normalized; /* to be looked for after normalising */
  bool is_text;    /* the file has only its text, so the flags are ours */
  double id;       /* as the file says it, or -1 where it does not */
} AttnConfigToken;

typedef enum {
  ATTN_SPECIAL_UNK,
  ATTN_SPECIAL_SEP,
  ATTN_SPECIAL_PAD,
  ATTN_SPECIAL_CLS,
  ATTN_SPECIAL_MASK,
  ATTN_SPECIAL_BOS,
  ATTN_SPECIAL_EOS,
  ATTN_N_SPECIALS,
} AttnSpecial;

typedef struct {
  char *path;            /* of tokenizer_config.json, fit for messages */
  char *tokenizer_class; /* or NULL */
  bool lower, says_lower;
  bool keeps_accents;
  bool splits_punctuation;
  bool strip_accents;
  bool split_ideographs;
  bool has_never_split;
  size_t max_tokens;                         /* G_MAXSIZE: no limit */
  bool says_max_tokens;                      /* the files name a limit or that there is none */
  bool says_side, cuts_start;                /* what is over the limit is cut from the start */
  bool adds_bos;                             /* puts a bos token before each text */
  bool prefix_space, says_prefix_space;      /* false where the files do not say */
  bool trims_spans;                          /* true where they do not say */
  AttnConfigToken specials[ATTN_N_SPECIALS]; /* BERT's where the files name none, */
  bool says_special[ATTN_N_SPECIALS];        /* which this tells */
  GArray *added; /* of AttnConfigToken, owned: all others, in ascending order of their ids */
} AttnTokenizerConfig;

/* Returns: the key of a special token in the files, for instance "unk_token". */
const char *attn_special_get_key (AttnSpecial special);

/**
 * attn_config_token_read:
 * @value:   its text, or an object with its text and how to look for it
 * @path,@key: for messages
 * @token:   (out): content is owned by the caller
 * @special: (out): whether the object says so; false for a text
 *
 * Returns: false with @error: FORMAT.
 */
bool attn_config_token_read (json_t *value,
                             const char *path,
                             const char *key,
                             AttnConfigToken *token,
                             bool *special,
                             GError **error);

/**
 * attn_tokenizer_config_load:
 * @warnings: of owned strings; appended to
 *
 * Each of the four files may be missing; a value that is missing or null is BERT's default.
 *
 * Returns: a new config for attn_tokenizer_config_free(), or NULL with @error: IO, FORMAT,
 *   TOO_LARGE; the message names file and field.
 */
AttnTokenizerConfig *
attn_tokenizer_config_load (const char *folder, GPtrArray *warnings, GError **error);

/* Names a special token where the files do not. */
void attn_tokenizer_config_set_special (AttnTokenizerConfig *config,
                                        AttnSpecial special,
                                        const char *content);

/* The same for all of RoBERTa's; its mask takes the space before it,
 * as in RoBERTa itself and its published tokenizer.json. */
void attn_tokenizer_config_set_roberta_specials (AttnTokenizerConfig *config, const char *unk);

/* And for GPT-2's only one. */
void attn_tokenizer_config_set_gpt2_specials (AttnTokenizerConfig *config);

void attn_tokenizer_config_free (AttnTokenizerConfig *config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTokenizerConfig, attn_tokenizer_config_free)
