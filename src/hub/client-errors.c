/* SPDX-License-Identifier: MIT */
/* What servers and networks answer, as sentences that say what to try. */
#include "client-private.h"
#include "proxy.h"

#include "attn-hub/fetch.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <string.h>

static const char *
peek_header (SoupMessage *message, const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (message), name);
}

/* The host of an address, for messages: the rest of it may hold a signature. */
static char *
dup_host (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  const char *host = uri == NULL ? NULL : g_uri_get_host (uri);
  return host == NULL ? g_strdup ("the server") : attn_file_dup_shown (host, strlen (host));
}

bool
attn_hub_is_busy (guint status)
{
  static const guint busy[] = {408, 429, 500, 502, 503, 504};
  for (size_t i = 0; i < G_N_ELEMENTS (busy); i++)
    if (busy[i] == status)
      return true;
  return false;
}

/* "api";r=0;t=55: nothing remains for 55 s. It stands in every answer, mostly with something left.
 */
static guint64
read_rate_limit (const char *header)
{
  const char *remaining = header == NULL ? NULL : strstr (header, ";r=");
  const char *reset = header == NULL ? NULL : strstr (header, ";t=");
  if (remaining == NULL || reset == NULL || g_ascii_strtoull (remaining + 3, NULL, 10) != 0 ||
      !g_ascii_isdigit (remaining[3]))
    return 0;
  return MIN (g_ascii_strtoull (reset + 3, NULL, 10), G_MAXUINT32) * 1000 + 1000;
}

guint64
attn_hub_read_wait (SoupMessage *message)
{
  guint64 wait_ms = read_rate_limit (peek_header (message, "RateLimit"));
  const char *after = peek_header (message, "Retry-After");
  guint64 seconds = 0;
  if (wait_ms > 0 || after == NULL)
    return wait_ms;
  if (g_ascii_string_to_unsigned (after, 10, 0, G_MAXUINT32, &seconds, NULL))
    return seconds * 1000;
  g_autoptr (GDateTime) date = soup_date_time_new_from_http_string (after);
  gint64 left = date == NULL ? 0 : g_date_time_to_unix (date) - g_get_real_time () / G_USEC_PER_SEC;
  return left > 0 ? (guint64)left * 1000 : 0;
}

static bool
is_code (SoupMessage *message, const char *code)
{
  return g_strcmp0 (peek_header (message, "X-Error-Code"), code) == 0;
}

/* Whether the server's own words hold these. */
static bool
says (SoupMessage *message, const char *words)
{
  const char *said = peek_header (message, "X-Error-Message");
  return said != NULL && strstr (said, words) != NULL;
}

static bool
refuse (GError **error, const char *repo, const char *what)
{
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: %s", repo, what);
  return false;
}

static bool
refuse_gated (AttnHubClient *client, GError **error)
{
  if (client->token != NULL)
    g_set_error (
        error, ATTN_ERROR, ATTN_ERROR_IO,
        "%s: it is open only to those who accepted its terms, and whose token is given has "
        "not; accept them at %s/%s with that account, or give another token in HF_TOKEN",
        client->repo, client->places->endpoint, client->repo);
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: it is open only to those who accepted its terms: accept them at %s/%s, then "
                 "give a token of your account in HF_TOKEN or in the file %s",
                 client->repo, client->places->endpoint, client->repo, client->places->token_file);
  return false;
}

static bool
refuse_unknown (AttnHubClient *client, GError **error)
{
  const AttnHubSuggestion *meant = attn_hub_suggestion_find (client->repo);
  if (meant != NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: there is no such model; the usual one of this name is %s", client->repo,
                 meant->name);
    return false;
  }
  return refuse (
      error, client->repo,
      client->token == NULL
          ? "there is no such model, or it is private or open only to those who accepted "
            "its terms; check the name (owner/name), or give a token in HF_TOKEN"
          : "there is no such model, or the token may not see it; check the name "
            "(owner/name) and whose token it is");
}

bool
attn_hub_refuse_disabled (AttnHubClient *client, GError **error)
{
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: the Hub has disabled this model; why may stand at %s/%s", client->repo,
               client->places->endpoint, client->repo);
  return false;
}

static bool
refuse_forbidden (AttnHubClient *client, SoupMessage *message, GError **error)
{
  if (says (message, "Access to this resource is disabled"))
    return attn_hub_refuse_disabled (client, error);
  return refuse (error, client->repo,
                 client->token == NULL
                     ? "the server forbids this to those without a token; give one in HF_TOKEN"
                     : "the server forbids this; the token needs the permission to read the model");
}

static bool
refuse_missing (AttnHubClient *client, SoupMessage *message, GError **error)
{
  if (is_code (message, "RevisionNotFound"))
    return refuse (error, client->repo,
                   "the model is there, but not this revision; leave out what is after the @ for "
                   "the newest");
  if (is_code (message, "EntryNotFound"))
    return refuse (error, client->repo,
                   "the server lists a file that it does not have; try again later, or without "
                   "HF_ENDPOINT where it is set");
  if (is_code (message, "RepoNotFound") && attn_hub_suggestion_find (client->repo) != NULL)
    return refuse_unknown (client, error);
  if (is_code (message, "RepoNotFound"))
    return refuse (error, client->repo,
                   "there is no such model; check the name, which is owner/name");
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: %s answers that there is nothing of this name; check the name (owner/name)%s",
               client->repo, client->places->endpoint,
               client->places->is_mirror ? ", and that HF_ENDPOINT names a Hub" : "");
  return false;
}

