/* SPDX-License-Identifier: MIT */
/* A plan while it is made: its files from the listing, and small files that say which are wanted.
 */
#include "planning.h"

#include "listing.h"

#include "attn-hub/blob.h"
#include "attn-hub/snapshot.h"

#include <string.h>

/* What of a file is in the cache. */
static guint64
count_present (const AttnHubPlan *plan, const AttnHubListed *listed)
{
  AttnHubSnapshot snapshot = {plan->places->cache, plan->repo, plan->commit, false};
  bool is_there = false;
  if (attn_hub_snapshot_has (&snapshot, listed->path, listed->n_bytes))
    return listed->n_bytes;
  return attn_hub_blob_look (plan->places->cache, plan->repo, listed->etag, listed->n_bytes,
                             &is_there);
}

bool
attn_hub_planning_add (AttnHubPlanning *planning, const char *folder, const char *name)
{
  g_autofree char *path = g_strconcat (folder, name, NULL);
  const AttnHubListed *listed = g_hash_table_lookup (planning->listing, path);
  GPtrArray *files = planning->plan->files;
  for (guint i = 0; i < files->len; i++)
    if (strcmp (((const AttnHubPlanFile *)g_ptr_array_index (files, i))->path, path) == 0)
      return true;
  if (listed == NULL)
    return false;
  AttnHubPlanFile *file = g_new0 (AttnHubPlanFile, 1);
  *file = (AttnHubPlanFile){
      .path = g_steal_pointer (&path),
      .etag = g_strdup (listed->etag),
      .n_bytes = listed->n_bytes,
      .n_present = count_present (planning->plan, listed),
  };
  g_ptr_array_add (files, file);
  return true;
}

char *
attn_hub_planning_load (
    AttnHubPlanning *planning, const char *path, size_t max_bytes, size_t *n_bytes, GError **error)
{
  const AttnHubPlan *plan = planning->plan;
  g_autofree char *escaped = attn_hub_name_escape_path (path);
  g_autofree char *target =
      g_strdup_printf ("/%s/resolve/%s/%s", plan->repo, plan->commit, escaped);
  return attn_hub_client_load (planning->client, target, max_bytes, n_bytes, NULL, error);
}
