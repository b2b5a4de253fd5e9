/* SPDX-License-Identifier: MIT */
/* Comparing blobs with the hashes they are called by. */
#include "blob-hash.h"
#include "blob-links.h"
#include "cache-refs.h"
#include "check-folder.h"
#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/cache.h"
#include "attn-hub/manage.h"
#include "attn-hub/snapshot.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 100000 /* of a revision */

/* A file to look at. */
typedef struct {
  const char *repo;           /* owned by the task */
  char *commit, *path, *blob; /* blob: NULL for a file that is none */
  guint64 n_bytes;
  char *fault; /* a sentence where it is no file of the model; or NULL */
  int reason;  /* errno where it could not be found out; 0 */
  bool is_missing;
} Job;

typedef struct {
  const char *cache;
  GPtrArray *repos; /* owned names */
  GPtrArray *jobs;  /* of Job */
  GHashTable *seen; /* "repo/blob", owned keys */
  GPtrArray *problems;
  AttnHubVerdict *verdict;
  guint64 n_all, n_done; /* bytes */
  AttnProgressFunc progress;
  void *data;
} Task;

/* The revision that is being listed. */
typedef struct {
  Task *task;
  const char *repo, *commit;
  int blobs; /* the folder that its links lead to; -1 where there is none */
  size_t n_files, n_faults;
} Listing;

static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->commit);
  g_free (job->path);
  g_free (job->blob);
  g_free (job->fault);
  g_free (job);
}

static void
problem_free (AttnHubProblem *problem)
{
  g_free (problem->repo);
  g_free (problem->commit);
  g_free (problem->path);
  g_free (problem->reason);
  g_free (problem);
}

void
attn_hub_verdict_free (AttnHubVerdict *verdict)
{
  if (verdict == NULL)
    return;
  for (size_t i = 0; i < verdict->n_problems; i++)
    problem_free (verdict->problems[i]);
  g_free (verdict->problems);
  g_free (verdict);
}

