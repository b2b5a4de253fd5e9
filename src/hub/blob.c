/* SPDX-License-Identifier: MIT */
/* Writing a blob: a private file under locks, checked, then given its name. */
#include "attn-hub/blob.h"

#include "blob-hash.h"
#include "repo-dir.h"

#include "attn-hub/name.h"
#include "attn/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_ENDING ".headscope.part"
#define NOTE_ENDING ".headscope.size" /* the size that the part is to have */
#define WAIT_US 100000
#define N_SHOWN 12 /* digits of a hash, enough to tell one from another */

struct _AttnHubBlob {
  char *cache, *repo, *etag;
  char *part, *note; /* names in the folder of blobs */
  guint64 n_wanted;  /* or ATTN_HUB_UNKNOWN_SIZE */
  guint64 n_bytes;   /* written */
  AttnHubHash hash;
  AttnSha256 sha256; /* of what is written, for ATTN_HUB_HASH_SHA256 */
  int blobs;         /* the folder */
  int lock, fd;      /* the lock that Python's library takes, and the part; -1 for none */
  bool is_there;
};

static bool
refuse (const AttnHubBlob *blob, const char *name, const char *what, GError **error)
{
  g_autofree char *path = g_build_filename ("blobs", name, NULL);
  return attn_hub_refuse_io (blob->cache, blob->repo, path, what, error);
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
attn_hub_blob_free (AttnHubBlob *blob)
{
  if (blob == NULL)
    return;
  close_fd (&blob->fd);
  close_fd (&blob->lock);
  close_fd (&blob->blobs);
  attn_sha256_clear (&blob->sha256);
  g_free (blob->cache);
  g_free (blob->repo);
  g_free (blob->etag);
  g_free (blob->part);
  g_free (blob->note);
  g_free (blob);
}

/* The size of a finished blob, which may be a link into a store that several models share; false
 * where it is not there or of another size. */
static bool
has_blob (int blobs, const char *etag, guint64 n_wanted, guint64 *n_bytes)
{
  struct stat state;
  if (fstatat (blobs, etag, &state, 0) != 0 || !S_ISREG (state.st_mode))
    return false;
  *n_bytes = (guint64)state.st_size;
  return n_wanted == ATTN_HUB_UNKNOWN_SIZE || n_wanted == *n_bytes;
}

/* The lock of Python's library for this blob. It is a courtesy: without it we go on. */
static int
open_lock (const AttnHubBlob *blob)
{
  g_autofree char *folder = attn_hub_name_dup_folder (blob->repo);
  g_autofree char *locks = g_build_filename (blob->cache, ".locks", folder, NULL);
  g_autofree char *name = g_strconcat (blob->etag, ".lock", NULL);
  g_autofree char *path = g_build_filename (locks, name, NULL);
  if (g_mkdir_with_parents (locks, 0777) != 0)
    return -1;
  return open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0664);
}

