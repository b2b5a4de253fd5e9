/* SPDX-License-Identifier: MIT */
/* Tokens against those of the published fast tokenizer: ids, pieces, spans, words, types. */
#include "test-util.h"
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <jansson.h>

#include <string.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

static json_t *
load_json (const char *path)
{
  json_error_t fault;
  json_t *root = json_load_file (path, JSON_ALLOW_NUL, &fault);
  if (root == NULL)
    g_error ("%s:%d: %s", path, fault.line, fault.text);
  return root;
}

static gint64
get_int (json_t *list, size_t index)
{
  return json_integer_value (json_array_get (list, index));
}

/* Where the reference and we differ first; NULL where we agree. */
static char *
dup_difference (const AttnTokens *tokens, json_t *ids, json_t *pieces, json_t *spans)
{
  if (json_array_size (ids) != attn_tokens_get_n (tokens))
    return g_strdup_printf ("%zu tokens, wanted %zu", attn_tokens_get_n (tokens),
                            json_array_size (ids));
  for (size_t i = 0; i < json_array_size (ids); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    json_t *span = json_array_get (spans, i);
    const char *piece = json_string_value (json_array_get (pieces, i));
    if (token->id != get_int (ids, i) || strcmp (token->piece, piece) != 0)
      return g_strdup_printf ("token %zu is %d %s, wanted %d %s", i, token->id, token->piece,
                              (int)get_int (ids, i), piece);
    if ((gint64)token->start != get_int (span, 0) || (gint64)token->end != get_int (span, 1))
      return g_strdup_printf ("token %zu (%s) spans %zu to %zu, wanted %d to %d", i, piece,
                              token->start, token->end, (int)get_int (span, 0),
                              (int)get_int (span, 1));
  }
  return NULL;
}

/* Lists of numbers that some cases have and others do not. */
static void
check_numbers (const AttnTokens *tokens,
               json_t *entry,
               const char *key,
               int (*get) (const AttnToken *))
{
  json_t *list = json_object_get (entry, key);
  for (size_t i = 0; i < json_array_size (list); i++)
    if (get (attn_tokens_peek (tokens, i)) != get_int (list, i))
      g_error ("%s: %s of token %zu is %d, wanted %d",
               json_string_value (json_object_get (entry, "text")), key, i,
               get (attn_tokens_peek (tokens, i)), (int)get_int (list, i));
}

static int
get_word (const AttnToken *token)
{
  return token->word;
}

static int
get_type (const AttnToken *token)
{
  return token->type_id;
}

static int
get_sequence (const AttnToken *token)
{
  return token->sequence;
}

static int
get_special (const AttnToken *token)
{
  return token->special;
}

/* How the reference was told to cut: "True" is its default, the longest first. */
static AttnTruncation
get_truncation (json_t *entry)
{
  const char *way = json_string_value (json_object_get (entry, "truncation"));
  if (g_strcmp0 (way, "only_first") == 0)
    return ATTN_TRUNCATION_ONLY_FIRST;
  return g_strcmp0 (way, "only_second") == 0 ? ATTN_TRUNCATION_ONLY_SECOND
                                             : ATTN_TRUNCATION_LONGEST_FIRST;
}

/* @max_tokens: where the entry does not say it */
static AttnTokens *
try_entry (AttnTokenizer *tokenizer, json_t *entry, size_t max_tokens, GError **error)
{
  json_t *text = json_object_get (entry, "text"), *pair = json_object_get (entry, "pair");
  json_t *limit = json_object_get (entry, "max_length");
  AttnTokenizerInput input = {
      .text = json_string_value (text),
      .text_length = json_string_length (text),
      .pair = json_string_value (pair),
      .pair_length = json_string_length (pair),
      .max_tokens = limit == NULL ? max_tokens : (size_t)json_integer_value (limit),
      .truncation = get_truncation (entry),
  };
  return attn_tokenizer_encode (tokenizer, &input, error);
}

