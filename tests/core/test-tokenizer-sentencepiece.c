/* SPDX-License-Identifier: MIT */
/* Folders with a SentencePiece model alone, against what the published tokenizers make of them. */
#include "protobuf.h"
#include "sentencepiece.h"
#include "test-util.h"
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <jansson.h>

#include <string.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

static void
check_case (AttnTokenizer *tokenizer, json_t *entry)
{
  json_t *ids = json_object_get (entry, "ids"), *spans = json_object_get (entry, "spans");
  const char *text = json_string_value (json_object_get (entry, "text"));
  g_autoptr (AttnTokens) tokens =
      fixture_encode (tokenizer, text, json_string_value (json_object_get (entry, "pair")), 0);
  if (json_array_size (ids) != attn_tokens_get_n (tokens))
    g_error ("%s: %zu tokens, wanted %zu", text, attn_tokens_get_n (tokens), json_array_size (ids));
  for (size_t i = 0; i < json_array_size (ids); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    json_t *span = json_array_get (spans, i);
    size_t start = (size_t)json_integer_value (json_array_get (span, 0));
    size_t end = (size_t)json_integer_value (json_array_get (span, 1));
    if (token->id != json_integer_value (json_array_get (ids, i)) || token->start != start ||
        token->end != end)
      g_error ("%s: token %zu is %d at %zu to %zu, wanted %d at %zu to %zu", text, i, token->id,
               token->start, token->end, (int)json_integer_value (json_array_get (ids, i)), start,
               end);
  }
}

static void
test_folder (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_strdup_printf ("sentencepiece/%s", (const char *)name);
  g_autofree char *folder = test_data_path (below);
  g_autofree char *path = g_build_filename (folder, "cases.jsonl", NULL);
  g_autofree char *content = test_read_file (path, NULL);
  g_auto (GStrv) lines = g_strsplit (content, "\n", -1);
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  g_assert_nonnull (attn_tokenizer_peek_mask (tokenizer));
  g_assert_cmpuint (attn_tokenizer_get_n_warnings (tokenizer), ==, 0);
  size_t n = 0;
  for (; lines[n] != NULL && lines[n][0] != '\0'; n++) {
    g_autoptr (json_t) entry = json_loads (lines[n], 0, NULL);
    check_case (tokenizer, entry);
  }
  g_assert_cmpuint (n, >=, 19);
}

static char *
read_model (gsize *n_bytes)
{
  g_autofree char *path = test_data_path ("sentencepiece/albert/spiece.model");
  return test_read_file (path, n_bytes);
}

static AttnTokenizer *
try_model (const char *bytes, size_t n_bytes, const char *config, GError **error)
{
  char *folder = fixture_make_folder ();
  fixture_write (folder, "spiece.model", bytes, (gssize)n_bytes);
  fixture_write (folder, config[0] == '{' ? "tokenizer_config.json" : "config.json",
                 config[0] == '{' ? config : "{\"model_type\": \"albert\"}", -1);
  AttnTokenizer *tokenizer = attn_tokenizer_load (folder, error);
  fixture_remove (folder);
  return tokenizer;
}

/* A file that ends anywhere but between two fields is refused; none is read beyond its end. */
static void
test_cut_models (void)
{
  gsize n_bytes;
  g_autofree char *bytes = read_model (&n_bytes);
  size_t n_refused = 0;
  char *folder = fixture_make_folder ();
  g_autofree char *path = g_build_filename (folder, "cut.model", NULL);
  for (size_t n = 0; n < n_bytes; n++) {
    g_autoptr (GError) error = NULL;
    g_auto (AttnSentencePieceModel) model = {0};
    g_file_set_contents_full (path, bytes, (gssize)n, G_FILE_SET_CONTENTS_NONE, 0600, &error);
    g_assert_no_error (error);
    if (attn_sentencepiece_load (&model, path, &error))
      continue;
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, "cut.model"));
    n_refused++;
  }
  fixture_remove (folder);
  g_assert_cmpuint (n_refused, >, n_bytes / 2);
}

/* Every 23rd byte changed in turn: a load or a sentence, and texts that do no harm. */
static void
test_changed_models (void)
{
  gsize n_bytes;
  g_autofree char *bytes = read_model (&n_bytes);
  for (size_t at = 0; at < n_bytes; at += 23) {
    g_autoptr (GError) error = NULL;
    char before = bytes[at];
    bytes[at] = (char)(before ^ (1 << at % 8));
    g_autoptr (AttnTokenizer) tokenizer = try_model (bytes, n_bytes, "", &error);
    bytes[at] = before;
    if (tokenizer == NULL)
      g_assert_true (error->domain == ATTN_ERROR);
    else
      attn_tokens_unref (fixture_encode (tokenizer, "The (fox) \uFF26\u2460 [MASK]", NULL, 0));
  }
}

