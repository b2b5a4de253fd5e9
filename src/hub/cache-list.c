/* SPDX-License-Identifier: MIT */
/* Listing a cache of models: folders, references, sizes. */
#include "cache-refs.h"
#include "check-folder.h"
#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/cache.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_ENTRIES 10000
#define MAX_FILES 100000      /* of one snapshot */
#define MAX_ALL_FILES 1000000 /* of all */

/* What makes two names the same file. */
typedef struct {
  dev_t device;
  ino_t inode;
} FileId;

/* Files counted, each once. */
typedef struct {
  GHashTable *seen; /* of FileId */
  guint64 n_bytes;
} Count;

typedef struct {
  const char *cache;
  GPtrArray *entries;
  Count all;
  size_t n_files_left;
  bool is_cut;
} Listing;

/* One snapshot being counted. */
typedef struct {
  Listing *listing;
  Count own;
} Counting;

void
attn_hub_entry_free (AttnHubEntry *entry)
{
  if (entry == NULL)
    return;
  g_free (entry->repo);
  g_free (entry->commit);
  g_strfreev (entry->refs);
  g_free (entry->folder);
  g_free (entry->family);
  g_strfreev (entry->missing);
  g_free (entry->reason);
  g_free (entry);
}

void
attn_hub_list_free (AttnHubList *list)
{
  if (list == NULL)
    return;
  for (size_t i = 0; i < list->n_entries; i++)
    attn_hub_entry_free (list->entries[i]);
  g_free (list->entries);
  g_free (list);
}

static guint
hash_file (gconstpointer key)
{
  const FileId *id = key;
  guint64 inode = id->inode, device = id->device;
  return g_int64_hash (&inode) ^ g_int64_hash (&device);
}

static gboolean
is_same_file (gconstpointer a, gconstpointer b)
{
  const FileId *left = a, *right = b;
  return left->device == right->device && left->inode == right->inode;
}

static void
count_init (Count *count)
{
  *count = (Count){.seen = g_hash_table_new_full (hash_file, is_same_file, g_free, NULL)};
}

static void
count_add (Count *count, const struct stat *state)
{
  FileId id = {state->st_dev, state->st_ino};
  if (g_hash_table_contains (count->seen, &id))
    return;
  g_hash_table_add (count->seen, g_memdup2 (&id, sizeof id));
  count->n_bytes += (guint64)MAX (state->st_size, 0);
}

static bool
count_file (const AttnHubFile *file, void *data)
{
  Counting *counting = data;
  struct stat state = *file->state;
  if (S_ISLNK (state.st_mode) && fstatat (file->dir, file->name, &state, 0) != 0)
    return true; /* a link to nothing has no size */
  if (!S_ISREG (state.st_mode))
    return true;
  if (counting->listing != NULL) {
    if (counting->listing->n_files_left == 0)
      return false;
    counting->listing->n_files_left--;
    count_add (&counting->listing->all, &state);
  }
  count_add (&counting->own, &state);
  return true;
}

/* Counts what is below @dir. @listing: (nullable): whose totals it counts for, too. */
static void
count_folder (AttnHubEntry *entry, int dir, Listing *listing)
{
  Counting counting = {.listing = listing};
  count_init (&counting.own);
  entry->counts_all = attn_hub_walk (dir, MAX_FILES, count_file, &counting);
  entry->n_bytes = counting.own.n_bytes;
  g_hash_table_unref (counting.own.seen);
}

AttnHubEntry *
attn_hub_cache_check_folder (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);
  AttnHubEntry *entry = g_new0 (AttnHubEntry, 1);
  entry->folder = g_canonicalize_filename (folder, NULL);
  attn_hub_check_model (entry);
  int dir = open (entry->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return entry;
  count_folder (entry, dir, NULL);
  close (dir);
  return entry;
}

