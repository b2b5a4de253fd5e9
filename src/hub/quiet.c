/* SPDX-License-Identifier: MIT */
/* libsoup gives the length of an answer to a property without looking whether it is below 0, and
 * before anybody could stop it; GObject warns of that. */
#include "attn-hub/quiet.h"

#include <string.h>

static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, void *data)
{
  if (strstr (message, "'content-length'") == NULL)
    g_log_default_handler (domain, level, message, data);
}

void
attn_hub_quiet_lengths (void)
{
  g_log_set_handler ("GLib-GObject", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
                     log_cb, NULL);
}