static void
task_clear (Task *task)
{
  g_ptr_array_unref (task->repos);
  g_ptr_array_unref (task->jobs);
  g_ptr_array_unref (task->problems);
  g_hash_table_unref (task->seen);
  g_clear_pointer (&task->verdict, attn_hub_verdict_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Task, task_clear)

/* Takes the reason, a sentence. @commit, @path: (nullable): for the whole model or revision. */
static void
complain_about (Task *task,
                const char *repo,
                const char *commit,
                const char *path,
                char *reason,
                AttnHubRemedy remedy)
{
  AttnHubProblem *problem = g_new0 (AttnHubProblem, 1);
  problem->repo = g_strdup (repo);
  problem->commit = g_strdup (commit);
  problem->path = path == NULL ? NULL : attn_file_dup_shown (path, strlen (path));
  problem->reason = reason;
  problem->remedy = remedy;
  g_ptr_array_add (task->problems, problem);
}

/* By @reason, an errno: what a new download would not mend. */
static void
complain_of_system (Task *task, const Job *job, const char *what, int reason)
{
  g_autofree char *why = attn_hub_dup_reason (reason, false);
  char *sentence = g_strdup_printf ("%s: %s", what, why);
  complain_about (task, job->repo, job->commit, job->path, sentence, ATTN_HUB_AS_TOLD);
}

/* What stands where a file is to be. */
static const char *
peek_kind (mode_t mode)
{
  return S_ISDIR (mode)    ? "a folder"
         : S_ISFIFO (mode) ? "a pipe"
         : S_ISSOCK (mode) ? "a socket"
                           : "a device";
}

/* Whether the file is the model's own blob of this name, which may be a link into a store. */
static bool
is_own_blob (const Listing *listing, const char *blob, const struct stat *file)
{
  struct stat own;
  return blob != NULL && listing->blobs >= 0 && fstatat (listing->blobs, blob, &own, 0) == 0 &&
         own.st_dev == file->st_dev && own.st_ino == file->st_ino;
}

static char *
dup_elsewhere (const AttnHubFile *file)
{
  char target[PATH_MAX];
  ssize_t n = readlinkat (file->dir, file->name, target, sizeof target);
  g_autofree char *shown = attn_file_dup_shown (target, (size_t)MAX (n, 0));
  return g_strdup_printf ("its link leads to %s, which is none of this model's files", shown);
}

/* Looks where the entry leads, and whether that is a file of the model. */
static void
look (const Listing *listing, const AttnHubFile *file, Job *job)
{
  struct stat state = *file->state;
  bool is_link = S_ISLNK (state.st_mode);
  if (is_link && fstatat (file->dir, file->name, &state, 0) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      job->is_missing = true;
    else
      job->reason = errno;
    return;
  }
  if (!S_ISREG (state.st_mode))
    job->fault = g_strdup_printf ("it is no file but %s", peek_kind (state.st_mode));
  else if (is_link && !is_own_blob (listing, job->blob, &state))
    job->fault = dup_elsewhere (file);
  else
    job->n_bytes = (guint64)state.st_size;
}

static bool
list_file (const AttnHubFile *file, void *data)
{
  Listing *listing = data;
  Task *task = listing->task;
  Job *job = g_new0 (Job, 1);
  listing->n_files++;
  job->repo = listing->repo;
  job->commit = g_strdup (listing->commit);
  job->path = g_strdup (file->path);
  job->blob = attn_hub_link_dup_blob (file);
  look (listing, file, job);
  bool is_good = job->fault == NULL && job->reason == 0 && !job->is_missing;
  listing->n_faults += !is_good;
  if (is_good && job->blob != NULL &&
      !g_hash_table_add (task->seen, g_strconcat (job->repo, "//", job->blob, NULL))) {
    job_free (job);
    return true;
  }
  task->n_all += job->n_bytes;
  g_ptr_array_add (task->jobs, job);
  return true;
}

/* Whether what stands there can be opened as a model: what is not even named cannot be hashed. */
static void
check_complete (const Listing *listing)
{
  AttnHubSnapshot snapshot = {listing->task->cache, listing->repo, listing->commit, false};
  g_autoptr (AttnHubEntry) entry = g_new0 (AttnHubEntry, 1);
  entry->folder = attn_hub_snapshot_dup_folder (&snapshot);
  attn_hub_check_model (entry);
  if (entry->state == ATTN_HUB_PARTIAL)
    complain_about (listing->task, listing->repo, listing->commit, NULL,
                    g_steal_pointer (&entry->reason), ATTN_HUB_FETCH);
}

static void
list_revision (Listing *listing, int snapshots)
{
  int dir = attn_hub_open_folder (snapshots, listing->commit);
  listing->n_files = listing->n_faults = 0;
  if (dir < 0 || !attn_hub_walk (dir, MAX_FILES, list_file, listing))
    complain_about (listing->task, listing->repo, listing->commit, NULL,
                    g_strdup ("not all of its files can be looked at; check owner and permissions "
                              "of its folders"),
                    ATTN_HUB_AS_TOLD);
  else if (listing->n_files == 0)
    complain_about (listing->task, listing->repo, listing->commit, NULL,
                    g_strdup ("none of its files is there"), ATTN_HUB_FETCH);
  else if (listing->n_faults == 0)
    check_complete (listing);
  if (dir >= 0)
    close (dir);
}

static void
list_revisions (Listing *listing, int snapshots, const char *wanted)
{
  bool is_cut = false;
  g_autoptr (GPtrArray) names =
      attn_hub_list_names (snapshots, attn_hub_is_snapshot_name, G_MAXUINT, &is_cut);
  for (guint i = 0; i < names->len; i++) {
    listing->commit = g_ptr_array_index (names, i);
    if (wanted == NULL || strcmp (wanted, listing->commit) == 0)
      list_revision (listing, snapshots);
  }
  if (names->len == 0)
    complain_about (listing->task, listing->repo, NULL, NULL,
                    g_strdup ("none of its files is there"), ATTN_HUB_FETCH);
}

/* @commit: (nullable): the only revision wanted. */
static void
list_model (Task *task, char *repo, const char *commit)
{
  g_autoptr (GError) error = NULL;
  g_ptr_array_add (task->repos, repo);
  int dir = attn_hub_repo_open (task->cache, repo, ATTN_HUB_OPEN, &error);
  if (dir < 0) {
    complain_about (task, repo, NULL, NULL, g_strdup (error->message), ATTN_HUB_AS_TOLD);
    return;
  }
  Listing listing = {.task = task, .repo = repo, .blobs = attn_hub_open_folder (dir, "blobs")};
  int snapshots = attn_hub_open_folder (dir, "snapshots");
  if (snapshots >= 0) {
    list_revisions (&listing, snapshots, commit);
    close (snapshots);
  } else if (errno == ENOENT) {
    complain_about (task, repo, NULL, NULL, g_strdup ("none of its files is there"),
                    ATTN_HUB_FETCH);
  } else {
    attn_hub_refuse_io (task->cache, repo, "snapshots", "opened", &error);
    complain_about (task, repo, NULL, NULL, g_strdup (error->message), ATTN_HUB_AS_TOLD);
  }
  if (listing.blobs >= 0)
    close (listing.blobs);
  close (dir);
}

static bool
is_model_folder (const char *name)
{
  g_autofree char *repo = attn_hub_name_dup_repo (name);
  return repo != NULL;
}

static bool
list_all (Task *task, GError **error)
{
  bool is_cut = false;
  int dir = attn_hub_cache_open (task->cache, error);
  if (dir < 0)
    return errno == ENOENT;
  g_autoptr (GPtrArray) names = attn_hub_list_names (dir, is_model_folder, G_MAXUINT, &is_cut);
  for (guint i = 0; i < names->len; i++)
    list_model (task, attn_hub_name_dup_repo (g_ptr_array_index (names, i)), NULL);
  close (dir);
  return true;
}

static bool
list (Task *task, const AttnHubName *name, GError **error)
{
  g_autofree char *repo = NULL, *commit = NULL;
  if (name == NULL)
    return list_all (task, error);
  if (name->revision != NULL) {
    if (!attn_hub_cache_resolve (task->cache, name, &repo, &commit, error))
      return false;
  } else {
    repo = attn_hub_cache_find_repo (task->cache, name, error);
    if (repo == NULL)
      return false;
  }
  list_model (task, g_steal_pointer (&repo), commit);
  return true;
}

static bool
tell_bytes (guint64 n_more, void *data)
{
  Task *task = data;
  task->n_done += n_more;
  double fraction = task->n_all == 0 ? 1 : (double)task->n_done / (double)task->n_all;
  return task->progress == NULL || task->progress (MIN (fraction, 1), task->data);
}

/* The blob itself, for close(); -1 with errno. It may be a link into a store of several models. */
static int
open_blob (const Task *task, const Job *job)
{
  g_autofree char *folder = attn_hub_name_dup_folder (job->repo);
  g_autofree char *path = g_build_filename (task->cache, folder, "blobs", job->blob, NULL);
  return open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* Takes the sentence. */
static void
complain (Task *task, const Job *job, char *sentence, AttnHubRemedy remedy)
{
  complain_about (task, job->repo, job->commit, job->path, sentence, remedy);
}

static void
compare (Task *task, const Job *job, AttnHubHash kind, const char *found)
{
  if (strcmp (found, job->blob) != 0)
    complain (task, job,
              g_strdup_printf ("the file is not what was downloaded: found %s %s, wanted %s",
                               kind == ATTN_HUB_HASH_GIT ? "git's SHA-1" : "SHA-256", found,
                               job->blob),
              ATTN_HUB_ANEW);
}

/* Returns: false where it is stopped. */
static bool
check_blob (Task *task, const Job *job, AttnHubHash kind)
{
  struct stat state;
  char found[ATTN_SHA256_HEX_SIZE];
  int fd = open_blob (task, job);
  bool opened = fd >= 0 && fstat (fd, &state) == 0;
  if (opened && !S_ISREG (state.st_mode)) {
    complain (task, job, g_strdup_printf ("it is no file but %s", peek_kind (state.st_mode)),
              ATTN_HUB_ANEW);
    close (fd);
    return true;
  }
  bool read =
      opened && attn_hub_hash_file (fd, (guint64)state.st_size, kind, tell_bytes, task, found);
  int reason = errno;
  if (fd >= 0)
    close (fd);
  if (!read && reason == ECANCELED)
    return false;
  if (read)
    compare (task, job, kind, found);
  else
    complain_of_system (task, job, "it cannot be read", reason);
  return true;
}

/* Returns: false where it is stopped. */
static bool
check (Task *task, const Job *job)
{
  AttnHubHash kind = job->blob == NULL ? ATTN_HUB_HASH_NONE : attn_hub_hash_of_etag (job->blob);
  task->verdict->n_files++;
  task->verdict->n_bytes += job->n_bytes;
  if (job->reason != 0)
    complain_of_system (task, job, "its link cannot be followed", job->reason);
  else if (job->is_missing)
    complain (task, job, g_strdup ("the file is missing: its link leads to nothing"),
              ATTN_HUB_FETCH);
  else if (job->fault != NULL)
    complain (task, job, g_strdup (job->fault), ATTN_HUB_ANEW);
  if (job->reason != 0 || job->is_missing || job->fault != NULL)
    return true;
  if (kind != ATTN_HUB_HASH_NONE)
    return check_blob (task, job, kind);
  task->verdict->n_unchecked++;
  return tell_bytes (job->n_bytes, task);
}

static int
compare_jobs (const void *a, const void *b)
{
  const Job *left = *(const Job *const *)a, *right = *(const Job *const *)b;
  int order = strcmp (left->repo, right->repo);
  if (order == 0)
    order = strcmp (left->commit, right->commit);
  return order != 0 ? order : strcmp (left->path, right->path);
}

static int
compare_problems (const void *a, const void *b)
{
  const AttnHubProblem *left = *(const AttnHubProblem *const *)a;
  const AttnHubProblem *right = *(const AttnHubProblem *const *)b;
  int order = strcmp (left->repo, right->repo);
  if (order == 0)
    order = g_strcmp0 (left->commit, right->commit);
  return order != 0 ? order : g_strcmp0 (left->path, right->path);
}

static AttnHubVerdict *
finish (Task *task)
{
  AttnHubVerdict *verdict = g_steal_pointer (&task->verdict);
  g_ptr_array_sort (task->problems, compare_problems);
  verdict->n_problems = task->problems->len;
  verdict->problems = g_new0 (AttnHubProblem *, verdict->n_problems + 1);
  for (size_t i = 0; i < verdict->n_problems; i++)
    verdict->problems[i] = g_ptr_array_index (task->problems, i);
  g_ptr_array_set_free_func (task->problems, NULL);
  return verdict;
}

AttnHubVerdict *
attn_hub_verify (const char *cache,
                 const AttnHubName *name,
                 AttnProgressFunc progress,
                 void *data,
                 GError **error)
{
  g_return_val_if_fail (cache != NULL, NULL);
  g_auto (Task) task = {.cache = cache, .progress = progress, .data = data};
  task.repos = g_ptr_array_new_with_free_func (g_free);
  task.jobs = g_ptr_array_new_with_free_func (job_free);
  task.problems = g_ptr_array_new_with_free_func ((GDestroyNotify)problem_free);
  task.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  task.verdict = g_new0 (AttnHubVerdict, 1);
  if (!list (&task, name, error))
    return NULL;
  g_ptr_array_sort (task.jobs, compare_jobs);
  for (guint i = 0; i < task.jobs->len; i++)
    if (!check (&task, g_ptr_array_index (task.jobs, i))) {
      g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "stopped");
      return NULL;
    }
  return finish (&task);
}