/* Whether it is ours: others hold it only where this says so. */
static bool
take_lock (int fd)
{
  return fd < 0 || flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Whether the open part still has its name: who held the lock before may have moved it away. */
static bool
has_name (const AttnHubBlob *blob)
{
  struct stat open_state, named_state;
  return fstat (blob->fd, &open_state) == 0 &&
         fstatat (blob->blobs, blob->part, &named_state, AT_SYMLINK_NOFOLLOW) == 0 &&
         open_state.st_dev == named_state.st_dev && open_state.st_ino == named_state.st_ino;
}

/* Opens the part and locks it; -1 in blob->fd where another program has it. */
static bool
try_part (AttnHubBlob *blob, GError **error)
{
  blob->fd = openat (blob->blobs, blob->part,
                     O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  struct stat state;
  if (blob->fd < 0 || fstat (blob->fd, &state) != 0)
    return refuse (blob, blob->part, "written", error);
  if (!S_ISREG (state.st_mode)) {
    errno = EEXIST;
    return refuse (blob, blob->part, "written", error);
  }
  if (!take_lock (blob->fd) || !has_name (blob))
    close_fd (&blob->fd);
  return true;
}

/* Waits until nobody else writes the blob. */
static bool
wait_for_part (AttnHubBlob *blob, AttnProgressFunc go_on, void *data, GError **error)
{
  blob->lock = open_lock (blob);
  for (bool is_locked = false;;) {
    if (!attn_progress_tell (go_on, data, 0, error))
      return false;
    is_locked = is_locked || take_lock (blob->lock);
    if (is_locked && !try_part (blob, error))
      return false;
    if (blob->fd >= 0)
      return true;
    g_usleep (WAIT_US);
  }
}

/* What is hashed of an interrupted download. */
typedef struct {
  AttnHubBlob *blob;
  guint64 n_all;
  AttnProgressFunc go_on;
  void *data;
} Resuming;

static bool
take_piece (const void *bytes, size_t n, void *data)
{
  Resuming *resuming = data;
  AttnHubBlob *blob = resuming->blob;
  attn_sha256_update (&blob->sha256, bytes, n);
  blob->n_bytes += n;
  return resuming->go_on == NULL ||
         resuming->go_on ((double)blob->n_bytes / (double)resuming->n_all, resuming->data);
}

/* The size noted beside a part, which belongs to another file where it is another one. */
static bool
note_fits (const AttnHubBlob *blob)
{
  char note[24] = "";
  int fd = openat (blob->blobs, blob->note, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read (fd, note, sizeof note - 1);
  close (fd);
  return n > 0 && g_ascii_strtoull (note, NULL, 10) == blob->n_wanted;
}

static bool
resume (AttnHubBlob *blob, AttnProgressFunc go_on, void *data, GError **error)
{
  struct stat state;
  if (fstat (blob->fd, &state) != 0)
    return refuse (blob, blob->part, "read", error);
  guint64 n_bytes = (guint64)state.st_size;
  if (n_bytes == 0 || n_bytes > blob->n_wanted || !note_fits (blob))
    return attn_hub_blob_restart (blob, error);
  if (blob->hash != ATTN_HUB_HASH_SHA256) {
    blob->n_bytes = n_bytes;
    return true;
  }
  Resuming resuming = {blob, n_bytes, go_on, data};
  if (attn_hub_read_pieces (blob->fd, n_bytes, take_piece, &resuming))
    return true;
  if (errno != ECANCELED)
    return refuse (blob, blob->part, "read", error);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "stopped");
  return false;
}

static AttnHubBlob *
blob_new (const char *cache, const char *repo, const char *etag, guint64 n_bytes)
{
  AttnHubBlob *blob = g_new0 (AttnHubBlob, 1);
  blob->cache = g_strdup (cache);
  blob->repo = g_strdup (repo);
  blob->etag = g_strdup (etag);
  blob->part = g_strconcat (etag, PART_ENDING, NULL);
  blob->note = g_strconcat (etag, NOTE_ENDING, NULL);
  blob->n_wanted = n_bytes;
  blob->hash = attn_hub_hash_of_etag (etag);
  blob->blobs = blob->lock = blob->fd = -1;
  attn_sha256_init (&blob->sha256);
  return blob;
}

static bool
open_blobs (AttnHubBlob *blob, AttnHubMake make, GError **error)
{
  int repo = attn_hub_repo_open (blob->cache, blob->repo, make, error);
  if (repo < 0)
    return false;
  blob->blobs = attn_hub_subfolder_open (repo, "blobs", make);
  int reason = errno;
  close (repo);
  errno = reason;
  return blob->blobs >= 0 || attn_hub_refuse_io (blob->cache, blob->repo, "blobs",
                                                 make == ATTN_HUB_MAKE ? "made" : "opened", error);
}

static void
remove_part (const AttnHubBlob *blob)
{
  unlinkat (blob->blobs, blob->part, 0);
  unlinkat (blob->blobs, blob->note, 0);
}

AttnHubBlob *
attn_hub_blob_open (const char *cache,
                    const char *repo,
                    const char *etag,
                    guint64 n_bytes,
                    AttnProgressFunc go_on,
                    void *data,
                    GError **error)
{
  g_return_val_if_fail (cache != NULL && repo != NULL && etag != NULL, NULL);
  if (!attn_hub_check_etag (etag, error))
    return NULL;
  g_autoptr (AttnHubBlob) blob = blob_new (cache, repo, etag, n_bytes);
  if (!open_blobs (blob, ATTN_HUB_MAKE, error))
    return NULL;
  blob->is_there = has_blob (blob->blobs, etag, n_bytes, &blob->n_bytes);
  if (blob->is_there)
    return g_steal_pointer (&blob);
  if (!wait_for_part (blob, go_on, data, error))
    return NULL;
  blob->is_there = has_blob (blob->blobs, etag, n_bytes, &blob->n_bytes);
  if (blob->is_there) {
    remove_part (blob); /* which has just been made, for the lock */
    return g_steal_pointer (&blob);
  }
  blob->n_bytes = 0;
  return resume (blob, go_on, data, error) ? g_steal_pointer (&blob) : NULL;
}

bool
attn_hub_blob_is_there (const AttnHubBlob *blob)
{
  return blob->is_there;
}

guint64
attn_hub_blob_get_n_bytes (const AttnHubBlob *blob)
{
  return blob->n_bytes;
}

/* Half a note is read as another size, and the download begins anew. Returns: false with errno. */
static bool
write_note (const AttnHubBlob *blob, const char *note)
{
  int fd = openat (blob->blobs, blob->note,
                   O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  bool done = attn_hub_write_all (fd, 0, note, strlen (note));
  return close (fd) == 0 && done;
}

bool
attn_hub_blob_restart (AttnHubBlob *blob, GError **error)
{
  g_return_val_if_fail (blob->fd >= 0, false);
  g_autofree char *note = g_strdup_printf ("%" G_GUINT64_FORMAT, blob->n_wanted);
  blob->n_bytes = 0;
  attn_sha256_clear (&blob->sha256);
  attn_sha256_init (&blob->sha256);
  if (ftruncate (blob->fd, 0) != 0)
    return refuse (blob, blob->part, "emptied", error);
  return write_note (blob, note) || refuse (blob, blob->note, "written", error);
}

bool
attn_hub_blob_write (AttnHubBlob *blob, const void *bytes, size_t n, GError **error)
{
  g_return_val_if_fail (blob->fd >= 0, false);
  if (blob->n_wanted != ATTN_HUB_UNKNOWN_SIZE && n > blob->n_wanted - blob->n_bytes) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "found more than the %" G_GUINT64_FORMAT " bytes that were announced",
                 blob->n_wanted);
    return false;
  }
  if (!attn_hub_write_all (blob->fd, blob->n_bytes, bytes, n))
    return refuse (blob, blob->part, "written", error);
  if (blob->hash == ATTN_HUB_HASH_SHA256)
    attn_sha256_update (&blob->sha256, bytes, n);
  blob->n_bytes += n;
  return true;
}

static bool
check_size (AttnHubBlob *blob, GError **error)
{
  struct stat state;
  if (fstat (blob->fd, &state) != 0)
    return refuse (blob, blob->part, "read", error);
  guint64 n_found = MIN (blob->n_bytes, (guint64)state.st_size);
  if (n_found == blob->n_bytes &&
      (blob->n_wanted == ATTN_HUB_UNKNOWN_SIZE || n_found == blob->n_wanted))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "found %" G_GUINT64_FORMAT " bytes, wanted %" G_GUINT64_FORMAT "; try again",
               n_found, blob->n_wanted != ATTN_HUB_UNKNOWN_SIZE ? blob->n_wanted : blob->n_bytes);
  return false;
}

