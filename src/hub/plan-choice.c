/* SPDX-License-Identifier: MIT */
/* Which of a model's files are wanted: of the modules, of the tokenizer, of the weights. */
#include "plan-choice.h"

#include "attn-hub/snapshot.h"
#include "attn/error.h"
#include "attn/json.h"
#include "attn/quote.h"

#include <string.h>

#define MAX_MODULES_BYTES ((size_t)64 << 10)
#define MAX_INDEX_BYTES ((size_t)64 << 20)

static bool
refuse (AttnHubPlanning *planning, AttnError code, GError **error, const char *what)
{
  g_set_error (error, ATTN_ERROR, code, "%s: %s", planning->plan->repo, what);
  return false;
}

/* The last word of "sentence_transformers.models.Transformer". */
static bool
is_transformer (const char *type)
{
  const char *dot = type == NULL ? NULL : strrchr (type, '.');
  return strcmp (dot == NULL ? "" : dot + 1, "Transformer") == 0;
}

static void
add_module (AttnHubPlanning *planning, json_t *module)
{
  const char *path = json_string_value (json_object_get (module, "path"));
  const char *type = json_string_value (json_object_get (module, "type"));
  if (path == NULL)
    return;
  g_autofree char *folder = *path == '\0' ? g_strdup ("") : g_strconcat (path, "/", NULL);
  if (is_transformer (type) && planning->inner == NULL)
    planning->inner = g_steal_pointer (&folder);
  else if (*folder != '\0')
    attn_hub_planning_add (planning, folder, "config.json");
}

bool
attn_hub_planning_add_modules (AttnHubPlanning *planning, GError **error)
{
  static const char file[] = "modules.json";
  size_t n_bytes = 0, index = 0;
  json_t *module = NULL;
  if (attn_hub_planning_add (planning, "", file)) {
    g_autofree char *text =
        attn_hub_planning_load (planning, file, MAX_MODULES_BYTES, &n_bytes, error);
    g_autofree char *path = g_strconcat (planning->plan->repo, "/", file, NULL);
    g_autoptr (json_t) modules =
        text == NULL ? NULL : attn_json_load_array_bytes (text, n_bytes, path, error);
    if (modules == NULL)
      return false;
    json_array_foreach (modules, index, module) add_module (planning, module);
  }
  if (planning->inner == NULL)
    planning->inner = g_strdup ("");
  attn_hub_planning_add (planning, planning->inner, "sentence_bert_config.json");
  return true;
}

bool
attn_hub_planning_add_tokenizer (AttnHubPlanning *planning, GError **error)
{
  static const char *const beside[] = {"tokenizer_config.json", "special_tokens_map.json",
                                       "added_tokens.json"};
  static const char *const whole[] = {"tokenizer.json", "vocab.txt", "sentencepiece.bpe.model",
                                      "spiece.model",   "spm.model", "tokenizer.model"};
  bool is_found = false;
  for (size_t i = 0; i < G_N_ELEMENTS (beside); i++)
    attn_hub_planning_add (planning, planning->inner, beside[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (whole); i++)
    is_found = attn_hub_planning_add (planning, planning->inner, whole[i]) || is_found;
  bool has_vocab = attn_hub_planning_add (planning, planning->inner, "vocab.json");
  bool has_merges = attn_hub_planning_add (planning, planning->inner, "merges.txt");
  return is_found || (has_vocab && has_merges) ||
         refuse (planning, ATTN_ERROR_UNSUPPORTED, error,
                 "has no tokenizer of a kind that is read here (tokenizer.json, vocab.txt, "
                 "vocab.json with merges.txt, or a SentencePiece model); choose another");
}

/* The files that an index distributes the tensors to. */
static bool
add_shards (AttnHubPlanning *planning, const char *index_name, GError **error)
{
  size_t n_bytes = 0;
  const char *tensor = NULL;
  json_t *value = NULL;
  g_autofree char *path = g_strconcat (planning->inner, index_name, NULL);
  g_autofree char *shown = g_strconcat (planning->plan->repo, "/", path, NULL);
  g_autofree char *text = attn_hub_planning_load (planning, path, MAX_INDEX_BYTES, &n_bytes, error);
  g_autoptr (json_t) root =
      text == NULL ? NULL : attn_json_load_bytes (text, n_bytes, shown, error);
  if (root == NULL)
    return false;
  json_t *map = json_object_get (root, "weight_map");
  if (!json_is_object (map) || json_object_size (map) == 0)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, shown, "weight_map", map,
                             "an object of tensors and the files they are in");
  json_object_foreach (map, tensor, value)
  {
    const char *shard = json_string_value (value);
    if (shard == NULL || !attn_hub_planning_add (planning, planning->inner, shard))
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, shown, "weight_map", value,
                               "the name of a file that the model has");
  }
  return true;
}

static bool
is_weights (const char *path)
{
  static const char *const endings[] = {".safetensors", ".bin",  ".h5",    ".msgpack", ".onnx",
                                        ".gguf",        ".ckpt", ".pt",    ".pth",     ".ot",
                                        ".npz",         ".ggml", ".tflite"};
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return true;
  return false;
}

static bool
refuse_weights (AttnHubPlanning *planning, GError **error)
{
  enum { MAX_NAMED = 3 };
  GHashTableIter iter;
  void *path = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_iter_init (&iter, planning->listing);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    if (is_weights (path) && found->len < MAX_NAMED)
      g_ptr_array_add (found, attn_file_dup_shown (path, strlen (path)));
  g_ptr_array_add (found, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **)found->pdata);
  g_autofree char *what = g_strdup_printf (
      "has no weights as safetensors or pytorch_model.bin%s%s%s; choose one that has",
      *names != '\0' ? " (found: " : "", names, *names != '\0' ? ")" : "");
  return refuse (planning, ATTN_ERROR_UNSUPPORTED, error, what);
}

/* The only safetensors file of the transformer's folder, whatever it is called, but no adapter. */
static const char *
find_only_weights (AttnHubPlanning *planning)
{
  GHashTableIter iter;
  void *key = NULL;
  const char *only = NULL;
  size_t n_inner = strlen (planning->inner);
  g_hash_table_iter_init (&iter, planning->listing);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    const char *path = key;
    if (!g_str_has_prefix (path, planning->inner) || strchr (path + n_inner, '/') != NULL ||
        !g_str_has_suffix (path, ".safetensors") || g_str_has_prefix (path + n_inner, "adapter_") ||
        strstr (path + n_inner, "-of-") != NULL)
      continue;
    if (only != NULL)
      return NULL;
    only = path + n_inner;
  }
  return only;
}

/* In the order in which a folder of them is opened. */
bool
attn_hub_planning_add_weights (AttnHubPlanning *planning, GError **error)
{
  static const struct {
    const char *name;
    bool is_index;
  } forms[] = {{"model.safetensors", false},
               {"model.safetensors.index.json", true},
               {"pytorch_model.bin", false},
               {"pytorch_model.bin.index.json", true}};
  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++)
    if (attn_hub_planning_add (planning, planning->inner, forms[i].name))
      return !forms[i].is_index || add_shards (planning, forms[i].name, error);
  const char *only = find_only_weights (planning);
  if (only != NULL)
    return attn_hub_planning_add (planning, planning->inner, only);
  return refuse_weights (planning, error);
}
