/* SPDX-License-Identifier: MIT */
/* modules.json of sentence-transformers: which of its modules is the transformer, and where. */
#include "attn/folder.h"

#include "file.h"

#include "attn/json.h"

#include <string.h>

/* a handful of short entries; as a tree, hostile JSON grows a hundredfold */
#define MAX_MODULES_BYTES ((size_t)64 << 10)

/* "sentence_transformers.models.Transformer" and what later versions call it */
static bool
is_transformer (const char *type)
{
  const char *dot = type == NULL ? NULL : strrchr (type, '.');
  return strcmp (dot == NULL ? "" : dot + 1, "Transformer") == 0;
}

static bool
is_plain_name (const char *name)
{
  return strcmp (name, ".") != 0 && strcmp (name, "..") != 0 && strpbrk (name, "/\\") == NULL;
}

/* The path of the first transformer, "" for the folder itself. */
static bool
find_path (json_t *modules, const char *file, const char **path, GError **error)
{
  size_t index = 0;
  json_t *module = NULL;
  *path = "";
  json_array_foreach (modules, index, module)
  {
    const char *type = NULL, *found = NULL;
    if (!json_is_object (module))
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, file, "a module", module, "an object");
    if (!attn_json_get_string (module, "type", NULL, &type, file, error))
      return false;
    if (!is_transformer (type))
      continue;
    if (!attn_json_get_string (module, "path", "", &found, file, error))
      return false;
    if (!is_plain_name (found))
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, file, "path of the transformer",
                               json_object_get (module, "path"),
                               "nothing or the name of a folder inside this one");
    *path = found;
    return true;
  }
  return true;
}

char *
attn_folder_find_transformer (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  if (g_file_test (folder, G_FILE_TEST_IS_REGULAR))
    return g_path_get_dirname (folder);
  g_autofree char *file = g_build_filename (folder, "modules.json", NULL);
  bool found;
  if (!attn_file_find (file, &found, error))
    return NULL;
  if (!found)
    return g_strdup (folder);
  g_autoptr (json_t) modules = attn_json_load_array_file (file, MAX_MODULES_BYTES, error);
  const char *path = NULL;
  if (modules == NULL || !find_path (modules, file, &path, error))
    return NULL;
  return *path == '\0' ? g_strdup (folder) : g_build_filename (folder, path, NULL);
}

char *
attn_folder_find_weights (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  if (g_file_test (folder, G_FILE_TEST_IS_REGULAR))
    return g_strdup (folder);
  return attn_folder_find_transformer (folder, error);
}

/* The name in "models--ORG--NAME", or NULL where @part is none. */
static char *
dup_cached_name (const char *part)
{
  static const char prefix[] = "models--";
  if (!g_str_has_prefix (part, prefix) || part[strlen (prefix)] == '\0')
    return NULL;
  g_auto (GStrv) words = g_strsplit (part + strlen (prefix), "--", 2);
  return g_strjoinv ("/", words);
}

#define MIN_HASH 32 /* digits; a shorter word of a to f may be a name */

/* Whether @part is what training scripts, libraries and caches call any model at all: one of some
 * words, perhaps with a number ("checkpoint-500", "0_Transformer"), or a hash. */
static bool
says_nothing (const char *part)
{
  static const char *const words[] = {"best",    "checkpoint",  "ckpt",          "epoch",
                                      "final",   "last",        "model",         "output",
                                      "outputs", "pytorch",     "pytorch_model", "saved_model",
                                      "step",    "transformer", "weights"};
  static const char *const endings[] = {".safetensors", ".bin", ".pt", ".pth"};
  g_autofree char *word = g_ascii_strdown (part, -1);
  if (strlen (word) >= MIN_HASH && strspn (word, "0123456789abcdef") == strlen (word))
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (word, endings[i]))
      word[strlen (word) - strlen (endings[i])] = '\0';
  char *begin = word, *end = word + strlen (word);
  begin += strspn (begin, "0123456789-_");
  while (end > begin && strchr ("0123456789-_", end[-1]) != NULL)
    end--;
  *end = '\0';
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (begin, words[i]) == 0)
      return true;
  return false;
}

/* The path's last part, after those above it as far as it takes one that says something. */
static char *
dup_telling_end (const char *path)
{
  char *name = g_path_get_basename (path);
  g_autofree char *above = g_path_get_dirname (path);
  for (bool is_dull = says_nothing (name); is_dull;) {
    g_autofree char *part = g_path_get_basename (above);
    g_autofree char *longer = NULL;
    if (strcmp (part, ".") == 0 || strcmp (part, "/") == 0)
      break;
    is_dull = says_nothing (part);
    longer = g_strconcat (part, "/", name, NULL);
    g_free (name);
    name = g_steal_pointer (&longer);
    char *higher = g_path_get_dirname (above);
    g_free (above);
    above = higher;
  }
  return name;
}

char *
attn_folder_dup_name (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autofree char *path = g_strdup (folder);
  for (size_t n = strlen (path); n > 1 && path[n - 1] == '/'; n--)
    path[n - 1] = '\0';
  g_autofree char *last = dup_telling_end (path);
  g_autofree char *above = g_path_get_dirname (path);
  g_autofree char *parent = g_path_get_basename (above);
  g_autofree char *cache = g_path_get_dirname (above);
  g_autofree char *entry = g_path_get_basename (cache);
  g_autofree char *cached = strcmp (parent, "snapshots") == 0 ? dup_cached_name (entry) : NULL;
  const char *name = cached != NULL ? cached : last;
  return attn_file_dup_shown (name, strlen (name));
}
