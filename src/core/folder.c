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

char *
attn_folder_dup_name (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autofree char *last = g_path_get_basename (folder);
  g_autofree char *above = g_path_get_dirname (folder);
  g_autofree char *parent = g_path_get_basename (above);
  g_autofree char *cache = g_path_get_dirname (above);
  g_autofree char *entry = g_path_get_basename (cache);
  g_autofree char *cached = strcmp (parent, "snapshots") == 0 ? dup_cached_name (entry) : NULL;
  const char *name = cached != NULL ? cached : last;
  return attn_file_dup_shown (name, strlen (name));
}
