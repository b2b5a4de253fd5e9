/* SPDX-License-Identifier: MIT */
/* What the Hub's answers hold: headers, small answers whole, and the start of large ones. */
#include "client-private.h"

#include "attn-hub/blob.h"
#include "attn-hub/name.h"
#include "attn/error.h"

#include <string.h>

static const char *
peek_header (const AttnHubAnswer *answer, const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (answer->message), name);
}

void
attn_hub_metadata_clear (AttnHubMetadata *metadata)
{
  g_clear_pointer (&metadata->commit, g_free);
  g_clear_pointer (&metadata->etag, g_free);
  g_clear_pointer (&metadata->url, g_free);
}

/* W/"abc" is abc. */
static char *
dup_etag (const char *header)
{
  if (header == NULL)
    return NULL;
  if (g_str_has_prefix (header, "W/"))
    header += 2;
  size_t n = strlen (header);
  if (n >= 2 && header[0] == '"' && header[n - 1] == '"')
    return g_strndup (header + 1, n - 2);
  return g_strdup (header);
}

/* The size of the file: of a redirect, or of a compressed answer, Content-Length tells another. */
static guint64
read_size (const AttnHubAnswer *answer)
{
  const char *linked = peek_header (answer, "X-Linked-Size");
  const char *encoding = peek_header (answer, "Content-Encoding");
  bool is_plain = encoding == NULL || g_ascii_strcasecmp (encoding, "identity") == 0;
  const char *length = linked != NULL ? linked
                       : answer->location == NULL && is_plain
                           ? peek_header (answer, "Content-Length")
                           : NULL;
  guint64 size = ATTN_HUB_UNKNOWN_SIZE;
  if (length != NULL)
    g_ascii_string_to_unsigned (length, 10, 0, G_MAXINT64, &size, NULL);
  return size;
}

bool
attn_hub_client_head (AttnHubClient *client,
                      const char *path,
                      AttnHubMetadata *metadata,
                      GError **error)
{
  g_autofree char *url = g_strconcat (client->places->endpoint, path, NULL);
  g_auto (AttnHubAnswer) answer = {0};
  AttnHubRequest request = {.method = "HEAD", .url = url, .stops_at_other_host = true};
  if (!attn_hub_client_send (client, &request, &answer, error))
    return false;
  const char *commit = peek_header (&answer, "X-Repo-Commit");
  if (commit == NULL || !attn_hub_name_is_commit (commit)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: %s does not tell the model's commit (X-Repo-Commit), so it is no Hub; check "
                 "HF_ENDPOINT, or what stands between here and there",
                 client->repo, client->places->endpoint);
    return false;
  }
  const char *linked = peek_header (&answer, "X-Linked-Etag");
  *metadata = (AttnHubMetadata){
      .commit = g_strdup (commit),
      .etag = dup_etag (linked != NULL ? linked : peek_header (&answer, "ETag")),
      .url = g_strdup (answer.location != NULL ? answer.location : answer.url),
      .n_bytes = read_size (&answer),
  };
  return true;
}

/* The path of <URL>; rel="next". */
static char *
dup_next (AttnHubClient *client, const AttnHubAnswer *answer)
{
  const char *header = peek_header (answer, "Link");
  const char *rel = header == NULL ? NULL : strstr (header, "rel=\"next\"");
  const char *end = rel == NULL ? NULL : g_strrstr_len (header, rel - header, ">");
  const char *start = end == NULL ? NULL : g_strrstr_len (header, end - header, "<");
  if (start == NULL)
    return NULL;
  g_autofree char *written = g_strndup (start + 1, (gsize)(end - start - 1));
  g_autofree char *rewritten = attn_hub_client_dup_rewritten (client, written);
  g_autofree char *url = g_uri_resolve_relative (answer->url, rewritten, G_URI_FLAGS_ENCODED, NULL);
  size_t n = strlen (client->places->endpoint);
  return url != NULL && g_str_has_prefix (url, client->places->endpoint) && url[n] == '/'
             ? g_strdup (url + n)
             : NULL;
}

/* All of a small answer; a break in it is the network's error. */
static GByteArray *
read_all (AttnHubClient *client, GInputStream *stream, size_t max_bytes, GError **network)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 piece[16 << 10];
  while (all->len <= max_bytes) {
    gssize n = g_input_stream_read (stream, piece, sizeof piece, client->stop, network);
    if (n < 0)
      return NULL;
    if (n == 0)
      break;
    g_byte_array_append (all, piece, (guint)n);
  }
  return g_steal_pointer (&all);
}

char *
attn_hub_client_load (AttnHubClient *client,
                      const char *path,
                      size_t max_bytes,
                      size_t *n_bytes,
                      char **next,
                      GError **error)
{
  g_autofree char *url = g_strconcat (client->places->endpoint, path, NULL);
  AttnHubRequest request = {.method = "GET", .url = url};
  for (unsigned n = 1;; n++) {
    g_auto (AttnHubAnswer) answer = {0};
    g_autoptr (GError) network = NULL;
    if (!attn_hub_client_send (client, &request, &answer, error))
      return NULL;
    g_autoptr (GByteArray) all = read_all (client, answer.stream, max_bytes, &network);
    if (all == NULL) {
      if (!attn_hub_client_prepare_retry (client, &answer, network, n, error))
        return NULL;
      continue;
    }
    if (all->len > max_bytes) {
      g_set_error (
          error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
          "%s: the server answers with more than %zu bytes where little is expected; check "
          "HF_ENDPOINT",
          client->repo, max_bytes);
      return NULL;
    }
    *n_bytes = all->len;
    if (next != NULL)
      *next = dup_next (client, &answer);
    g_byte_array_append (all, (const guint8 *)"", 1);
    return (char *)g_byte_array_free (g_steal_pointer (&all), FALSE);
  }
}

void
attn_hub_body_clear (AttnHubBody *body)
{
  g_clear_object (&body->stream);
}

/* Where the content starts: a server may pass over a Range, or answer with another one. */
static guint64
read_start (const AttnHubAnswer *answer)
{
  goffset first = 0, end = 0, total = 0;
  if (soup_message_get_status (answer->message) != SOUP_STATUS_PARTIAL_CONTENT)
    return 0;
  /* a part of what is compressed is of no use */
  if (peek_header (answer, "Content-Encoding") != NULL ||
      !soup_message_headers_get_content_range (soup_message_get_response_headers (answer->message),
                                               &first, &end, &total))
    return G_MAXUINT64;
  return (guint64)first;
}

bool
attn_hub_client_open (
    AttnHubClient *client, const char *url, guint64 first, AttnHubBody *body, GError **error)
{
  g_auto (AttnHubAnswer) answer = {0};
  AttnHubRequest request = {.method = "GET", .url = url, .first = first, .is_content = true};
  if (!attn_hub_client_send (client, &request, &answer, error))
    return false;
  bool is_beyond =
      soup_message_get_status (answer.message) == SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE;
  *body = (AttnHubBody){
      .stream = is_beyond ? NULL : g_steal_pointer (&answer.stream),
      .first = is_beyond ? first : read_start (&answer),
      .is_beyond = is_beyond,
  };
  return true;
}
