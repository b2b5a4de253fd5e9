/* SPDX-License-Identifier: MIT */
/* Reads the JSON files that stand beside a vocabulary; of values said twice the one counts that
 * the reference takes. */
#include "tokenizer-config.h"

#include "file.h"

#include "attn/error.h"
#include "attn/json.h"

#include <math.h>
#include <string.h>

enum { MAX_FILE_BYTES = 16 << 20 };

/* Published files write 10^30 for "no limit"; from here on it is that. */
static const double no_limit = 1e9;

static const struct {
  const char *key, *content;
} special_defaults[ATTN_N_SPECIALS] = {
    [ATTN_SPECIAL_UNK] = {"unk_token", "[UNK]"},    [ATTN_SPECIAL_SEP] = {"sep_token", "[SEP]"},
    [ATTN_SPECIAL_PAD] = {"pad_token", "[PAD]"},    [ATTN_SPECIAL_CLS] = {"cls_token", "[CLS]"},
    [ATTN_SPECIAL_MASK] = {"mask_token", "[MASK]"}, [ATTN_SPECIAL_BOS] = {"bos_token", "[BOS]"},
    [ATTN_SPECIAL_EOS] = {"eos_token", "[EOS]"},
};

const char *
attn_special_get_key (AttnSpecial special)
{
  return special_defaults[special].key;
}

static void
clear_token (gpointer token)
{
  g_free (((AttnConfigToken *)token)->content);
}

void
attn_tokenizer_config_free (AttnTokenizerConfig *config)
{
  g_free (config->path);
  g_free (config->tokenizer_class);
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++)
    clear_token (&config->specials[i]);
  g_array_unref (config->added);
  g_free (config);
}

void
attn_tokenizer_config_set_special (AttnTokenizerConfig *config,
                                   AttnSpecial special,
                                   const char *content)
{
  AttnConfigToken *token = &config->specials[special];
  if (config->says_special[special])
    return;
  g_free (token->content);
  *token = (AttnConfigToken){.content = g_strdup (content), .id = -1, .is_text = true};
  config->says_special[special] = true;
}

void
attn_tokenizer_config_set_roberta_specials (AttnTokenizerConfig *config, const char *unk)
{
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_UNK, unk);
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_SEP, "</s>");
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_PAD, "<pad>");
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_CLS, "<s>");
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_MASK, "<mask>");
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_BOS, "<s>");
  attn_tokenizer_config_set_special (config, ATTN_SPECIAL_EOS, "</s>");
  AttnConfigToken *mask = &config->specials[ATTN_SPECIAL_MASK];
  mask->lstrip |= mask->is_text;
}

void
attn_tokenizer_config_set_gpt2_specials (AttnTokenizerConfig *config)
{
  static const AttnSpecial specials[] = {ATTN_SPECIAL_UNK, ATTN_SPECIAL_BOS, ATTN_SPECIAL_EOS};
  for (size_t i = 0; i < G_N_ELEMENTS (specials); i++)
    attn_tokenizer_config_set_special (config, specials[i], "<|endoftext|>");
}

/* A file that is not there gives an empty object. */
static json_t *
load_optional (const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  bool found;
  if (!attn_file_find (path, &found, error))
    return NULL;
  if (!found)
    return json_object ();
  return attn_json_load_file (path, MAX_FILE_BYTES, error);
}

bool
attn_config_token_read (json_t *value,
                        const char *path,
                        const char *key,
                        AttnConfigToken *token,
                        bool *special,
                        GError **error)
{
  const char *content = json_string_value (value);
  size_t n_bytes = json_string_length (value);
  *token = (AttnConfigToken){.id = -1, .is_text = content != NULL};
  *special = false;
  if (json_is_object (value)) {
    json_t *text = json_object_get (value, "content");
    content = json_string_value (text);
    n_bytes = json_string_length (text);
    if (!attn_json_get_bool (value, "single_word", false, &token->single_word, path, error) ||
        !attn_json_get_bool (value, "lstrip", false, &token->lstrip, path, error) ||
        !attn_json_get_bool (value, "rstrip", false, &token->rstrip, path, error) ||
        !attn_json_get_bool (value, "special", false, special, path, error) ||
        !attn_json_get_bool (value, "normalized", !*special, &token->normalized, path, error))
      return false;
  }
  if (content == NULL || n_bytes == 0 || strlen (content) != n_bytes) {
    g_autofree char *shown = attn_file_dup_shown (key, strlen (key));
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: %s: wanted a token's text, or an object whose \"content\" is that; no empty "
                 "text and none with U+0000",
                 path, shown);
    return false;
  }
  token->content = g_strdup (content);
  return true;
}

