/* SPDX-License-Identifier: MIT */
/* headscope-cli fetch: a model from the Hub into the cache, or what that would be. */
#include "cli.h"
#include "interrupt.h"
#include "named.h"

#include "attn-hub/cache.h"
#include "attn-hub/fetch.h"
#include "attn-hub/places.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One line on the terminal that is written over. */
static void
tell (const AttnHubProgress *progress, void *data)
{
  guint64 *received = data;
  *received = progress->received;
  if (!isatty (STDERR_FILENO))
    return;
  g_autofree char *done = g_format_size (progress->done);
  g_autofree char *total = g_format_size (progress->total);
  g_autofree char *speed = g_format_size ((guint64)progress->bytes_per_second);
  g_autofree char *left = NULL;
  if (progress->waiting_for != NULL)
    left = g_strdup_printf (", %s", progress->waiting_for);
  else if (progress->seconds_left >= 0)
    left = g_strdup_printf (", %s/s, %.0f s left", speed, ceil (progress->seconds_left));
  fprintf (stderr, "\r\033[K%s of %s%s", done, total, left != NULL ? left : "");
}

static void
end_line (void)
{
  if (isatty (STDERR_FILENO))
    fputs ("\r\033[K", stderr);
}

static void
begin_answer (GString *json, const AttnHubPlan *plan)
{
  g_string_append (json, "{\"name\":");
  cli_append_string (json, attn_hub_plan_peek_repo (plan));
  g_string_append_printf (json, ",\"commit\":\"%s\"", attn_hub_plan_peek_commit (plan));
}

static bool
answer_plan (const CliOptions *options, const AttnHubPlan *plan, GError **error)
{
  g_autoptr (GString) json = g_string_new (NULL);
  begin_answer (json, plan);
  g_string_append (json, ",\"family\":");
  cli_append_string (json, attn_hub_plan_peek_family (plan));
  g_string_append_printf (json,
                          ",\"layers\":%zu,\"heads\":%zu,\"bytes\":%" G_GUINT64_FORMAT
                          ",\"present\":%" G_GUINT64_FORMAT ",\"files\":[",
                          attn_hub_plan_get_n_layers (plan), attn_hub_plan_get_n_heads (plan),
                          attn_hub_plan_get_n_bytes (plan), attn_hub_plan_get_n_present (plan));
  for (size_t i = 0; i < attn_hub_plan_get_n_files (plan); i++) {
    const AttnHubPlanFile *file = attn_hub_plan_peek_file (plan, i);
    g_string_append (json, i > 0 ? ",\n{\"file\":" : "\n{\"file\":");
    cli_append_string (json, file->path);
    g_string_append_printf (json,
                            ",\"bytes\":%" G_GUINT64_FORMAT ",\"present\":%" G_GUINT64_FORMAT "}",
                            file->n_bytes, file->n_present);
  }
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}

static bool
answer_suggestions (const CliOptions *options, GError **error)
{
  size_t n = 0;
  const AttnHubSuggestion *suggestions = attn_hub_suggestions_peek (&n);
  g_autoptr (GString) json = g_string_new ("{\"models\":[");
  for (size_t i = 0; i < n; i++) {
    g_string_append (json, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
    cli_append_string (json, suggestions[i].name);
    g_string_append (json, ",\"family\":");
    cli_append_string (json, suggestions[i].family);
    g_string_append_printf (json, ",\"layers\":%u,\"heads\":%u,\"megabytes\":%u}",
                            suggestions[i].n_layers, suggestions[i].n_heads,
                            suggestions[i].megabytes);
  }
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}

/* What was stopped, or failed, and how to go on. */
static void
advise (const CliOptions *options,
        const AttnHubPlaces *places,
        const AttnHubName *name,
        GError **error)
{
  g_autofree char *here = attn_hub_cache_find (places->cache, name, NULL);
  g_autoptr (AttnHubEntry) entry = here == NULL ? NULL : attn_hub_cache_check_folder (here);
  g_autofree char *shown = attn_file_dup_shown (options->name, strlen (options->name));
  if (g_error_matches (*error, ATTN_ERROR, ATTN_ERROR_CANCELLED)) {
    g_clear_error (error);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED,
                 "%s: stopped; what has arrived is kept, and \"headscope-cli fetch %s\" goes on "
                 "from there",
                 shown, shown);
  } else if (entry != NULL && entry->state == ATTN_HUB_USABLE) {
    cli_warn ("%s", (*error)->message);
    g_clear_error (error);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: what was fetched before is here and can be used: --model %s", shown, shown);
  }
}

static bool
fetch (const CliOptions *options,
       const AttnHubPlaces *places,
       const AttnHubName *name,
       GCancellable *stop,
       GError **error)
{
  gint64 start_us = g_get_monotonic_time ();
  guint64 received = 0;
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (places, name, stop, error);
  if (plan == NULL)
    return false;
  if (options->dry_run)
    return answer_plan (options, plan, error);
  g_autofree char *folder = attn_hub_fetch (plan, tell, &received, stop, error);
  end_line ();
  if (folder == NULL)
    return false;
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  g_autoptr (GString) json = g_string_new (NULL);
  begin_answer (json, plan);
  g_string_append (json, ",\"folder\":");
  cli_append_string (json, shown);
  g_string_append_printf (
      json, ",\"bytes\":%" G_GUINT64_FORMAT ",\"received\":%" G_GUINT64_FORMAT ",\"seconds\":",
      attn_hub_plan_get_n_bytes (plan), received);
  cli_append_number (json, (double)(g_get_monotonic_time () - start_us) / G_USEC_PER_SEC);
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}

/* GIO makes the desktop's finder of proxies even where the Hub layer brings its own, and that one
 * complains of settings it cannot read where there is no desktop: for a service, in a container. */
static void
leave_desktop_alone (void)
{
  if (g_getenv ("XDG_CURRENT_DESKTOP") == NULL)
    g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", FALSE);
}

bool
cli_fetch (const CliOptions *options, GError **error)
{
  if (options->suggest && options->name == NULL)
    return answer_suggestions (options, error);
  if (options->suggest)
    return cli_usage (error, "--suggest takes no name");
  g_autoptr (AttnHubName) name = cli_parse_name (options, "fetch --suggest", error);
  if (name == NULL)
    return false;
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  cli_interrupt_stops (stop);
  leave_desktop_alone ();
  g_autoptr (GError) found = NULL;
  if (fetch (options, places, name, stop, &found))
    return true;
  advise (options, places, name, &found);
  g_propagate_error (error, g_steal_pointer (&found));
  return false;
}
