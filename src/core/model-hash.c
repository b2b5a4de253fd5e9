/* SPDX-License-Identifier: MIT */
/* The SHA-256 of a model's weight files, read once more when somebody asks. */
#include "file.h"
#include "model-private.h"
#include "source-private.h"

#include "attn/sha256.h"

#include <string.h>
#include <unistd.h>

#define PIECE (4u << 20) /* bytes between two questions whether to go on */

static void
clear_stamp (void *stamp)
{
  g_free (((AttnFileStamp *)stamp)->path);
}

bool
attn_model_note_files (AttnModel *model, const AttnSource *source, GError **error)
{
  g_autoptr (GArray) stamps = g_array_new (FALSE, TRUE, sizeof (AttnFileStamp));
  g_array_set_clear_func (stamps, clear_stamp);
  for (guint i = 0; i < source->files->len; i++) {
    const AttnWeightFile *file = g_ptr_array_index (source->files, i);
    AttnFileState now;
    if (!attn_file_get_state (file->fd, file->path, &now, error))
      return false;
    if (!attn_file_has_same_state (&now, &file->state))
      return attn_file_refuse (file->path, ATTN_ERROR_IO, error,
                               "the file has changed while it was read");
    AttnFileStamp stamp = {g_canonicalize_filename (file->path, NULL), now};
    g_array_append_val (stamps, stamp);
  }
  model->stamps = g_steal_pointer (&stamps);
  return true;
}

/* What is hashed of how much. */
typedef struct {
  AttnProgressFunc func;
  void *data;
  guint64 n_done, n_all;
  guint8 *piece; /* [PIECE] */
} Progress;

static bool
hash_open_file (
    int fd, const AttnFileStamp *stamp, Progress *progress, AttnSha256 *sum, GError **error)
{
  for (guint64 at = 0; at < stamp->state.n_bytes;) {
    size_t n = (size_t)MIN (PIECE, stamp->state.n_bytes - at);
    double fraction = (double)progress->n_done / (double)progress->n_all;
    if (!attn_progress_tell (progress->func, progress->data, fraction, error) ||
        !attn_file_read_at (fd, at, progress->piece, n, stamp->path, error))
      return false;
    attn_sha256_update (sum, progress->piece, n);
    progress->n_done += n;
    at += n;
  }
  return true;
}

/* Checked after reading as well, for a file that is being written meanwhile. */
static bool
check_stamp (int fd, const AttnFileStamp *stamp, GError **error)
{
  AttnFileState now;
  if (!attn_file_get_state (fd, stamp->path, &now, error))
    return false;
  return attn_file_has_same_state (&now, &stamp->state) ||
         attn_file_refuse (stamp->path, ATTN_ERROR_IO, error,
                           "the file has changed since the model was loaded from it");
}

static bool
hash_file (const AttnFileStamp *stamp, Progress *progress, char *hex, GError **error)
{
  g_auto (AttnSha256) sum;
  attn_sha256_init (&sum);
  guint64 n_bytes = 0;
  int fd = attn_file_open (stamp->path, &n_bytes, error);
  if (fd < 0)
    return false;
  bool done = check_stamp (fd, stamp, error) && hash_open_file (fd, stamp, progress, &sum, error) &&
              check_stamp (fd, stamp, error);
  close (fd);
  attn_sha256_finish (&sum, hex);
  return done;
}

static char *
hash_files (AttnModel *model, Progress *progress, GError **error)
{
  g_auto (AttnSha256) list;
  char hex[ATTN_SHA256_HEX_SIZE];
  attn_sha256_init (&list);
  for (guint i = 0; i < model->stamps->len; i++) {
    const AttnFileStamp *stamp = &g_array_index (model->stamps, AttnFileStamp, i);
    if (!hash_file (stamp, progress, hex, error))
      return NULL;
    g_autofree char *line = g_strdup_printf ("%s  %s\n", hex, model->files[i]);
    attn_sha256_update (&list, line, strlen (line));
  }
  if (model->stamps->len > 1)
    attn_sha256_finish (&list, hex);
  if (!attn_progress_tell (progress->func, progress->data, 1, error))
    return NULL;
  return g_strdup (hex);
}

const char *
attn_model_peek_sha256 (AttnModel *model)
{
  return g_atomic_pointer_get (&model->sha256);
}

const char *
attn_model_compute_sha256 (AttnModel *model,
                           AttnProgressFunc progress_func,
                           void *progress_data,
                           GError **error)
{
  if (model->stamps == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "random weights have no file to be told by");
    return NULL;
  }
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&model->hash_lock);
  if (attn_model_peek_sha256 (model) == NULL) {
    g_autofree guint8 *piece = g_malloc (PIECE);
    Progress progress = {progress_func, progress_data, 0, MAX (model->n_bytes, 1), piece};
    char *hash = hash_files (model, &progress, error);
    g_atomic_pointer_set (&model->sha256, hash);
  }
  return attn_model_peek_sha256 (model);
}