static AttnHubEntry *
add_entry (Listing *listing, const char *folder_name)
{
  AttnHubEntry *entry = g_new0 (AttnHubEntry, 1);
  entry->repo = attn_hub_name_dup_repo (folder_name);
  if (entry->repo == NULL) {
    entry->repo = attn_file_dup_shown (folder_name, strlen (folder_name));
    entry->state = ATTN_HUB_UNUSABLE;
    entry->reason = g_strdup ("the folder is not called after a model, as models--OWNER--NAME is");
  }
  g_ptr_array_add (listing->entries, entry);
  return entry;
}

/* What is there and cannot be looked at, by errno. */
static void
add_hidden (Listing *listing, const char *folder_name, const char *path)
{
  g_autofree char *why = attn_hub_dup_reason (errno, false);
  AttnHubEntry *entry = add_entry (listing, folder_name);
  entry->folder = g_build_filename (listing->cache, folder_name, path, NULL);
  entry->refs = g_new0 (char *, 1);
  entry->state = ATTN_HUB_UNUSABLE;
  if (entry->reason == NULL)
    entry->reason = g_strdup_printf ("its folder cannot be opened: %s", why);
}

static void
add_snapshot (
    Listing *listing, int snapshots, const char *folder_name, const char *commit, GHashTable *refs)
{
  struct stat state = {0};
  int dir = attn_hub_open_folder (snapshots, commit);
  if (dir < 0 && errno == EACCES) {
    g_autofree char *path = g_build_filename ("snapshots", commit, NULL);
    errno = EACCES;
    add_hidden (listing, folder_name, path);
  }
  if (dir < 0)
    return;
  AttnHubEntry *entry = add_entry (listing, folder_name);
  entry->folder = g_build_filename (listing->cache, folder_name, "snapshots", commit, NULL);
  entry->commit = attn_file_dup_shown (commit, strlen (commit));
  GPtrArray *names = g_hash_table_lookup (refs, commit);
  entry->refs = g_new0 (char *, (names != NULL ? names->len : 0) + 1);
  for (guint i = 0; names != NULL && i < names->len; i++)
    entry->refs[i] = g_strdup (g_ptr_array_index (names, i));
  if (fstat (dir, &state) == 0)
    entry->written_s = state.st_mtime;
  count_folder (entry, dir, listing);
  close (dir);
  if (entry->reason == NULL)
    attn_hub_check_model (entry);
}

/* A model of which nothing was ever finished. */
static void
add_empty (Listing *listing, int repo, const char *folder_name)
{
  struct stat state = {0};
  AttnHubEntry *entry = add_entry (listing, folder_name);
  entry->folder = g_build_filename (listing->cache, folder_name, NULL);
  entry->refs = g_new0 (char *, 1);
  if (fstat (repo, &state) == 0)
    entry->written_s = state.st_mtime;
  count_folder (entry, repo, listing);
  if (entry->reason != NULL)
    return;
  entry->state = ATTN_HUB_PARTIAL;
  entry->reason = g_strdup ("none of its files is complete");
}

static bool
is_model_folder (const char *name)
{
  return g_str_has_prefix (name, "models--");
}

static void
add_snapshots (Listing *listing, int repo, const char *folder_name)
{
  int snapshots = attn_hub_open_folder (repo, "snapshots");
  if (snapshots < 0 && errno != ENOENT)
    add_hidden (listing, folder_name, "snapshots");
  if (snapshots < 0)
    return;
  g_autoptr (GHashTable) refs = attn_hub_refs_read (repo);
  g_autoptr (GPtrArray) commits =
      attn_hub_list_names (snapshots, attn_hub_is_snapshot_name, MAX_ENTRIES, &listing->is_cut);
  for (guint i = 0; i < commits->len; i++) {
    if (listing->entries->len >= MAX_ENTRIES) {
      listing->is_cut = true;
      break;
    }
    add_snapshot (listing, snapshots, folder_name, g_ptr_array_index (commits, i), refs);
  }
  close (snapshots);
}

/* Blobs that no snapshot has, such as those of a download that was stopped, take room, too. */
static void
count_blobs (Listing *listing, int repo)
{
  Counting counting = {.listing = listing};
  int blobs = attn_hub_open_folder (repo, "blobs");
  if (blobs < 0)
    return;
  count_init (&counting.own);
  attn_hub_walk (blobs, MAX_FILES, count_file, &counting);
  g_hash_table_unref (counting.own.seen);
  close (blobs);
}