static bool
read_token (
    json_t *value, const char *path, const char *key, AttnConfigToken *token, GError **error)
{
  bool special;
  return attn_config_token_read (value, path, key, token, &special, error);
}

static bool
read_specials (AttnTokenizerConfig *config, json_t *object, const char *path, GError **error)
{
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++) {
    const char *key = special_defaults[i].key;
    json_t *value = json_object_get (object, key);
    if (value == NULL || json_is_null (value))
      continue;
    AttnConfigToken token;
    if (!read_token (value, path, key, &token, error))
      return false;
    /* in their own key they are special whatever the object says, so never normalised unless it
     * says that */
    json_t *normalized = json_object_get (value, "normalized");
    token.normalized = json_is_true (normalized);
    clear_token (&config->specials[i]);
    config->specials[i] = token;
    config->says_special[i] = true;
  }
  return true;
}

/* Lists of further tokens, which are special: never normalised unless they say that. */
static bool
read_extras (
    AttnTokenizerConfig *config, json_t *object, const char *key, const char *path, GError **error)
{
  json_t *list = json_object_get (object, key), *value;
  size_t index;
  json_array_foreach (list, index, value)
  {
    AttnConfigToken token;
    if (!read_token (value, path, key, &token, error))
      return false;
    token.normalized = json_is_true (json_object_get (value, "normalized"));
    g_array_append_val (config->added, token);
  }
  return true;
}

static bool
is_special (const AttnTokenizerConfig *config, const char *content)
{
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++)
    if (g_str_equal (config->specials[i].content, content))
      return true;
  for (guint i = 0; i < config->added->len; i++)
    if (g_str_equal (g_array_index (config->added, AttnConfigToken, i).content, content))
      return true;
  return false;
}

static bool
check_id (double id, const char *path, const char *content, GError **error)
{
  if (id >= 0 && id <= G_MAXINT32 && floor (id) == id)
    return true;
  g_autofree char *shown = attn_file_dup_shown (content, strlen (content));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: the id of token \"%s\" is %.15g, wanted a whole number from 0 to %d", path,
               shown, id, G_MAXINT32);
  return false;
}

/* tokenizer_config.json's added_tokens_decoder: objects by their ids. */
static bool
read_decoder (AttnTokenizerConfig *config, json_t *decoder, GError **error)
{
  const char *key;
  json_t *value;
  json_object_foreach (decoder, key, value)
  {
    AttnConfigToken token;
    if (!read_token (value, config->path, key, &token, error))
      return false;
    char *end = NULL;
    token.id = g_ascii_strtod (key, &end);
    g_array_append_val (config->added, token);
    if (!check_id (end == key || *end != '\0' ? (double)NAN : token.id, config->path, token.content,
                   error))
      return false;
  }
  return true;
}

/* added_tokens.json, of older folders: ids by their tokens. */
static bool
read_added_file (AttnTokenizerConfig *config, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "added_tokens.json", NULL);
  g_autoptr (json_t) root = load_optional (folder, "added_tokens.json", error);
  if (root == NULL)
    return false;
  const char *content;
  json_t *id;
  json_object_foreach (root, content, id)
  {
    if (content[0] == '\0')
      continue; /* the reference leaves it out too */
    AttnConfigToken token = {.normalized = !is_special (config, content),
                             .id = json_is_number (id) ? json_number_value (id) : (double)NAN};
    if (!check_id (token.id, path, content, error))
      return false;
    token.content = g_strdup (content);
    g_array_append_val (config->added, token);
  }
  return true;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  double id_a = ((const AttnConfigToken *)a)->id, id_b = ((const AttnConfigToken *)b)->id;
  if (id_a == id_b)
    return 0;
  if (id_a < 0 || id_b < 0)
    return id_a < 0 ? 1 : -1; /* those without an id come last */
  return id_a < id_b ? -1 : 1;
}

static bool
read_added (AttnTokenizerConfig *config, const char *folder, json_t *root, GError **error)
{
  json_t *decoder = json_object_get (root, "added_tokens_decoder");
  g_autofree char *map_path = g_build_filename (folder, "special_tokens_map.json", NULL);
  g_autoptr (json_t) map = load_optional (folder, "special_tokens_map.json", error);
  if (map == NULL)
    return false;
  if (decoder == NULL && !read_specials (config, map, map_path, error))
    return false;
  json_t *sources[] = {root, decoder == NULL ? map : NULL};
  const char *paths[] = {config->path, map_path};
  for (size_t i = 0; i < G_N_ELEMENTS (sources); i++)
    if (!read_extras (config, sources[i], "additional_special_tokens", paths[i], error) ||
        !read_extras (config, sources[i], "extra_special_tokens", paths[i], error))
      return false;
  if (!(decoder == NULL ? read_added_file (config, folder, error)
                        : read_decoder (config, decoder, error)))
    return false;
  g_array_sort (config->added, compare_ids);
  return true;
}

