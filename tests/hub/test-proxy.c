/* SPDX-License-Identifier: MIT */
/* Which proxy the environment names for an address. */
#include "proxy.h"

#include "attn-hub/places.h"
#include "attn/error.h"

#include <string.h>

#define HUB "https://hub.example/x"

static GProxyResolver *
proxy_new (const char *const *environment, GError **error)
{
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (environment);
  return attn_hub_proxy_new (places->environment, error);
}

static void
test_found (void)
{
  static const struct {
    const char *environment[4];
    const char *url;
    const char *proxy; /* what the resolver answers first */
    const char *host;  /* NULL for none */
  } rows[] = {
      {{NULL}, HUB, "direct://", NULL},
      {{"https_proxy=http://p:3128", NULL}, HUB, "http://p:3128", "p"},
      {{"HTTPS_PROXY=p:3128", NULL}, HUB, "http://p:3128", "p"},
      {{"HTTPS_PROXY= 10.0.0.1:3128 ", NULL}, HUB, "http://10.0.0.1:3128", "10.0.0.1"},
      {{"HTTPS_PROXY=http://big:1", "https_proxy=http://small:1", NULL},
       HUB,
       "http://small:1",
       "small"},
      {{"https_proxy=", "HTTPS_PROXY=http://big:1", NULL}, HUB, "http://big:1", "big"},
      {{"http_proxy=http://p:1", NULL}, HUB, "direct://", NULL},
      {{"http_proxy=http://p:1", NULL}, "http://hub.example/", "http://p:1", "p"},
      {{"ALL_PROXY=socks5h://p:1080", NULL}, HUB, "socks5://p:1080", "p"},
      {{"ALL_PROXY=http://p:1", "HTTPS_PROXY=http://q:1", NULL}, HUB, "http://q:1", "q"},
      {{"HTTPS_PROXY=HTTP://name:secret@p:3128", NULL}, HUB, "http://name:secret@p:3128", "p"},
      {{"HTTPS_PROXY=http://p:1", "NO_PROXY=a.b, .example", NULL}, HUB, "direct://", NULL},
      {{"HTTPS_PROXY=http://p:1", "NO_PROXY=*", NULL}, HUB, "direct://", NULL},
      {{"HTTPS_PROXY=http://p:1", "NO_PROXY=other.example", NULL}, HUB, "http://p:1", "p"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GProxyResolver) resolver = proxy_new (rows[i].environment, &error);
    g_assert_no_error (error);
    g_auto (GStrv) found = g_proxy_resolver_lookup (resolver, rows[i].url, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (found[0], ==, rows[i].proxy);
    g_autofree char *host = attn_hub_proxy_dup_host (resolver, rows[i].url);
    g_assert_cmpstr (host, ==, rows[i].host);
  }
}

/* What cannot be a proxy is refused, and not gone around; passwords are not shown. */
static void
test_refused (void)
{
  static const char *const values[] = {":::",         "http://",
                                       "ftp://p:1",   "http://p:999999",
                                       "file:///etc", "http://us er:secret@p:x",
                                       "\x1b[31m"};
  for (size_t i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *variable = g_strconcat ("HTTPS_PROXY=", values[i], NULL);
    const char *const environment[] = {variable, NULL};
    g_assert_null (proxy_new (environment, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_assert_true (g_str_has_prefix (error->message, "HTTPS_PROXY: found \""));
    g_assert_nonnull (strstr (error->message, "wanted a proxy's address like http://"));
    g_assert_null (strstr (error->message, "secret"));
    g_assert_null (strchr (error->message, '\x1b'));
  }
}

/* The desktop is asked only where there is one. */
static void
test_desktop (void)
{
  const char *const with[] = {"XDG_CURRENT_DESKTOP=GNOME", NULL}, *const without[] = {NULL};
  g_autoptr (GProxyResolver) desktop = proxy_new (with, NULL);
  g_autoptr (GProxyResolver) none = proxy_new (without, NULL);
  g_assert_true (desktop == g_proxy_resolver_get_default ());
  g_assert_true (G_IS_SIMPLE_PROXY_RESOLVER (none));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proxy/found", test_found);
  g_test_add_func ("/proxy/refused", test_refused);
  g_test_add_func ("/proxy/desktop", test_desktop);
  return g_test_run ();
}