static AttnTokens *
encode_entry (AttnTokenizer *tokenizer, json_t *entry, size_t max_tokens)
{
  g_autoptr (GError) error = NULL;
  AttnTokens *tokens = try_entry (tokenizer, entry, max_tokens, &error);
  g_assert_no_error (error);
  fixture_check_tokens (tokenizer, tokens);
  return tokens;
}

static json_t *
load_config (const char *name)
{
  g_autofree char *path = test_data_path ("golden/tokenizer/configs.json");
  g_autoptr (json_t) root = load_json (path);
  return json_incref (json_object_get (json_object_get (root, "configs"), name));
}

static AttnTokenizer *
load_folder (const char *folder, json_t *config)
{
  g_autoptr (GError) error = NULL;
  AttnTokenizer *tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), ==,
                    (size_t)json_integer_value (json_object_get (config, "vocab_size")));
  return tokenizer;
}

/* A folder with these vocabulary files and the flags of a golden configuration. */
static AttnTokenizer *
load_golden (const char *const *vocab_paths, const char *name)
{
  g_autoptr (json_t) config = load_config (name);
  g_autoptr (json_t) flags = json_copy (json_object_get (config, "flags"));
  json_object_set (flags, "tokenizer_class", json_object_get (config, "tokenizer"));
  g_autofree char *flags_text = json_dumps (flags, 0);
  char *folder = fixture_make_folder ();
  for (size_t i = 0; vocab_paths[i] != NULL; i++) {
    gsize n_bytes;
    g_autofree char *vocab = test_read_file (vocab_paths[i], &n_bytes);
    g_autofree char *file = g_path_get_basename (vocab_paths[i]);
    fixture_write (folder, file, vocab, (gssize)n_bytes);
  }
  fixture_write (folder, "tokenizer_config.json", flags_text, -1);
  AttnTokenizer *tokenizer = load_folder (folder, config);
  fixture_remove (folder);
  return tokenizer;
}

/* What is wrong with one line; NULL where all is well. */
static char *
dup_fault (AttnTokenizer *tokenizer, json_t *entry)
{
  g_autoptr (GError) error = NULL;
  if (json_object_get (entry, "error") != NULL) { /* the reference refuses it, and so must we */
    g_autoptr (AttnTokens) tokens = try_entry (tokenizer, entry, G_MAXSIZE, &error);
    return tokens == NULL ? NULL : g_strdup ("tokens, wanted an error");
  }
  g_autoptr (AttnTokens) tokens = encode_entry (tokenizer, entry, G_MAXSIZE);
  char *difference =
      dup_difference (tokens, json_object_get (entry, "ids"), json_object_get (entry, "tokens"),
                      json_object_get (entry, "offsets"));
  if (difference == NULL) {
    check_numbers (tokens, entry, "words", get_word);
    check_numbers (tokens, entry, "types", get_type);
  }
  return difference;
}

static void
check_cases (AttnTokenizer *tokenizer, const char *name)
{
  g_autofree char *file = g_strdup_printf ("golden/tokenizer/%s.jsonl", name);
  g_autofree char *path = test_data_path (file);
  g_autofree char *content = test_read_file (path, NULL);
  g_auto (GStrv) lines = g_strsplit (content, "\n", -1);
  g_autoptr (json_t) config = load_config (name);
  size_t n_checked = 0, n_wrong = 0;
  for (size_t i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    g_autoptr (json_t) entry = json_loads (lines[i], JSON_ALLOW_NUL, NULL);
    g_assert_nonnull (entry);
    g_autofree char *fault = dup_fault (tokenizer, entry);
    n_checked++;
    if (fault == NULL)
      continue;
    n_wrong++;
    g_test_message ("%s line %zu: %s", name, i + 1, fault);
  }
  g_test_message ("%s: %zu cases, %zu wrong", name, n_checked, n_wrong);
  g_assert_cmpuint (n_wrong, ==, 0);
  g_assert_cmpuint (n_checked, ==, (size_t)json_integer_value (json_object_get (config, "lines")));
}

/* bert-base-uncased's vocabulary comes with MiniLM too, so either place will do. */
static char *
find_uncased_vocab (void)
{
  const char *minilm = g_getenv ("HEADSCOPE_MINILM");
  g_autofree char *path = minilm == NULL ? NULL : g_build_filename (minilm, "vocab.txt", NULL);
  if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  return test_golden_path ("tokenizer/vocab/bert-base-uncased/vocab.txt");
}

