/* SPDX-License-Identifier: MIT */
/* Reading the environment's proxies. */
#include "proxy.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <stdbool.h>
#include <string.h>

#define DIRECT "direct://"

/* A variable in small or capital letters, or NULL where neither is set or both are empty.
 * @found: (out): its name as it stands there */
static const char *
peek_variable (char **environment, const char *const names[2], const char **found)
{
  for (size_t i = 0; i < 2; i++) {
    const char *value = g_environ_getenv (environment, names[i]);
    *found = names[i];
    if (value != NULL && *value != '\0')
      return value;
  }
  return NULL;
}

/* @address is shown without the password that may stand in it. */
static char *
refuse (const char *variable, const char *address, GError **error)
{
  const char *at = strrchr (address, '@');
  const char *rest = at != NULL ? at : address;
  g_autofree char *shown = attn_file_dup_shown (rest, strlen (rest));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: found \"%s%s\", wanted a proxy's address like http://proxy.example:3128, or "
               "http://NAME:PASSWORD@proxy.example:3128",
               variable, at != NULL ? "…" : "", shown);
  return NULL;
}

/* @host: (nullable). */
static bool
is_host (const char *host)
{
  if (host == NULL || *host == '\0')
    return false;
  for (const char *p = host; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("-._", *p) == NULL && (guchar)*p < 0x80)
      return g_hostname_is_ip_address (host);
  return true;
}

/* "proxy:3128" is "http://proxy:3128"; names in SOCKS are always resolved by the proxy. */
static char *
dup_address (const char *value, const char *variable, GError **error)
{
  static const char *const schemes[] = {"http", "https", "socks", "socks4", "socks4a", "socks5"};
  g_autofree char *trimmed = g_strdup (value);
  g_strstrip (trimmed);
  const char *rest = strstr (trimmed, "://");
  g_autofree char *scheme =
      rest == NULL ? g_strdup ("http") : g_ascii_strdown (trimmed, rest - trimmed);
  g_autofree char *address =
      g_strconcat (strcmp (scheme, "socks5h") == 0 ? "socks5" : scheme, "://",
                   rest == NULL ? trimmed : rest + strlen ("://"), NULL);
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_HAS_PASSWORD, NULL);
  const char *host = uri == NULL ? NULL : g_uri_get_host (uri);
  bool is_known = false;
  for (size_t i = 0; i < G_N_ELEMENTS (schemes) && uri != NULL; i++)
    is_known = is_known || strcmp (g_uri_get_scheme (uri), schemes[i]) == 0;
  if (!is_known || !is_host (host))
    return refuse (variable, trimmed, error);
  return g_steal_pointer (&address);
}

/* Hosts that are reached without; NULL for none. Returns: whether not all hosts are. */
static bool
read_exceptions (char **environment, char ***hosts)
{
  static const char *const names[] = {"no_proxy", "NO_PROXY"};
  const char *found = NULL, *value = peek_variable (environment, names, &found);
  g_auto (GStrv) parts = g_strsplit_set (value == NULL ? "" : value, ", \t\n", -1);
  GStrvBuilder *builder = g_strv_builder_new ();
  bool is_all = false;
  for (char **part = parts; *part != NULL; part++) {
    is_all = is_all || strcmp (*part, "*") == 0;
    if (**part != '\0')
      g_strv_builder_add (builder, *part);
  }
  *hosts = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return !is_all;
}

static GProxyResolver *
new_without_variables (char **environment)
{
  const char *desktop = g_environ_getenv (environment, "XDG_CURRENT_DESKTOP");
  if (desktop != NULL && *desktop != '\0')
    return g_object_ref (g_proxy_resolver_get_default ());
  return g_simple_proxy_resolver_new (DIRECT, NULL);
}

GProxyResolver *
attn_hub_proxy_new (char **environment, GError **error)
{
  static const struct {
    const char *scheme; /* NULL: of all others */
    const char *names[2];
  } variables[] = {{NULL, {"all_proxy", "ALL_PROXY"}},
                   {"http", {"http_proxy", "HTTP_PROXY"}},
                   {"https", {"https_proxy", "HTTPS_PROXY"}}};
  g_auto (GStrv) exceptions = NULL;
  bool wants_any = read_exceptions (environment, &exceptions), has_any = false;
  g_autoptr (GProxyResolver) resolver = g_simple_proxy_resolver_new (DIRECT, exceptions);
  for (size_t i = 0; i < G_N_ELEMENTS (variables); i++) {
    const char *name = NULL, *value = peek_variable (environment, variables[i].names, &name);
    g_autofree char *address = value == NULL ? NULL : dup_address (value, name, error);
    if (value != NULL && address == NULL)
      return NULL;
    has_any = has_any || value != NULL;
    if (value == NULL || !wants_any)
      continue;
    if (variables[i].scheme != NULL)
      g_simple_proxy_resolver_set_uri_proxy (G_SIMPLE_PROXY_RESOLVER (resolver),
                                             variables[i].scheme, address);
    else
      g_simple_proxy_resolver_set_default_proxy (G_SIMPLE_PROXY_RESOLVER (resolver), address);
  }
  return has_any || !wants_any ? g_steal_pointer (&resolver) : new_without_variables (environment);
}

char *
attn_hub_proxy_dup_host (GProxyResolver *resolver, const char *url)
{
  g_auto (GStrv) found = g_proxy_resolver_lookup (resolver, url, NULL, NULL);
  g_autoptr (GUri) uri =
      found == NULL || found[0] == NULL || strcmp (found[0], DIRECT) == 0
          ? NULL
          : g_uri_parse (found[0], G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_PARSE_RELAXED, NULL);
  return uri == NULL ? NULL : g_strdup (g_uri_get_host (uri));
}
