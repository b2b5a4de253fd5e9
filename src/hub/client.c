/* SPDX-License-Identifier: MIT */
/* Requests of the Hub over libsoup, one after the other on the caller's thread. */
#include "client-private.h"
#include "deadline.h"
#include "hs-build.h"
#include "proxy.h"
#include "waits.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <string.h>

#define MAX_REDIRECTS 5
#define FIRST_WAIT_MS 1000
#define MAX_WAIT_MS (60 * 1000) /* a server that wants more is not waited for */

void
attn_hub_answer_clear (AttnHubAnswer *answer)
{
  g_clear_object (&answer->stream);
  g_clear_object (&answer->message);
  g_clear_pointer (&answer->url, g_free);
  g_clear_pointer (&answer->location, g_free);
}

/* The file of certificates to trust instead of the system's, as Python's libraries are told. */
static GTlsDatabase *
load_trusted (const AttnHubPlaces *places, GError **error)
{
  static const char *const names[] = {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const char *path = g_environ_getenv (places->environment, names[i]);
    if (path == NULL || *path == '\0')
      continue;
    g_autoptr (GError) found = NULL;
    g_autofree char *absolute = g_canonicalize_filename (path, NULL);
    GTlsDatabase *trusted = g_tls_file_database_new (absolute, &found);
    if (trusted == NULL)
      g_set_error (
          error, ATTN_ERROR, ATTN_ERROR_IO,
          "%s: is named by %s, but no certificates can be read from it (%s); name a file of "
          "certificates in PEM form, or take %s out of the environment",
          path, names[i], found->message, names[i]);
    return trusted;
  }
  return NULL;
}

static SoupSession *
session_new (unsigned timeout_s, GProxyResolver *proxies, GTlsDatabase *trusted)
{
  SoupSession *session = soup_session_new_with_options (
      "user-agent", "headscope/" HS_VERSION, "timeout", timeout_s, "proxy-resolver", proxies, NULL);
  if (trusted != NULL)
    soup_session_set_tls_database (session, trusted);
  return session;
}

static bool
open_sessions (AttnHubClient *client, GError **error)
{
  g_autoptr (GError) failed = NULL;
  g_autoptr (GTlsDatabase) trusted = load_trusted (client->places, &failed);
  if (failed != NULL) {
    g_propagate_error (error, g_steal_pointer (&failed));
    return false;
  }
  client->proxies = attn_hub_proxy_new (client->places->environment, error);
  if (client->proxies == NULL)
    return false;
  client->asking = session_new (client->places->metadata_timeout_s, client->proxies, trusted);
  client->receiving = session_new (client->places->download_timeout_s, client->proxies, trusted);
  return true;
}

/* Whether an address is one that can be asked. */
static bool
is_usable (GUri *uri)
{
  const char *scheme = uri == NULL ? "" : g_uri_get_scheme (uri);
  const char *host = uri == NULL ? NULL : g_uri_get_host (uri);
  return (strcmp (scheme, "https") == 0 || strcmp (scheme, "http") == 0) && host != NULL &&
         *host != '\0';
}

static bool
parse_endpoint (AttnHubClient *client, GError **error)
{
  const char *endpoint = client->places->endpoint;
  client->endpoint = g_uri_parse (endpoint, G_URI_FLAGS_NONE, NULL);
  if (is_usable (client->endpoint))
    return true;
  g_autofree char *shown = attn_file_dup_shown (endpoint, strlen (endpoint));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "HF_ENDPOINT: found \"%s\", wanted an address like " ATTN_HUB_DEFAULT_ENDPOINT,
               shown);
  return false;
}

AttnHubClient *
attn_hub_client_new (const AttnHubPlaces *places,
                     const char *repo,
                     GCancellable *stop,
                     GError **error)
{
  if (places->is_offline) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE forbids to ask any server; take it "
                 "out of the environment to fetch models",
                 repo);
    return NULL;
  }
  AttnHubClient *client = g_new0 (AttnHubClient, 1);
  client->places = places;
  client->repo = g_strdup (repo);
  client->stop = stop == NULL ? g_cancellable_new () : g_object_ref (stop);
  client->context = g_main_context_new ();
  g_main_context_push_thread_default (client->context);
  client->first_wait_ms = FIRST_WAIT_MS;
  const char *wait = g_environ_getenv (places->environment, "HEADSCOPE_RETRY_MS");
  if (wait != NULL)
    g_ascii_string_to_unsigned (wait, 10, 1, MAX_WAIT_MS, &client->first_wait_ms, NULL);
  if (!parse_endpoint (client, error) ||
      !attn_hub_places_load_token (places, &client->token, error) || !open_sessions (client, error))
    g_clear_pointer (&client, attn_hub_client_free);
  return client;
}