static void
assert_refused (
    const char *bytes, size_t n_bytes, const char *config, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (try_model (bytes, n_bytes, config, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

static void
test_refused_models (void)
{
  static const char class[] = "{\"tokenizer_class\": \"AlbertTokenizerFast\"}";
  static const char bpe[] = "\x0A\x03\x0A\x01\x61\x12\x02\x18\x02";
  static const char no_unk[] = "\x0A\x03\x0A\x01\x61";
  static const char not_utf8[] = "\x0A\x04\x0A\x02\xC3(";
  static const char nan[] = "\x0A\x08\x0A\x01\x61\x15\x00\x00\xC0\x7F";
  static const char charsmap[] = "\x0A\x03\x0A\x01\x61\x1A\x04\x12\x02\x01\x00";
  assert_refused ("", 0, class, ATTN_ERROR_FORMAT, "spiece.model");
  assert_refused ("not a model", 11, class, ATTN_ERROR_FORMAT, "spiece.model");
  assert_refused (bpe, sizeof bpe - 1, class, ATTN_ERROR_UNSUPPORTED, "Unigram");
  assert_refused (no_unk, sizeof no_unk - 1, class, ATTN_ERROR_FORMAT, "unknown piece");
  assert_refused (not_utf8, sizeof not_utf8 - 1, class, ATTN_ERROR_FORMAT, "UTF-8");
  assert_refused (nan, sizeof nan - 1, class, ATTN_ERROR_FORMAT, "score");
  assert_refused (charsmap, sizeof charsmap - 1, class, ATTN_ERROR_FORMAT, "precompiled_charsmap");
  gsize n_bytes;
  g_autofree char *good = read_model (&n_bytes);
  assert_refused (good, n_bytes, "{\"tokenizer_class\": \"T5Tokenizer\"}", ATTN_ERROR_UNSUPPORTED,
                  "T5Tokenizer");
}

/* Where tokenizer_config.json says no class, config.json's model_type does. */
static void
test_family_of_config (void)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  g_autofree char *good = read_model (&n_bytes);
  g_autoptr (AttnTokenizer) tokenizer = try_model (good, n_bytes, "", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_tokenizer_peek_mask (tokenizer), ==, "[MASK]");
}

static void
test_protobuf (void)
{
  /* 1: varint 300; 2: "ab"; 3: 32 bits of 1.0; 4: 64 bits */
  static const guint8 bytes[] = {0x08, 0xAC, 0x02, 0x12, 0x02, 'a', 'b', 0x1D, 0x00, 0x00, 0x80,
                                 0x3F, 0x21, 1,    0,    0,    0,   0,   0,    0,    0x80};
  AttnProtobuf message = {.bytes = bytes, .n = sizeof bytes};
  AttnProtobufField field;
  g_assert_true (attn_protobuf_next (&message, &field));
  g_assert_cmpuint (field.number, ==, 1);
  g_assert_cmpuint (field.value, ==, 300);
  g_assert_true (attn_protobuf_next (&message, &field));
  g_assert_cmpmem (field.bytes, field.n, "ab", 2);
  g_assert_true (attn_protobuf_next (&message, &field));
  g_assert_true (attn_protobuf_get_float (&field) == 1.0F);
  g_assert_true (attn_protobuf_next (&message, &field));
  g_assert_cmpuint (field.value, ==, ((guint64)0x80 << 56) + 1);
  g_assert_false (attn_protobuf_next (&message, &field));
  g_assert_false (message.failed);

  static const guint8 wrong[][12] = {
      {0x80}, /* a key that does not end */
      {0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, /* too long */
      {0x0A, 0x7F}, /* longer than the message */
      {0x0B},       /* a group */
      {0x0D, 0, 0}, /* 32 bits cut short */
  };
  static const size_t sizes[] = {1, 12, 2, 1, 3};
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    AttnProtobuf broken = {.bytes = wrong[i], .n = sizes[i]};
    g_assert_false (attn_protobuf_next (&broken, &field));
    g_assert_true (broken.failed);
  }
}

int
main (int argc, char **argv)
{
  static const char *const folders[] = {"albert",     "albert-cased",     "camembert",
                                        "deberta-v2", "deberta-v2-punct", "xlm-roberta"};
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = g_strdup_printf ("/sentencepiece/folder/%s", folders[i]);
    g_test_add_data_func (path, folders[i], test_folder);
  }
  g_test_add_func ("/sentencepiece/cut-models", test_cut_models);
  g_test_add_func ("/sentencepiece/changed-models", test_changed_models);
  g_test_add_func ("/sentencepiece/refused-models", test_refused_models);
  g_test_add_func ("/sentencepiece/family-of-config", test_family_of_config);
  g_test_add_func ("/sentencepiece/protobuf", test_protobuf);
  return g_test_run ();
}
