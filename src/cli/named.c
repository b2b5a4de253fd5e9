/* SPDX-License-Identifier: MIT */
/* Reading the model's name. */
#include "named.h"

#include <string.h>

AttnHubName *
cli_parse_name (const CliOptions *options, const char *command, GError **error)
{
  g_autoptr (GError) fault = NULL;
  if (options->name == NULL) {
    cli_usage (error, "the model's name is missing; \"headscope-cli %s\" lists %s", command,
               strcmp (command, "models") == 0 ? "those here" : "some");
    return NULL;
  }
  AttnHubName *name = attn_hub_name_parse (options->name, &fault);
  if (name == NULL)
    cli_usage (error, "%s", fault->message);
  return name;
}
