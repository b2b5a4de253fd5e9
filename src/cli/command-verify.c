/* SPDX-License-Identifier: MIT */
/* headscope-cli verify: are the files in the cache what was downloaded? */
#include "cli.h"
#include "named.h"

#include "attn-hub/manage.h"
#include "attn-hub/places.h"
#include "attn/error.h"

#include <stdio.h>
#include <unistd.h>

/* How far it is, on a terminal; one line that is written over. */
static bool
tell_cb (double fraction, void *data)
{
  int *last = data, percent = (int)(fraction * 100);
  if (percent != *last)
    fprintf (stderr, "\r%3d %%%s", percent, percent == 100 ? "\r     \r" : "");
  *last = percent;
  return true;
}

static void
append_problem (GString *json, const AttnHubProblem *problem)
{
  g_string_append (json, json->str[json->len - 1] == '[' ? "\n{\"name\":" : ",\n{\"name\":");
  cli_append_string (json, problem->repo);
  cli_append_nullable (json, "commit", problem->commit);
  cli_append_nullable (json, "file", problem->path);
  g_string_append (json, ",\"reason\":");
  cli_append_string (json, problem->reason);
  g_string_append_c (json, '}');
}

static bool
answer (const CliOptions *options, const AttnHubVerdict *verdict, GError **error)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_string_append_printf (
      json, "{\"files\":%zu,\"unchecked\":%zu,\"bytes\":%" G_GUINT64_FORMAT ",\"problems\":[",
      verdict->n_files, verdict->n_unchecked, verdict->n_bytes);
  for (size_t i = 0; i < verdict->n_problems; i++)
    append_problem (json, verdict->problems[i]);
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}

bool
cli_verify (const CliOptions *options, GError **error)
{
  if ((options->name == NULL) == !options->all)
    return cli_usage (error, "wanted is a model's name or --all, one of the two");
  g_autoptr (AttnHubName) name = options->all ? NULL : cli_parse_name (options, "models", error);
  if (!options->all && name == NULL)
    return false;
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  int percent = -1;
  g_autoptr (AttnHubVerdict) verdict = attn_hub_verify (
      places->cache, name, isatty (STDERR_FILENO) ? tell_cb : NULL, &percent, error);
  if (verdict == NULL || !answer (options, verdict, error))
    return false;
  if (verdict->n_problems == 0)
    return true;
  static const char *const remedies[] = {
      [ATTN_HUB_ANEW] = "; remove and fetch the model to get it anew",
      [ATTN_HUB_FETCH] = "; fetch the model to download what is missing",
      [ATTN_HUB_AS_TOLD] = "",
  };
  const AttnHubProblem *first = verdict->problems[0];
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "%s%s%s: %s%s%s", first->repo,
               first->path != NULL ? ": " : "", first->path != NULL ? first->path : "",
               first->reason, verdict->n_problems > 1 ? ", and more" : "", remedies[first->remedy]);
  return false;
}