/* What no snapshot names is of the model's first revision that is not complete: a download was
 * stopped there. */
static void
add_unfinished (Listing *listing, guint n_before, guint64 n_bytes)
{
  for (guint i = n_before; i < listing->entries->len; i++) {
    AttnHubEntry *entry = g_ptr_array_index (listing->entries, i);
    if (entry->state != ATTN_HUB_PARTIAL || entry->commit == NULL)
      continue;
    entry->n_bytes += n_bytes;
    return;
  }
}

static void
add_model (Listing *listing, int cache, const char *folder_name)
{
  /* the folder itself may be a link: people move large models to another disk */
  int repo = openat (cache, folder_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (repo < 0 && errno != ENOTDIR)
    add_hidden (listing, folder_name, NULL);
  if (repo < 0)
    return;
  guint n_before = listing->entries->len;
  add_snapshots (listing, repo, folder_name);
  if (listing->entries->len == n_before)
    add_empty (listing, repo, folder_name);
  guint64 n_named = listing->all.n_bytes;
  count_blobs (listing, repo);
  add_unfinished (listing, n_before, listing->all.n_bytes - n_named);
  close (repo);
}

static bool
has_main (const AttnHubEntry *entry)
{
  return entry->refs[0] != NULL && strcmp (entry->refs[0], ATTN_HUB_DEFAULT_REVISION) == 0;
}

static int
compare_entries (const void *a, const void *b)
{
  const AttnHubEntry *left = *(const AttnHubEntry *const *)a;
  const AttnHubEntry *right = *(const AttnHubEntry *const *)b;
  int order = g_ascii_strcasecmp (left->repo, right->repo);
  if (order == 0)
    order = strcmp (left->repo, right->repo);
  if (order == 0)
    order = has_main (right) - has_main (left);
  if (order == 0)
    order = (right->written_s > left->written_s) - (right->written_s < left->written_s);
  return order != 0 ? order : strcmp (left->folder, right->folder);
}

static AttnHubList *
finish (Listing *listing)
{
  AttnHubList *list = g_new0 (AttnHubList, 1);
  g_ptr_array_sort (listing->entries, compare_entries);
  list->n_entries = listing->entries->len;
  list->entries = g_new0 (AttnHubEntry *, list->n_entries + 1);
  for (size_t i = 0; i < list->n_entries; i++)
    list->entries[i] = g_ptr_array_index (listing->entries, i);
  g_ptr_array_set_free_func (listing->entries, NULL);
  list->n_bytes = listing->all.n_bytes;
  list->is_cut = listing->is_cut;
  return list;
}

static bool
add_models (Listing *listing, int cache, AttnProgressFunc progress, void *data, GError **error)
{
  g_autoptr (GPtrArray) names =
      attn_hub_list_names (cache, is_model_folder, MAX_ENTRIES, &listing->is_cut);
  for (guint i = 0; i < names->len; i++) {
    if (!attn_progress_tell (progress, data, (double)i / names->len, error))
      return false;
    add_model (listing, cache, g_ptr_array_index (names, i));
  }
  return attn_progress_tell (progress, data, 1, error);
}

AttnHubList *
attn_hub_cache_list (const char *cache, AttnProgressFunc progress, void *data, GError **error)
{
  g_return_val_if_fail (cache != NULL, NULL);
  int dir = attn_hub_cache_open (cache, error);
  if (dir < 0)
    return errno == ENOENT ? g_new0 (AttnHubList, 1) : NULL;
  Listing listing = {.cache = cache, .n_files_left = MAX_ALL_FILES};
  count_init (&listing.all);
  listing.entries = g_ptr_array_new_with_free_func ((GDestroyNotify)attn_hub_entry_free);
  AttnHubList *list = add_models (&listing, dir, progress, data, error) ? finish (&listing) : NULL;
  g_ptr_array_unref (listing.entries);
  g_hash_table_unref (listing.all.seen);
  close (dir);
  return list;
}
