/* SPDX-License-Identifier: MIT */
/* What tokenizer_config.json, special_tokens_map.json and added_tokens.json say. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* A token that is to be found in the text as a whole. */
typedef struct {
  char *content;
  bool single_word;
  bool lstrip, rstrip;
  bool normalized; /* to be looked for after normalising */
  double id;       /* as the file says it, or -1 where it does not */
} AttnConfigToken;

typedef enum {
  ATTN_SPECIAL_UNK,
  ATTN_SPECIAL_SEP,
  ATTN_SPECIAL_PAD,
  ATTN_SPECIAL_CLS,
  ATTN_SPECIAL_MASK,
  ATTN_N_SPECIALS,
} AttnSpecial;

typedef struct {
  char *path;            /* of tokenizer_config.json, fit for messages */
  char *tokenizer_class; /* or NULL */
  bool lower;
  bool strip_accents;
  bool split_ideographs;
  bool has_never_split;
  size_t max_tokens;                         /* G_MAXSIZE: no limit */
  AttnConfigToken specials[ATTN_N_SPECIALS]; /* defaults where the files name none */
  GArray *added; /* of AttnConfigToken, owned: all others, in ascending order of their ids */
} AttnTokenizerConfig;

/* Returns: the key of a special token in the files, for instance "unk_token". */
const char *attn_special_get_key (AttnSpecial special);

/**
 * attn_tokenizer_config_load:
 * @warnings: of owned strings; appended to
 *
 * Each of the three files may be missing; a value that is missing or null is BERT's default.
 *
 * Returns: a new config for attn_tokenizer_config_free(), or NULL with @error: IO, FORMAT,
 *   TOO_LARGE; the message names file and field.
 */
AttnTokenizerConfig *
attn_tokenizer_config_load (const char *folder, GPtrArray *warnings, GError **error);

void attn_tokenizer_config_free (AttnTokenizerConfig *config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTokenizerConfig, attn_tokenizer_config_free)
