/* SPDX-License-Identifier: MIT */
/* Files' names and references in the cache, each put in its place in one step. */
#include "attn-hub/snapshot.h"

#include "cache-refs.h"
#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/blob.h"
#include "attn-hub/cache.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PATH_BYTES 1024
#define MAX_PART_BYTES 255

static bool
refuse_path (const char *path, const char *reason, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "\"%s\" is not taken as a file's name in a model: %s", shown, reason);
  return false;
}

static const char *
find_fault (const char *path)
{
  size_t length = strlen (path);
  if (length == 0 || length > MAX_PATH_BYTES || !g_utf8_validate (path, (gssize)length, NULL))
    return "wanted are 1 to 1024 bytes of UTF-8";
  for (const char *p = path; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) || *p == '\\')
      return "it holds a backslash or a control character";
  if (path[0] == '/' || (g_ascii_isalpha (path[0]) && path[1] == ':'))
    return "it begins at the root or with a drive";
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  for (char **part = parts; *part != NULL; part++)
    if (**part == '\0' || strcmp (*part, ".") == 0 || strcmp (*part, "..") == 0)
      return "a part of it is empty, . or ..";
    else if (strlen (*part) > MAX_PART_BYTES)
      return "a part of it is longer than 255 bytes";
  return g_strv_length (parts) > ATTN_HUB_MAX_DEPTH ? "it has more than 32 parts" : NULL;
}

bool
attn_hub_check_path (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, false);
  const char *fault = find_fault (path);
  return fault == NULL || refuse_path (path, fault, error);
}

char *
attn_hub_snapshot_dup_folder (const AttnHubSnapshot *snapshot)
{
  g_autofree char *folder = attn_hub_name_dup_folder (snapshot->repo);
  return g_build_filename (snapshot->cache, folder, "snapshots", snapshot->commit, NULL);
}

/* A commit comes from a server and becomes a folder's name. */
static bool
check_commit (const AttnHubSnapshot *snapshot, GError **error)
{
  if (attn_hub_name_is_commit (snapshot->commit))
    return true;
  g_autofree char *shown = attn_file_dup_shown (snapshot->commit, strlen (snapshot->commit));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "found the commit \"%s\", wanted 40 hexadecimal digits", shown);
  return false;
}

/* A folder of the model, opened and one below it, made where needed; sentences by @error. */
typedef struct {
  const AttnHubSnapshot *snapshot;
  int repo, parent;
  const char *last; /* what is to be put into parent */
  char *path;       /* below the model's folder, owned */
} Place;

