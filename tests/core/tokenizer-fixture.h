/* SPDX-License-Identifier: MIT */
/* Tokenizer folders written by tests, and tokens as text that reads well in a failed assertion. */
#pragma once

#include "attn/tokenizer.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a new empty folder, for fixture_remove(). */
char *fixture_make_folder (void);

/* Removes the folder and the files in it, and frees @folder. */
void fixture_remove (char *folder);

/* @n_bytes: -1 for a NUL-terminated content */
void fixture_write (const char *folder, const char *name, const char *content, gssize n_bytes);

/**
 * fixture_load:
 * @words:  the vocabulary, apart by spaces, or NULL for the one HF's tests use
 * @config: tokenizer_config.json, or NULL for none
 *
 * Returns: (transfer full): a tokenizer that must load.
 */
AttnTokenizer *fixture_load (const char *words, const char *config);

/* Returns: (transfer full) (nullable): what a folder with this tokenizer.json gives. */
AttnTokenizer *fixture_try_json (const char *json, GError **error);

/* Returns: (transfer full): the same with parts of one, each a JSON value or NULL for null, and it
 * must load. */
AttnTokenizer *
fixture_load_parts (const char *normalizer, const char *pre_tokenizer, const char *model);

/* Encodes; a failure ends the test. @pair: (nullable). */
AttnTokens *
fixture_encode (AttnTokenizer *tokenizer, const char *text, const char *pair, size_t max_tokens);

/* Returns: (transfer full): "piece:start-end piece:start-end", without the template's tokens. */
char *fixture_dup_spans (const AttnTokens *tokens);

/* Returns: (transfer full): all pieces, apart by spaces. */
char *fixture_dup_pieces (const AttnTokens *tokens);

/* Checks the pieces without the template's. */
#define fixture_assert_pieces(tokenizer, text, expected) \
  G_STMT_START \
  { \
    g_autofree char *fixture_pieces = fixture_dup_plain_pieces (tokenizer, text); \
    g_assert_cmpstr (fixture_pieces, ==, expected); \
  } \
  G_STMT_END

char *fixture_dup_plain_pieces (AttnTokenizer *tokenizer, const char *text);

/* What holds for every text's tokens: spans in order, inside the text and on its characters'
 * borders; ids in the vocabulary; words counted up. */
void fixture_check_tokens (const AttnTokenizer *tokenizer, const AttnTokens *tokens);

G_END_DECLS
