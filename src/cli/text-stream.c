/* SPDX-License-Identifier: MIT */
/* Reading a file of texts line by line, in pieces of bounded size. */
#include "text-stream.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)1 << 16)
#define MAX_LINE_BYTES ((size_t)64 << 20)

struct _CliTextStream {
  int fd;
  bool json, ended;
  char *shown;      /* for messages */
  GString *buffer;  /* read, and not all taken */
  size_t taken;     /* bytes of it that are done with */
  size_t n_lines;   /* taken so far */
  AttnSha256 *hash; /* nullable: of all bytes read; borrowed */
};

static bool
refuse (const CliTextStream *stream, AttnError code, const char *what, GError **error)
{
  g_set_error (error, ATTN_ERROR, code, "%s: %s", stream->shown, what);
  return false;
}

/* It must be a file that can be read again. */
static bool
check_kind (const CliTextStream *stream, GError **error)
{
  struct stat info;
  if (fstat (stream->fd, &info) != 0)
    return refuse (stream, ATTN_ERROR_IO, g_strerror (errno), error);
  return S_ISREG (info.st_mode) ||
         refuse (stream, ATTN_ERROR_IO,
                 "not a regular file: texts are read twice, first to count them", error);
}

CliTextStream *
cli_text_stream_open (const char *path, GError **error)
{
  const bool json = g_str_has_suffix (path, ".jsonl");
  if (!json && !g_str_has_suffix (path, ".txt")) {
    cli_usage_value (error, "--texts", path, "the name must end in .txt or .jsonl");
    return NULL;
  }
  g_autoptr (CliTextStream) stream = g_new0 (CliTextStream, 1);
  stream->json = json;
  stream->shown = attn_file_dup_shown (path, strlen (path));
  stream->buffer = g_string_new (NULL);
  stream->fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (stream->fd < 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: cannot open: %s", stream->shown,
                 g_strerror (errno));
    return NULL;
  }
  return check_kind (stream, error) ? g_steal_pointer (&stream) : NULL;
}

void
cli_text_stream_close (CliTextStream *stream)
{
  if (stream == NULL)
    return;
  if (stream->fd >= 0)
    close (stream->fd);
  g_string_free (stream->buffer, TRUE);
  g_free (stream->shown);
  g_free (stream);
}

static bool
read_chunk (CliTextStream *stream, GError **error)
{
  char chunk[CHUNK_BYTES];
  ssize_t n;
  do
    n = read (stream->fd, chunk, sizeof chunk);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return refuse (stream, ATTN_ERROR_IO, g_strerror (errno), error);
  stream->ended = n == 0;
  if (stream->hash != NULL)
    attn_sha256_update (stream->hash, chunk, (size_t)n);
  g_string_append_len (stream->buffer, chunk, n);
  return stream->buffer->len <= MAX_LINE_BYTES ||
         refuse (stream, ATTN_ERROR_TOO_LARGE, "a line of over 64 MiB, which is the limit", error);
}

/* Takes the next line, without its end, which stays valid until the next call. At the end of the
 * file @line is NULL. */
static bool
take_line (CliTextStream *stream, const char **line, size_t *length, GError **error)
{
  size_t searched = stream->taken;
  const char *stop;
  while ((stop = memchr (stream->buffer->str + searched, '\n', stream->buffer->len - searched)) ==
             NULL &&
         !stream->ended) {
    g_string_erase (stream->buffer, 0, (gssize)stream->taken);
    stream->taken = 0;
    searched = stream->buffer->len;
    if (!read_chunk (stream, error))
      return false;
  }
  *line = stream->buffer->str + stream->taken;
  const char *end = stop != NULL ? stop : stream->buffer->str + stream->buffer->len;
  *length = (size_t)(end - *line);
  if (stop == NULL && *length == 0) {
    *line = NULL;
    return true;
  }
  stream->taken += *length + (stop != NULL);
  stream->n_lines++;
  if (*length > 0 && (*line)[*length - 1] == '\r')
    --*length;
  if (stream->json && stream->n_lines == 1 && *length >= 3 &&
      memcmp (*line, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark is no JSON */
    *line += 3;
    *length -= 3;
  }
  return true;
}

/* The next line that is a text. */
static bool
take_text (CliTextStream *stream, const char **line, size_t *length, GError **error)
{
  do
    if (!take_line (stream, line, length, error))
      return false;
  while (*line != NULL && stream->json && cli_text_is_blank (*line, *length));
  return true;
}

bool
cli_text_stream_next (CliTextStream *stream, CliText **text, GError **error)
{
  const char *line;
  size_t length;
  *text = NULL;
  if (!take_text (stream, &line, &length, error))
    return false;
  if (line == NULL)
    return true;
  g_autofree char *place = g_strdup_printf ("%s, line %zu", stream->shown, stream->n_lines);
  *text = cli_text_parse_line (line, length, stream->json, place, error);
  return *text != NULL;
}

bool
cli_text_stream_skip (CliTextStream *stream, size_t n, GError **error)
{
  for (size_t i = 0; i < n; i++) {
    const char *line;
    size_t length;
    if (!take_text (stream, &line, &length, error))
      return false;
    if (line == NULL)
      return refuse (stream, ATTN_ERROR_IO, "has fewer texts than when they were counted", error);
  }
  return true;
}

bool
cli_text_stream_survey (const char *path,
                        size_t *n_texts,
                        char hash[ATTN_SHA256_HEX_SIZE],
                        GError **error)
{
  g_autoptr (CliTextStream) stream = cli_text_stream_open (path, error);
  if (stream == NULL)
    return false;
  g_auto (AttnSha256) sum;
  attn_sha256_init (&sum);
  stream->hash = &sum;
  for (*n_texts = 0;; ++*n_texts) {
    g_autoptr (CliText) text = NULL;
    if (!cli_text_stream_next (stream, &text, error))
      return false;
    if (text == NULL)
      break;
  }
  attn_sha256_finish (&sum, hash);
  return *n_texts > 0 || refuse (stream, ATTN_ERROR_FORMAT, "holds no texts", error);
}
