/* SPDX-License-Identifier: MIT */
/* The fake hub's sockets and threads: one for each port, one for each connection. */
#include "fake-hub-private.h"
#include "test-util.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#define MAX_HEAD ((gsize)64 << 10)

typedef struct {
  FakeHub *hub;
  GSocket *socket;
  bool at_files;
} Connection;

/* Up to the empty line. NULL at the end of the connection. */
static char *
read_head (GInputStream *in, GCancellable *stop)
{
  g_autoptr (GString) head = g_string_new (NULL);
  while (!g_str_has_suffix (head->str, "\r\n\r\n")) {
    char byte;
    if (head->len > MAX_HEAD || g_input_stream_read (in, &byte, 1, stop, NULL) != 1)
      return NULL;
    g_string_append_c (head, byte);
  }
  return g_string_free (g_steal_pointer (&head), FALSE);
}

static void
request_clear (HubRequest *request)
{
  g_free (request->method);
  g_free (request->target);
  g_free (request->path);
  g_free (request->query);
  g_strfreev (request->lines);
}

/* A proxy is asked for whole addresses: what is before the path is passed over then. */
static char *
dup_target (const char *sent)
{
  const char *host = strstr (sent, "://");
  const char *slash = host == NULL || *sent == '/' ? NULL : strchr (host + 3, '/');
  return g_strdup (slash != NULL ? slash : sent);
}

static bool
parse_request (char *head, HubRequest *request)
{
  g_auto (GStrv) lines = g_strsplit (g_strchomp (head), "\r\n", -1);
  g_auto (GStrv) words = g_strsplit (lines[0] != NULL ? lines[0] : "", " ", 3);
  if (g_strv_length (words) != 3)
    return false;
  request->method = g_strdup (words[0]);
  request->target = dup_target (words[1]);
  const char *query = strchr (request->target, '?');
  g_autofree char *sent = query == NULL
                              ? g_strdup (request->target)
                              : g_strndup (request->target, (gsize)(query - request->target));
  request->path = g_uri_unescape_string (sent, NULL);
  request->query = g_strdup (query == NULL ? NULL : query + 1);
  request->lines = g_strdupv (lines + 1);
  return request->path != NULL;
}

static void
log_request (FakeHub *hub, const HubRequest *request)
{
  g_string_append_printf (hub->log, "%s %s %s\n", request->at_files ? "files" : "hub",
                          request->method, request->target);
  for (char **line = request->lines; *line != NULL; line++)
    g_string_append_printf (hub->log, "\t%s\n", *line);
}

static bool
serve (FakeHub *hub, GIOStream *stream, GInputStream *in, bool at_files)
{
  g_autofree char *head = read_head (in, hub->stop);
  HubRequest request = {.at_files = at_files};
  bool again = false;
  if (head != NULL && parse_request (head, &request)) {
    HubAnswer answer;
    g_mutex_lock (&hub->lock);
    log_request (hub, &request);
    fake_hub_answer_honestly (hub, &request, &answer);
    fake_hub_misbehave (hub, &request, &answer);
    g_mutex_unlock (&hub->lock);
    again = fake_hub_send (stream, &request, &answer, hub->stop);
    fake_hub_answer_clear (&answer);
  }
  request_clear (&request);
  return again;
}

static void *
run_connection (void *data)
{
  Connection *connection = data;
  FakeHub *hub = connection->hub;
  g_autoptr (GIOStream) stream =
      G_IO_STREAM (g_socket_connection_factory_create_connection (connection->socket));
  if (hub->certificate != NULL) {
    GIOStream *plain = g_steal_pointer (&stream);
    stream = g_tls_server_connection_new (plain, hub->certificate, NULL);
    g_object_unref (plain);
  }
  if (stream != NULL) {
    g_autoptr (GInputStream) in =
        g_buffered_input_stream_new (g_io_stream_get_input_stream (stream));
    while (serve (hub, stream, in, connection->at_files))
      continue;
    g_io_stream_close (stream, NULL, NULL);
  }
  g_object_unref (connection->socket);
  g_free (connection);
  return NULL;
}