static void
place_clear (Place *place)
{
  if (place->repo >= 0)
    close (place->repo);
  if (place->parent >= 0)
    close (place->parent);
  g_free (place->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static bool
refuse (const Place *place, GError **error)
{
  return attn_hub_refuse_io (place->snapshot->cache, place->snapshot->repo, place->path, "written",
                             error);
}

/* Opens the folder that @path, which it takes, is in. */
static bool
place_open (Place *place, const AttnHubSnapshot *snapshot, char *path, GError **error)
{
  *place = (Place){.snapshot = snapshot, .repo = -1, .parent = -1, .path = path};
  place->repo = attn_hub_repo_open (snapshot->cache, snapshot->repo, ATTN_HUB_MAKE, error);
  if (place->repo < 0)
    return false;
  place->parent = attn_hub_parent_open (place->repo, path, ATTN_HUB_MAKE, &place->last);
  return place->parent >= 0 || refuse (place, error);
}

static char *
dup_target (const char *path, const char *etag)
{
  g_autoptr (GString) target = g_string_new ("../../");
  for (const char *p = path; *p != '\0'; p++)
    if (*p == '/')
      g_string_append (target, "../");
  g_string_append_printf (target, "blobs/%s", etag);
  return g_string_free (g_steal_pointer (&target), FALSE);
}

static bool
has_target (const Place *place, const char *target)
{
  char found[512];
  ssize_t n = readlinkat (place->parent, place->last, found, sizeof found);
  return n >= 0 && (size_t)n == strlen (target) && memcmp (found, target, (size_t)n) == 0;
}

/* The link is made aside and moved into place. Returns: false with errno. */
static bool
replace_link (const Place *place, const char *target)
{
  char temporary[ATTN_HUB_NAME_SIZE];
  attn_hub_make_name (temporary);
  if (symlinkat (target, place->repo, temporary) != 0)
    return false;
  if (renameat (place->repo, temporary, place->parent, place->last) == 0)
    return true;
  int reason = errno;
  unlinkat (place->repo, temporary, 0);
  errno = reason;
  return false;
}

static bool
lacks_links (int reason)
{
  return reason == EPERM || reason == EOPNOTSUPP || reason == ENOTSUP || reason == ENOSYS;
}

/* Where there are no links, the file itself has the name. Returns: false with errno. */
static bool
move_blob (const Place *place, const char *etag)
{
  int blobs = attn_hub_subfolder_open (place->repo, "blobs", ATTN_HUB_OPEN);
  if (blobs < 0)
    return false;
  bool done = renameat (blobs, etag, place->parent, place->last) == 0;
  int reason = errno;
  close (blobs);
  errno = reason;
  return done;
}

bool
attn_hub_snapshot_add (const AttnHubSnapshot *snapshot,
                       const char *path,
                       const char *etag,
                       GError **error)
{
  g_return_val_if_fail (snapshot != NULL && path != NULL && etag != NULL, false);
  if (!check_commit (snapshot, error) || !attn_hub_check_path (path, error) ||
      !attn_hub_check_etag (etag, error))
    return false;
  g_auto (Place) place = {.repo = -1, .parent = -1};
  char *whole = g_strconcat ("snapshots/", snapshot->commit, "/", path, NULL);
  if (!place_open (&place, snapshot, whole, error))
    return false;
  g_autofree char *target = dup_target (path, etag);
  if (!snapshot->avoids_links) {
    if (has_target (&place, target) || replace_link (&place, target))
      return true;
    if (!lacks_links (errno))
      return refuse (&place, error);
  }
  return move_blob (&place, etag) || refuse (&place, error);
}

bool
attn_hub_snapshot_has (const AttnHubSnapshot *snapshot, const char *path, guint64 n_bytes)
{
  g_return_val_if_fail (snapshot != NULL && path != NULL, false);
  struct stat state;
  if (!attn_hub_name_is_commit (snapshot->commit) || !attn_hub_check_path (path, NULL))
    return false;
  g_autofree char *folder = attn_hub_snapshot_dup_folder (snapshot);
  g_autofree char *whole = g_build_filename (folder, path, NULL);
  return stat (whole, &state) == 0 && S_ISREG (state.st_mode) &&
         (n_bytes == ATTN_HUB_UNKNOWN_SIZE || (guint64)state.st_size == n_bytes);
}

bool
attn_hub_snapshot_note_missing (const AttnHubSnapshot *snapshot, const char *path, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && path != NULL, false);
  if (!check_commit (snapshot, error) || !attn_hub_check_path (path, error))
    return false;
  g_auto (Place) place = {.repo = -1, .parent = -1};
  char *whole = g_strconcat (".no_exist/", snapshot->commit, "/", path, NULL);
  if (!place_open (&place, snapshot, whole, error))
    return false;
  int fd = openat (place.parent, place.last, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return refuse (&place, error);
  close (fd);
  return true;
}

bool
attn_hub_snapshot_refer (const AttnHubSnapshot *snapshot, const char *revision, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && revision != NULL, false);
  if (!check_commit (snapshot, error) || !attn_hub_name_check_revision (revision, error))
    return false;
  if (strcmp (revision, snapshot->commit) == 0)
    return true;
  g_autofree char *folder_name = attn_hub_name_dup_folder (snapshot->repo);
  g_autofree char *folder = g_build_filename (snapshot->cache, folder_name, NULL);
  g_autofree char *known = attn_hub_cache_read_ref (folder, revision);
  if (known != NULL && strcmp (known, snapshot->commit) == 0)
    return true;
  g_auto (Place) place = {.repo = -1, .parent = -1};
  if (!place_open (&place, snapshot, g_strconcat ("refs/", revision, NULL), error))
    return false;
  return attn_hub_replace_file (place.repo, place.parent, place.last, snapshot->commit) ||
         refuse (&place, error);
}