static bool
refuse_by_proxy (AttnHubClient *client, const char *url, GError **error)
{
  g_autofree char *proxy = attn_hub_proxy_dup_host (client->proxies, url);
  g_autofree char *shown = proxy == NULL ? NULL : attn_file_dup_shown (proxy, strlen (proxy));
  g_set_error (
      error, ATTN_ERROR, ATTN_ERROR_IO,
      "%s: the proxy %s wants a name and a password that it knows; give them in HTTPS_PROXY "
      "as http://NAME:PASSWORD@PROXY:PORT",
      client->repo, shown != NULL ? shown : "on the way");
  return false;
}

bool
attn_hub_refuse_answer (AttnHubClient *client, SoupMessage *message, GError **error)
{
  guint status = soup_message_get_status (message);
  g_autofree char *url = g_uri_to_string (soup_message_get_uri (message));
  g_autofree char *host = dup_host (url);
  if ((status == 401 || status == 403) && is_code (message, "GatedRepo"))
    return refuse_gated (client, error);
  if (status == 401 && says (message, "Invalid credentials"))
    return refuse (error, client->repo,
                   "the Hub does not know the token; make a new one, or take it out of HF_TOKEN "
                   "and the token file: public models need none");
  if (status == 401)
    return refuse_unknown (client, error);
  if (status == 403)
    return refuse_forbidden (client, message, error);
  if (status == 404)
    return refuse_missing (client, message, error);
  if (status == 407)
    return refuse_by_proxy (client, url, error);
  if (status == 429)
    return refuse (error, client->repo,
                   "the server wants fewer requests from this address; try again in five minutes");
  if (attn_hub_is_busy (status)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: %s has trouble (it answered %u %d times); try again later", client->repo,
                 host, status, ATTN_HUB_MAX_TRIES);
    return false;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: %s answered %u, wanted is 200; try again later", client->repo, host, status);
  return false;
}

static bool
is_proxy_error (const GError *from)
{
  return g_error_matches (from, G_IO_ERROR, G_IO_ERROR_PROXY_FAILED) ||
         g_error_matches (from, G_IO_ERROR, G_IO_ERROR_PROXY_AUTH_FAILED) ||
         g_error_matches (from, G_IO_ERROR, G_IO_ERROR_PROXY_NEED_AUTH) ||
         g_error_matches (from, G_IO_ERROR, G_IO_ERROR_PROXY_NOT_ALLOWED);
}

/* What an encrypted connection that is cut off looks like: any other does the same. */
static bool
is_cut (const GError *from)
{
  return g_error_matches (from, G_TLS_ERROR, G_TLS_ERROR_EOF);
}

static bool
is_certificate_error (const GError *from)
{
  return g_error_matches (from, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE) ||
         g_error_matches (from, G_TLS_ERROR, G_TLS_ERROR_CERTIFICATE_REQUIRED);
}

/* Bad certificates, and at first names that do not resolve and refusals, stay so; what worked
 * before may again.
 */
bool
attn_hub_is_worth_a_retry (const AttnHubClient *client, const GError *from)
{
  if (is_certificate_error (from) || is_proxy_error (from))
    return false;
  if (g_error_matches (from, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return false;
  bool is_unreachable = from->domain == G_RESOLVER_ERROR ||
                        g_error_matches (from, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) ||
                        g_error_matches (from, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE) ||
                        g_error_matches (from, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE);
  return !is_unreachable || client->was_answered;
}

/* Who answers in the place of the server, or is between: "HOST", or "HOST through the proxy PROXY".
 */
static char *
dup_way (const AttnHubClient *client, const char *url)
{
  char *host = dup_host (url);
  g_autofree char *proxy = attn_hub_proxy_dup_host (client->proxies, url);
  if (proxy == NULL)
    return host;
  g_autofree char *shown = attn_file_dup_shown (proxy, strlen (proxy));
  char *both = g_strdup_printf ("%s through the proxy %s", host, shown);
  g_free (host);
  return both;
}

bool
attn_hub_client_refuse_content (AttnHubClient *client, GError *from, GError **error)
{
  g_autofree char *way = dup_way (client, client->places->endpoint);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: %s does not answer as a Hub does (%s); where this network wants a sign-in, do "
               "that in a browser first; otherwise check HF_ENDPOINT and HTTPS_PROXY",
               client->repo, way, from->message);
  g_error_free (from);
  return false;
}

/* What is to be said of an error of the network. */
typedef struct {
  const char *before, *after; /* of who was asked */
  const char *advice;
} Words;

static Words
find_words (const GError *from)
{
  if (is_certificate_error (from))
    return (Words){"the certificate of", " cannot be trusted",
                   "check this computer's clock; where a company's proxy has a certificate of its "
                   "own, name its file in SSL_CERT_FILE"};
  if (is_proxy_error (from))
    return (Words){"no way to", "", "check HTTPS_PROXY and NO_PROXY"};
  if (from->domain == G_RESOLVER_ERROR)
    return (Words){"the address of", " cannot be found",
                   "check the connection, or HTTPS_PROXY and HF_ENDPOINT where they are needed"};
  if (from->domain == G_TLS_ERROR && !is_cut (from))
    return (Words){"no encrypted connection to", "",
                   "check HF_ENDPOINT and HTTPS_PROXY, and what stands between here and there"};
  if (g_error_matches (from, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return (Words){"nothing comes any more from", "",
                   "check the network, then try again: what has arrived is kept"};
  return (Words){"no connection to", "",
                 "check the network, then try again: what has arrived is kept"};
}

bool
attn_hub_refuse_network (AttnHubClient *client, const char *url, const GError *from, GError **error)
{
  g_autofree char *way = dup_way (client, url);
  g_autofree char *detail = attn_file_dup_shown (from->message, strlen (from->message));
  Words words = find_words (from);
  if (g_error_matches (from, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "%s: stopped", client->repo);
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: %s %s%s (%s); %s", client->repo,
                 words.before, way, words.after, detail, words.advice);
  return false;
}
