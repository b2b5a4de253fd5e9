/* SPDX-License-Identifier: MIT */
/* Finding a model in the cache by name. */
#include "cache-refs.h"
#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/cache.h"
#include "attn-hub/fetch.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* The models in the cache that are called @name, whoever owns them, sorted. */
static GPtrArray *
list_owners (const char *cache, const char *name)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  if (dir == NULL)
    return found;
  g_autofree char *ending = g_strconcat ("/", name, NULL);
  for (const char *folder = g_dir_read_name (dir); folder != NULL; folder = g_dir_read_name (dir)) {
    g_autofree char *repo = attn_hub_name_dup_repo (folder);
    if (repo != NULL && g_str_has_suffix (repo, ending))
      g_ptr_array_add (found, g_steal_pointer (&repo));
  }
  g_ptr_array_sort (found, compare_names);
  return found;
}

/* Whether the model has a folder; false with @error where that cannot be known. */
static bool
look_for_folder (const char *cache, const char *repo, bool *is_there, GError **error)
{
  struct stat state;
  g_autofree char *name = attn_hub_name_dup_folder (repo);
  g_autofree char *path = g_build_filename (cache, name, NULL);
  *is_there = stat (path, &state) == 0;
  if (*is_there && !S_ISDIR (state.st_mode)) {
    errno = ENOTDIR;
    *is_there = false;
  }
  return *is_there || errno == ENOENT || attn_hub_refuse_io (cache, repo, NULL, "opened", error);
}

/* Whether the models can be listed, or there are none; false with @error. */
static bool
look_for_cache (const char *cache, GError **error)
{
  int dir = attn_hub_cache_open (cache, error);
  if (dir >= 0)
    close (dir);
  return dir >= 0 || errno == ENOENT;
}

/* @format ends the sentence that begins with the model's name. */
static bool refuse (const AttnHubName *name, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static bool
refuse (const AttnHubName *name, GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *text = attn_hub_name_dup_text (name);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: %s", text, reason);
  return false;
}

static bool
refuse_missing (const AttnHubName *name, const char *cache, GError **error)
{
  const AttnHubSuggestion *meant = attn_hub_suggestion_find (name->repo);
  g_autofree char *shown = attn_file_dup_shown (cache, strlen (cache));
  return refuse (name, error,
                 "is not among the models in %s; \"headscope-cli fetch %s%s%s\" downloads it",
                 shown, meant != NULL ? meant->name : name->repo, name->revision != NULL ? "@" : "",
                 name->revision != NULL ? name->revision : "");
}

char *
attn_hub_cache_find_repo (const char *cache, const AttnHubName *name, GError **error)
{
  g_return_val_if_fail (cache != NULL && name != NULL, NULL);
  bool is_there = false, has_owner = strchr (name->repo, '/') != NULL;
  if (!look_for_folder (cache, name->repo, &is_there, error))
    return NULL;
  if (is_there)
    return g_strdup (name->repo);
  if (!has_owner && !look_for_cache (cache, error))
    return NULL;
  g_autoptr (GPtrArray) owners = has_owner ? g_ptr_array_new () : list_owners (cache, name->repo);
  if (owners->len == 0) {
    refuse_missing (name, cache, error);
    return NULL;
  }
  if (owners->len > 1) {
    refuse (
        name, error, "is the name of %u models in the cache, %s and %s among them; name the owner",
        owners->len, (char *)g_ptr_array_index (owners, 0), (char *)g_ptr_array_index (owners, 1));
    return NULL;
  }
  return g_strdup (g_ptr_array_index (owners, 0));
}

static bool
has_snapshot (const char *repo_folder, const char *commit)
{
  if (commit == NULL || !attn_hub_is_snapshot_name (commit))
    return false;
  g_autofree char *path = g_build_filename (repo_folder, "snapshots", commit, NULL);
  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

/* The only snapshot there is, or NULL. */
static char *
find_only_snapshot (const char *repo_folder)
{
  g_autofree char *path = g_build_filename (repo_folder, "snapshots", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autofree char *found = NULL;
  for (const char *name = dir == NULL ? NULL : g_dir_read_name (dir); name != NULL;
       name = g_dir_read_name (dir)) {
    if (!has_snapshot (repo_folder, name))
      continue;
    if (found != NULL)
      return NULL;
    found = g_strdup (name);
  }
  return g_steal_pointer (&found);
}

static char *
find_commit (const char *repo_folder, const AttnHubName *name)
{
  const char *revision = attn_hub_name_peek_revision (name);
  if (has_snapshot (repo_folder, revision))
    return g_strdup (revision);
  g_autofree char *commit = attn_hub_cache_read_ref (repo_folder, revision);
  if (has_snapshot (repo_folder, commit))
    return g_steal_pointer (&commit);
  return name->revision == NULL ? find_only_snapshot (repo_folder) : NULL;
}

/* Whether the model's revisions can be seen at all; false with @error. */
static bool
look_for_revisions (const char *cache, const char *repo, GError **error)
{
  int dir = attn_hub_repo_open (cache, repo, ATTN_HUB_OPEN, error);
  int snapshots = dir < 0 ? -1 : attn_hub_open_folder (dir, "snapshots");
  bool is_seen = dir >= 0 && (snapshots >= 0 || errno == ENOENT ||
                              attn_hub_refuse_io (cache, repo, "snapshots", "opened", error));
  if (snapshots >= 0)
    close (snapshots);
  if (dir >= 0)
    close (dir);
  return is_seen;
}

bool
attn_hub_cache_resolve (
    const char *cache, const AttnHubName *name, char **repo, char **commit, GError **error)
{
  g_return_val_if_fail (cache != NULL && name != NULL, false);
  g_autofree char *found = attn_hub_cache_find_repo (cache, name, error);
  if (found == NULL)
    return false;
  g_autofree char *folder_name = attn_hub_name_dup_folder (found);
  g_autofree char *folder = g_build_filename (cache, folder_name, NULL);
  g_autofree char *snapshot = find_commit (folder, name);
  if (snapshot == NULL && !look_for_revisions (cache, found, error))
    return false;
  if (snapshot == NULL)
    return refuse (name, error,
                   "has no revision %s in the cache, where there is something else of it; "
                   "\"headscope-cli fetch %s%s%s\" downloads it",
                   attn_hub_name_peek_revision (name), found, name->revision != NULL ? "@" : "",
                   name->revision != NULL ? name->revision : "");
  *repo = g_steal_pointer (&found);
  *commit = g_steal_pointer (&snapshot);
  return true;
}

char *
attn_hub_cache_find (const char *cache, const AttnHubName *name, GError **error)
{
  g_autofree char *repo = NULL, *commit = NULL;
  if (!attn_hub_cache_resolve (cache, name, &repo, &commit, error))
    return NULL;
  g_autofree char *folder_name = attn_hub_name_dup_folder (repo);
  return g_build_filename (cache, folder_name, "snapshots", commit, NULL);
}