static bool
read_flags (AttnTokenizerConfig *config, json_t *root, GPtrArray *warnings, GError **error)
{
  const char *class = NULL, *side = NULL, *path = config->path;
  double max_tokens;
  if (!attn_json_get_string (root, "tokenizer_class", NULL, &class, path, error) ||
      !attn_json_get_string (root, "truncation_side", NULL, &side, path, error) ||
      !attn_json_get_bool (root, "add_bos_token", false, &config->adds_bos, path, error) ||
      !attn_json_get_bool (root, "add_prefix_space", false, &config->prefix_space, path, error) ||
      !attn_json_get_bool (root, "keep_accents", false, &config->keeps_accents, path, error) ||
      !attn_json_get_bool (root, "split_by_punct", false, &config->splits_punctuation, path,
                           error) ||
      !attn_json_get_bool (root, "trim_offsets", true, &config->trims_spans, path, error) ||
      !attn_json_get_bool (root, "do_lower_case", true, &config->lower, path, error) ||
      !attn_json_get_bool (root, "strip_accents", config->lower, &config->strip_accents, path,
                           error) ||
      !attn_json_get_bool (root, "tokenize_chinese_chars", true, &config->split_ideographs, path,
                           error) ||
      !attn_json_get_double (root, "model_max_length", no_limit, &max_tokens, path, error))
    return false;
  config->says_lower = json_is_boolean (json_object_get (root, "do_lower_case"));
  config->says_prefix_space = json_is_boolean (json_object_get (root, "add_prefix_space"));
  config->says_max_tokens = json_is_number (json_object_get (root, "model_max_length"));
  config->tokenizer_class = g_strdup (class);
  config->says_side = side != NULL;
  config->cuts_start = g_strcmp0 (side, "left") == 0;
  config->has_never_split = json_array_size (json_object_get (root, "never_split")) > 0;
  config->max_tokens = G_MAXSIZE;
  if (max_tokens >= 1 && max_tokens < no_limit)
    config->max_tokens = (size_t)max_tokens;
  else if (!(max_tokens >= no_limit))
    g_ptr_array_add (warnings,
                     g_strdup_printf ("%s: model_max_length is %.15g, which is no length; taken as "
                                      "no limit",
                                      path, max_tokens));
  return true;
}

/* Sentence-transformers cut shorter than their models would. */
static bool
read_sentence_config (AttnTokenizerConfig *config,
                      const char *folder,
                      GPtrArray *warnings,
                      GError **error)
{
  static const char name[] = "sentence_bert_config.json";
  size_t max_tokens;
  bool lower;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autoptr (json_t) root = load_optional (folder, name, error);
  if (root == NULL ||
      !attn_json_get_size (root, "max_seq_length", 1, (size_t)no_limit, G_MAXSIZE, &max_tokens,
                           shown, error) ||
      !attn_json_get_bool (root, "do_lower_case", false, &lower, shown, error))
    return false;
  config->max_tokens = MIN (config->max_tokens, max_tokens);
  if (lower)
    g_ptr_array_add (warnings, g_strdup_printf ("%s: do_lower_case is left out: type small letters "
                                                "to get the same tokens",
                                                shown));
  return true;
}

AttnTokenizerConfig *
attn_tokenizer_config_load (const char *folder, GPtrArray *warnings, GError **error)
{
  g_autoptr (AttnTokenizerConfig) config = g_new0 (AttnTokenizerConfig, 1);
  g_autofree char *path = g_build_filename (folder, "tokenizer_config.json", NULL);
  config->path = attn_file_dup_shown (path, strlen (path));
  config->added = g_array_new (FALSE, FALSE, sizeof (AttnConfigToken));
  g_array_set_clear_func (config->added, clear_token);
  for (size_t i = 0; i < ATTN_N_SPECIALS; i++)
    config->specials[i] =
        (AttnConfigToken){.content = g_strdup (special_defaults[i].content), .id = -1};

  g_autoptr (json_t) root = load_optional (folder, "tokenizer_config.json", error);
  if (root == NULL || !read_flags (config, root, warnings, error) ||
      !read_specials (config, root, config->path, error) ||
      !read_added (config, folder, root, error) ||
      !read_sentence_config (config, folder, warnings, error))
    return NULL;
  return g_steal_pointer (&config);
}
