/* SPDX-License-Identifier: MIT */
/* Removing a revision or a model, and nothing else. */
#include "blob-links.h"
#include "cache-refs.h"
#include "model-locks.h"
#include "repo-dir.h"
#include "shared-blobs.h"
#include "walk.h"

#include "attn-hub/cache.h"
#include "attn-hub/manage.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES 1000000
#define MAX_TREE_DEPTH 200 /* each level is an open folder */

typedef struct {
  const char *cache, *repo;
  char *commit; /* of the only revision to remove; NULL for all; owned */
  int dir;      /* the model's folder */
  bool plans;   /* counts only */
  AttnHubRemoval *removal;
  GHashTable *own;    /* blobs of the revision to remove, by name; owned keys */
  GHashTable *other;  /* blobs of other revisions */
  GHashTable *shared; /* blobs of the store of all models that lose a link; owned keys */
} Task;

void
attn_hub_removal_clear (AttnHubRemoval *removal)
{
  g_clear_pointer (&removal->repo, g_free);
}

static void
task_clear (Task *task)
{
  if (task->dir >= 0)
    close (task->dir);
  g_free (task->commit);
  g_clear_pointer (&task->own, g_hash_table_unref);
  g_clear_pointer (&task->other, g_hash_table_unref);
  g_clear_pointer (&task->shared, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

static bool
refuse (const Task *task, const char *name, GError **error)
{
  return attn_hub_refuse_io (task->cache, task->repo, name, "removed", error);
}

/* Removes one entry that is no folder, or counts it. Returns: false with errno. */
static bool
remove_entry (Task *task, int dir, const char *name, const struct stat *state)
{
  char *hash = S_ISLNK (state->st_mode) ? attn_hub_shared_dup_hash (dir, name) : NULL;
  if (hash != NULL)
    g_hash_table_add (task->shared, hash);
  if (!task->plans && unlinkat (dir, name, 0) != 0 && errno != ENOENT)
    return false;
  if (S_ISREG (state->st_mode) && state->st_nlink <= 1) {
    task->removal->n_files++;
    task->removal->n_bytes += (guint64)MAX (state->st_size, 0);
  }
  return true;
}

/* Who may not remove what is in @dir is told so by the plan, before anything is gone. Returns:
 * false with errno. */
static bool
may_remove (const Task *task, int dir)
{
  return !task->plans || faccessat (dir, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

static bool remove_content (Task *task, int dir, size_t depth);

static bool
remove_tree (Task *task, int dir, const char *name, size_t depth)
{
  struct stat state;
  if (fstatat (dir, name, &state, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  if (!may_remove (task, dir))
    return false;
  if (!S_ISDIR (state.st_mode))
    return remove_entry (task, dir, name, &state);
  int inner = attn_hub_open_folder (dir, name);
  if (inner < 0 || !remove_content (task, inner, depth + 1))
    return false;
  return task->plans || unlinkat (dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

/* @dir is closed. Returns: false with errno. */
static bool
remove_content (Task *task, int dir, size_t depth)
{
  DIR *list = depth > MAX_TREE_DEPTH ? NULL : fdopendir (dir);
  if (list == NULL) {
    int reason = depth > MAX_TREE_DEPTH ? ELOOP : errno;
    close (dir);
    errno = reason;
    return false;
  }
  bool done = true;
  for (struct dirent *entry = readdir (list); entry != NULL && done; entry = readdir (list))
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      done =
          may_remove (task, dirfd (list)) && remove_tree (task, dirfd (list), entry->d_name, depth);
  int reason = errno;
  closedir (list);
  errno = reason;
  return done;
}

static bool
is_any (const char *name)
{
  return strcmp (name, ".") != 0 && strcmp (name, "..") != 0;
}

/* The snapshots of the model, as folders. */
static GPtrArray *
list_snapshots (const Task *task)
{
  bool is_cut = false;
  int dir = attn_hub_open_folder (task->dir, "snapshots");
  if (dir < 0)
    return g_ptr_array_new ();
  GPtrArray *names = attn_hub_list_names (dir, is_any, G_MAXUINT, &is_cut);
  close (dir);
  return names;
}

/* Begins with what brings people here: without references, nobody is led to what is half gone. */
static bool
remove_model (Task *task, GError **error)
{
  static const char *const first[] = {"refs", "snapshots"};
  g_autofree char *name = attn_hub_name_dup_folder (task->repo);
  g_autoptr (GPtrArray) snapshots = list_snapshots (task);
  task->removal->n_revisions = snapshots->len;
  task->removal->whole = true;
  int copy = openat (task->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < G_N_ELEMENTS (first) && !task->plans; i++)
    if (!remove_tree (task, task->dir, first[i], 0)) {
      if (copy >= 0)
        close (copy);
      return refuse (task, first[i], error);
    }
  if (copy < 0 || !remove_content (task, copy, 0))
    return refuse (task, NULL, error);
  if (task->plans)
    return faccessat (AT_FDCWD, task->cache, W_OK | X_OK, AT_EACCESS) == 0 ||
           refuse (task, NULL, error);
  g_autofree char *path = g_build_filename (task->cache, name, NULL);
  if (rmdir (path) != 0 && errno != ENOENT)
    return refuse (task, NULL, error);
  attn_hub_locks_remove (task->cache, task->repo);
  return true;
}

/* Notes the blobs by which a snapshot's files go: those of its links, and those that are the very
 * same file under another name. */
static bool
note_blob (const AttnHubFile *file, void *data)
{
  char *blob = attn_hub_link_dup_blob (file);
  if (blob != NULL)
    g_hash_table_add (data, blob);
  return true;
}

static bool
note_blobs (int snapshots, const char *name, GHashTable *blobs)
{
  int dir = attn_hub_open_folder (snapshots, name);
  if (dir < 0)
    return errno == ENOTDIR || errno == ELOOP; /* neither a file nor a link has blobs … */
  bool complete = attn_hub_walk (dir, MAX_FILES, note_blob, blobs);
  close (dir);
  return complete;
}

/* Returns: false where not all links could be seen, so that no blob may be removed. */
static bool
note_all_blobs (Task *task)
{
  int snapshots = attn_hub_open_folder (task->dir, "snapshots");
  if (snapshots < 0)
    return false;
  g_autoptr (GPtrArray) names = list_snapshots (task);
  bool complete = true;
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    bool is_own = strcmp (name, task->commit) == 0;
    complete = note_blobs (snapshots, name, is_own ? task->own : task->other) && complete;
  }
  close (snapshots);
  return complete;
}

static gboolean
is_needed (void *blob, G_GNUC_UNUSED void *value, void *other)
{
  return g_hash_table_contains (other, blob);
}

static bool
remove_blobs (Task *task, GError **error)
{
  GHashTableIter iter;
  void *key = NULL;
  int blobs = attn_hub_open_folder (task->dir, "blobs");
  if (blobs < 0)
    return errno == ENOENT || refuse (task, "blobs", error);
  bool done = true;
  g_hash_table_foreach_remove (task->own, is_needed, task->other);
  g_hash_table_iter_init (&iter, task->own);
  while (done && g_hash_table_iter_next (&iter, &key, NULL)) {
    struct stat state;
    if (fstatat (blobs, key, &state, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR (state.st_mode))
      continue;
    done = may_remove (task, blobs) && remove_entry (task, blobs, key, &state);
    if (!done)
      refuse (task, "blobs", error);
  }
  close (blobs);
  return done;
}

/* The references to the revision, and folders of references that are empty then. */
static bool
remove_refs (Task *task, GError **error)
{
  g_autoptr (GHashTable) refs = attn_hub_refs_read (task->dir);
  GPtrArray *names = g_hash_table_lookup (refs, task->commit);
  int dir = names == NULL ? -1 : attn_hub_open_folder (task->dir, "refs");
  for (guint i = 0; dir >= 0 && i < names->len; i++) {
    const char *last = NULL;
    g_autofree char *name = g_strdup (g_ptr_array_index (names, i));
    int parent = attn_hub_parent_open (dir, name, ATTN_HUB_OPEN, &last);
    bool done = parent >= 0 && (unlinkat (parent, last, 0) == 0 || errno == ENOENT);
    if (parent >= 0)
      close (parent);
    if (!done) {
      close (dir);
      return refuse (task, "refs", error);
    }
    for (char *slash = strrchr (name, '/'); slash != NULL; slash = strrchr (name, '/')) {
      *slash = '\0';
      if (unlinkat (dir, name, AT_REMOVEDIR) != 0)
        break;
    }
  }
  if (dir >= 0)
    close (dir);
  return true;
}

/* What stands in the folder @folder by the commit's name. */
static bool
remove_beside (Task *task, const char *folder, const char *name, GError **error)
{
  int dir = attn_hub_open_folder (task->dir, folder);
  if (dir < 0)
    return true;
  bool done =
      (may_remove (task, dir) && remove_tree (task, dir, name, 0)) || refuse (task, folder, error);
  close (dir);
  return done;
}

static bool
remove_revision (Task *task, GError **error)
{
  g_autofree char *tree = g_strconcat (task->commit, ".json", NULL);
  task->own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  task->other = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!note_all_blobs (task))
    g_hash_table_remove_all (task->own); /* somebody may need them */
  task->removal->n_revisions = 1;
  return (task->plans || remove_refs (task, error)) &&
         remove_beside (task, "snapshots", task->commit, error) &&
         remove_beside (task, ".no_exist", task->commit, error) &&
         remove_beside (task, "trees", tree, error) && remove_blobs (task, error);
}

/* The model's own folder, which must be one. */
static bool
open_model (Task *task, GError **error)
{
  struct stat state;
  g_autofree char *name = attn_hub_name_dup_folder (task->repo);
  g_autofree char *path = g_build_filename (task->cache, name, NULL);
  task->dir = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (task->dir >= 0)
    return true;
  int reason = errno;
  if (lstat (path, &state) != 0 || !S_ISLNK (state.st_mode)) {
    errno = reason;
    return refuse (task, NULL, error);
  }
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_set_error (
      error, ATTN_ERROR, ATTN_ERROR_IO,
      "%s: is a link to another place; what is there, and then the link, is yours to remove",
      shown);
  return false;
}

/* What no model has a link to any more. @names: (nullable): blobs of this model that go. */
static void
sweep_shared (Task *task, GHashTable *names)
{
  GHashTableIter iter;
  void *hash = NULL;
  g_autofree char *folder = attn_hub_name_dup_folder (task->repo);
  AttnHubLoser loser = {task->cache, folder, names};
  g_hash_table_iter_init (&iter, task->shared);
  while (g_hash_table_iter_next (&iter, &hash, NULL)) {
    guint64 n_bytes = attn_hub_shared_sweep (&loser, hash, task->plans);
    task->removal->n_files += n_bytes > 0;
    task->removal->n_bytes += n_bytes;
  }
}

static bool
run (
    const char *cache, const AttnHubName *name, bool plans, AttnHubRemoval *removal, GError **error)
{
  g_auto (Task) task = {.cache = cache, .dir = -1, .plans = plans, .removal = removal};
  task.shared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  *removal = (AttnHubRemoval){0};
  removal->repo = attn_hub_cache_find_repo (cache, name, error);
  if (removal->repo == NULL)
    return false;
  task.repo = removal->repo;
  g_autofree char *found = NULL;
  if (name->revision != NULL && !attn_hub_cache_resolve (cache, name, &found, &task.commit, error))
    return false;
  if (!open_model (&task, error))
    return false;
  GArray *locks = attn_hub_locks_take (cache, task.repo, task.dir, error);
  if (locks == NULL)
    return false;
  g_autoptr (GPtrArray) snapshots = list_snapshots (&task);
  bool is_last = task.commit != NULL && snapshots->len == 1;
  bool done =
      task.commit == NULL || is_last ? remove_model (&task, error) : remove_revision (&task, error);
  if (done)
    sweep_shared (&task, task.own);
  attn_hub_locks_release (locks);
  return done;
}

bool
attn_hub_plan_removal (const char *cache,
                       const AttnHubName *name,
                       AttnHubRemoval *removal,
                       GError **error)
{
  g_return_val_if_fail (cache != NULL && name != NULL && removal != NULL, false);
  return run (cache, name, true, removal, error);
}

bool
attn_hub_remove (const char *cache,
                 const AttnHubName *name,
                 AttnHubRemoval *removal,
                 GError **error)
{
  g_return_val_if_fail (cache != NULL && name != NULL && removal != NULL, false);
  if (!run (cache, name, true, removal, error))
    return false;
  attn_hub_removal_clear (removal);
  return run (cache, name, false, removal, error);
}
