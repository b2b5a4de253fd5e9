/* SPDX-License-Identifier: MIT */
/* headscope-cli remove: a model, or one revision of it, leaves the cache. */
#include "cli.h"
#include "named.h"

#include "attn-hub/manage.h"
#include "attn-hub/places.h"
#include "attn/error.h"

#include <stdio.h>
#include <unistd.h>

/* Whether the person at the terminal agrees. */
static bool
is_agreed (const AttnHubRemoval *plan)
{
  g_autofree char *size = g_format_size (plan->n_bytes);
  fprintf (stderr, "Remove %s (%zu %s, %s)? [y/N] ", plan->repo, plan->n_revisions,
           plan->n_revisions == 1 ? "revision" : "revisions", size);
  fflush (stderr);
  int answer = getchar ();
  return answer == 'y' || answer == 'Y';
}

static bool
answer (const CliOptions *options, const AttnHubRemoval *removal, GError **error)
{
  g_autoptr (GString) json = g_string_new ("{\"name\":");
  cli_append_string (json, removal->repo);
  g_string_append_printf (json,
                          ",\"revisions\":%zu,\"files\":%zu,\"bytes\":%" G_GUINT64_FORMAT
                          ",\"whole\":%s,\"removed\":%s}\n",
                          removal->n_revisions, removal->n_files, removal->n_bytes,
                          removal->whole ? "true" : "false", options->dry_run ? "false" : "true");
  return cli_answer (options, json, error);
}

bool
cli_remove (const CliOptions *options, GError **error)
{
  g_autoptr (AttnHubName) name = cli_parse_name (options, "models", error);
  if (name == NULL)
    return false;
  bool asks = !options->yes && !options->dry_run;
  if (asks && (!isatty (STDIN_FILENO) || !isatty (STDERR_FILENO)))
    return cli_usage (error, "there is no terminal to ask on: give --yes, or --dry-run to look");
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  g_auto (AttnHubRemoval) plan = {0}, removal = {0};
  if (!attn_hub_plan_removal (places->cache, name, &plan, error))
    return false;
  if (options->dry_run)
    return answer (options, &plan, error);
  if (asks && !is_agreed (&plan)) {
    g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "nothing was removed");
    return false;
  }
  return attn_hub_remove (places->cache, name, &removal, error) &&
         answer (options, &removal, error);
}