void
attn_hub_client_free (AttnHubClient *client)
{
  if (client == NULL)
    return;
  g_clear_object (&client->proxies);
  g_clear_object (&client->asking);
  g_clear_object (&client->receiving);
  g_main_context_pop_thread_default (client->context);
  g_main_context_unref (client->context);
  g_clear_pointer (&client->endpoint, g_uri_unref);
  g_object_unref (client->stop);
  g_free (client->repo);
  g_free (client->token);
  g_free (client);
}

void
attn_hub_client_set_wait_func (AttnHubClient *client, AttnHubWaitFunc func, void *data)
{
  client->wait_func = func;
  client->wait_data = data;
}

bool
attn_hub_client_sleep (AttnHubClient *client, guint64 wait_ms, const char *why, GError **error)
{
  GPollFD stopped;
  if (client->wait_func != NULL)
    client->wait_func (why, client->wait_data);
  if (g_cancellable_make_pollfd (client->stop, &stopped)) {
    g_poll (&stopped, 1, (int)MIN (wait_ms, MAX_WAIT_MS));
    g_cancellable_release_fd (client->stop);
  }
  if (client->wait_func != NULL)
    client->wait_func (NULL, client->wait_data);
  if (!g_cancellable_is_cancelled (client->stop))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "%s: stopped", client->repo);
  return false;
}

/* 1, 2, 4, 8, 8 … times the first wait. */
bool
attn_hub_client_wait (AttnHubClient *client, unsigned n, const char *why, GError **error)
{
  return attn_hub_client_sleep (client, client->first_wait_ms << MIN (n - 1, 3), why, error);
}

void
attn_hub_client_explain (AttnHubClient *client, const GError *from, GError **error)
{
  attn_hub_refuse_network (client, client->places->endpoint, from, error);
}

bool
attn_hub_client_is_expired (const AttnHubClient *client)
{
  return client->status == 401 || client->status == 403 || client->status == 410;
}

static int
get_port (GUri *uri)
{
  int port = g_uri_get_port (uri);
  return port > 0 ? port : strcmp (g_uri_get_scheme (uri), "https") == 0 ? 443 : 80;
}

static bool
is_same_host (GUri *a, GUri *b)
{
  return strcmp (g_uri_get_scheme (a), g_uri_get_scheme (b)) == 0 &&
         g_ascii_strcasecmp (g_uri_get_host (a), g_uri_get_host (b)) == 0 &&
         get_port (a) == get_port (b);
}

/* A mirror passes on what the Hub says of itself: the mirror is meant. */
char *
attn_hub_client_dup_rewritten (AttnHubClient *client, const char *url)
{
  size_t n = strlen (ATTN_HUB_DEFAULT_ENDPOINT);
  if (client->places->is_mirror && g_str_has_prefix (url, ATTN_HUB_DEFAULT_ENDPOINT) &&
      (url[n] == '/' || url[n] == '\0'))
    return g_strconcat (client->places->endpoint, url + n, NULL);
  return g_strdup (url);
}

static SoupMessage *
message_new (AttnHubClient *client, const AttnHubRequest *request, const char *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
  if (!is_usable (uri)) {
    g_set_error (
        error, ATTN_ERROR, ATTN_ERROR_FORMAT,
        "%s: the server leads to an address that cannot be used; try again later, or without "
        "HF_ENDPOINT where it is set",
        client->repo);
    return NULL;
  }
  SoupMessage *message = soup_message_new_from_uri (request->method, uri);
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  soup_message_headers_replace (headers, "Accept-Encoding", "identity");
  if (client->token != NULL && is_same_host (uri, client->endpoint)) {
    g_autofree char *bearer = g_strconcat ("Bearer ", client->token, NULL);
    soup_message_headers_replace (headers, "Authorization", bearer);
  }
  if (request->first > 0) {
    g_autofree char *range = g_strdup_printf ("bytes=%" G_GUINT64_FORMAT "-", request->first);
    soup_message_headers_replace (headers, "Range", range);
  }
  return message;
}

/* Where a redirect leads; NULL with @error where it may not. */
static char *
find_location (AttnHubClient *client, SoupMessage *message, const char *url, GError **error)
{
  const char *header =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  g_autofree char *rewritten =
      header == NULL ? NULL : attn_hub_client_dup_rewritten (client, header);
  g_autofree char *target =
      rewritten == NULL ? NULL : g_uri_resolve_relative (url, rewritten, G_URI_FLAGS_ENCODED, NULL);
  if (target == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: the server redirects without telling where to; try again later, or without "
                 "HF_ENDPOINT where it is set",
                 client->repo);
  else if (g_str_has_prefix (url, "https:") && !g_str_has_prefix (target, "https:"))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: the server leads from an encrypted connection to one that is not; nothing is "
                 "fetched from there: check HF_ENDPOINT",
                 client->repo);
  else
    return g_steal_pointer (&target);
  return NULL;
}