static void
test_uncased (gconstpointer name)
{
  g_autofree char *vocab = find_uncased_vocab ();
  if (vocab == NULL)
    return;
  const char *const files[] = {vocab, NULL};
  g_autoptr (AttnTokenizer) tokenizer = load_golden (files, name);
  check_cases (tokenizer, name);
}

static void
test_chinese (gconstpointer name)
{
  g_autofree char *vocab = test_golden_path ("tokenizer/vocab/bert-base-chinese/vocab.txt");
  if (vocab == NULL)
    return;
  const char *const files[] = {vocab, NULL};
  g_autoptr (AttnTokenizer) tokenizer = load_golden (files, name);
  check_cases (tokenizer, name);
}

static void
test_gpt2 (gconstpointer name)
{
  g_autofree char *vocab = test_golden_path ("tokenizer/vocab/gpt2/vocab.json");
  if (vocab == NULL)
    return;
  g_autofree char *folder = g_path_get_dirname (vocab);
  g_autofree char *merges = g_build_filename (folder, "merges.txt", NULL);
  const char *const files[] = {vocab, merges, NULL};
  g_autoptr (AttnTokenizer) tokenizer = load_golden (files, name);
  g_assert_null (attn_tokenizer_peek_mask (tokenizer));
  check_cases (tokenizer, name);
}

