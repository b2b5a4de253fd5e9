/* SPDX-License-Identifier: MIT */
/* Finding the program's data, its translations and the model a name stands for. */
#include "attn-hub/store.h"

#include "check-folder.h"
#include "hs-build.h"

#include "attn-hub/cache.h"
#include "attn-hub/places.h"
#include "attn/error.h"
#include "attn/folder.h"
#include "attn/quote.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether the running program lies in the build tree it was compiled in. */
static bool
runs_from_build_tree (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program == NULL)
    return false;
  char *root = realpath (HS_BUILD_ROOT, NULL); /* the link above has no symbolic links in it */
  size_t length = root == NULL ? 0 : strlen (root);
  bool inside = length > 0 && strncmp (program, root, length) == 0 && program[length] == '/';
  free (root);
  return inside;
}

/* Where an installed folder is, also after everything below the prefix was moved: unpacked from a
 * package into some other place, say. */
static char *
find_installed (const char *configured)
{
  const size_t prefix = strlen (HS_PREFIX);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program == NULL || !g_str_has_prefix (HS_INSTALLED_PROGRAMS, HS_PREFIX "/") ||
      !g_str_has_prefix (configured, HS_PREFIX "/"))
    return g_strdup (configured);
  g_autofree char *root = g_path_get_dirname (program);
  if (!g_str_has_suffix (root, HS_INSTALLED_PROGRAMS + prefix))
    return g_strdup (configured);
  root[strlen (root) - strlen (HS_INSTALLED_PROGRAMS + prefix)] = '\0';
  g_autofree char *moved = g_strconcat (root, configured + prefix, NULL);
  return g_strdup (g_file_test (moved, G_FILE_TEST_IS_DIR) ? moved : configured);
}

static void *
find_data_dir (G_GNUC_UNUSED void *data)
{
  const char *wanted = g_getenv ("HEADSCOPE_DATA_DIR");
  if (wanted != NULL && *wanted != '\0')
    return g_canonicalize_filename (wanted, NULL);
  return runs_from_build_tree () ? g_strdup (HS_SOURCE_RESOURCES)
                                 : find_installed (HS_INSTALLED_DATA);
}

const char *
hs_data_dir (void)
{
  static GOnce once = G_ONCE_INIT;
  return g_once (&once, find_data_dir, NULL);
}

static void *
find_locale_dir (G_GNUC_UNUSED void *data)
{
  return runs_from_build_tree () ? g_strdup (HS_BUILD_LOCALE)
                                 : find_installed (HS_INSTALLED_LOCALE);
}

const char *
hs_locale_dir (void)
{
  static GOnce once = G_ONCE_INIT;
  return g_once (&once, find_locale_dir, NULL);
}

static void *
find_schema_dir (G_GNUC_UNUSED void *data)
{
  return runs_from_build_tree () ? g_strdup (HS_BUILD_RESOURCES)
                                 : find_installed (HS_INSTALLED_DATA);
}

const char *
hs_schema_dir (void)
{
  static GOnce once = G_ONCE_INIT;
  return g_once (&once, find_schema_dir, NULL);
}

static char *
find_shipped (GError **error)
{
  g_autofree char *shipped = g_build_filename (hs_data_dir (), "demo-model", NULL);
  if (g_file_test (shipped, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&shipped);
  g_autofree char *shown = attn_file_dup_shown (shipped, strlen (shipped));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "the shipped model is not at %s; HEADSCOPE_DATA_DIR can name the folder that holds "
               "demo-model",
               shown);
  return NULL;
}

bool
attn_hub_is_shipped (const char *folder)
{
  g_autofree char *shipped = find_shipped (NULL);
  return shipped != NULL && g_strcmp0 (folder, shipped) == 0;
}

const char *
attn_hub_peek_model_name (const AttnModel *model)
{
  return attn_hub_is_shipped (attn_model_peek_folder (model)) ? ATTN_MODEL_BUILT_IN
                                                              : attn_model_peek_name (model);
}

/* What is at the place @name, but no model. Returns: whether there is something. */
static bool
refuse_place (const char *name, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  if (g_file_test (name, G_FILE_TEST_EXISTS))
    g_set_error (
        error, ATTN_ERROR, ATTN_ERROR_IO,
        "%s: is a file, a model is a folder with config.json and weights, or a weight file "
        "that ends in .safetensors, .bin, .pt or .pth beside its config.json",
        shown);
  else if (g_file_test (name, G_FILE_TEST_IS_SYMLINK))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: is a link to a folder that is not there; mend or remove the link", shown);
  else
    return false;
  return true;
}

/* @reason: "NAME: is not …", as the cache says it, or what is wrong with the cache. */
static void
refuse_cached (const char *name, const char *reason, GError **error)
{
  size_t n = strlen (name);
  if (g_str_has_prefix (reason, name) && g_str_has_prefix (reason + n, ": "))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: no such folder, and it %s", name,
                 reason + n + strlen (": "));
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: no such folder; %s", name, reason);
}

static char *
find_cached (const AttnHubName *name, GError **error)
{
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  g_autoptr (AttnHubEntry) entry = g_new0 (AttnHubEntry, 1);
  g_autoptr (GError) fault = NULL;
  g_autofree char *text = attn_hub_name_dup_text (name);
  entry->folder = attn_hub_cache_find (places->cache, name, &fault);
  if (entry->folder == NULL) {
    refuse_cached (text, fault->message, error);
    return NULL;
  }
  attn_hub_check_model (entry);
  if (entry->state != ATTN_HUB_PARTIAL)
    return g_steal_pointer (&entry->folder);
  /* the name may have been given without its owner, which the Hub wants */
  g_autofree char *repo = attn_hub_cache_find_repo (places->cache, name, NULL);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: in the cache %s; \"headscope-cli fetch %s%s%s\" downloads what is not there",
               text, entry->reason, repo != NULL ? repo : name->repo,
               name->revision != NULL ? "@" : "", name->revision != NULL ? name->revision : "");
  return NULL;
}

/* The model that a path into a cache belongs to, or NULL. */
static char *
dup_repo_of_path (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  for (size_t i = g_strv_length (parts); i-- > 0;) {
    char *repo = attn_hub_name_dup_repo (parts[i]);
    if (repo != NULL)
      return repo;
  }
  return NULL;
}

/* What is neither a place nor a model's name. */
static void
refuse_name (const char *name, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  g_autofree char *repo = dup_repo_of_path (name);
  if (repo != NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: %s is no longer there; \"headscope-cli fetch %s\" downloads it", shown, repo,
                 repo);
  else if (g_path_is_absolute (name) || g_str_has_prefix (name, "."))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: no such folder; check whether it was moved or its disk is there", shown);
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: no such folder, and no model can have this name", shown);
}

char *
attn_hub_find_model (const char *name, GError **error)
{
  if (name == NULL || strcmp (name, "demo") == 0)
    return find_shipped (error);
  if (*name == '\0') {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "the model's name is empty, wanted a folder or a model's name, such as demo");
    return NULL;
  }
  if (g_file_test (name, G_FILE_TEST_IS_DIR) || attn_folder_is_weight_file (name))
    return g_strdup (name);
  if (refuse_place (name, error))
    return NULL;
  g_autoptr (AttnHubName) parsed = attn_hub_name_parse (name, NULL);
  if (parsed != NULL)
    return find_cached (parsed, error);
  refuse_name (name, error);
  return NULL;
}
