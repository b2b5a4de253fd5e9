/* SPDX-License-Identifier: MIT */
/* Comparing blobs with the hashes they are called by. */
#include "blob-hash.h"
#include "blob-links.h"
#include "cache-refs.h"
#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/cache.h"
#include "attn-hub/manage.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_MODELS 10000
#define MAX_FILES 100000 /* of a revision */

/* A file to look at. */
typedef struct {
  const char *repo;           /* owned by the task */
  char *commit, *path, *blob; /* blob: NULL for a file that is none */
  guint64 n_bytes;
  int reason; /* errno where it is not there; 0 */
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
} Listing;

static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->commit);
  g_free (job->path);
  g_free (job->blob);
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

/* Takes the reason, a sentence. */
static void
complain_about (Task *task, const char *repo, const char *commit, const char *path, char *reason)
{
  AttnHubProblem *problem = g_new0 (AttnHubProblem, 1);
  problem->repo = g_strdup (repo);
  problem->commit = g_strdup (commit);
  problem->path = attn_file_dup_shown (path, strlen (path));
  problem->reason = reason;
  g_ptr_array_add (task->problems, problem);
}

static void complain (Task *task, const Job *job, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
complain (Task *task, const Job *job, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  complain_about (task, job->repo, job->commit, job->path, g_strdup_vprintf (format, args));
  va_end (args);
}

static bool
list_file (const AttnHubFile *file, void *data)
{
  const Listing *listing = data;
  Task *task = listing->task;
  struct stat state = *file->state;
  Job *job = g_new0 (Job, 1);
  job->repo = listing->repo;
  job->commit = g_strdup (listing->commit);
  job->path = g_strdup (file->path);
  job->blob = attn_hub_link_dup_blob (file);
  if (S_ISLNK (state.st_mode) && fstatat (file->dir, file->name, &state, 0) != 0)
    job->reason = errno;
  job->n_bytes = job->reason == 0 && S_ISREG (state.st_mode) ? (guint64)state.st_size : 0;
  g_autofree char *key = job->blob != NULL ? g_strconcat (job->repo, "//", job->blob, NULL) : NULL;
  if (key != NULL && job->reason == 0 && g_hash_table_contains (task->seen, key)) {
    job_free (job);
    return true;
  }
  if (key != NULL)
    g_hash_table_add (task->seen, g_steal_pointer (&key));
  task->n_all += job->n_bytes;
  g_ptr_array_add (task->jobs, job);
  return true;
}

static void
list_revision (Task *task, const char *repo, int snapshots, const char *commit)
{
  Listing listing = {task, repo, commit};
  int dir = attn_hub_open_folder (snapshots, commit);
  if (dir < 0 || !attn_hub_walk (dir, MAX_FILES, list_file, &listing))
    complain_about (task, repo, commit, ".", g_strdup ("not all of its files could be looked at"));
  if (dir >= 0)
    close (dir);
}

/* @commit: (nullable): the only revision wanted. */
static void
list_model (Task *task, char *repo, const char *commit)
{
  bool is_cut = false;
  g_ptr_array_add (task->repos, repo);
  int dir = attn_hub_repo_open (task->cache, repo, ATTN_HUB_OPEN, NULL);
  int snapshots = dir < 0 ? -1 : attn_hub_open_folder (dir, "snapshots");
  if (dir >= 0)
    close (dir);
  if (snapshots < 0)
    return;
  g_autoptr (GPtrArray) names =
      attn_hub_list_names (snapshots, attn_hub_is_snapshot_name, MAX_MODELS, &is_cut);
  for (guint i = 0; i < names->len; i++)
    if (commit == NULL || strcmp (commit, g_ptr_array_index (names, i)) == 0)
      list_revision (task, repo, snapshots, g_ptr_array_index (names, i));
  close (snapshots);
}

static bool
is_model_folder (const char *name)
{
  g_autofree char *repo = attn_hub_name_dup_repo (name);
  return repo != NULL;
}

static void
list_all (Task *task)
{
  bool is_cut = false;
  int dir = open (task->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return;
  g_autoptr (GPtrArray) names = attn_hub_list_names (dir, is_model_folder, MAX_MODELS, &is_cut);
  for (guint i = 0; i < names->len; i++)
    list_model (task, attn_hub_name_dup_repo (g_ptr_array_index (names, i)), NULL);
  close (dir);
}

static bool
list (Task *task, const AttnHubName *name, GError **error)
{
  g_autofree char *repo = NULL, *commit = NULL;
  if (name == NULL) {
    list_all (task);
    return true;
  }
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

static void
compare (Task *task, const Job *job, AttnHubHash kind, const char *found)
{
  if (strcmp (found, job->blob) != 0)
    complain (task, job, "the file is not what was downloaded: found %s %s, wanted %s",
              kind == ATTN_HUB_HASH_GIT ? "git's SHA-1" : "SHA-256", found, job->blob);
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
    complain (task, job, "it is no file");
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
    complain (task, job, "it cannot be read: %s", g_strerror (reason));
  return true;
}

/* Returns: false where it is stopped. */
static bool
check (Task *task, const Job *job)
{
  AttnHubHash kind = job->blob == NULL ? ATTN_HUB_HASH_NONE : attn_hub_hash_of_etag (job->blob);
  task->verdict->n_files++;
  task->verdict->n_bytes += job->n_bytes;
  if (job->reason != 0) {
    complain (task, job, "the file is missing: its link leads to nothing");
    return true;
  }
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

static AttnHubVerdict *
finish (Task *task)
{
  AttnHubVerdict *verdict = g_steal_pointer (&task->verdict);
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
