/* SPDX-License-Identifier: MIT */
/* libsoup 3.2 makes the stream of an answer's body with the length that the header tells, -5 as
 * well as 5, before any signal in which the answer could be refused: its property takes nothing
 * below -1, and GObject warns. Only that one sentence is left out; ours tells of the length. */
#include "attn-hub/quiet.h"

#include <string.h>

static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, void *data)
{
  if (strstr (message,
              "is invalid or out of range for property 'content-length' of type 'gint64'") == NULL)
    g_log_default_handler (domain, level, message, data);
}

void
attn_hub_quiet_lengths (void)
{
  g_log_set_handler ("GLib-GObject", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
                     log_cb, NULL);
}