static bool
is_at_endpoint (AttnHubClient *client, const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL);
  return is_usable (uri) && is_same_host (uri, client->endpoint);
}

/* Others of 3xx lead nowhere. */
static bool
is_redirect (guint status)
{
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Sends one request and waits for all headers of the answer. libsoup bounds each wait for a byte,
 * not all of them together: a server that sends one a second would be waited for without an end. */
static GInputStream *
send_in_time (AttnHubClient *client, SoupMessage *message, bool is_content, GError **error)
{
  unsigned timeout_s =
      is_content ? client->places->download_timeout_s : client->places->metadata_timeout_s;
  g_autoptr (GError) failed = NULL;
  g_autoptr (AttnHubDeadline) deadline = attn_hub_deadline_new (client->stop, timeout_s);
  GInputStream *stream =
      soup_session_send (is_content ? client->receiving : client->asking, message,
                         attn_hub_deadline_peek_cancellable (deadline), &failed);
  bool is_late = attn_hub_deadline_end (deadline) && !g_cancellable_is_cancelled (client->stop);
  if (stream == NULL && is_late && g_error_matches (failed, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "no whole answer within %u s", timeout_s);
  else if (stream == NULL)
    g_propagate_error (error, g_steal_pointer (&failed));
  return stream;
}

/* One try, through all redirects. @network (out): an error of the network, which may pass. */
static bool
try_once (AttnHubClient *client,
          const AttnHubRequest *request,
          AttnHubAnswer *answer,
          GError **network,
          GError **error)
{
  answer->url = g_strdup (request->url);
  for (unsigned n = 0; n <= MAX_REDIRECTS; n++) {
    g_clear_object (&answer->stream);
    g_clear_object (&answer->message);
    answer->message = message_new (client, request, answer->url, error);
    if (answer->message == NULL)
      return false;
    answer->stream = send_in_time (client, answer->message, request->is_content, network);
    client->status = 0;
    if (answer->stream == NULL)
      return true;
    client->was_answered = true;
    client->status = soup_message_get_status (answer->message);
    if (!is_redirect (client->status))
      return true;
    g_autofree char *target = find_location (client, answer->message, answer->url, error);
    if (target == NULL)
      return false;
    if (request->stops_at_other_host && !is_at_endpoint (client, target)) {
      answer->location = g_steal_pointer (&target);
      return true;
    }
    g_free (answer->url);
    answer->url = g_steal_pointer (&target);
  }
  g_set_error (
      error, ATTN_ERROR, ATTN_ERROR_FORMAT,
      "%s: the server redirects in a circle; try again later, or without HF_ENDPOINT where "
      "it is set",
      client->repo);
  return false;
}

/* What to do after a try that did not go well: false with @error, or once more. */
bool
attn_hub_client_prepare_retry (
    AttnHubClient *client, AttnHubAnswer *answer, const GError *network, unsigned n, GError **error)
{
  if (network != NULL) {
    if (n >= ATTN_HUB_MAX_TRIES || !attn_hub_is_worth_a_retry (client, network))
      return attn_hub_refuse_network (client, answer->url, network, error);
    return attn_hub_client_wait (client, n, attn_hub_waits_peek (ATTN_HUB_WAITS_CONNECTION), error);
  }
  guint64 wait_ms = attn_hub_read_wait (answer->message);
  if (n >= ATTN_HUB_MAX_TRIES || !attn_hub_is_busy (soup_message_get_status (answer->message)) ||
      wait_ms > MAX_WAIT_MS)
    return attn_hub_refuse_answer (client, answer->message, error);
  const char *why = attn_hub_waits_peek (ATTN_HUB_WAITS_SERVER);
  return wait_ms > 0 ? attn_hub_client_sleep (client, wait_ms, why, error)
                     : attn_hub_client_wait (client, n, why, error);
}

bool
attn_hub_client_send (AttnHubClient *client,
                      const AttnHubRequest *request,
                      AttnHubAnswer *answer,
                      GError **error)
{
  for (unsigned n = 1;; n++) {
    g_autoptr (GError) network = NULL;
    if (!try_once (client, request, answer, &network, error))
      return false;
    guint status = network != NULL ? 0 : soup_message_get_status (answer->message);
    if (SOUP_STATUS_IS_SUCCESSFUL (status) || answer->location != NULL ||
        (status == SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE && request->first > 0))
      return true;
    if (!attn_hub_client_prepare_retry (client, answer, network, n, error))
      return false;
    attn_hub_answer_clear (answer);
  }
}
