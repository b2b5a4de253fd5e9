/* SPDX-License-Identifier: MIT */
/* A zip archive that somebody else made, opened by libzip from a descriptor of ours. */
#include "zip-input.h"

#include "file.h"

#include "attn/error.h"

static zip_int64_t
read_input (AttnZipInput *input, void *data, guint64 n)
{
  g_autoptr (GError) fault = NULL;
  input->last_at = input->at;
  input->last_n = n;
  n = MIN (n, input->n_bytes - MIN (input->at, input->n_bytes));
  if (n > G_MAXINT64 || !attn_file_read_at (input->fd, input->at, data, (size_t)n, "", &fault)) {
    zip_error_set (&input->fault, ZIP_ER_READ, 0);
    return -1;
  }
  input->at += n;
  return (zip_int64_t)n;
}

static zip_int64_t
input_cb (void *state, void *data, zip_uint64_t n, zip_source_cmd_t command)
{
  AttnZipInput *input = state;
  zip_int64_t target;
  switch (command) {
  case ZIP_SOURCE_OPEN:
    input->at = 0;
    return 0;
  case ZIP_SOURCE_READ:
    return read_input (input, data, n);
  case ZIP_SOURCE_SEEK:
    target = zip_source_seek_compute_offset (input->at, input->n_bytes, data, n, &input->fault);
    if (target < 0)
      return -1;
    input->at = (guint64)target;
    return 0;
  case ZIP_SOURCE_TELL:
    return (zip_int64_t)input->at;
  case ZIP_SOURCE_STAT:
    zip_stat_init (data);
    ((zip_stat_t *)data)->size = input->n_bytes;
    ((zip_stat_t *)data)->valid |= ZIP_STAT_SIZE;
    return sizeof (zip_stat_t);
  case ZIP_SOURCE_ERROR:
    return zip_error_to_data (&input->fault, data, n);
  case ZIP_SOURCE_CLOSE:
  case ZIP_SOURCE_FREE:
    return 0;
  case ZIP_SOURCE_SUPPORTS:
    return zip_source_make_command_bitmap (
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
        ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
  default:
    zip_error_set (&input->fault, ZIP_ER_OPNOTSUPP, 0);
    return -1;
  }
}

void
attn_zip_input_init (AttnZipInput *input, int fd, guint64 n_bytes)
{
  *input = (AttnZipInput){.fd = fd, .n_bytes = n_bytes};
  zip_error_init (&input->fault);
}

void
attn_zip_input_clear (AttnZipInput *input)
{
  zip_error_fini (&input->fault);
}

bool
attn_zip_refuse (const char *path, zip_error_t *fault, GError **error)
{
  g_autofree char *reason = g_utf8_make_valid (zip_error_strerror (fault), -1);
  return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                           "cannot be read as a zip archive (%s); the file is damaged or cut short",
                           reason);
}

zip_t *
attn_zip_open (AttnZipInput *input, const char *path, GError **error)
{
  zip_error_t fault;
  zip_t *archive = NULL;
  zip_error_init (&fault);
  zip_source_t *source = zip_source_function_create (input_cb, input, &fault);
  if (source != NULL) {
    archive = zip_open_from_source (source, ZIP_RDONLY | ZIP_CHECKCONS, &fault);
    if (archive == NULL)
      zip_source_free (source);
  }
  if (archive == NULL)
    attn_zip_refuse (path, &fault, error);
  zip_error_fini (&fault);
  return archive;
}