static void *
accept_connections (void *data)
{
  Connection *template = data;
  FakeHub *hub = template->hub;
  while (!g_cancellable_is_cancelled (hub->stop)) {
    GSocket *socket = g_socket_accept (template->socket, hub->stop, NULL);
    if (socket == NULL)
      continue;
    g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
    Connection *connection = g_new (Connection, 1);
    *connection = (Connection){hub, socket, template->at_files};
    g_mutex_lock (&hub->lock);
    g_ptr_array_add (hub->threads, g_thread_new ("connection", run_connection, connection));
    g_mutex_unlock (&hub->lock);
  }
  g_free (template);
  return NULL;
}

static void
listen_at (FakeHub *hub, int index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  GSocket *socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error);
  if (socket == NULL || !g_socket_bind (socket, any, TRUE, &error) ||
      !g_socket_listen (socket, &error))
    g_error ("fake hub: %s", error->message);
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (socket, NULL);
  guint port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  hub->sockets[index] = socket;
  hub->urls[index] =
      g_strdup_printf ("http%s://127.0.0.1:%u", hub->certificate != NULL ? "s" : "", port);
}

static GTlsCertificate *
load_certificate (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_data_path ("hub/untrusted.pem");
  GTlsCertificate *certificate = g_tls_certificate_new_from_file (path, &error);
  if (certificate == NULL)
    g_error ("fake hub: %s", error->message);
  return certificate;
}

FakeHub *
fake_hub_new (bool tls)
{
  FakeHub *hub = g_new0 (FakeHub, 1);
  g_mutex_init (&hub->lock);
  hub->models = g_ptr_array_new_with_free_func (fake_hub_model_free);
  hub->renames = g_ptr_array_new_with_free_func (g_free);
  hub->rules = g_ptr_array_new_with_free_func (fake_hub_rule_free);
  hub->threads = g_ptr_array_new ();
  hub->log = g_string_new (NULL);
  hub->page_size = 1000;
  hub->stop = g_cancellable_new ();
  hub->certificate = tls ? load_certificate () : NULL;
  for (int i = 0; i < 2; i++)
    listen_at (hub, i);
  for (int i = 0; i < 2; i++) {
    Connection *template = g_new (Connection, 1);
    *template = (Connection){hub, hub->sockets[i], i == 1};
    hub->acceptors[i] = g_thread_new ("port", accept_connections, template);
  }
  return hub;
}

void
fake_hub_free (FakeHub *hub)
{
  g_cancellable_cancel (hub->stop);
  for (int i = 0; i < 2; i++) {
    g_thread_join (hub->acceptors[i]);
    g_object_unref (hub->sockets[i]);
    g_free (hub->urls[i]);
  }
  for (guint i = 0; i < hub->threads->len; i++)
    g_thread_join (g_ptr_array_index (hub->threads, i));
  g_ptr_array_unref (hub->threads);
  g_ptr_array_unref (hub->models);
  g_ptr_array_unref (hub->renames);
  g_ptr_array_unref (hub->rules);
  g_string_free (hub->log, TRUE);
  g_clear_object (&hub->certificate);
  g_object_unref (hub->stop);
  g_mutex_clear (&hub->lock);
  g_free (hub);
}

const char *
fake_hub_peek_url (FakeHub *hub)
{
  return hub->urls[0];
}

const char *
fake_hub_peek_files_url (FakeHub *hub)
{
  return hub->urls[1];
}

void
fake_hub_set_page_size (FakeHub *hub, size_t n_files)
{
  g_mutex_lock (&hub->lock);
  hub->page_size = n_files;
  g_mutex_unlock (&hub->lock);
}

char *
fake_hub_dup_log (FakeHub *hub)
{
  g_mutex_lock (&hub->lock);
  char *log = g_strdup (hub->log->str);
  g_mutex_unlock (&hub->lock);
  return log;
}

void
fake_hub_clear_log (FakeHub *hub)
{
  g_mutex_lock (&hub->lock);
  g_string_truncate (hub->log, 0);
  g_mutex_unlock (&hub->lock);
}

size_t
fake_hub_count (FakeHub *hub, const char *pattern)
{
  g_autofree char *log = fake_hub_dup_log (hub);
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);
  size_t n = 0;
  for (char **line = lines; *line != NULL; line++)
    n += (*line)[0] != '\t' && g_pattern_match_simple (pattern, *line);
  return n;
}