static bool
check_hash (AttnHubBlob *blob, GError **error)
{
  char hex[ATTN_SHA256_HEX_SIZE] = "";
  if (blob->hash == ATTN_HUB_HASH_SHA256)
    attn_sha256_finish (&blob->sha256, hex);
  else if (!attn_hub_hash_file (blob->fd, blob->n_bytes, blob->hash, NULL, NULL, hex))
    return refuse (blob, blob->part, "read", error);
  if (blob->hash == ATTN_HUB_HASH_NONE || strcmp (hex, blob->etag) == 0)
    return true;
  if (!attn_hub_blob_restart (blob, error))
    return false;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "what arrived is not the file and was thrown away: its %s begins with %.*s, wanted "
               "is %.*s; try again later, or without HF_ENDPOINT where it is set",
               blob->hash == ATTN_HUB_HASH_GIT ? "SHA-1 as git has it" : "SHA-256", N_SHOWN, hex,
               N_SHOWN, blob->etag);
  return false;
}

bool
attn_hub_blob_commit (AttnHubBlob *blob, GError **error)
{
  g_return_val_if_fail (blob->fd >= 0, false);
  if (!check_size (blob, error) || !check_hash (blob, error))
    return false;
  /* a part longer than what was written is what an earlier, longer one left */
  if (ftruncate (blob->fd, (off_t)blob->n_bytes) != 0 || fsync (blob->fd) != 0)
    return refuse (blob, blob->part, "written", error);
  if (renameat (blob->blobs, blob->part, blob->blobs, blob->etag) != 0)
    return refuse (blob, blob->etag, "written", error);
  fsync (blob->blobs);
  unlinkat (blob->blobs, blob->note, 0);
  close_fd (&blob->fd);
  close_fd (&blob->lock);
  blob->is_there = true;
  return true;
}

guint64
attn_hub_blob_look (
    const char *cache, const char *repo, const char *etag, guint64 n_bytes, bool *is_there)
{
  *is_there = false;
  guint64 n_found = 0;
  struct stat state;
  if (!attn_hub_check_etag (etag, NULL))
    return 0;
  g_autoptr (AttnHubBlob) blob = blob_new (cache, repo, etag, n_bytes);
  if (!open_blobs (blob, ATTN_HUB_OPEN, NULL))
    return 0;
  *is_there = has_blob (blob->blobs, etag, n_bytes, &n_found);
  if (*is_there)
    return n_found;
  bool has_part = fstatat (blob->blobs, blob->part, &state, AT_SYMLINK_NOFOLLOW) == 0 &&
                  S_ISREG (state.st_mode) && note_fits (blob);
  n_found = has_part ? (guint64)state.st_size : 0;
  return n_found <= n_bytes ? n_found : 0;
}
