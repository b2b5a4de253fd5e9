/* SPDX-License-Identifier: MIT */
/* The proxies that the environment names, as Python's libraries and curl understand it. */
#pragma once

#include <gio/gio.h>

/**
 * attn_hub_proxy_new:
 * @environment: "NAME=VALUE" strings
 *
 * HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, in small letters first, and NO_PROXY. An address without a
 * scheme is an HTTP proxy's. Where none is set, the desktop's settings are asked in a desktop's
 * session, and nothing is asked elsewhere: there, a library would complain of settings it cannot
 * read.
 *
 * Returns: (transfer full): a resolver, or NULL with @error: FORMAT: what cannot be a proxy, which
 *   must not be passed over.
 * Test: tests/hub/test-proxy.c
 */
GProxyResolver *attn_hub_proxy_new (char **environment, GError **error);

/* Returns: (transfer full) (nullable): the host of the proxy by which @url is reached; NULL for
 * none.
 */
char *attn_hub_proxy_dup_host (GProxyResolver *resolver, const char *url);