/* The small vocabularies of the model folders. */
static void
test_tiny (gconstpointer name)
{
  g_autoptr (json_t) config = load_config (name);
  const char *vocab = json_string_value (json_object_get (config, "vocab"));
  g_autofree char *below = g_build_filename ("golden/tokenizer", vocab, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (AttnTokenizer) tokenizer = load_folder (folder, config);
  check_cases (tokenizer, name);
}

/* Bytes that are no UTF-8 are refused, naming the first of them; what the replaced text gives is
 * the window's matter when it replaces. */
static void
test_invalid_text (void)
{
  g_autofree char *path = test_data_path ("golden/tokenizer/invalid-utf8.policy.jsonl");
  g_autofree char *content = test_read_file (path, NULL);
  g_auto (GStrv) lines = g_strsplit (content, "\n", -1);
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, NULL);
  size_t n_checked = 0;
  for (size_t i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    g_autoptr (json_t) entry = json_loads (lines[i], 0, NULL);
    const char *hex = json_string_value (json_object_get (entry, "hex"));
    const char *replaced = json_string_value (json_object_get (entry, "replaced_text"));
    g_autoptr (GString) bytes = g_string_new (NULL);
    for (size_t at = 0; hex[at] != '\0'; at += 2)
      g_string_append_c (
          bytes, (char)(g_ascii_xdigit_value (hex[at]) * 16 + g_ascii_xdigit_value (hex[at + 1])));
    g_autoptr (GError) error = NULL;
    AttnTokenizerInput input = {.text = bytes->str, .text_length = bytes->len};
    g_assert_null (attn_tokenizer_encode (tokenizer, &input, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT);
    size_t before = (size_t)(strstr (replaced, "\xEF\xBF\xBD") - replaced);
    g_autofree char *place = g_strdup_printf ("at byte %zu", before);
    g_assert_true (g_str_has_suffix (error->message, place));
    n_checked++;
  }
  g_assert_cmpuint (n_checked, >=, 16);
}

/* Families without token types: their models are given none, whatever the tokenizer says. */
static bool
has_types (const char *folder)
{
  static const char *const without[] = {"distilbert", "deberta-v2", "gpt2", "modernbert", NULL};
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (json_t) config = load_json (path);
  const char *family = json_string_value (json_object_get (config, "model_type"));
  return !g_strv_contains (without, family);
}

static void
check_reference (AttnTokenizer *tokenizer, json_t *entry, bool with_types)
{
  if (!json_is_string (json_object_get (entry, "text")))
    return; /* a batch: the same texts one by one are cases too */
  g_autoptr (AttnTokens) tokens = encode_entry (tokenizer, entry, 0);
  g_autofree char *difference =
      dup_difference (tokens, json_object_get (entry, "input_ids"),
                      json_object_get (entry, "tokens"), json_object_get (entry, "offsets_bytes"));
  g_assert_cmpstr (difference, ==, NULL);
  check_numbers (tokens, entry, "word_ids", get_word);
  if (with_types)
    check_numbers (tokens, entry, "token_type_ids", get_type);
  check_numbers (tokens, entry, "sequence", get_sequence);
  check_numbers (tokens, entry, "special_tokens_mask", get_special);
  json_t *n_all = json_object_get (entry, "tokens_before_truncation");
  if (n_all != NULL)
    g_assert_cmpuint (attn_tokens_get_n (tokens) + attn_tokens_get_n_truncated (tokens), ==,
                      (size_t)json_integer_value (n_all));
  json_t *guess;
  size_t index;
  json_array_foreach (json_object_get (entry, "mask_predictions"), index, guess)
  {
    size_t position = (size_t)json_integer_value (json_object_get (guess, "position"));
    g_assert_true (attn_tokens_peek (tokens, position)->mask);
  }
}

static void
check_references (const char *folder, const char *reference_path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = load_json (reference_path);
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  json_t *entry, *cases = json_object_get (root, "cases");
  bool with_types = has_types (folder);
  size_t index;
  g_assert_cmpuint (json_array_size (cases), >, 0);
  json_array_foreach (cases, index, entry) check_reference (tokenizer, entry, with_types);
}

static void
test_model (gconstpointer name)
{
  g_autofree char *below = g_strdup_printf ("golden/models/%s", (const char *)name);
  g_autofree char *folder = test_data_path (below);
  g_autofree char *reference = g_build_filename (folder, "reference.json", NULL);
  check_references (folder, reference);
}

static void
test_demo_model (void)
{
  g_autofree char *reference = test_data_path ("demo-model/reference.json");
  g_autofree char *folder = test_data_path ("../../resources/demo-model");
  check_references (folder, reference);
}

static void
add_tests (const char *group, const char *const *names, GTestDataFunc test)
{
  for (size_t i = 0; names[i] != NULL; i++) {
    g_autofree char *path = g_strdup_printf ("/tokenizer/%s/%s", group, names[i]);
    g_test_add_data_func (path, names[i], test);
  }
}

int
main (int argc, char **argv)
{
  static const char *const uncased[] = {"uncased",     "uncased-accents", "cased",
                                        "cased-strip", "uncased-nocjk",   NULL};
  static const char *const chinese[] = {"chinese", "chinese-lower", NULL};
  static const char *const gpt2[] = {"gpt2", "gpt2-prefix", NULL};
  static const char *const tiny[] = {
      "tiny-roberta", "tiny-xlm-roberta", "tiny-albert", "tiny-deberta-v2",
      "tiny-mpnet",   "tiny-modernbert",  NULL};
  static const char *const models[] = {"albert-mlm",
                                       "bert",
                                       "bert-bf16",
                                       "bert-classifier",
                                       "bert-f16",
                                       "bert-gelu_new",
                                       "bert-legacy",
                                       "bert-legacy-nozip",
                                       "bert-mlm",
                                       "bert-relu",
                                       "bert-sharded",
                                       "deberta-v2",
                                       "distilbert-mlm",
                                       "electra-discriminator",
                                       "gpt2",
                                       "modernbert",
                                       "mpnet",
                                       "roberta-mlm",
                                       "sentence-transformers",
                                       "xlm-roberta",
                                       NULL};
  g_test_init (&argc, &argv, NULL);
  add_tests ("golden", uncased, test_uncased);
  add_tests ("golden", chinese, test_chinese);
  add_tests ("golden", gpt2, test_gpt2);
  add_tests ("golden", tiny, test_tiny);
  add_tests ("model", models, test_model);
  g_test_add_func ("/tokenizer/model/demo", test_demo_model);
  g_test_add_func ("/tokenizer/invalid-text", test_invalid_text);
  return g_test_run ();
}
