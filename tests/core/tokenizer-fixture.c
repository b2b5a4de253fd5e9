/* SPDX-License-Identifier: MIT */
/* Tokenizer folders written by tests, and tokens as text that reads well in a failed assertion. */
#include "tokenizer-fixture.h"

#include <glib/gstdio.h>

#include <string.h>

/* The published tokenizers' own tests use this one. */
static const char default_words[] =
    "[UNK] [CLS] [SEP] [PAD] [MASK] want ##want ##ed wa un runn ##ing , low lowest";

char *
fixture_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headscope-test-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
fixture_remove (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

void
fixture_write (const char *folder, const char *name, const char *content, gssize n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_file_set_contents_full (path, content, n_bytes, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

AttnTokenizer *
fixture_load (const char *words, const char *config)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = g_strsplit (words == NULL ? default_words : words, " ", -1);
  g_autofree char *vocab = g_strjoinv ("\n", lines);
  char *folder = fixture_make_folder ();
  fixture_write (folder, "vocab.txt", vocab, -1);
  if (config != NULL)
    fixture_write (folder, "tokenizer_config.json", config, -1);
  AttnTokenizer *tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  fixture_remove (folder);
  return tokenizer;
}

AttnTokenizer *
fixture_try_json (const char *json, GError **error)
{
  char *folder = fixture_make_folder ();
  fixture_write (folder, "tokenizer.json", json, -1);
  AttnTokenizer *tokenizer = attn_tokenizer_load (folder, error);
  fixture_remove (folder);
  return tokenizer;
}

AttnTokenizer *
fixture_load_parts (const char *normalizer, const char *pre_tokenizer, const char *model)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json =
      g_strdup_printf ("{\"normalizer\": %s, \"pre_tokenizer\": %s, \"model\": %s}",
                       normalizer == NULL ? "null" : normalizer,
                       pre_tokenizer == NULL ? "null" : pre_tokenizer, model);
  AttnTokenizer *tokenizer = fixture_try_json (json, &error);
  g_assert_no_error (error);
  return tokenizer;
}

AttnTokens *
fixture_encode (AttnTokenizer *tokenizer, const char *text, const char *pair, size_t max_tokens)
{
  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {.text = text,
                              .text_length = strlen (text),
                              .pair = pair,
                              .pair_length = pair == NULL ? 0 : strlen (pair),
                              .max_tokens = max_tokens};
  AttnTokens *tokens = attn_tokenizer_encode (tokenizer, &input, &error);
  g_assert_no_error (error);
  fixture_check_tokens (tokenizer, tokens);
  return tokens;
}

static char *
dup_pieces (const AttnTokens *tokens, bool with_template, bool with_spans)
{
  g_autoptr (GString) out = g_string_new (NULL);
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    if (token->special && !with_template)
      continue;
    if (out->len > 0)
      g_string_append_c (out, ' ');
    g_string_append (out, token->piece);
    if (with_spans)
      g_string_append_printf (out, ":%zu-%zu", token->start, token->end);
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
fixture_dup_spans (const AttnTokens *tokens)
{
  return dup_pieces (tokens, false, true);
}

char *
fixture_dup_pieces (const AttnTokens *tokens)
{
  return dup_pieces (tokens, true, false);
}

char *
fixture_dup_plain_pieces (AttnTokenizer *tokenizer, const char *text)
{
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
  return dup_pieces (tokens, false, false);
}

static void
check_span (const AttnTokens *tokens, const AttnToken *token, const AttnToken *before)
{
  size_t n_bytes = 0;
  const char *text = attn_tokens_peek_text (tokens, token->sequence, &n_bytes);
  /* a byte-level tokenizer that trims spaces leaves nothing of tokens that are spaces */
  if (g_str_has_prefix (token->piece, "\u0120"))
    g_assert_cmpuint (token->start, <=, token->end);
  else
    g_assert_cmpuint (token->start, <, token->end);
  g_assert_cmpuint (token->end, <=, n_bytes);
  g_assert_cmpint ((unsigned char)text[token->start] & 0xC0, !=, 0x80);
  g_assert_cmpint ((unsigned char)text[token->end] & 0xC0, !=, 0x80);
  if (before != NULL && before->sequence == token->sequence) {
    /* one character may give two pieces, as a Hangul syllable does: then they share it */
    g_assert_cmpuint (before->start, <=, token->start);
    g_assert_cmpuint (before->end, <=, token->end);
    g_assert_true (token->word == before->word || token->word == before->word + 1);
  } else {
    g_assert_cmpint (token->word, >=, 0); /* 0 unless the text was cut at its start */
  }
}

void
fixture_check_tokens (const AttnTokenizer *tokenizer, const AttnTokens *tokens)
{
  const AttnToken *before = NULL;
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    g_assert_cmpint (token->id, >=, 0);
    g_assert_cmpuint ((size_t)token->id, <, attn_tokenizer_get_vocab_size (tokenizer));
    g_assert_cmpstr (token->piece, ==, attn_tokenizer_peek_piece (tokenizer, token->id));
    g_assert_cmpint (token->special, ==, token->sequence < 0);
    if (token->sequence >= 0) {
      check_span (tokens, token, before);
      before = token;
    } else {
      g_assert_cmpuint (token->start, ==, 0);
      g_assert_cmpuint (token->end, ==, 0);
      g_assert_cmpint (token->word, ==, -1);
    }
  }
}
